/**
 * A provider in this very process, that repeats what it is told: no key, no network. It speaks every protocol of the
 * package, reads a request with the protocol's own codec and answers with a real body, so that all of the pipeline is
 * at work.
 *
 * It answers with the last user text or tool result; it calls a tool where the request demands one, and writes JSON
 * where a schema asks for it. Where a stream is asked for, it streams, a word at a time.
 *
 * @example `Client.send({ model: "echo", input: "hi" }).pipe(Effect.provide(Echo.layer))`
 */
import { Effect, flow, Layer, Result, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Event from "../canonical/Event.ts"
import * as Item from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import type { FunctionTool } from "../canonical/Tool.ts"
import * as Client from "../pipeline/Client.ts"
import * as Frames from "../pipeline/Frames.ts"
import type { Provider } from "../pipeline/Provider.ts"
import * as AnthropicMessages from "../protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../protocol/openai-responses/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import * as Anthropic from "./Anthropic.ts"
import * as InMemory from "./InMemory.ts"
import * as OpenAi from "./OpenAi.ts"
import { sampleOf } from "./SchemaSample.ts"

/** Echo behind OpenAI's API. */
export const provider: Provider = { ...OpenAi.provider, name: "echo", baseUrl: "http://echo.invalid/v1" }

/** Echo behind Anthropic's API, which gets a limit where the request has none. */
export const anthropicProvider: Provider = {
  ...Anthropic.provider,
  name: "echo",
  baseUrl: "http://echo.invalid",
  defaults: (request) => Effect.succeed({ maxTokens: 4096, ...request })
}

/** The network with Echo at the other end, for any client of these two APIs. */
export const layerHttp: Layer.Layer<HttpClient.HttpClient> = Layer.suspend(() => InMemory.layer(answer))

/** The `Client` service, with Echo behind OpenAI's API. */
export const layer: Layer.Layer<Client.Client> = Layer.provide(Client.layer(provider), layerHttp)
/** The `Client` service, with Echo behind Anthropic's API. */
export const layerAnthropic: Layer.Layer<Client.Client> = Layer.provide(Client.layer(anthropicProvider), layerHttp)

// the server ------------------------------------------------------------------------------------------------------

const served: ReadonlyArray<readonly [path: string, protocol: Protocol]> = [
  ["/responses", OpenAiResponses],
  ["/messages", AnthropicMessages]
]

const answer = ({ body, url }: InMemory.Received): InMemory.Answer => {
  const protocol = served.find(([path]) => url.pathname.endsWith(path))?.[1]
  if (protocol === undefined) return { status: 404, text: `Echo does not serve ${url.pathname}` }
  return Result.match(Schema.decodeUnknownResult(protocol.RequestFromWire)(body), {
    onFailure: ({ message }) => ({ status: 400, json: encodeFailure(protocol, message) }),
    onSuccess: (request) =>
      asksForStream(protocol, body)
        ? streamed(protocol, respond(request))
        : { json: Schema.encodeSync(protocol.ResponseFromWire)(respond(request)) }
  })
}

/** Asking for a stream changes nothing in a body that does so already. */
const asksForStream = (protocol: Protocol, body: Schema.Json): boolean => isSame(protocol.stream.request(body), body)
const isSame = Schema.toEquivalence(Schema.Unknown)

const streamed = ({ stream }: Protocol, response: Response): InMemory.Answer => ({
  headers: { "content-type": "text/event-stream" },
  stream: Stream.fromIterable(Event.ofResponse(response).flatMap(inWords)).pipe(
    Stream.mapAccum(() => stream.encode.initial, stream.encode.step),
    Stream.map(flow(Frames.frameOf(stream), Frames.write)),
    Stream.encodeText
  )
})

const inWords = (event: Event.Event): ReadonlyArray<Event.Event> =>
  event._tag === "TextDelta" && event.text !== ""
    ? event.text.split(/(?<=\s)(?=\S)/).map((text) => ({ ...event, text }))
    : [event]

const encodeFailure = (protocol: Protocol, message: string): unknown =>
  Schema.encodeSync(protocol.FailureFromWire)({ kind: "invalid-request", message })

/** What Echo says to a request. Pure: the same request, the same response. */
export const respond = (request: Request): Response => {
  const tool = demanded(request)
  const text = textFor(request)
  const item = tool === undefined
    ? Item.assistant(text)
    : Item.toolCall(`call_echo_${request.items.length}`, tool.name, sampleOf(tool.parameters ?? {}, text))
  return {
    id: `echo_${request.items.length}`,
    model: request.model ?? "echo",
    items: [item],
    finishReason: tool === undefined ? "stop" : "tool-calls",
    usage: { input: wordsIn(JSON.stringify(request.items)), output: wordsIn(JSON.stringify(item)) }
  }
}

/** The function tool that the request wants called: the one it names, or else its first. */
const demanded = ({ toolChoice, tools = [] }: Request): FunctionTool | undefined => {
  const functions = tools.filter((tool) => tool.type === "function")
  if (toolChoice?.type === "tool") return functions.find(({ name }) => name === toolChoice.name)
  return toolChoice?.type === "required" ? functions[0] : undefined
}

const textFor = ({ items, responseFormat }: Request): string => {
  const text = items.filter(isHeard).map(Item.textIn).findLast((text) => text !== undefined && text !== "") ?? ""
  if (responseFormat?.type === "json") return JSON.stringify({ text })
  return responseFormat?.type === "json-schema" ? JSON.stringify(sampleOf(responseFormat.schema, text)) : text
}

const isHeard = (item: Item.Item): boolean =>
  item.type === "tool-result" || (item.type === "message" && item.role === "user")

const wordsIn = (text: string): number => text.split(/\W+/).filter((word) => word !== "").length
