/** Streams answers of clients whose network is a function. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Redacted, Schema, Stream, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, readFileSync } from "node:fs"
import { inspect } from "node:util"
import * as Event from "../../src/canonical/Event.ts"
import * as Item from "../../src/canonical/Item.ts"
import type { Request } from "../../src/canonical/Request.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Client from "../../src/pipeline/Client.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import type { LlmError } from "../../src/pipeline/LlmError.ts"
import * as Pipeline from "../../src/pipeline/Pipeline.ts"
import type { Options } from "../../src/pipeline/Provider.ts"
import type * as Reason from "../../src/pipeline/Reason.ts"
import type * as Wire from "../../src/pipeline/Wire.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import type { Protocol } from "../../src/protocol/Protocol.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import * as Echo from "../../src/provider/Echo.ts"
import * as InMemory from "../../src/provider/InMemory.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"

const key = "sk-secret-0123456789abcdef"
const request = { model: "claude-sonnet-4-5", input: "What is a bellows?" }
const bytes = (text: string) => new TextEncoder().encode(text)
const sse = (...events: ReadonlyArray<{ readonly type: string }>): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")

const answering = (answer: InMemory.Answer | InMemory.Handler, options: Options = {}) =>
  Effect.provide(
    Anthropic.make({ apiKey: Redacted.make(key), ...options }),
    InMemory.layer(typeof answer === "function" ? answer : () => answer)
  )
const streaming = (text: string, options?: Options) =>
  answering({ text, headers: { "content-type": "text/event-stream" } }, options)
const arriving = (stream: Stream.Stream<Uint8Array, unknown>, options?: Options) =>
  answering({ stream, headers: { "content-type": "text/event-stream" } }, options)

/** What a stream told, and the error that it came to. */
interface Told {
  readonly events: ReadonlyArray<Event.Event>
  readonly reason?: Reason.Reason
}
const told = (stream: Stream.Stream<Event.Event, LlmError>) => {
  const events: Array<Event.Event> = []
  return Stream.runForEach(stream, (event) => Effect.sync(() => events.push(event))).pipe(
    Effect.match({
      onFailure: ({ reason }): Told => ({ events, reason }),
      onSuccess: (): Told => ({ events })
    })
  )
}
const textOf = (events: ReadonlyArray<Event.Event>): string =>
  events.map((event) => event._tag === "TextDelta" ? event.text : "").join("")

const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 1 }
  }
}
const opened = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }
const delta = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })
const closed = { type: "content_block_stop", index: 0 }
const ending = {
  type: "message_delta",
  delta: { stop_reason: "end_turn", stop_sequence: null },
  usage: { output_tokens: 5 }
}
const stop = { type: "message_stop" }
const good = sse(start, opened, delta("Hel"), { type: "ping" }, delta("lo"), closed, ending, stop)

describe("a stream", () => {
  for (
    const [name, layer, protocol] of [
      ["openai-responses", Echo.layer, OpenAiResponses],
      ["anthropic-messages", Echo.layerAnthropic, AnthropicMessages]
    ] as const
  ) {
    it.effect(`${name}: tells what a whole response tells`, () =>
      Effect.gen(function*() {
        const { events, reason } = yield* told(Stream.provide(Client.stream(request), layer))
        assert.isUndefined(reason)
        assert.strictEqual(textOf(events), "What is a bellows?")
        assert.strictEqual(events.filter(({ _tag }) => _tag === "TextDelta").length, 4)
        assert.deepStrictEqual([events[0]?._tag, events.at(-1)?._tag], ["Started", "Finished"])
        const whole = yield* Effect.provide(Client.send(request), layer)
        const collected = Collect.collect(protocol)(events)
        assert.deepStrictEqual(
          [collected.id, collected.model, collected.finishReason, collected.usage, Response.text(collected)],
          [whole.id, whole.model, whole.finishReason, whole.usage, Response.text(whole)]
        )
      }))

    it.effect(`${name}: a call`, () =>
      Effect.gen(function*() {
        const tools = [{
          name: "weather",
          parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
        }]
        const stream = Client.stream({ model: "m", input: "Bergen", tools, toolChoice: "required" })
        const response = yield* Collect.run(protocol)(Stream.provide(stream, layer))
        assert.strictEqual(response.finishReason, "tool-calls")
        assert.deepStrictEqual(
          Response.toolCalls(response).map(({ arguments: text = "", name }) => [name, JSON.parse(text)]),
          [["weather", { city: "Bergen" }]]
        )
      }))
  }

  it.effect("is asked for on the wire", () =>
    Effect.gen(function*() {
      const received: Array<InMemory.Received> = []
      const client = yield* answering((each) => {
        received.push(each)
        return { text: good }
      })
      assert.strictEqual(textOf((yield* told(client.stream(request))).events), "Hello")
      const [{ body, headers }] = received as [InMemory.Received]
      assert.deepInclude(body, { stream: true, max_tokens: 64_000 })
      assert.strictEqual(headers.accept, "text/event-stream, application/json")
    }))

  it.effect("goes through the pipeline by hand, with the provider's own events beside ours", () =>
    Effect.gen(function*() {
      const provider = Anthropic.configure({ apiKey: Redacted.make(key) })
      const wires = Stream.unwrap(
        Pipeline.expand({ ...request, maxTokens: 99 }).pipe(
          Effect.flatMap(Pipeline.encode(AnthropicMessages)),
          Effect.map(Pipeline.stream(provider))
        )
      ).pipe(Stream.provide(InMemory.layer(() => ({ text: good }))))
      const own = yield* Stream.runCollect(wires)
      assert.deepStrictEqual<unknown>(own, [
        start,
        opened,
        delta("Hel"),
        { type: "ping" },
        delta("lo"),
        closed,
        ending,
        stop
      ])
      const ours = yield* Stream.runCollect(Pipeline.decodeStream(AnthropicMessages)(wires))
      assert.strictEqual(textOf(ours), "Hello")
      const both = yield* Stream.runCollect(Pipeline.decodeWireEvents(AnthropicMessages)(wires))
      assert.deepStrictEqual<ReadonlyArray<unknown>>(both.map(({ wire }) => wire), own)
      // The provider's own events are typed: a tag tells which, and its fields follow.
      const pieces = both.map(({ wire }) => wire.type === "content_block_delta" ? wire : undefined)
      assert.isTrue(pieces.some((piece) => piece !== undefined && "delta" in piece))
      assert.deepStrictEqual(both.flatMap(({ events }) => events), ours)
      assert.strictEqual(textOf(both[2]?.events ?? []), "Hel")
    }))

  it.effect("collects underneath send, where a provider is told to", () =>
    Effect.gen(function*() {
      const response = yield* (yield* streaming(good, { streamed: true })).send(request)
      assert.strictEqual(Response.text(response), "Hello")
      assert.deepStrictEqual(response.usage, { input: 9, output: 5 })
      const { reason } = yield* Effect.flip((yield* streaming(sse(start), { streamed: true })).send(request))
      assert.strictEqual(reason._tag, "StreamTruncated")
    }))

  it.effect("tells its span who answered, why it ended and what it cost", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span(options) {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const client = yield* streaming(good)
      yield* Stream.runDrain(client.stream(request)).pipe(Effect.provideService(Tracer.Tracer, tracer))
      const span = spans.find(({ name }) => name === "Client.stream")
      assert.deepInclude(Object.fromEntries(span?.attributes ?? []), {
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": request.model,
        "gen_ai.response.id": "msg_1",
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 5
      })
      assert.isFalse(inspect(spans, { depth: 12 }).includes(key))
    }))
})

describe("an answer that is no stream", () => {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "Hello" }, { type: "text", text: " you" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 5 }
  }

  it.effect("a whole body is told in events", () =>
    Effect.gen(function*() {
      for (const text of [JSON.stringify(message), `\uFEFF\n ${JSON.stringify(message, null, 2)}\n`]) {
        for (const type of ["application/json", "text/event-stream", ""]) {
          const client = yield* answering({ text, headers: type === "" ? {} : { "content-type": type } })
          const { events, reason } = yield* told(client.stream(request))
          assert.isUndefined(reason)
          assert.strictEqual(textOf(events), "Hello you")
          const response = Collect.collect(AnthropicMessages)(events)
          assert.deepStrictEqual(response, yield* (yield* answering({ json: message })).send(request))
        }
      }
    }))

  const failures: ReadonlyArray<readonly [title: string, answer: InMemory.Answer]> = [
    ["a status", { status: 429, json: { type: "error", error: { type: "rate_limit_error", message: "Slow down." } } }],
    ["a status and a page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["a status and nothing", { status: 401 }],
    ["an error with status 200", {
      json: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }
    }],
    ["a page with status 200", { text: "<html>Log in</html>", headers: { "content-type": "text/html" } }],
    ["plain text with status 200", { text: "no such thing", headers: { "content-type": "text/plain" } }],
    ["JSON of something else", { json: { hello: "world" } }]
  ]
  for (const [title, answer] of failures) {
    it.effect(`${title} is the error that send has`, () =>
      Effect.gen(function*() {
        const client = yield* answering(answer)
        const { events, reason } = yield* told(client.stream(request))
        const { reason: sent } = yield* Effect.flip(client.send(request))
        assert.deepStrictEqual(events, [])
        assert.deepStrictEqual({ ...reason }, { ...sent })
      }))
  }

  it.effect("a request that cannot be said never goes out", () =>
    Effect.gen(function*() {
      const client = yield* answering(() => Effect.die("sent"))
      const { reason } = yield* told(client.stream({ model: "unknown-model", input: "hi" }))
      assert.strictEqual(reason?._tag, "InvalidRequest")
    }))
})

describe("a stream that does not end well", () => {
  it.effect("an error event becomes its reason, after what came before", () =>
    Effect.gen(function*() {
      const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_9" }
      const { events, reason } = yield* told(
        (yield* streaming(sse(start, opened, delta("Par"), error))).stream(request)
      )
      assert.strictEqual(textOf(events), "Par")
      assert.isFalse(events.some(({ _tag }) => _tag === "Failed"))
      assert.strictEqual(reason?._tag, "Overloaded")
      assert.deepStrictEqual(
        [reason?.detail, reason?.requestId, reason?.retryable, reason?.provider],
        ["Overloaded", "req_9", true, "anthropic"]
      )
      assert.deepStrictEqual<unknown>(reason?.body, error)
    }))

  const failed = [
    ["flat", { type: "error", code: "rate_limit_exceeded", message: "Slow down.", param: null }, "RateLimited"],
    ["nested", { type: "error", error: { type: "server_error", code: null, message: "Sorry." } }, "ServerError"],
    ["a failed response", {
      type: "response.failed",
      response: { id: "r", status: "failed", output: [], error: { code: "server_error", message: "Sorry." } }
    }, "ServerError"],
    ["an error without a type", { error: { message: "Slow down.", code: 429 } }, "RateLimited"]
  ] as const
  for (const [title, event, tag] of failed) {
    it.effect(`Responses: ${title}`, () =>
      Effect.gen(function*() {
        const client = yield* Effect.provide(
          OpenAi.make({}),
          InMemory.layer(() => ({ text: `data: ${JSON.stringify(event)}\n\n` }))
        )
        const { events, reason } = yield* told(client.stream(request))
        assert.deepStrictEqual(events, [])
        assert.strictEqual(reason?._tag, tag)
        assert.isTrue(reason?.retryable)
        assert.include(["Slow down.", "Sorry."], reason?.detail)
      }))
  }

  it.effect("one that breaks off carries what had arrived", () =>
    Effect.gen(function*() {
      const cases = [
        [sse(start, opened, delta("Par")), "The last event is missing"],
        [
          sse(start, opened, delta("Par")) + "event: content_block_delta\ndata: {\"type\":",
          "Event 4 of the stream broke off"
        ]
      ] as const
      for (const [text, detail] of cases) {
        const { events, reason } = yield* told((yield* streaming(text)).stream(request))
        assert.strictEqual(textOf(events), "Par")
        if (reason?._tag !== "StreamTruncated") return assert.fail(String(reason))
        assert.strictEqual(reason.detail, detail)
        assert.isTrue(reason.retryable)
        assert.strictEqual(reason.collected?.id, "msg_1")
        assert.strictEqual(reason.collected?.finishReason, "other")
        assert.deepStrictEqual(reason.collected?.items, [Item.assistant("Par")])
      }
      const broken = Stream.concat(Stream.make(bytes(sse(start, opened, delta("Par")))), Stream.fail("gone"))
      const { reason } = yield* told((yield* arriving(broken)).stream(request))
      if (reason?._tag !== "StreamTruncated") return assert.fail(String(reason))
      assert.deepStrictEqual(reason.collected?.items, [Item.assistant("Par")])
      const nothing = yield* told((yield* answering({})).stream(request))
      assert.strictEqual(nothing.reason?._tag, "StreamTruncated")
    }))

  it.effect("a last event without its blank line counts", () =>
    Effect.gen(function*() {
      const { events, reason } = yield* told((yield* streaming(good.trimEnd())).stream(request))
      assert.isUndefined(reason)
      assert.strictEqual(events.at(-1)?._tag, "Finished")
    }))

  it.effect("an event that is no JSON fails with its text and its place", () =>
    Effect.gen(function*() {
      const text = sse(start, opened, delta("Par")) + "data: {oops\n\n" + sse(closed, ending, stop)
      const { events, reason } = yield* told((yield* streaming(text)).stream(request))
      assert.strictEqual(textOf(events), "Par")
      if (reason?._tag !== "MalformedResponse") return assert.fail(String(reason))
      assert.deepStrictEqual([reason.position, reason.body, reason.provider], [3, "{oops", "anthropic"])
    }))

  it.effect("an event beyond the bound fails; the bound can be set", () =>
    Effect.gen(function*() {
      const text = sse(start, opened, delta("x".repeat(5000)), closed, ending, stop)
      const { reason } = yield* told((yield* streaming(text, { maxEventSize: 1000 })).stream(request))
      if (reason?._tag !== "MalformedResponse") return assert.fail(String(reason))
      assert.deepStrictEqual([reason.position, reason.detail], [2, "Event 3 of the stream is too large"])
      assert.isUndefined((yield* told((yield* streaming(text, { maxEventSize: 6000 })).stream(request))).reason)
    }))

  it.effect("a server that falls silent times out; comments do not count, pings do", () =>
    Effect.gen(function*() {
      const slow = (text: string) =>
        Stream.fromIterable(good.split(/(?<=\n\n)/)).pipe(
          Stream.flatMap((event) => Stream.make(text, event)),
          Stream.mapEffect((piece) => Effect.as(Effect.sleep("20 seconds"), bytes(piece)))
        )
      const run = (text: string) =>
        Effect.gen(function*() {
          const client = yield* arriving(slow(text), { idleTimeout: "30 seconds" })
          const fiber = yield* Effect.forkChild(told(client.stream(request)))
          for (let i = 0; i < 40; i++) {
            yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
            yield* TestClock.adjust("10 seconds")
          }
          return yield* Fiber.join(fiber)
        })
      assert.isUndefined((yield* run(sse({ type: "ping" }))).reason)
      // The first one came in time, as of the answer's first byte.
      const { events, reason } = yield* run(": keep-alive\n\n")
      assert.deepStrictEqual(events.map(({ _tag }) => _tag), ["Started"])
      assert.strictEqual(reason?._tag, "TimedOut")
      assert.strictEqual(reason?.detail, "No event came for 30s")
    }))

  it.effect("no error repeats the key", () =>
    Effect.gen(function*() {
      const texts = [
        sse(start, opened, delta(`I know ${key}`)),
        sse(start) + `data: {${key}\n\n`,
        sse({ type: "error", error: { type: "api_error", message: `Bad ${key}` } } as { readonly type: string })
      ]
      for (const text of texts) {
        const error = yield* Effect.flip(Stream.runDrain((yield* streaming(text)).stream(request)))
        for (const shown of [JSON.stringify(error), String(error), inspect(error, { depth: 9 })]) {
          assert.notInclude(shown, key)
        }
      }
    }))

  it.effect("an unknown event with an error of its own stops nothing", () =>
    Effect.gen(function*() {
      const failedTool = { type: "mcp_tool.failed", error: { message: "the tool broke", code: 500 } }
      const client = yield* streaming(sse(start, opened, delta("Hel"), failedTool, delta("lo"), closed, ending, stop))
      const { events, reason } = yield* told(client.stream(request))
      assert.isUndefined(reason)
      assert.strictEqual(textOf(events), "Hello")
      assert.deepStrictEqual(events.filter(({ _tag }) => _tag === "Unmodelled"), [
        { _tag: "Unmodelled", protocol: "anthropic-messages", raw: failedTool }
      ])
    }))

  it.effect("an event that is sent as an error is one, whatever its data looks like", () =>
    Effect.gen(function*() {
      for (
        const data of [
          { type: "overloaded_error", message: "Overloaded" },
          { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
          { error: { type: "overloaded_error", message: "Overloaded" } }
        ]
      ) {
        const client = yield* streaming(
          `${sse(start, opened, delta("Hel"))}event: error\ndata: ${JSON.stringify(data)}\n\n`
        )
        const { events, reason } = yield* told(client.stream(request))
        assert.strictEqual(textOf(events), "Hel")
        assert.strictEqual(reason?._tag, "Overloaded", JSON.stringify(data))
        assert.include(reason?.message, "Overloaded")
      }
    }))

  it.effect("what follows the last event says nothing, and neither keeps the stream open nor fails it", () =>
    Effect.gen(function*() {
      const overloaded = { type: "error", error: { type: "overloaded_error", message: "late" } }
      const client = yield* streaming(good + sse(overloaded, { type: "ping" }))
      const { events, reason } = yield* told(client.stream(request))
      assert.isUndefined(reason)
      assert.strictEqual(events.at(-1)?._tag, "Finished")

      const pings = Stream.fromEffectRepeat(Effect.as(Effect.sleep("400 millis"), bytes(sse({ type: "ping" }))))
      const pinging = yield* arriving(Stream.concat(Stream.succeed(bytes(good)), pings))
      const fiber = yield* Effect.forkChild(told(pinging.stream(request)))
      yield* TestClock.adjust("1 second")
      const after = yield* Fiber.join(fiber)
      assert.isUndefined(after.reason)
      assert.strictEqual(after.events.at(-1)?._tag, "Finished")
    }))

  it.effect("a text that is no event is the error that send has, whatever it begins with", () =>
    Effect.gen(function*() {
      for (const text of ["rate limit exceeded", "internal error", "denied", "event horizon"]) {
        const client = yield* answering({ text, headers: { "content-type": "text/plain" } })
        const { reason } = yield* told(client.stream(request))
        assert.strictEqual(reason?._tag, "MalformedResponse", text)
        assert.strictEqual(reason?.body, text)
      }
    }))

  it.effect("one that stays open after its last event ends all the same", () =>
    Effect.gen(function*() {
      const client = yield* arriving(Stream.concat(Stream.make(bytes(good)), Stream.never))
      const fiber = yield* Effect.forkChild(told(client.stream(request)))
      for (let i = 0; i < 10; i++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("1 second")
      }
      const { events, reason } = yield* Fiber.join(fiber)
      assert.isUndefined(reason)
      assert.strictEqual(textOf(events), "Hello")
      const broken = Stream.concat(Stream.make(bytes(good)), Stream.fail("gone"))
      assert.isUndefined((yield* told((yield* arriving(broken)).stream(request))).reason)
    }))
})

describe("a consumer that stops", () => {
  const endless = (closed: { count: number }) =>
    Stream.make(bytes(sse(start, opened))).pipe(
      Stream.concat(Stream.forever(Stream.sync(() => bytes(sse(delta("on "))))).pipe(Stream.rechunk(1))),
      Stream.ensuring(Effect.sync(() => void closed.count++))
    )

  it.effect("closes the connection once: enough, interrupted, or an event that cannot be read", () =>
    Effect.gen(function*() {
      const closed = { count: 0 }
      const client = yield* arriving(endless(closed))
      const three = yield* client.stream(request).pipe(Stream.take(3), Stream.runCollect)
      assert.deepStrictEqual(three.map(({ _tag }) => _tag), ["Started", "SlotStarted", "TextDelta"])
      assert.strictEqual(closed.count, 1)

      const begun = yield* Deferred.make<void>()
      const fiber = yield* client.stream(request).pipe(
        Stream.tap((event) => event._tag === "TextDelta" ? Deferred.succeed(begun, undefined) : Effect.void),
        Stream.runDrain,
        Effect.forkChild
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      assert.strictEqual(closed.count, 2)

      const odd = Stream.make(bytes(sse(start) + "data: {oops\n\n")).pipe(
        Stream.concat(Stream.never),
        Stream.ensuring(Effect.sync(() => void closed.count++))
      )
      const { reason } = yield* told((yield* arriving(odd)).stream(request))
      assert.strictEqual(reason?._tag, "MalformedResponse")
      assert.strictEqual(closed.count, 3)
    }))

  it.effect("reads no further than it wants to", () =>
    Effect.gen(function*() {
      let sent = 0
      const source = Stream.make(bytes(sse(start, opened))).pipe(
        Stream.concat(
          Stream.forever(Stream.sync(() => {
            sent++
            return bytes(sse(delta("on ")))
          })).pipe(Stream.rechunk(1))
        )
      )
      const client = yield* arriving(source)
      yield* client.stream(request).pipe(
        Stream.tap(() => Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
        Stream.take(20),
        Stream.runDrain
      )
      assert.isAtMost(sent, 30)
    }))
})

describe("combinators", () => {
  const echo = Effect.provide(Client.Client, Echo.layer)
  const say = (text: string) => (request: Request): Request => ({
    ...request,
    items: [...request.items, Item.user(text)]
  })
  const said = (client: Client.Client) => Effect.map(told(client.stream(request)), ({ events }) => textOf(events))

  it.effect("mapRequest and mapRequestEffect hold", () =>
    Effect.gen(function*() {
      const client = (yield* echo).pipe(
        Client.mapRequest(say("first")),
        Client.mapRequestEffect((request) => Effect.succeed(say("second")(request)))
      )
      assert.strictEqual(yield* said(client), "second")
    }))

  it.effect("tapWire and withHeaders hold; mapResponse leaves a stream alone", () =>
    Effect.gen(function*() {
      const seen: Array<Wire.Outgoing> = []
      const client = (yield* echo).pipe(
        Client.withHeaders({ "x-own": "1" }),
        Client.tapWire((outgoing) => Effect.sync(() => seen.push(outgoing))),
        Client.mapResponse((response) => ({ ...response, items: [] })),
        Client.tapResponse(() => Effect.die("not whole"))
      )
      assert.strictEqual(yield* said(client), "What is a bellows?")
      assert.strictEqual(seen[0]?.headers["x-own"], "1")
      assert.deepInclude(seen[0]?.body, { stream: true })
    }))

  it.effect("orElse asks another client before the first event, and not after it", () =>
    Effect.gen(function*() {
      const other = yield* echo
      const down = yield* answering({ status: 529 })
      assert.strictEqual(yield* said(down.pipe(Client.orElse(other))), "What is a bellows?")
      assert.strictEqual(yield* said(down.pipe(Client.orElse(other, ({ reason }) => reason._tag === "NotFound"))), "")
      const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }
      const atOnce = (yield* streaming(sse(overloaded))).pipe(Client.orElse(other))
      assert.strictEqual(yield* said(atOnce), "What is a bellows?")
      const midway = (yield* streaming(sse(start, opened, delta("Par"), overloaded))).pipe(Client.orElse(other))
      const { events, reason } = yield* told(midway.stream(request))
      assert.strictEqual(textOf(events), "Par")
      assert.strictEqual(reason?._tag, "Overloaded")
    }))

  it.effect("a client made of a function streams too", () =>
    Effect.gen(function*() {
      const response: Response.Response = { id: "r", items: [Item.assistant("hi")], finishReason: "stop" }
      const { events } = yield* told(Client.make(() => Effect.succeed(response)).stream(request))
      assert.deepStrictEqual(events, Event.ofResponse(response))
    }))
})

describe("recorded", () => {
  const protocols: Readonly<Record<string, Protocol>> = {
    "openai-responses": OpenAiResponses,
    "anthropic-messages": AnthropicMessages
  }
  const Exchange = Schema.fromJsonString(
    Schema.Struct({ id: Schema.String, protocol: Schema.String, sse: Schema.optionalKey(Schema.String) })
  )
  const file = (name: string) => new URL(`../../../shared/recordings/${name}.jsonl`, import.meta.url)
  const names = ["openai-responses", "openai-responses-compat", "anthropic-messages", "llama-server"].filter((name) =>
    existsSync(file(name))
  )

  it.effect("streams arrive whole, in chunks of any size", (context) =>
    Effect.gen(function*() {
      if (names.length === 0) return context.skip("no ../shared")
      let streams = 0
      for (const name of names) {
        for (const line of readFileSync(file(name), "utf8").split("\n")) {
          if (!line.includes("\"sse\"")) continue
          const { id, protocol: protocolName, sse } = Schema.decodeUnknownSync(Exchange)(line)
          const protocol = protocols[protocolName]
          if (sse === undefined || protocol === undefined) continue
          streams++
          const whole = bytes(sse)
          const events = (size: number) => {
            const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
              whole.subarray(i * size, (i + 1) * size))
            const provider = { name: "recorded", protocol, baseUrl: "http://recorded.invalid", path: "" }
            const network = InMemory.layer(() => ({ stream: Stream.rechunk(Stream.fromIterable(chunks), 1) }))
            return Pipeline.stream(provider)({}).pipe(
              Pipeline.decodeStream(protocol),
              Stream.provide(network),
              Stream.runCollect
            )
          }
          const expected = yield* events(whole.length)
          assert.strictEqual(expected.at(-1)?._tag, "Finished", id)
          for (const size of [1000, 37]) {
            assert.deepStrictEqual(yield* events(size), expected, id)
          }
        }
      }
      assert.isAbove(streams, 100)
    }))
})
