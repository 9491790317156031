/** Cuts bytes into events, whatever the chunks, and writes events as text. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { existsSync, readFileSync } from "node:fs"
import * as Frames from "../../src/pipeline/Frames.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** What came of bytes in chunks: events, then what stood in the way of more. */
const readIn = (chunks: ReadonlyArray<Uint8Array>, options?: Frames.Options) => {
  const frames: Array<Frames.Frame> = []
  return Stream.fromIterable(chunks).pipe(
    // Each chunk by itself, as a network has it.
    Stream.rechunk(1),
    Frames.decode(options),
    Stream.runForEach((frame) => Effect.sync(() => frames.push(frame))),
    Effect.match({ onFailure: (error): Frames.Read => ({ frames, error }), onSuccess: (): Frames.Read => ({ frames }) })
  )
}
const read = (text: string, options?: Frames.Options) => readIn([bytes(text)], options)

const cut = (whole: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
  return ends.map((end, i) => whole.subarray(i === 0 ? 0 : ends[i - 1]!, end))
}

describe("framing", () => {
  const titled: ReadonlyArray<readonly [title: string, text: string, frames: ReadonlyArray<Frames.Frame>]> = [
    ["a named event", "event: ping\ndata: {\"a\":1}\n\n", [{ event: "ping", data: { a: 1 } }]],
    ["an event without a name", "data: {\"a\":1}\n\n", [{ data: { a: 1 } }]],
    ["line breaks of three kinds", "data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n", [{ data: 1 }, { data: 2 }, { data: 3 }]],
    ["the mark of UTF-8", "\uFEFFdata: {\"é\":\"𝄞\"}\n\n", [{ data: { "é": "𝄞" } }]],
    ["comments", ": keep-alive\n\n:\n\ndata: 1\n: more\n\n", [{ data: 1 }]],
    ["retry and id", "retry: 3000\nid: 7\ndata: 1\n\nretry: 10\n\ndata: 2\n\n", [{ data: 1 }, { data: 2 }]],
    ["data in several lines", "data: {\"x\":\ndata: 1}\n\n", [{ data: { x: 1 } }]],
    ["no blank after the colon", "data:{\"a\":1}\nevent:e\n\n", [{ event: "e", data: { a: 1 } }]],
    ["no data, or blank data", "event: ping\n\ndata:\n\ndata\n\ndata: 1\n\n", [{ data: 1 }]],
    ["a last event without a blank line", "data: 1\n\ndata: {\"b\":2}", [{ data: 1 }, { data: { b: 2 } }]],
    ["a last event with half of one", "data: 1\n\ndata: {\"b\":2}\r", [{ data: 1 }, { data: { b: 2 } }]],
    ["[DONE] ends it", "data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", [{ data: 1 }]],
    ["[DONE] without a blank line", "data: 1\n\ndata: [DONE]", [{ data: 1 }]],
    ["nothing", "", []],
    ["an end within a comment", "data: 1\n\n: keep", [{ data: 1 }]]
  ]
  for (const [title, text, frames] of titled) {
    it.effect(title, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* read(text), { frames })
        assert.deepStrictEqual(Frames.parse(text), { frames })
        const single = Array.from(bytes(text), (byte) => Uint8Array.of(byte))
        assert.deepStrictEqual(yield* readIn(single), { frames })
      }))
  }

  it.effect("tells what cannot be read, and where, after all that came before", () =>
    Effect.gen(function*() {
      const malformed = yield* read("data: 1\n\ndata: {oops\n\ndata: 2\n\n")
      assert.deepStrictEqual(malformed.frames, [{ data: 1 }])
      assert.deepInclude(malformed.error, { fault: "malformed", position: 1, text: "{oops" })
      assert.strictEqual(malformed.error?.message, "Event 2 of the stream is no JSON")
      const truncated = yield* read("data: 1\n\ndata: {\"a\":")
      assert.deepStrictEqual(truncated.frames, [{ data: 1 }])
      assert.deepInclude(truncated.error, { fault: "truncated", position: 1, text: "{\"a\":" })
      const cutCharacter = yield* readIn([bytes("data: \"é").subarray(0, -1)])
      assert.deepInclude(cutCharacter.error, { fault: "truncated", position: 0 })
    }))

  it.effect("takes events of tens of megabytes, up to a bound that can be set", () =>
    Effect.gen(function*() {
      const image = "QUJD".repeat(5_000_000)
      const { frames } = yield* readIn(cut(bytes(`data: {"image":"${image}"}\n\n`), [1_000_000, 7, 19_000_000]))
      assert.strictEqual(
        Schema.decodeUnknownSync(Schema.Struct({ image: Schema.String }))(frames[0]?.data).image,
        image
      )
      for (const places of [[], [3, 500], [100]]) {
        const refused = yield* readIn(cut(bytes(`data: 1\n\ndata: "${"x".repeat(1000)}"\n\n`), places), {
          maxEventSize: 1001
        })
        assert.deepStrictEqual(refused.frames, [{ data: 1 }])
        assert.deepInclude(refused.error, { fault: "too-large", position: 1 })
        const taken = yield* readIn(cut(bytes(`data: "${"x".repeat(1000)}"\n\n`), places), { maxEventSize: 1002 })
        assert.strictEqual(taken.frames.length, 1)
      }
    }))

  it.effect("reads no more than it is asked for", () =>
    Effect.gen(function*() {
      let pulled = 0
      const endless = Stream.forever(Stream.sync(() => bytes(`data: ${pulled++}\n\n`))).pipe(Stream.rechunk(1))
      const three = yield* endless.pipe(Frames.decode(), Stream.take(3), Stream.runCollect)
      assert.deepStrictEqual(three, [{ data: 0 }, { data: 1 }, { data: 2 }])
      assert.isAtMost(pulled, 4)
    }))

  const Line = Schema.Literals(["\n", "\r", "\r\n"])
  const Piece = Schema.Union([
    Schema.Struct({ comment: Schema.Literals(["", " keep-alive", " é𝄞"]) }),
    Schema.Struct({ retry: Schema.Literals(["3000", "no"]) }),
    Schema.Struct({ event: Schema.Literals(["ping", "é"]), data: Schema.Json }),
    Schema.Struct({ data: Schema.Json }),
    Schema.Struct({ oops: Schema.Literals(["{", "[DONE]", "\"é"]) })
  ])
  const write = (piece: typeof Piece.Type, n: string): string =>
    "comment" in piece
      ? `:${piece.comment}${n}`
      : "retry" in piece
      ? `retry: ${piece.retry}${n}`
      : "oops" in piece
      ? `data: ${piece.oops}${n}${n}`
      : `${"event" in piece ? `event: ${piece.event}${n}` : ""}data: ${JSON.stringify(piece.data)}${n}${n}`

  it.effect.prop(
    "gives the same events for any chunks of the same bytes",
    [
      Schema.Array(Piece),
      Line,
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5000 }))),
      Schema.Boolean
    ],
    ([pieces, line, places, isCut]) =>
      Effect.gen(function*() {
        const text = bytes(pieces.map((piece) => write(piece, line)).join(""))
        const whole = isCut ? text.subarray(0, text.length - (places[0] ?? 0) % (text.length + 1)) : text
        const told = ({ error, frames }: Frames.Read) => ({ frames, error: error && { ...error } })
        assert.deepStrictEqual(told(yield* readIn(cut(whole, places))), told(Frames.parse(whole)))
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect.prop(
    "decode(write(frame)) is the frame",
    [Schema.Json, Schema.UndefinedOr(Schema.Literals(["ping", "response.created", "message_start"]))],
    ([data, event]) =>
      Effect.sync(() => {
        const frame = event === undefined ? { data } : { event, data }
        const text = Frames.write(frame)
        const { frames } = Frames.parse(text)
        assert.strictEqual(Frames.write(frames[0]!), text)
        assert.strictEqual(frames[0]?.event, event)
      }),
    { arbitrary: { runs: 200 } }
  )
})

describe("names", () => {
  const naming: Frames.Naming = {
    nameOf: (wire) =>
      wire !== null && typeof wire === "object" && "type" in wire && typeof wire.type === "string"
        ? wire.type
        : undefined
  }

  it("an event that does not say its kind gets it from its name; one that does keeps it", () => {
    const wireOf = Frames.wireOf(naming)
    assert.deepStrictEqual(wireOf({ event: "tool.progress", data: { tool: "f" } }), {
      type: "tool.progress",
      tool: "f"
    })
    assert.deepStrictEqual(wireOf({ event: "a", data: { type: "b" } }), { type: "b" })
    assert.deepStrictEqual(wireOf({ event: "a", data: [1] }), [1])
    assert.deepStrictEqual(wireOf({ data: { choices: [] } }), { choices: [] })
    assert.deepStrictEqual(Frames.frameOf(naming)({ type: "b" }), { event: "b", data: { type: "b" } })
    assert.deepStrictEqual(Frames.frameOf(naming)({ choices: [] }), { data: { choices: [] } })
  })
})

describe("observed", () => {
  const vectors = new URL("../../../shared/vectors/hermes_output_item.jsonl", import.meta.url)
  const Vector = Schema.fromJsonString(
    Schema.Struct({ id: Schema.String, function: Schema.String, input: Schema.Json })
  )
  const right: Readonly<Record<string, ReadonlyArray<Schema.Json>>> = {
    "hermes_output_item-028": [{ type: "response.created" }, { type: "a" }],
    "hermes_output_item-029": [{ x: 1 }],
    // Others lose the last one.
    "hermes_output_item-030": [{ a: 1 }, { b: 2 }],
    "hermes_output_item-031": [{ tool: "f", toolCallId: "c1", status: "running" }, {
      choices: [{ delta: { content: "Hi" } }]
    }],
    "hermes_output_item-032": []
  }

  it.effect("chunks of another system's parser", (context) =>
    Effect.gen(function*() {
      if (!existsSync(vectors)) return context.skip("no ../shared")
      const lines = readFileSync(vectors, "utf8").split("\n").filter((line) => line.includes("Stream SSE parse"))
      assert.strictEqual(lines.length, Object.keys(right).length)
      for (const line of lines) {
        const { id, input } = Schema.decodeUnknownSync(Vector)(line)
        const chunks = Schema.decodeUnknownSync(Schema.Array(Schema.String))(input)
        const read = yield* readIn(chunks.map(bytes))
        assert.deepStrictEqual(read.frames.map(({ data }) => data), right[id], id)
        assert.strictEqual(read.error?.fault, id.endsWith("-032") ? "malformed" : undefined, id)
      }
    }))
})
