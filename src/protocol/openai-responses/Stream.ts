/**
 * Streams a response.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { Schema } from "effect"
import { isRecord } from "../../codec/index.ts"
import type { Streaming } from "../Protocol.ts"
import { decode, type Reading } from "./Decode.ts"
import { encode, type Writing } from "./Encode.ts"
import type { EventWire } from "./Event.ts"
import { event as meaning } from "./Meaning.ts"

/**
 * The events of a stream, both ways. Each item is a slot; the event that ends the stream holds the whole response.
 *
 * @example
 * const [state, events] = stream.decode.step(stream.decode.initial, { type: "response.created", response: { id: "r" } })
 * events // => [{ _tag: "Started", id: "r" }]
 */
export const stream: Streaming<Reading, Writing, EventWire> = {
  request: (wire) => isRecord(wire) ? { ...wire, stream: true } : wire,
  decode,
  encode,
  nameOf: (wire: Schema.Json) => isRecord(wire) && typeof wire.type === "string" ? wire.type : undefined,
  group: (slots) => slots.flat(),
  meaning
}
