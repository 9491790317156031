/** Reads recorded streams with the official SDKs and with bellows, the same bytes: same text, calls and usage. */
import SdkAnthropic from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema, Stream } from "effect"
import { existsSync, readFileSync } from "node:fs"
import SdkOpenAi, { type OpenAI } from "openai"
import * as Response from "../../src/canonical/Response.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import * as Pipeline from "../../src/pipeline/Pipeline.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import * as InMemory from "../../src/provider/InMemory.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"

const headers = { "content-type": "text/event-stream" }
const answering = (sse: string) => (): Promise<globalThis.Response> =>
  Promise.resolve(new globalThis.Response(sse, { headers }))

/** What is compared: the words, the calls that wait for the caller, the tokens. */
interface Gist {
  readonly text: string
  readonly calls: ReadonlyArray<readonly [id: string, name: string, input: unknown]>
  readonly input: number | undefined
  readonly output: number | undefined
}

const gistOf = (response: Response.Response): Gist => ({
  text: Response.text(response),
  calls: Response.toolCalls(response).flatMap(({ arguments: text, id, kind, name }) =>
    kind === undefined ? [[id, name, parsed(text)] as const] : []
  ),
  input: response.usage?.input,
  output: response.usage?.output
})
const parsed = (text = ""): unknown => text.trim() === "" ? {} : JSON.parse(text)

const openAi = (sse: string) => new SdkOpenAi({ apiKey: "none", fetch: answering(sse), maxRetries: 0 }).responses
const asked = { model: "m", input: "hi" }

const gistOfBody = ({ output, usage }: OpenAI.Responses.Response): Gist => ({
  text: output.flatMap((item) => item.type === "message" ? item.content : [])
    .map((part) => part.type === "output_text" ? part.text : "").join(""),
  calls: output.flatMap((item) =>
    item.type === "function_call" ? [[item.call_id, item.name, parsed(item.arguments)] as const] : []
  ),
  input: usage?.input_tokens,
  output: usage?.output_tokens
})

/** The SDK collects the events itself. */
const viaOpenAi = async (sse: string): Promise<Gist> => gistOfBody(await openAi(sse).stream(asked).finalResponse())

/** The SDK's parser alone: where events have no index, what collects them gives up. */
const viaOpenAiEvents = async (sse: string): Promise<Gist> => {
  for await (const event of await openAi(sse).create({ ...asked, stream: true })) {
    if (event.type === "response.completed") return gistOfBody(event.response)
  }
  throw new Error("Not completed")
}

const viaAnthropic = async (sse: string): Promise<Gist> => {
  const client = new SdkAnthropic({ apiKey: "none", fetch: answering(sse), maxRetries: 0 })
  const { content, usage } = await client.messages.stream({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "hi" }]
  }).finalMessage()
  return {
    text: content.flatMap((block) => block.type === "text" ? [block.text] : []).join(""),
    calls: content.flatMap((block) => block.type === "tool_use" ? [[block.id, block.name, block.input] as const] : []),
    input: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    output: usage.output_tokens
  }
}

const protocols = {
  "openai-responses": { provider: OpenAi, protocol: OpenAiResponses },
  "anthropic-messages": { provider: Anthropic, protocol: AnthropicMessages }
} as const

const ours = (name: keyof typeof protocols, sse: string) => {
  const { protocol, provider } = protocols[name]
  return Effect.gen(function*() {
    const client = yield* provider.make({ apiKey: Redacted.make("none") }).pipe(
      Effect.provide(InMemory.layer(() => ({ text: sse, headers })))
    )
    const request = { model: "claude-sonnet-4-5", input: "hi" }
    return gistOf(yield* Collect.run(protocol)(Stream.orDie(client.stream(request))))
  })
}

const Exchange = Schema.fromJsonString(
  Schema.Struct({ id: Schema.String, protocol: Schema.String, sse: Schema.optionalKey(Schema.String) })
)
const recorded = (file: string, name: string) => {
  const url = new URL(`../../../shared/recordings/${file}.jsonl`, import.meta.url)
  if (!existsSync(url)) return []
  return readFileSync(url, "utf8").split("\n").filter((line) => line.includes("\"sse\"")).flatMap((line) => {
    const { id, protocol, sse } = Schema.decodeUnknownSync(Exchange)(line)
    return sse === undefined || protocol !== name ? [] : [{ id, sse }]
  })
}

const files = [
  ["openai-responses", "openai-responses", viaOpenAi],
  ["openai-responses-compat", "openai-responses", viaOpenAi],
  ["llama-server", "openai-responses", viaOpenAiEvents],
  ["anthropic-messages", "anthropic-messages", viaAnthropic],
  ["llama-server", "anthropic-messages", viaAnthropic]
] as const

describe("recorded streams", () => {
  for (const [file, name, sdk] of files) {
    it.live(`${file}, ${name}: what the SDK reads, bellows reads alike`, (context) =>
      Effect.gen(function*() {
        const streams = recorded(file, name)
        if (streams.length === 0) return context.skip("no ../shared")
        for (const { id, sse } of streams) {
          assert.deepStrictEqual(yield* ours(name, sse), yield* Effect.promise(() => sdk(sse)), id)
        }
      }))
  }

  it.live("the events of the provider's own are those that the SDK gives", (context) =>
    Effect.gen(function*() {
      const streams = recorded("openai-responses", "openai-responses")
      if (streams.length === 0) return context.skip("no ../shared")
      for (const { id, sse } of streams) {
        const theirs = yield* Stream.runCollect(
          Stream.fromAsyncIterable(
            yield* Effect.promise(() => openAi(sse).create({ ...asked, stream: true })),
            (cause) => cause
          )
        )
        const wires = Pipeline.stream(OpenAi.configure({}))(asked).pipe(
          Stream.provide(InMemory.layer(() => ({ text: sse, headers })))
        )
        assert.deepStrictEqual<unknown>(yield* Stream.runCollect(wires), theirs, id)
      }
    }))
})
