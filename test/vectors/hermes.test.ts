/** Holds what the Hermes client reads of its server's answers against what we read of the same. */
import { assert, describe, it } from "@effect/vitest"
import { Equal, Schema } from "effect"
import { readFileSync } from "node:fs"
import type * as Event from "../../src/canonical/Event.ts"
import { Item, Response, Usage } from "../../src/canonical/index.ts"
import { isRecord } from "../../src/codec/index.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import * as Failures from "../../src/pipeline/Failures.ts"
import * as Frames from "../../src/pipeline/Frames.ts"
import * as Machine from "../../src/pipeline/Machine.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import * as Hermes from "../../src/provider/Hermes.ts"
import type { Json, Table, Vector } from "./Vectors.ts"

type Fields = { readonly [key: string]: Json }
const fields = (value: unknown): Fields => isRecord(value) ? value as Fields : {}

const items = OpenAiResponses.pieces.items as Schema.Codec<Item.Items, unknown>
const decodeItems = Schema.decodeUnknownSync(items)
const encodeItems = Schema.encodeSync(items)
const decodeResponse = Schema.decodeUnknownOption(OpenAiResponses.ResponseFromWire)

/** The readers of one item: its text by ours, all else as it comes back from the canonical form. */
const readers = (input: Json): Json => {
  const [item] = decodeItems([input])
  const back = encodeItems(item === undefined ? [] : [item])
  // One user text may come back as a bare string; no vector has one.
  const wire = fields(Array.isArray(back) ? back[0] : back)
  const pick = (key: string): Json => wire[key] ?? null
  const isResult = item?.type === "tool-result"
  return {
    type: pick("type") ?? (item?.type === "message" ? "message" : null),
    id: pick("id"),
    status: pick("status"),
    role: pick("role"),
    content: contentOf(item),
    name: pick("name"),
    arguments: pick("arguments"),
    call_id: pick("call_id"),
    output: isResult ? fields(input).output ?? null : null,
    output_text: isResult ? Item.textIn(item) ?? null : null,
    text: item?.type === "message" ? Item.textIn(item) ?? null : null
  }
}

const contentOf = (item: Item.Item | undefined): Json =>
  item?.type === "message"
    ? item.parts.map((part): Json => {
      const own = part.type === "unmodelled"
        ? fields(part.raw)
        : { type: part.type === "text" ? "output_text" : part.type }
      return { type: own.type ?? null, text: part.type === "text" ? part.text : null }
    })
    : null

/** Where the body has no words, the error says the status, and keeps the body. */
const failure = ({ body, status }: Fields): Json => {
  const { reason } = Failures.fromAnswer({ protocol: OpenAiResponses }, {
    status: Number(status),
    headers: {},
    text: String(body)
  }, 0)
  assert.include(reason.message, `HTTP ${String(status)}`)
  const { error } = fields(reason.body)
  return {
    class: reason._tag,
    message: reason.detail ?? `Unexpected HTTP status ${String(reason.status)}`,
    error: isRecord(error) ? error as Fields : null
  }
}

/** What the events tell: no more than they told, and an error where they break off. */
const told = (events: ReadonlyArray<Event.Event>): Json => {
  if (events.length > 0 && !events.some(({ _tag }) => _tag === "Finished")) return { $error: "StreamTruncated" }
  const { id, items: all, rawFinishReason: status } = Collect.collect(OpenAiResponses)(events)
  return JSON.parse(
    JSON.stringify({ id, status, ...(all.length === 0 ? {} : { output: expand(encodeItems(all)) }) })
  ) as Json
}
const expand = Schema.decodeUnknownSync(OpenAiResponses.ExpandedFromWire.items as Schema.Codec<unknown, unknown>)

const parsed = (input: Json): Json => {
  const reader = new Frames.Reader()
  const encoder = new TextEncoder()
  const reads = [...(input as ReadonlyArray<string>).map((chunk) => reader.read(encoder.encode(chunk))), reader.end()]
  const error = reads.find((read) => read.error !== undefined)?.error
  if (error !== undefined) {
    return { $error: "MalformedResponseError", message: "Invalid JSON in response body", fault: error.fault }
  }
  const events = reads.flatMap(({ frames }) => frames).map(({ data, event }) => ({
    class: classOf(event, fields(data)),
    data
  }))
  return { events, result: events.length }
}

/** Their classes of events: by the name that an event is sent under, and by what a chunk of a chat has. */
const classOf = (event: string | undefined, data: Fields): string =>
  event === "hermes.tool.progress"
    ? "ChatToolProgress"
    : "choices" in data
    ? "ChatCompletionChunk"
    : "ResponseStreamEvent"

/** Their classes, in our words. */
const classes: { readonly [name: string]: string } = {
  AuthenticationError: "Unauthenticated",
  NotFoundError: "NotFound",
  BadRequestError: "InvalidRequest",
  PermissionError: "Forbidden",
  RateLimitError: "RateLimited",
  ServerError: "ServerError",
  APIError: "InvalidRequest"
}

const functions: { readonly [name: string]: (input: Json) => Json } = {
  "ResponseOutputItem readers": readers,
  "Entity equality": (input) => {
    const { a, b, c } = fields(input)
    const [one, other, third] = decodeItems([a, b, c])
    return [Equal.equals(one, other), Equal.equals(one, third), Equal.equals(other, third)]
  },
  "Response#output_text": (input) => {
    const response = decodeResponse(input)
    return response._tag === "Some" ? Response.text(response.value) : null
  },
  "Response#usage": (input) => {
    const response = decodeResponse(input)
    const usage = response._tag === "Some" ? response.value.usage : undefined
    return usage === undefined
      ? null
      : { input_tokens: usage.input, output_tokens: usage.output, total_tokens: Usage.total(usage) }
  },
  "Response.from_events": (input) => told(Machine.run(OpenAiResponses.stream.decode)(input as ReadonlyArray<Json>)),
  "Stream SSE parse": parsed,
  "ChatCompletion.from_chunks": (input) => Hermes.completion(input as ReadonlyArray<Fields>),
  "RunEvent.terminal": (input) => Hermes.Runs.terminal(input as ReadonlyArray<Hermes.Runs.RunEvent>) ?? null,
  "RunEvent error readers": (input) =>
    (input as ReadonlyArray<Hermes.Runs.RunEvent>).map((event) => ({
      "error?": Hermes.Runs.isError(event) ?? null,
      error: Hermes.Runs.errorText(event) ?? null
    })),
  "APIError.from_response": (input) => failure(fields(input))
}

const table: Table = {
  "hermes_output_item-026": { right: { $error: "StreamTruncated" }, why: "a stream that breaks off is an error" },
  "hermes_output_item-030": {
    right: {
      events: [{ a: 1 }, { b: 2 }].map((data) => ({ class: "ResponseStreamEvent", data })),
      result: 2
    },
    why: "a last event whose JSON is complete counts"
  },
  "hermes_output_item-032": {
    right: { $error: "MalformedResponseError", message: "Invalid JSON in response body", fault: "malformed" },
    why: "the same, with its fault"
  },
  "hermes_output_item-006": {
    right: {
      ...readers({ type: "message", role: "assistant", content: [{ type: "output_text", text: "plain" }] }) as Fields,
      text: "plain"
    },
    why: "the API takes a string for one text"
  }
}

describe("vectors of hermes", () => {
  const text = readFileSync(new URL("../fixtures/vectors/hermes_output_item.jsonl", import.meta.url), "utf8")
  const vectors = text.trimEnd().split("\n").map((line) => JSON.parse(line) as Vector)
  for (const vector of vectors) {
    it(`${vector.id} ${vector.function}: ${vector.note}`, () => {
      const got = functions[vector.function]!(vector.input)
      const right = table[vector.id]
      const output = vector.function === "APIError.from_response"
        ? { ...fields(vector.output), class: classes[String(fields(vector.output).class)]! }
        : vector.output
      assert.deepStrictEqual(got, right !== undefined && "right" in right ? right.right : output)
    })
  }
  it("covers every function, and no line is left over", () => {
    assert.deepStrictEqual(vectors.filter((vector) => !Object.hasOwn(functions, vector.function)), [])
    assert.strictEqual(vectors.length, 44)
  })
})
