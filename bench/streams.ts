/**
 * Measures streams: events read per second beside the official SDKs on the same bytes in the same run, whether time is
 * in proportion to length, and whether memory is that of the text.
 */
import SdkAnthropic from "@anthropic-ai/sdk"
import { Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import SdkOpenAi from "openai"
import * as Collect from "../src/pipeline/Collect.ts"
import * as AnthropicMessages from "../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../src/protocol/openai-responses/index.ts"
import * as Anthropic from "../src/provider/Anthropic.ts"
import * as OpenAi from "../src/provider/OpenAi.ts"

const chunk = 16 * 1024
const rounds = 7
const request = { model: "m", input: "hi", maxTokens: 9 }

// what is sent ----------------------------------------------------------------------------------------------------

type Wire = { readonly type: string; readonly [key: string]: unknown }

const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "write" }
const message = { id: "msg_1", type: "message", role: "assistant", status: "completed" }
const body = { id: "resp_1", object: "response", model: "m", created_at: 1, status: "completed" }
const responses = {
  text: (pieces: ReadonlyArray<string>): ReadonlyArray<Wire> => {
    const at = { item_id: "msg_1", output_index: 0, content_index: 0 }
    const text = { type: "output_text", text: pieces.join(""), annotations: [] }
    return [
      { type: "response.created", response: { ...body, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
      { type: "response.content_part.added", ...at, part: { ...text, text: "" } },
      ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      { type: "response.output_text.done", ...at, text: text.text, logprobs: [] },
      { type: "response.content_part.done", ...at, part: text },
      { type: "response.output_item.done", output_index: 0, item: { ...message, content: [text] } },
      { type: "response.completed", response: { ...body, output: [{ ...message, content: [text] }] } }
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
  },
  arguments: (pieces: ReadonlyArray<string>): ReadonlyArray<Wire> => {
    const at = { item_id: "fc_1", output_index: 0 }
    const whole = { ...item, arguments: pieces.join(""), status: "completed" }
    return [
      { type: "response.created", response: { ...body, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
      { type: "response.function_call_arguments.done", ...at, arguments: whole.arguments },
      { type: "response.output_item.done", output_index: 0, item: whole },
      { type: "response.completed", response: { ...body, output: [whole] } }
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
  }
}

const begun = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  usage: { input_tokens: 1, output_tokens: 1 }
}
const messages = (block: unknown, deltas: ReadonlyArray<unknown>): ReadonlyArray<Wire> => [
  { type: "message_start", message: begun },
  { type: "content_block_start", index: 0, content_block: block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
  { type: "message_stop" }
]

const bytesOf = (events: ReadonlyArray<Wire>): Uint8Array =>
  new TextEncoder().encode(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""))

/** A network that answers with these bytes, a chunk at a time. */
const answering = (bytes: Uint8Array): typeof fetch => () => {
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at += chunk))
    }
  })
  return Promise.resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }))
}

// who reads -------------------------------------------------------------------------------------------------------

const protocols = {
  "openai-responses": { provider: OpenAi, protocol: OpenAiResponses },
  "anthropic-messages": { provider: Anthropic, protocol: AnthropicMessages }
} as const
type Name = keyof typeof protocols

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

/** The median times of some jobs in seconds; rounds are interleaved, so that what disturbs one disturbs all. */
const times = async (jobs: ReadonlyArray<() => Promise<unknown>>, n = rounds): Promise<ReadonlyArray<number>> => {
  const all = jobs.map((): Array<number> => [])
  for (let round = 0; round < n; round++) {
    for (const [i, job] of jobs.entries()) {
      const start = performance.now()
      await job()
      // The first rounds warm the engine up.
      if (round > 1) all[i]!.push((performance.now() - start) / 1000)
    }
  }
  return all.map((each) => each.toSorted((a, b) => a - b)[each.length >> 1]!)
}

const rate = (n: number): string => `${Math.round(n / 1000)} k/s`.padStart(10)
const ratio = (n: number): string => `${n.toFixed(2)} x`.padStart(9)

const words = Array.from({ length: 20_000 }, (_, i) => `word${i % 97} `)
const texts: Readonly<Record<Name, Uint8Array>> = {
  "openai-responses": bytesOf(responses.text(words)),
  "anthropic-messages": bytesOf(
    messages({ type: "text", text: "" }, words.map((text) => ({ type: "text_delta", text })))
  )
}
console.log("events per second, 20 000 text deltas".padEnd(44), "   bellows        SDK  bellows/SDK")
for (const name of ["openai-responses", "anthropic-messages"] as const) {
  const bytes = texts[name]
  const [own, theirs, ownWhole, theirWhole] = await times([
    () => read(name, bytes),
    () => sdks[name].read(bytes),
    () => collect(name, bytes),
    () => sdks[name].collect(bytes)
  ]) as [number, number, number, number]
  const row = (title: string, own: number, theirs: number) =>
    console.log(title.padEnd(44), rate(words.length / own), rate(words.length / theirs), ratio(theirs / own))
  row(`${name}, read`, own, theirs)
  row(`${name}, collected`, ownWhole, theirWhole)
}

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
console.log("\nargument deltas of 40 characters, collected".padEnd(45), "     1 MB      10 MB      ratio")
for (const name of ["openai-responses", "anthropic-messages"] as const) {
  const [small, large] = [calls[name](1_000_000), calls[name](10_000_000)]
  const [one, ten] = await times([() => collect(name, small), () => collect(name, large)], 5) as [number, number]
  console.log(
    name.padEnd(44),
    `${(one * 1000).toFixed(0)} ms`.padStart(9),
    `${(ten * 1000).toFixed(0)} ms`.padStart(10),
    ratio(ten / one)
  )
}

setFlagsFromString("--expose-gc")
const gc: unknown = runInNewContext("gc")
const heap = (): number => {
  if (typeof gc === "function") gc()
  return process.memoryUsage().heapUsed / 1_000_000
}
/** An endless answer of pings, or of deltas, up to a number; bytes are made as they are read. */
const many = (event: Wire, count: number): typeof fetch => () => {
  const start = bytesOf(messages({ type: "text", text: "" }, []).slice(0, 2))
  const block = bytesOf(Array.from({ length: 100 }, () => event))
  let left = count / 100
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(start),
    pull(controller) {
      if (left-- > 0) return controller.enqueue(block)
      controller.enqueue(bytesOf(messages({}, []).slice(2)))
      controller.close()
    }
  })
  return Promise.resolve(new Response(stream))
}
console.log("\nheap held after so many events, beside that at the first".padEnd(58), "100 000   1 000 000 events")
for (
  const [title, event] of [
    ["pings", { type: "ping" }],
    ["text deltas of 4 characters", {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "abcd" }
    }]
  ] as const
) {
  const held = async (count: number): Promise<number> => {
    let seen = 0
    let before: number | undefined
    let after: number | undefined
    await Effect.runPromise(
      Stream.unwrap(Effect.map(Anthropic.make({}), (client) => client.stream(request))).pipe(
        Stream.runForEachArray((events) =>
          Effect.sync(() => {
            before ??= heap()
            seen += events.length
            if (seen >= count) after ??= heap()
          })
        ),
        Effect.provide(FetchHttpClient.layer),
        Effect.provideService(FetchHttpClient.Fetch, many(event, count))
      )
    )
    if (before === undefined || after === undefined) throw new Error(`Only ${seen} of ${count} events came`)
    return after - before
  }
  await held(10_000)
  const [some, more] = [await held(100_000), await held(1_000_000)]
  console.log(
    `anthropic-messages, ${title}`.padEnd(57),
    `${some.toFixed(1)} MB`.padStart(8),
    `${more.toFixed(1)} MB`.padStart(11)
  )
}
