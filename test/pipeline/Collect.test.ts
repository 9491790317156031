/** Collects events to responses. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import * as Event from "../../src/canonical/Event.ts"
import * as Item from "../../src/canonical/Item.ts"
import { FileCitation, UrlCitation } from "../../src/canonical/Part.ts"
import type { Response } from "../../src/canonical/Response.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import { Arbitraries } from "../../src/testing/index.ts"

const tiny: Collect.Grouping = { name: "tiny", stream: { group: (slots) => slots.flat() } }
const collect = Collect.collect(tiny)

const started = (slot: number, ...items: Item.Items): Event.Event => ({ _tag: "SlotStarted", slot, items })
const done = (slot: number, ...items: Item.Items): Event.Event =>
  items.length === 0 ? { _tag: "SlotDone", slot } : { _tag: "SlotDone", slot, items }
const text = (slot: number, text: string, part = 0): Event.Event => ({ _tag: "TextDelta", slot, part, text })
const args = (slot: number, text: string): Event.Event => ({ _tag: "ArgumentsDelta", slot, text })
const proof = (slot: number, text: string): Event.Event => ({ _tag: "ProofDelta", slot, text })
const thought = (slot: number, text: string, of: "content" | "summary" = "summary", part = 0): Event.Event => ({
  _tag: "ReasoningDelta",
  slot,
  part,
  of,
  text
})
const finished: Event.Event = { _tag: "Finished", finishReason: "stop" }
const call = (id: string, more: Partial<Item.ToolCall> = {}): Item.ToolCall => ({
  type: "tool-call",
  id,
  name: "weather",
  ...more
})

const itemsOf = (...events: ReadonlyArray<Event.Event>): Item.Items => collect(events).items

describe("slots", () => {
  it("are sorted, and their deltas joined, however they are mixed", () => {
    assert.deepStrictEqual(
      itemsOf(
        started(2, call("c", { arguments: "" })),
        started(0, { type: "reasoning", protocol: "tiny", summary: [] }),
        args(2, "{\"a\""),
        thought(0, "First "),
        started(1, Item.assistant([])),
        text(1, "Hel"),
        thought(0, "this."),
        args(2, ":1}"),
        thought(0, "Then that.", "summary", 1),
        text(1, "lo"),
        proof(0, "to"),
        proof(0, "ken"),
        done(1),
        finished
      ),
      [
        {
          type: "reasoning",
          protocol: "tiny",
          summary: [{ type: "text", text: "First this." }, { type: "text", text: "Then that." }],
          proof: "token"
        },
        Item.assistant("Hello"),
        call("c", { arguments: "{\"a\":1}" })
      ]
    )
  })

  it("that were never opened are made of their deltas", () => {
    assert.deepStrictEqual(itemsOf(text(3, "b", 1), text(3, "a", 0), thought(1, "hm", "content"), proof(0, "p")), [
      { type: "reasoning", protocol: "tiny", proof: "p" },
      { type: "reasoning", protocol: "tiny", content: [{ type: "text", text: "hm" }] },
      Item.assistant([{ type: "text", text: "a" }, { type: "text", text: "b" }])
    ])
    assert.deepStrictEqual(itemsOf(args(0, "{}")), [{ type: "tool-call", id: "", name: "", arguments: "{}" }])
  })

  it("what closes a slot stands above its deltas, wherever it comes", () => {
    const whole = Item.assistant("right")
    assert.deepStrictEqual(itemsOf(text(0, "wrong"), done(0, whole)), [whole])
    assert.deepStrictEqual(itemsOf(done(0, whole), text(0, "late")), [whole])
    assert.deepStrictEqual(itemsOf(done(0, whole)), [whole])
  })

  it("a call has arguments, or free text where it was opened with it; an approval has arguments", () => {
    assert.deepStrictEqual(itemsOf(started(0, call("c")), args(0, "")), [call("c", { arguments: "" })])
    assert.deepStrictEqual(itemsOf(started(0, call("c", { input: "" })), args(0, "ls")), [call("c", { input: "ls" })])
    const request: Item.Item = { type: "tool-approval-request", id: "r", name: "rm", arguments: "{" }
    assert.deepStrictEqual(itemsOf(started(0, request), args(0, "}")), [{ ...request, arguments: "{}" }])
  })

  it("a call and its result may share one", () => {
    const result: Item.Item = { ...Item.toolResult("c", "21 °C"), providerExecuted: true }
    const own = call("c", { providerExecuted: true, arguments: "" })
    assert.deepStrictEqual(itemsOf(started(0, own, result), args(0, "{}")), [{ ...own, arguments: "{}" }, result])
  })

  it("parts: refusals, citations, parts that come whole", () => {
    const citation = { type: "url", url: "https://example.org" } as const
    assert.deepStrictEqual(
      itemsOf(
        started(0, Item.assistant([{ type: "text", text: "" }, { type: "text", text: "b" }])),
        { _tag: "RefusalDelta", slot: 0, part: 0, text: "I can" },
        { _tag: "RefusalDelta", slot: 0, part: 0, text: "not." },
        { _tag: "CitationAdded", slot: 0, part: 1, citation },
        { _tag: "CitationAdded", slot: 0, part: 1, citation }
      ),
      [Item.assistant([{ type: "refusal", text: "I cannot." }, {
        type: "text",
        text: "b",
        citations: [citation, citation]
      }])]
    )
    const whole = { type: "unmodelled", protocol: "tiny", raw: { type: "odd" } } as const
    assert.deepStrictEqual(itemsOf(started(0, Item.assistant([whole])), text(0, "after", 1)), [
      Item.assistant([whole, { type: "text", text: "after" }])
    ])
  })

  it("a compaction grows by text and proof", () => {
    const opened: Item.Item = { type: "compaction", protocol: "tiny" }
    assert.deepStrictEqual(itemsOf(started(0, opened), text(0, "So "), text(0, "far."), proof(0, "p")), [
      { ...opened, text: "So far.", proof: "p" }
    ])
  })

  it("are grouped as the protocol says", () => {
    const group = (slots: ReadonlyArray<Item.Items>): Item.Items => [Item.assistant(String(slots.length))]
    assert.deepStrictEqual(
      Collect.collect({ name: "tiny", stream: { group } })([text(5, "a"), text(2, "b"), finished]).items,
      [Item.assistant("2")]
    )
  })
})

describe("head and ending", () => {
  const usage = (output: number) => ({ input: 1, output })

  it("what was said last of the usage counts", () => {
    const response = collect([
      { _tag: "Started", id: "r", model: "m", usage: usage(1), providerOptions: { tiny: { a: 1, deep: { x: 1 } } } },
      { _tag: "UsageUpdated", usage: usage(9) },
      { _tag: "UsageUpdated", usage: usage(15) },
      {
        _tag: "Finished",
        finishReason: "length",
        rawFinishReason: "max",
        stopSequence: "END",
        providerOptions: { tiny: { b: 2, deep: { y: 2 } } }
      }
    ])
    assert.deepStrictEqual(response, {
      id: "r",
      model: "m",
      items: [],
      finishReason: "length",
      rawFinishReason: "max",
      stopSequence: "END",
      usage: usage(15),
      providerOptions: { tiny: { a: 1, b: 2, deep: { x: 1, y: 2 } } }
    })
    assert.deepStrictEqual(collect([{ _tag: "Started", usage: usage(1) }, finished]).usage, usage(1))
    assert.isFalse("usage" in collect([finished]))
  })

  it("one that was not finished, or that failed, says so", () => {
    assert.strictEqual(collect([text(0, "Hel")]).finishReason, "other")
    const failure = { kind: "overloaded", message: "Overloaded" } as const
    assert.strictEqual(collect([text(0, "Hel"), { _tag: "Failed", failure }]).finishReason, "error")
  })

  it("the whole response stands above all, but for proofs; one without items does not hide what came", () => {
    const reasoning = (proof: string): Item.Item => ({ type: "reasoning", protocol: "tiny", summary: [], proof })
    const events = [done(0, reasoning("own")), text(1, "wrong")]
    const response: Response = { id: "r", items: [reasoning("other"), Item.assistant("right")], finishReason: "stop" }
    assert.deepStrictEqual(
      collect([...events, { _tag: "Finished", finishReason: "stop", response }]),
      { ...response, items: [reasoning("own"), Item.assistant("right")] }
    )
    assert.deepStrictEqual(
      collect([...events, { _tag: "Finished", finishReason: "stop", response: { ...response, items: [] } }]).items,
      [reasoning("own"), Item.assistant("wrong")]
    )
  })

  it("unmodelled events change nothing", () => {
    const events = [started(0, Item.assistant([])), text(0, "a"), text(0, "b"), finished]
    const odd: Event.Event = { _tag: "Unmodelled", protocol: "tiny", raw: { type: "ping" } }
    for (let i = 0; i <= events.length; i++) {
      assert.deepStrictEqual(collect(events.toSpliced(i, 0, odd)), collect(events))
    }
  })
})

describe("laws", () => {
  it.effect.prop(
    "collect(ofResponse(response)) is the response",
    [Arbitraries.Response],
    ([response]) => Effect.sync(() => assert.deepStrictEqual(collect(Event.ofResponse(response)), response)),
    { arbitrary: { runs: 300 } }
  )

  const Text = Schema.Struct({
    type: Schema.Literal("text"),
    text: Schema.String,
    citations: Schema.optionalKey(Schema.NonEmptyArray(Schema.Union([UrlCitation, FileCitation])))
  })
  const Plain = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
  const Refusal = Schema.Struct({ type: Schema.Literal("refusal"), text: Schema.String })
  const Lean = Schema.Union([
    Schema.Struct({
      type: Schema.Literal("message"),
      role: Schema.Literal("assistant"),
      parts: Schema.Array(Schema.Union([Text, Refusal]))
    }),
    Schema.Struct({
      type: Schema.Literal("reasoning"),
      protocol: Schema.Literal("tiny"),
      summary: Schema.optionalKey(Schema.Array(Plain)),
      content: Schema.optionalKey(Schema.Array(Plain)),
      proof: Schema.optionalKey(Schema.String)
    }),
    Schema.Struct({
      type: Schema.Literal("tool-call"),
      id: Schema.String,
      name: Schema.String,
      arguments: Schema.String
    }),
    Schema.Struct({ type: Schema.Literal("tool-call"), id: Schema.String, name: Schema.String, input: Schema.String })
  ])
  /** Nothing is told twice: only the deltas are left. */
  const once = (event: Event.Event): Event.Event => {
    if (event._tag === "SlotDone") return { _tag: "SlotDone", slot: event.slot }
    if (event._tag !== "Finished") return event
    const { response: _response, ...rest } = event
    return rest
  }

  it.effect.prop(
    "the deltas alone tell the response",
    [Schema.Array(Lean)],
    ([items]) =>
      Effect.sync(() => {
        const response: Response = { items, finishReason: "stop" }
        assert.deepStrictEqual(collect(Event.ofResponse(response).map(once)), response)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect("a stream is collected as a list is", () =>
    Effect.gen(function*() {
      const events = [started(0, Item.assistant([])), text(0, "a"), text(0, "b"), finished]
      assert.deepStrictEqual(yield* Collect.run(tiny)(Stream.fromIterable(events)), collect(events))
      const twice = Stream.fromIterable(events)
      assert.deepStrictEqual(yield* Stream.run(twice, Collect.sink(tiny)), collect(events))
    }))

  it("a million deltas are collected in their time, in the memory of their text", () => {
    const piece = text(0, "0123456789")
    const collector = new Collect.Collector(tiny)
    for (let i = 0; i < 1_000_000; i++) collector.add(piece)
    const [item] = collector.response().items
    assert.strictEqual(item === undefined ? 0 : Item.textIn(item)?.length, 10_000_000)
  })
})
