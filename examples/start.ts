/**
 * Takes one request through all of bellows: what a person writes, what each API wants, an answer with typed items, and
 * the request read back from each wire. No key, no network.
 */
import { Console, Effect, Schema } from "effect"
import { inspect, isDeepStrictEqual, styleText } from "node:util"
import {
  AnthropicMessages,
  Client,
  Echo,
  Item,
  OpenAiResponses,
  Pipeline,
  type Protocol,
  Response
} from "../src/index.ts"

const shorthand: Pipeline.Input = {
  model: "claude-sonnet-4-5",
  instructions: "Be brief.",
  input: ["Where was this picture taken?", { image: "https://example.org/harbour.png" }],
  tools: [{
    name: "locate",
    description: "Finds a place by its name.",
    parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] }
  }],
  maxTokens: 400
}

const title = (text: string) => Console.log(`\n${styleText("bold", text)}`)
const show = (value: unknown) =>
  Console.log(inspect(value, { depth: null, breakLength: 110, compact: 3, colors: process.stdout.isTTY }))

const onTheWireOf = Effect.fn(function*(protocol: Protocol.Protocol) {
  const request = yield* Pipeline.expand(shorthand)
  const wire = yield* Pipeline.encode(protocol)(request)
  yield* title(`The same as ${protocol.name}`)
  yield* show(wire)
  const again = yield* Schema.decodeUnknownEffect(protocol.RequestFromWire)(wire)
  const equal = isDeepStrictEqual(again, request)
  yield* Console.log(`Read back from this wire: ${equal ? "equal to the request" : "NOT equal to the request"}`)
  return equal
})

const ask = Effect.fn(function*(input: Pipeline.Input) {
  const response = yield* Client.send(input)
  for (const item of response.items) {
    yield* Console.log(Item.match(item, {
      "message": ({ role }) => `message of the ${role}: ${Item.textIn(item)}`,
      "reasoning": () => "reasoning",
      "tool-call": (call) => `tool-call ${call.id}: ${call.name}(${call.arguments})`,
      "tool-result": ({ id }) => `tool-result for ${id}`,
      "tool-approval-request": ({ name }) => `asks whether it may run ${name}`,
      "tool-approval-response": ({ approve }) => `approval: ${approve}`,
      "tools": ({ tools }) => `${tools.length} tools`,
      "compaction": () => "compaction",
      "unmodelled": ({ protocol }) => `an item that only ${protocol} knows`
    }))
  }
  yield* Console.log(
    `finish reason: ${response.finishReason}, calls that wait for us: ${Response.toolCalls(response).length}`
  )
})

const program = Effect.gen(function*() {
  yield* title("What a person writes")
  yield* show(shorthand)
  yield* title("What it means: the canonical request")
  yield* show(yield* Pipeline.expand(shorthand))
  const equal = [yield* onTheWireOf(OpenAiResponses), yield* onTheWireOf(AnthropicMessages)]

  for (const [api, layer] of [["OpenAI's", Echo.layer], ["Anthropic's", Echo.layerAnthropic]] as const) {
    yield* title(`Sent to Echo, by ${api} API`)
    yield* Effect.provide(ask(shorthand), layer)
    yield* Effect.provide(ask({ ...shorthand, toolChoice: "required" }), layer)
  }
  if (equal.includes(false)) return yield* Effect.die("A request was not equal to itself")
})

await Effect.runPromise(program)
