import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import * as fs from "node:fs"
import OpenAI from "openai"
import * as Event from "../../../src/canonical/Event.ts"
import type { Failure } from "../../../src/canonical/Failure.ts"
import * as Item from "../../../src/canonical/Item.ts"
import { isEquivalent } from "../../../src/canonical/Losses.ts"
import type { Citation, Part } from "../../../src/canonical/Part.ts"
import * as Response from "../../../src/canonical/Response.ts"
import { carried, isRecord } from "../../../src/codec/index.ts"
import * as Collect from "../../../src/pipeline/Collect.ts"
import * as Frames from "../../../src/pipeline/Frames.ts"
import * as Machine from "../../../src/pipeline/Machine.ts"
import * as AnthropicMessages from "../../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../../src/protocol/openai-responses/index.ts"

type Json = Schema.Json
type Wires = ReadonlyArray<Json>

const { stream } = OpenAiResponses
const decode = Machine.run(stream.decode)
const encode = Machine.run(stream.encode)
const collect = Collect.collect(OpenAiResponses)
const decodeBody = Schema.decodeUnknownSync(OpenAiResponses.ResponseFromWire)
const encodeBody = Schema.encodeUnknownSync(OpenAiResponses.ResponseFromWire)
const frame = { protocol: OpenAiResponses.name }

const wiresIn = (sse: string): Wires => Frames.parse(sse).frames.map(Frames.wireOf(stream))
const field = (wire: Json | undefined, key: string): Json | undefined =>
  isRecord(wire) ? wire[key] as Json | undefined : undefined
const typesOf = (wires: Wires) => wires.map((wire) => field(wire, "type"))
const tagsOf = (events: ReadonlyArray<Event.Event>) => events.map(({ _tag }) => _tag)

/** What is written is read as it was, and has the numbers that the wire asks for. */
const survives = (events: ReadonlyArray<Event.Event>, message?: string): Wires => {
  const wires = encode(events)
  assert.deepStrictEqual(decode(wires), events, message)
  assert.deepStrictEqual(wires.map((wire) => field(wire, "sequence_number")), wires.map((_, i) => i), message)
  return wires
}

const added = (item: Json, index?: number): Json => ({
  type: "response.output_item.added",
  ...(index === undefined ? {} : { output_index: index }),
  item
})
const done = (item: Json, index?: number): Json => ({
  type: "response.output_item.done",
  ...(index === undefined ? {} : { output_index: index }),
  item
})
const delta = (text: string, more: { readonly [key: string]: Json } = {}): Json => ({
  type: "response.output_text.delta",
  delta: text,
  ...more
})
const message = (id: string, ...texts: ReadonlyArray<string>) => ({
  type: "message",
  id,
  role: "assistant",
  content: texts.map((text) => ({ type: "output_text", text }))
})
const call = (id: string, text: string) => ({
  type: "function_call",
  id,
  call_id: `call_${id}`,
  name: "f",
  arguments: text
})
const said = (events: ReadonlyArray<Event.Event>): string =>
  events.map((event) => event._tag === "TextDelta" ? event.text : "").join("")
const args = (events: ReadonlyArray<Event.Event>): ReadonlyArray<string> =>
  events.flatMap((event) => event._tag === "ArgumentsDelta" ? [event.text] : [])

/** What the official client makes of a stream. */
const official = (wires: Wires) => {
  const sse = wires.map((wire) => Frames.write(Frames.frameOf(stream)(wire))).join("")
  const client = new OpenAI({
    apiKey: "none",
    maxRetries: 0,
    fetch: async () => new globalThis.Response(sse, { headers: { "content-type": "text/event-stream" } })
  })
  return client.responses.stream({ model: "m", input: "hi" }).finalResponse()
}
const callsIn = (output: ReadonlyArray<object>): ReadonlyArray<string> =>
  output.flatMap((item) => "type" in item && item.type === "function_call" && "name" in item ? [String(item.name)] : [])
/** The official client reads what we write of these events, and finds the text and the calls that they tell. */
const isRead = async (events: ReadonlyArray<Event.Event>, response: Response.Response, id: string) => {
  const final = await official(encode(events)).catch((cause: Error) => assert.fail(`${id}: ${cause.message}`))
  const body: Json = encodeBody(response) as Json
  const output = field(body, "output") as ReadonlyArray<{ readonly [key: string]: Json }>
  const texts = output.flatMap(({ content, type }) => type === "message" ? content as ReadonlyArray<Json> : [])
  assert.strictEqual(
    final.output_text,
    texts.map((part) => field(part, "type") === "output_text" ? field(part, "text") : "").join(""),
    id
  )
  assert.deepStrictEqual(callsIn(final.output), callsIn(output), id)
}

describe("a stream from the API", () => {
  const wires: Wires = [
    {
      type: "response.created",
      sequence_number: 0,
      response: { id: "r", model: "m", status: "in_progress", output: [] }
    },
    {
      type: "response.in_progress",
      sequence_number: 1,
      response: { id: "r", model: "m", status: "in_progress", output: [] }
    },
    { ...added({ ...message("msg"), status: "in_progress" }, 0) as object, sequence_number: 2 },
    {
      type: "response.content_part.added",
      sequence_number: 3,
      item_id: "msg",
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [], logprobs: [] }
    },
    delta("Hi", {
      sequence_number: 4,
      item_id: "msg",
      output_index: 0,
      content_index: 0,
      logprobs: [],
      obfuscation: "x"
    }),
    delta(" you", {
      sequence_number: 5,
      item_id: "msg",
      output_index: 0,
      content_index: 0,
      logprobs: [{ token: "y" }]
    }),
    {
      type: "response.output_text.done",
      sequence_number: 6,
      item_id: "msg",
      output_index: 0,
      content_index: 0,
      text: "Hi you",
      logprobs: []
    },
    {
      type: "response.content_part.done",
      sequence_number: 7,
      item_id: "msg",
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "Hi you", annotations: [] }
    },
    { ...done({ ...message("msg", "Hi you"), status: "completed" }, 0) as object, sequence_number: 8 },
    {
      type: "response.completed",
      sequence_number: 9,
      response: {
        id: "r",
        model: "m",
        status: "completed",
        output: [{ ...message("msg", "Hi you"), status: "completed" }],
        usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
      }
    }
  ]
  const events = decode(wires)

  it("is read without what it says more than once", () => {
    assert.deepStrictEqual(tagsOf(events), ["Started", "SlotStarted", "TextDelta", "TextDelta", "SlotDone", "Finished"])
    assert.deepStrictEqual(events[0], { _tag: "Started", id: "r", model: "m" })
    assert.deepStrictEqual(events[2], { _tag: "TextDelta", slot: 0, part: 0, text: "Hi" })
    assert.deepStrictEqual(events[3], {
      _tag: "TextDelta",
      slot: 0,
      part: 0,
      text: " you",
      providerOptions: { "openai-responses": { logprobs: [{ token: "y" }] } }
    })
    assert.strictEqual(Response.text(collect(events)), "Hi you")
    assert.deepStrictEqual(collect(events).usage, { input: 1, output: 2 })
  })

  it("is written with all of that again, and under its names", () => {
    const back = survives(events)
    assert.deepStrictEqual(typesOf(back), typesOf(wires))
    assert.deepStrictEqual(back.map(stream.nameOf), typesOf(wires) as Array<string>)
    assert.deepStrictEqual(back.map(stream.meaning), wires.map(stream.meaning))
    assert.deepStrictEqual([back[4], back[7]].map((wire) => field(wire, "item_id")), ["msg", "msg"])
  })

  it("is asked for", () => {
    assert.deepStrictEqual(stream.request({ model: "m" }), { model: "m", stream: true })
  })

  it("keeps unknown keys of any event", () => {
    for (const at of wires.keys()) {
      const odd = wires.map((wire, i) => i === at ? { ...wire as object, x_unknown: { a: [1, null] } } : wire)
      const back = survives(decode(odd), String(at))
      assert.deepStrictEqual(
        back.filter((wire) => field(wire, "x_unknown") !== undefined).map((wire) => field(wire, "type")),
        [field(wires[at], "type")],
        String(at)
      )
      assert.deepStrictEqual(collect(decode(odd)).items, collect(events).items, String(at))
    }
  })

  it("takes an unknown or malformed event anywhere, and nothing else changes", () => {
    const strange: Wires = [
      { type: "response.x_unknown", sequence_number: 3, output_index: 0, item_id: "other" },
      { type: "response.output_text.delta", delta: 5, output_index: 0 },
      { type: "response.output_item.added", item: null },
      { type: "response.output_text.annotation.added", annotation: null, output_index: 0, content_index: 0 },
      { no: "type" },
      "text",
      null
    ]
    for (let at = 0; at <= wires.length; at++) {
      for (const odd of strange) {
        const read = decode(wires.toSpliced(at, 0, odd))
        const { sequence_number: _, ...raw } = isRecord(odd) ? odd : {}
        assert.deepStrictEqual(read.filter(({ _tag }) => _tag === "Unmodelled"), [
          { _tag: "Unmodelled", protocol: "openai-responses", raw: isRecord(odd) ? raw as Json : odd }
        ])
        assert.deepStrictEqual(read.filter(({ _tag }) => _tag !== "Unmodelled"), events)
        assert.deepStrictEqual(decode(encode(read)), read)
      }
    }
  })

  it("leaves its states as they were", () => {
    const states = [stream.decode.initial]
    for (const wire of wires) states.push(stream.decode.step(states.at(-1)!, wire)[0])
    for (const [i, wire] of wires.entries()) {
      assert.deepStrictEqual(stream.decode.step(states[i]!, wire)[1], stream.decode.step(states[i]!, wire)[1])
    }
    assert.deepStrictEqual(wires.flatMap((wire, i) => stream.decode.step(states[i]!, wire)[1]), events)
  })
})

describe("a stream that is not quite the API's", () => {
  it("routes by item id where there is no index", () => {
    const events = decode([
      added(message("a")),
      added(call("b", "")),
      delta("Hi", { item_id: "a" }),
      { type: "response.function_call_arguments.delta", delta: "{}", item_id: "b" },
      delta(" you", { item_id: "a" }),
      done(call("b", "{}")),
      done(message("a", "Hi you"))
    ])
    const { items } = collect(events)
    assert.deepStrictEqual(items.map(Item.textIn), ["Hi you", undefined])
    assert.deepStrictEqual(items.map(({ type }) => type), ["message", "tool-call"])
    const back = survives(events)
    const index = (
      wire: Json
    ) => [field(wire, "item_id") ?? field(field(wire, "item"), "id"), field(wire, "output_index")]
    for (const wire of back) assert.deepInclude([["a", 0], ["b", 1]], index(wire))
  })

  it("routes to the slot that was opened last where there is no id either", () => {
    const events = decode([added(call("a", "")), done(call("a", "{}")), added(message("b")), delta("Hi"), delta("!")])
    assert.deepStrictEqual(events.flatMap((event) => event._tag === "TextDelta" ? [event.slot] : []), [1, 1])
    survives(events)
  })

  it("keeps slots apart that arrive out of order", () => {
    const events = decode([
      added(message("b"), 1),
      delta("B", { output_index: 1, content_index: 0 }),
      added(message("a"), 0),
      delta("A", { output_index: 0, content_index: 0 }),
      delta("b", { output_index: 1, content_index: 0 }),
      done(message("a", "A"), 0),
      done(message("b", "Bb"), 1)
    ])
    assert.deepStrictEqual(collect(events).items.map(Item.textIn), ["A", "Bb"])
    survives(events)
  })

  it("opens a slot that nobody opened", () => {
    const events = decode([delta("Hi", { item_id: "msg_1" }), delta("!", { item_id: "msg_1" })])
    assert.deepStrictEqual(tagsOf(events), ["SlotStarted", "TextDelta", "TextDelta"])
    assert.deepStrictEqual(collect(events).items, [Item.assistant("Hi!")])
    assert.include(typesOf(survives(events)), "response.output_item.added")
    const thought = decode([{ type: "response.reasoning_summary_text.delta", delta: "hm", output_index: 3 }])
    assert.deepStrictEqual(collect(thought).items, [
      { type: "reasoning", protocol: "openai-responses", summary: [{ type: "text", text: "hm" }] }
    ])
    survives(thought)
    survives(decode([{ type: "response.function_call_arguments.delta", delta: "{}", item_id: "fc" }]))
  })

  it("reads arguments wherever they are told, once", () => {
    const told = { type: "response.function_call_arguments.done", arguments: `{"a":1}`, item_id: "a", name: "f" }
    const part = { type: "response.function_call_arguments.delta", delta: `{"a"`, item_id: "a" }
    const streams: ReadonlyArray<Wires> = [
      [added(call("a", `{"a":1}`))],
      [added(call("a", `{"a":1}`)), told, done(call("a", `{"a":1}`))],
      [added(call("a", "")), told, done(call("a", `{"a":1}`))],
      [added(call("a", "{}")), told],
      [added(call("a", "")), done(call("a", `{"a":1}`))],
      [done(call("a", `{"a":1}`))],
      [added(call("a", "")), { ...part, delta: "" }, told],
      [added(call("a", "")), part, told, done(call("a", `{"a":1}`))],
      [added(call("a", "")), part, done(call("a", `{"a":1}`))]
    ]
    for (const [i, wires] of streams.entries()) {
      const events = decode(wires)
      assert.strictEqual(args(events).join(""), `{"a":1}`, String(i))
      assert.deepStrictEqual(collect(events).items.map((item) => item.type === "tool-call" && item.arguments), [
        `{"a":1}`
      ])
      survives(events, String(i))
    }
  })

  it("lets what closes an item stand above its deltas", () => {
    const events = decode([added(message("a"), 0), delta("Helo", { output_index: 0 }), done(message("a", "Hello"), 0)])
    assert.deepStrictEqual(said(events), "Helo")
    assert.deepStrictEqual(collect(events).items.map(Item.textIn), ["Hello"])
    survives(events)
  })

  it("tells a text that only closes, and refusals, citations and free text", () => {
    assert.strictEqual(said(decode([added(message("a")), done(message("a", "one", "two"))])), "onetwo")
    const annotation = { type: "url_citation", url: "u", title: "t", start_index: 0, end_index: 1 }
    const refused = decode([
      added(message("a"), 0),
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "I cannot " },
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "help." },
      { type: "response.refusal.done", output_index: 0, content_index: 0, refusal: "I cannot help." },
      delta("See", { output_index: 0, content_index: 1 }),
      {
        type: "response.output_text.annotation.added",
        output_index: 0,
        content_index: 1,
        annotation_index: 0,
        annotation
      },
      added({ type: "custom_tool_call", id: "c", call_id: "c1", name: "sh", input: "" }, 1),
      { type: "response.custom_tool_call_input.delta", output_index: 1, delta: "ls" }
    ])
    const [spoken, custom] = collect(refused).items
    assert.deepStrictEqual(spoken?.type === "message" && spoken.parts, [
      { type: "refusal", text: "I cannot help." },
      { type: "text", text: "See", citations: [{ type: "url", url: "u", title: "t", start: 0, end: 1 }] }
    ])
    assert.strictEqual(custom?.type === "tool-call" && custom.input, "ls")
    const back = survives(refused)
    assert.deepInclude(back.find((wire) => field(wire, "annotation")), { annotation_index: 0, item_id: "a" })
    assert.include(typesOf(back), "response.custom_tool_call_input.delta")
  })

  it("ends with the items that were closed where the last body leaves them out", () => {
    for (const output of [{}, { output: [] }, { output: null }]) {
      const events = decode([
        added(call("a", "")),
        done(call("a", "{}")),
        { type: "response.completed", response: { id: "r", ...output } }
      ])
      const response = collect(events)
      assert.deepStrictEqual(response.items.map(({ type }) => type), ["tool-call"])
      assert.strictEqual(response.finishReason, "tool-calls")
      survives(events)
    }
  })

  it("says how it ended", () => {
    const ends = [
      ["response.completed", { status: "completed" }, "stop", "completed"],
      ["response.completed", {}, "stop", "completed"],
      [
        "response.incomplete",
        { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        "length",
        "max_output_tokens"
      ],
      ["response.incomplete", {}, "other", "incomplete"],
      ["response.failed", { status: "failed", error: { code: "server_error", message: "x" } }, "error", "failed"],
      ["response.failed", {}, "error", "failed"],
      ["response.completed", { status: "cancelled" }, "other", "cancelled"],
      ["response.completed", { status: "failed" }, "error", "failed"]
    ] as const
    for (const [type, more, finishReason, rawFinishReason] of ends) {
      const events = decode([{ type, response: { id: "r", output: [], ...more } }])
      const [event] = events
      assert.deepInclude(event, { _tag: "Finished", finishReason, rawFinishReason })
      assert.deepStrictEqual(typesOf(survives(events)), [type])
    }
  })

  it("fails with the provider's words, flat or nested, null anywhere", () => {
    const words = { message: "Sorry", code: null, param: null }
    const flat = decode([{ type: "error", sequence_number: 2, ...words, code: "rate_limit_exceeded" }])
    const nested = decode([{ type: "error", sequence_number: 2, error: { type: "server_error", ...words } }])
    const bare = decode([{ type: "error", error: null, message: null }])
    const kinds = [...flat, ...nested, ...bare].map((event) => event._tag === "Failed" && event.failure.kind)
    assert.deepStrictEqual(kinds, ["rate-limited", "server-error", "other"])
    assert.deepStrictEqual(survives(flat)[0], {
      type: "error",
      sequence_number: 0,
      ...words,
      code: "rate_limit_exceeded"
    })
    survives(nested)
    survives(bare)
  })

  it("is written as the flat event of the API", () => {
    const write = (failure: Failure) => encode([{ _tag: "Failed", failure }])
    assert.deepStrictEqual(write({ kind: "rate-limited", message: "Slow", code: "rate_limit_exceeded" }), [
      { type: "error", sequence_number: 0, code: "rate_limit_exceeded", message: "Slow", param: null }
    ])
    const other = write({ kind: "overloaded", message: "Busy", type: "overloaded_error" })
    assert.deepStrictEqual(other, [{
      type: "error",
      sequence_number: 0,
      code: "overloaded_error",
      message: "Busy",
      param: null,
      error: { type: "overloaded_error", message: "Busy" }
    }])
    assert.deepStrictEqual(decode(other), [
      { _tag: "Failed", failure: { kind: "overloaded", message: "Busy", type: "overloaded_error" } }
    ])
  })

  it("tells what only the last body says, before the end", () => {
    const started = { type: "response.created", response: { id: "r", status: "in_progress", output: [] } }
    const output = [
      { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "hm" }] },
      { ...message("m", "Hello"), status: "completed" },
      call("f", "{}")
    ]
    const end = { type: "response.completed", response: { id: "r", status: "completed", output } }
    const whole = decode([started, end])
    assert.deepStrictEqual(tagsOf(whole), [
      "Started",
      "SlotStarted",
      "ReasoningDelta",
      "SlotDone",
      "SlotStarted",
      "TextDelta",
      "SlotDone",
      "SlotStarted",
      "ArgumentsDelta",
      "SlotDone",
      "Finished"
    ])
    assert.deepStrictEqual(collect(bare(whole)).items, collect(whole).items)
    survives(whole)
    const partly: ReadonlyArray<Wires> = [
      [started, added(message("m"), 1), delta("Hel", { output_index: 1, item_id: "m" }), end],
      [started, added({ ...message(""), id: null }, 0), delta("Hel", { output_index: 0 }), end],
      [started, added(call("f", ""), 0), done(message("m", "Hello"), 1), end],
      [started, { type: "response.function_call_arguments.delta", delta: "{", output_index: 0 }, end]
    ]
    for (const [i, wires] of partly.entries()) {
      const events = decode(wires)
      assert.strictEqual(said(events), "Hello", String(i))
      assert.strictEqual(args(events).join(""), "{}", String(i))
      assert.strictEqual(tagsOf(events).filter((tag) => tag === "SlotDone").length, 3, String(i))
      survives(events, String(i))
    }
  })

  it("ends with what was told, where the last body is empty or absent", () => {
    const told: Wires = [
      { type: "response.created", response: { id: "r", model: "m", status: "in_progress", output: [] } },
      done(message("m", "Hello"), 0),
      added(call("f", ""), 1),
      { type: "response.function_call_arguments.delta", delta: "{}", output_index: 1 }
    ]
    for (
      const end of [{ response: { id: "r", model: "m", output: [] } }, { response: { id: "r", model: "m" } }, {}, {
        response: null
      }]
    ) {
      const events = decode([...told, { type: "response.completed", ...end }])
      const response = collect(events)
      assert.deepStrictEqual([response.id, response.model, response.finishReason], ["r", "m", "tool-calls"])
      assert.deepStrictEqual(response.items.map(({ type }) => type), ["message", "tool-call"])
      assert.deepInclude(events.at(-1), { _tag: "Finished", finishReason: "tool-calls", rawFinishReason: "completed" })
      survives(events)
    }
  })

  it("gives an item that reuses a number a slot of its own", () => {
    const at = (text: string) => delta(text, { output_index: 0 })
    const events = decode([
      added(message("a"), 0),
      at("A"),
      done(message("a", "A"), 0),
      added(message("b"), 0),
      at("B"),
      done(message("b", "B"), 0),
      added(message("c"), 1),
      delta("C", { output_index: 1 }),
      done(message("c", "C"), 1)
    ])
    assert.deepStrictEqual(collect(events).items.map(Item.textIn), ["A", "B", "C"])
    survives(events)
  })

  it("takes time in proportion to its parts", () => {
    const timed = (count: number): number => {
      const wires = Array.from({ length: count }, (_, i): Json => ({
        type: "response.reasoning_summary_text.delta",
        output_index: 0,
        summary_index: i,
        delta: "x"
      }))
      const start = performance.now()
      encode(decode([added({ type: "reasoning", id: "rs", summary: [] }, 0), ...wires]))
      return performance.now() - start
    }
    timed(1000)
    const [few, many] = [timed(1000), timed(8000)]
    assert.isBelow(many, Math.max(few, 20) * 32)
  })

  it("reads a tool's output as a list of parts as it reads the same text", () => {
    const result = (output: Json) => ({
      type: "function_call_output",
      id: "fco",
      call_id: "c",
      status: "completed",
      output
    })
    const parts = [{ type: "input_text", text: `{"h":` }, { type: "input_text", text: "0.4}" }]
    const texts = [result(parts), result(`{"h":0.4}`)].map((item) =>
      collect(survivesOf([added(item, 0), done(item, 0)])).items.map(Item.textIn)
    )
    assert.deepStrictEqual(texts, [[`{"h":0.4}`], [`{"h":0.4}`]])
  })
  const survivesOf = (wires: Wires): ReadonlyArray<Event.Event> => {
    const events = decode(wires)
    survives(events)
    return events
  }
})

describe("what another protocol told", () => {
  it("is written whole, without what has no place here", () => {
    const wires = encode([
      { _tag: "Started", id: "msg_1", model: "m" },
      { _tag: "SlotStarted", slot: 0, items: [{ type: "reasoning", protocol: "other", content: [] }] },
      { _tag: "ReasoningDelta", slot: 0, part: 0, of: "content", text: "hm" },
      { _tag: "ProofDelta", slot: 0, text: "sig" },
      { _tag: "SlotDone", slot: 0 },
      { _tag: "SlotStarted", slot: 1, items: [Item.assistant("")] },
      { _tag: "TextDelta", slot: 1, part: 0, text: "Hel" },
      { _tag: "TextDelta", slot: 1, part: 0, text: "lo" },
      { _tag: "SlotDone", slot: 1 },
      { _tag: "SlotStarted", slot: 2, items: [{ type: "tool-call", id: "t", name: "f", arguments: "" }] },
      { _tag: "ArgumentsDelta", slot: 2, text: "{}" },
      { _tag: "SlotDone", slot: 2 },
      { _tag: "UsageUpdated", usage: { input: 1, output: 2 } },
      { _tag: "Unmodelled", protocol: "other", raw: { type: "ping" } },
      { _tag: "Finished", finishReason: "tool-calls", rawFinishReason: "tool_use" }
    ])
    assert.deepStrictEqual(typesOf(wires), [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed"
    ])
    assert.deepInclude(wires[6], { text: "Hello", item_id: "item_0", output_index: 0, content_index: 0 })
    assert.deepInclude(field(wires.at(-1), "response"), {
      id: "msg_1",
      status: "completed",
      output: [
        {
          type: "message",
          id: "item_0",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Hello", annotations: [] }]
        },
        { type: "function_call", id: "item_1", call_id: "t", name: "f", arguments: "{}" }
      ]
    })
    const response = collect(decode(wires))
    assert.deepStrictEqual(response.items, [Item.assistant("Hello"), Item.toolCall("t", "f")])
    assert.deepStrictEqual(response.finishReason, "tool-calls")
    survives(decode(wires))
  })

  it("is an item for each that a slot holds", () => {
    const items: Item.Items = [
      {
        type: "tool-call",
        id: "p",
        name: "programmatic_tool_calling",
        kind: "program",
        arguments: `{"code":"1"}`,
        providerExecuted: true
      },
      {
        type: "tool-result",
        id: "p",
        kind: "program_output",
        output: [{ type: "text", text: "1" }],
        providerExecuted: true
      },
      Item.assistant("one")
    ]
    const wires = encode(Event.ofResponse({ items, finishReason: "stop" }))
    const indexes = wires.filter((wire) => field(wire, "type") === "response.output_item.done").map((wire) =>
      field(wire, "output_index")
    )
    assert.deepStrictEqual(indexes, [0, 1, 2])
    assert.deepStrictEqual(collect(decode(wires)).items, items)
  })
})

it.effect("what is told of any response means the response, and survives", () =>
  Effect.gen(function*() {
    const samples = yield* Arbitrary.sampleEffect(Arbitrary.schema(carried(OpenAiResponses.ResponseFromWire)), {
      count: 300,
      seed: 1
    })
    for (const response of samples) {
      const events = decode(encode(Event.ofResponse(response)))
      survives(events)
      assert.isTrue(isEquivalent(decodeBody(encodeBody(response)), collect(events), frame), JSON.stringify(response))
    }
  }))

describe("the official client", () => {
  /** What it takes for an item: it has words of its own for the others. */
  const isObject = (part: Part | Citation): boolean =>
    part.type === "unmodelled"
      ? isRecord(part.raw)
      : part.type !== "text" || (part.citations ?? []).every(isObject)
  const isOfficial = (item: Item.Item): boolean =>
    item.type === "reasoning"
      ? [...item.summary ?? [], ...item.content ?? []].every(isObject)
      : item.type === "message"
      ? item.role === "assistant" && item.parts.every(isObject)
      : item.type === "tool-call" && item.kind === undefined && item.id !== ""

  const schemas = [
    [OpenAiResponses.name, Arbitrary.schema(carried(OpenAiResponses.ResponseFromWire))],
    [AnthropicMessages.name, Arbitrary.schema(carried(AnthropicMessages.ResponseFromWire))]
  ] as const
  for (const [name, responses] of schemas) {
    it.effect(`reads what we write of any response of ${name}`, () =>
      Effect.gen(function*() {
        const samples = yield* Arbitrary.sampleEffect(responses, { count: 300, seed: 1 })
        for (const sample of samples) {
          const ids = new Set<string>()
          const items = sample.items.filter(isOfficial).filter((item) =>
            item.type !== "tool-call" || !ids.has(item.id) && ids.add(item.id)
          )
          const response: Response.Response = { ...sample, items }
          const message = JSON.stringify(response)
          yield* Effect.promise(() => isRead(Event.ofResponse(response), response, message))
          yield* Effect.promise(() => isRead(decode(encode(Event.ofResponse(response))), response, message))
        }
      }), 60_000)
  }

  it("reads parts that say more than their words", async () => {
    const cited: Item.Items = [{
      type: "message",
      role: "assistant",
      parts: [
        { type: "unmodelled", protocol: "anthropic-messages", raw: { type: "container_upload" } },
        { type: "text", text: "", citations: [], providerOptions: { "openai-responses": { x_unknown: 1 } } }
      ]
    }]
    const wires = encode([
      { _tag: "Started", id: "r" },
      { _tag: "SlotStarted", slot: 0, items: cited },
      { _tag: "TextDelta", slot: 0, part: 1, text: "Hi" },
      { _tag: "SlotDone", slot: 0 },
      { _tag: "Finished", finishReason: "stop" }
    ])
    assert.deepStrictEqual(field(field(wires[2], "item"), "content"), [])
    assert.deepInclude(wires[3], { type: "response.content_part.added", content_index: 0 })
    assert.deepInclude(field(wires[3], "part"), { type: "output_text", text: "", x_unknown: 1 })
    assert.strictEqual((await official(wires)).output_text, "Hi")
    survives(decode(wires))
  })
})

// recordings ------------------------------------------------------------------------------------------------------

/** An optional folder of recorded exchanges beside the project. */
const shared = new URL("../../../../shared/", import.meta.url)

interface Recorded {
  readonly id: string
  readonly wires: Wires
}
const lines = (file: string): ReadonlyArray<{ readonly [key: string]: Json }> =>
  fs.readFileSync(new URL(file, shared), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
const recorded = (file: string): ReadonlyArray<Recorded> =>
  lines(`recordings/${file}.jsonl`).flatMap(({ id, protocol, sse }) =>
    protocol === OpenAiResponses.name && typeof sse === "string" ? [{ id: String(id), wires: wiresIn(sse) }] : []
  )
const bare = (events: ReadonlyArray<Event.Event>) => events.filter((event) => event._tag !== "Finished")
const proven = ({ items, ...response }: Response.Response): Response.Response => ({
  ...response,
  items: items.map((item) => "proof" in item && item.proof !== undefined ? { ...item, proof: "proof" } : item)
})

describe.skipIf(!fs.existsSync(shared))("recordings (skipped where ../shared is absent)", () => {
  for (const file of ["openai-responses", "openai-responses-compat", "llama-server"]) {
    it(`${file}: survive, and mean the body that ends them`, () => {
      for (const { id, wires } of recorded(file)) {
        const events = decode(wires)
        survives(events, id)
        const body = decodeBody(field(wires.at(-1), "response"))
        assert.deepStrictEqual(proven(collect(events)), proven(body), id)
        const isClosed = tagsOf(events).filter((tag) => tag === "SlotStarted").length ===
          tagsOf(events).filter((tag) => tag === "SlotDone").length
        if (isClosed) {
          const items = (response: Response.Response) => ({ items: proven(response).items })
          assert.isTrue(isEquivalent(items(body), items(collect(bare(events))), frame), id)
        }
      }
    })

    it(`${file}: an unknown event changes nothing else`, () => {
      for (const { id, wires } of recorded(file)) {
        const events = decode(wires)
        for (let at = 0; at <= wires.length; at += Math.max(1, Math.floor(wires.length / 8))) {
          const read = decode(wires.toSpliced(at, 0, { type: "response.x_unknown", output_index: 0, x: [1, null] }))
          assert.deepStrictEqual(
            read.filter((event) => event._tag !== "Unmodelled" || field(event.raw, "type") !== "response.x_unknown"),
            events,
            id
          )
          survives(read, `${id} ${at}`)
        }
      }
    })
  }

  it("what OpenAI sent is written event for event", () => {
    for (const { id, wires } of recorded("openai-responses")) {
      // One gives a text only when it closes it, one closes two of its items only with the whole.
      if (id === "openai-responses-125" || id === "openai-responses-131") continue
      assert.deepStrictEqual(encode(decode(wires)).map(stream.meaning), wires.map(stream.meaning), id)
    }
  })

  it("what Anthropic told means the same here, as it arrives and as a whole", () => {
    const decodeOther = Machine.run(AnthropicMessages.stream.decode)
    for (const { id, protocol, sse } of lines("recordings/anthropic-messages.jsonl")) {
      if (protocol !== AnthropicMessages.name || typeof sse !== "string") continue
      const events = decodeOther(Frames.parse(sse).frames.map(Frames.wireOf(AnthropicMessages.stream)))
      const whole = decodeBody(encodeBody(Collect.collect(AnthropicMessages)(events)))
      assert.isTrue(isEquivalent(whole, collect(decode(encode(events))), frame), String(id))
    }
  })

  it("the official client reads what we write of every stream and of every response", async () => {
    for (const file of ["openai-responses", "openai-responses-compat", "llama-server", "anthropic-messages"]) {
      for (const { id, protocol: name, response, sse, status } of lines(`recordings/${file}.jsonl`)) {
        const protocol = [OpenAiResponses, AnthropicMessages].find((protocol) => protocol.name === name)
        if (protocol === undefined || typeof status === "number" && status >= 400) continue
        if (typeof sse === "string") {
          const wires = Frames.parse(sse).frames.map(Frames.wireOf(protocol.stream))
          const events = protocol === OpenAiResponses
            ? decode(wires)
            : Machine.run(AnthropicMessages.stream.decode)(wires)
          if (events.some(({ _tag }) => _tag === "Failed")) continue
          await isRead(events, Collect.collect(protocol)(events), String(id))
        } else if (isRecord(response)) {
          const whole = protocol === OpenAiResponses
            ? Schema.decodeUnknownOption(OpenAiResponses.ResponseFromWire)(response)
            : Schema.decodeUnknownOption(AnthropicMessages.ResponseFromWire)(response)
          if (whole._tag === "Some") await isRead(Event.ofResponse(whole.value), whole.value, String(id))
        }
      }
    }
  }, 60_000)

  const cases: ReadonlyArray<readonly [id: string, holds: (events: ReadonlyArray<Event.Event>) => void]> = [
    ["responses-args-only-in-done", (events) => assert.deepStrictEqual(args(events), [`{"a":5,"b":7}`])],
    ["responses-event-missing-index", (events) => {
      const response = collect(events)
      assert.deepStrictEqual(Response.toolCalls(response).map(({ arguments: text, id }) => [id, text]), [
        ["call_2", `{"city":"Rome"}`]
      ])
      assert.strictEqual(response.finishReason, "tool-calls")
    }],
    ["responses-output-index-to-chat-index", (events) => {
      assert.deepStrictEqual(collect(events).items.map(({ type }) => type), ["reasoning", "tool-call"])
    }],
    ["responses-error-code-null", ([event]) => {
      assert.deepStrictEqual(event?._tag === "Failed" && [event.failure.kind, event.failure.message], [
        "server-error",
        "Sorry, something went wrong."
      ])
    }],
    ["refusal-dropped", (events) => {
      const [item] = collect(events).items
      assert.deepStrictEqual(item?.type === "message" && item.parts, [{ type: "refusal", text: "I cannot help." }])
    }]
  ]
  for (const [id, holds] of cases) {
    it(`case ${id}`, () => {
      const { input } = lines("cases/cases.jsonl").find((each) => each.id === id)!
      const events = decode(wiresIn(String(input)))
      holds(events)
      survives(events)
    })
  }

  it("Hermes: what a cut stream told is collected", () => {
    const { input } = lines("vectors/hermes_output_item.jsonl").find(({ id }) => id === "hermes_output_item-026")!
    const events = decode(input as Wires)
    assert.deepStrictEqual([collect(events).id, Response.text(collect(events))], ["resp_1", "Hi"])
    survives(events)
  })
})
