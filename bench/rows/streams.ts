/**
 * Streams: events read in a second beside the official SDKs on the same bytes, and whether time is in proportion to
 * length.
 */
import SdkAnthropic from "@anthropic-ai/sdk"
import { Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import SdkOpenAi from "openai"
import * as Collect from "../../src/pipeline/Collect.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"
import { measure, repeated } from "../measure.ts"
import { type Name, names } from "../protocols.ts"
import { answering, bytesOf, messages, responses } from "../streamed.ts"
import { ms, table, times } from "../table.ts"

const request = { model: "m", input: "hi", maxTokens: 9 }

const protocols = {
  "openai-responses": { provider: OpenAi, protocol: OpenAiResponses },
  "anthropic-messages": { provider: Anthropic, protocol: AnthropicMessages }
} as const

const streamOf = (name: Name, bytes: Uint8Array) =>
  Stream.unwrap(Effect.map(protocols[name].provider.make({}), (client) => client.stream(request))).pipe(
    Stream.provide(FetchHttpClient.layer),
    Stream.provideService(FetchHttpClient.Fetch, answering(bytes))
  )
const read = (name: Name, bytes: Uint8Array) => Effect.runPromise(Stream.runDrain(streamOf(name, bytes)))
const collect = (name: Name, bytes: Uint8Array) =>
  Effect.runPromise(Collect.run(protocols[name].protocol)(streamOf(name, bytes)))

const openAi = (bytes: Uint8Array) => new SdkOpenAi({ apiKey: "none", fetch: answering(bytes) }).responses
const anthropic = (bytes: Uint8Array) => new SdkAnthropic({ apiKey: "none", fetch: answering(bytes) }).messages
const asked = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: "hi" }] }

const drain = async (events: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of events);
}
const sdks = {
  "openai-responses": {
    read: async (bytes: Uint8Array) => drain(await openAi(bytes).create({ model: "m", input: "hi", stream: true })),
    collect: (bytes: Uint8Array) => openAi(bytes).stream({ model: "m", input: "hi" }).finalResponse()
  },
  "anthropic-messages": {
    read: async (bytes: Uint8Array) => drain(await anthropic(bytes).create({ ...asked, stream: true })),
    collect: (bytes: Uint8Array) => anthropic(bytes).stream(asked).finalMessage()
  }
} as const

// measuring -------------------------------------------------------------------------------------------------------

const count = 10_000
const words = Array.from({ length: count }, (_, i) => `word${i % 97} `)
const texts: Readonly<Record<Name, Uint8Array>> = {
  "openai-responses": bytesOf(responses.text(words)),
  "anthropic-messages": bytesOf(
    messages({ type: "text", text: "" }, words.map((text) => ({ type: "text_delta", text })))
  )
}
const rate = (us: number): string => `${Math.round(count * 1000 / us)} k/s`

const lines = []
for (const name of names) {
  const bytes = texts[name]
  const taken = await measure({
    read: repeated(() => read(name, bytes)),
    sdkRead: repeated(() => sdks[name].read(bytes)),
    collect: repeated(() => collect(name, bytes)),
    sdkCollect: repeated(() => sdks[name].collect(bytes))
  }, { rounds: 9 })
  const row = (title: string, own: number, theirs: number) =>
    [`${name}, ${title}`, rate(own), rate(theirs), times(theirs / own)] as const
  lines.push(row("read", taken.read, taken.sdkRead), row("collected", taken.collect, taken.sdkCollect))
}
table("events in a second, of 10 000 text deltas", ["bellows", "official SDK", "bellows / SDK"], lines)

const pieces = (bytes: number) => Array.from({ length: bytes / 40 }, () => "0123456789abcdef".repeat(3).slice(0, 40))
const calls: Readonly<Record<Name, (bytes: number) => Uint8Array>> = {
  "openai-responses": (n) => bytesOf(responses.arguments(["{\"a\":\"", ...pieces(n), "\"}"])),
  "anthropic-messages": (n) =>
    bytesOf(
      messages(
        { type: "tool_use", id: "call_1", name: "write", input: {} },
        ["{\"a\":\"", ...pieces(n), "\"}"].map((partial_json) => ({ type: "input_json_delta", partial_json }))
      )
    )
}

const lengths = []
for (const name of names) {
  const [small, large] = [calls[name](1_000_000), calls[name](10_000_000)]
  const { one, ten } = await measure({
    one: repeated(() => collect(name, small)),
    ten: repeated(() => collect(name, large))
  }, { rounds: 3 })
  lengths.push([name, ms(one / 1000), ms(ten / 1000), times(ten / one)] as const)
}
table("argument deltas of 40 characters, collected", ["1 MB", "10 MB", "10 MB / 1 MB"], lengths)
