/** Streams from a server that others wrote, over the loopback network, in both protocols. */
import { LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type * as Event from "../../src/canonical/Event.ts"
import * as Item from "../../src/canonical/Item.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import type { Input } from "../../src/pipeline/Pipeline.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
const tools = [{ name: "weather", parameters }, { name: "time", parameters }]
const story = "Once upon a time there was a bellows. ".repeat(20).trim()

const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const mock = new LLMock({ port: 0 })
    mock.onMessage(/picture/, { content: "A cat on a mat.", reasoning: "It has whiskers." }, { chunkSize: 3 })
    mock.onMessage(/umbrella/i, {
      toolCalls: [
        { id: "call_1", name: "weather", arguments: "{\"city\":\"Bergen\"}" },
        { id: "call_2", name: "time", arguments: "{\"city\":\"Malmö\"}" }
      ]
    }, { chunkSize: 4 })
    mock.onMessage(/cut/, { content: story }, { truncateAfterChunks: 6, chunkSize: 5, latency: 20 })
    mock.onMessage(/slow/, { content: "At last." }, { streamingProfile: { ttft: 700 } })
    mock.onMessage(/malformed/, { content: story }, { chaos: { malformedRate: 1 } })
    mock.onMessage(/drop/, { content: story }, { chaos: { disconnectRate: 1 } })
    await mock.start()
    return mock
  }),
  (mock) => Effect.promise(() => mock.stop())
)

const textOf = (events: ReadonlyArray<Event.Event>): string =>
  events.map((event) => event._tag === "TextDelta" ? event.text : "").join("")

const providers = [
  ["openai-responses", OpenAi, OpenAiResponses, "gpt-5", "/v1"],
  ["anthropic-messages", Anthropic, AnthropicMessages, "claude-sonnet-4-5", ""]
] as const

for (const [name, provider, protocol, model, suffix] of providers) {
  describe(name, () => {
    const connect = (idleTimeout: Duration.Input = "5 seconds") =>
      Effect.gen(function*() {
        const mock = yield* server
        const options = { apiKey: Redacted.make("mock-key"), baseUrl: mock.url + suffix, idleTimeout }
        return { mock, client: yield* provider.make(options).pipe(Effect.provide(FetchHttpClient.layer)) }
      })
    const ask = (input: string): Input => ({ model, input, tools })

    it.live("text, and what the model thought, in pieces: what send reads whole", () =>
      Effect.gen(function*() {
        const { client } = yield* connect()
        const events = yield* Stream.runCollect(client.stream(ask("What is in this picture?")))
        assert.isAbove(events.filter(({ _tag }) => _tag === "TextDelta").length, 3)
        assert.isAbove(events.filter(({ _tag }) => _tag === "ReasoningDelta").length, 3)
        assert.strictEqual(textOf(events), "A cat on a mat.")
        const response = Collect.collect(protocol)(events)
        assert.strictEqual(Response.reasoning(response), "It has whiskers.")
        const whole = yield* client.send(ask("What is in this picture?"))
        assert.deepStrictEqual(
          [Response.text(response), Response.reasoning(response), response.finishReason],
          [Response.text(whole), Response.reasoning(whole), whole.finishReason]
        )
      }).pipe(Effect.scoped))

    it.live("parallel calls", () =>
      Effect.gen(function*() {
        const { client } = yield* connect()
        const response = yield* Collect.run(protocol)(client.stream(ask("Umbrella today?")))
        assert.strictEqual(response.finishReason, "tool-calls")
        assert.deepStrictEqual(
          Response.toolCalls(response).map(({ arguments: text, id, name }) => [id, name, text]),
          [["call_1", "weather", "{\"city\":\"Bergen\"}"], ["call_2", "time", "{\"city\":\"Malmö\"}"]]
        )
        const results = ["call_1", "call_2"].map((id) => Item.toolResult(id, "21"))
        const next = yield* client.prepare({ model, items: [Item.user("picture"), ...response.items, ...results] })
        assert.strictEqual(next.items.length, 5)
      }).pipe(Effect.scoped))

    it.live("one that is cut off carries what had arrived", () =>
      Effect.gen(function*() {
        const { client } = yield* connect()
        const seen: Array<Event.Event> = []
        const { reason } = yield* client.stream(ask("cut")).pipe(
          Stream.runForEach((event) => Effect.sync(() => seen.push(event))),
          Effect.flip
        )
        if (reason._tag !== "StreamTruncated") return assert.fail(String(reason))
        assert.isTrue(reason.retryable)
        assert.isNotEmpty(textOf(seen))
        assert.strictEqual(reason.collected === undefined ? "" : Response.text(reason.collected), textOf(seen))
        assert.isTrue(story.startsWith(textOf(seen)))
      }).pipe(Effect.scoped))

    it.live("a body that is no JSON, and a connection that drops", () =>
      Effect.gen(function*() {
        const { client } = yield* connect()
        const malformed = yield* Effect.flip(Stream.runDrain(client.stream(ask("malformed"))))
        assert.strictEqual(malformed.reason._tag, "MalformedResponse")
        assert.include(String(malformed.reason.body), "malformed json")
        const dropped = yield* Effect.flip(Stream.runDrain(client.stream(ask("drop"))))
        assert.include(["Unreachable", "StreamTruncated"], dropped.reason._tag)
        assert.isTrue(dropped.retryable)
      }).pipe(Effect.scoped))

    it.live("a first event that is late is waited for as long as is allowed", () =>
      Effect.gen(function*() {
        const patient = yield* connect("5 seconds")
        assert.strictEqual(textOf(yield* Stream.runCollect(patient.client.stream(ask("slow")))), "At last.")
        const hasty = yield* connect("200 millis")
        const { reason } = yield* Effect.flip(Stream.runDrain(hasty.client.stream(ask("slow"))))
        assert.strictEqual(reason._tag, "TimedOut")
      }).pipe(Effect.scoped))
  })
}
