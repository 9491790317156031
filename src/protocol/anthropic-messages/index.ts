/**
 * Anthropic's Messages API.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { isRecord } from "../../codec/index.ts"
import { expandedOf } from "../Expanded.ts"
import type { Limits, Pieces, Streaming } from "../Protocol.ts"
import type { Encoding } from "./Blocks.ts"
import { ContentFromWire, InstructionsFromWire } from "./Content.ts"
import { type Decoding, decoding } from "./Decode.ts"
import { encoding } from "./Encode.ts"
import type { EventWire } from "./Event.ts"
import * as Meaning from "./Meaning.ts"
import { BodyFromWire, ResponseFormatFromWire } from "./Request.ts"
import { McpServersFromWire, ToolChoiceFromWire, ToolsFromWire } from "./Tool.ts"
import { ItemsFromMessages, itemsOfSlots } from "./Turns.ts"

export { name } from "./Content.ts"
export { FailureFromWire } from "./Failure.ts"
export * as meaning from "./Meaning.ts"
export { defaults, RequestFromWire } from "./Request.ts"
export { ResponseFromWire } from "./Response.ts"

/** Whose rules hold for the JSON Schemas of tools and answers. */
export const schemas = "anthropic"

/** A request's nameable pieces. A request by itself, as a piece, need not be complete. */
export const pieces = {
  request: BodyFromWire,
  content: ContentFromWire,
  items: ItemsFromMessages,
  instructions: InstructionsFromWire,
  tools: ToolsFromWire,
  toolChoice: ToolChoiceFromWire,
  mcpServers: McpServersFromWire,
  responseFormat: ResponseFormatFromWire
} satisfies Pieces

/**
 * Any spelling that the API accepts outside, every short one written out inside: decode expands, encode compresses.
 *
 * @example
 * Schema.decodeUnknownSync(ExpandedFromWire.items)([{ role: "user", content: "hi" }])
 * // => [{ role: "user", content: [{ type: "text", text: "hi" }] }]
 */
export const ExpandedFromWire = expandedOf(pieces)

/**
 * A response as it arrives: `message_start`, for each block `content_block_start`, deltas and `content_block_stop`,
 * then `message_delta` and `message_stop`. A slot is a block's index.
 *
 * @see https://docs.anthropic.com/en/api/messages-streaming
 *
 * @example
 * const { initial, step } = stream.decode
 * step(initial, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } })[1]
 * // => [{ _tag: "SlotStarted", … }, { _tag: "TextDelta", slot: 0, part: 0, text: "hi" }]
 */
export const stream: Streaming<Decoding, Encoding, EventWire> = {
  request: (wire) => isRecord(wire) ? { ...wire, stream: true } : wire,
  decode: decoding,
  encode: encoding,
  nameOf: (wire) => isRecord(wire) && typeof wire.type === "string" ? wire.type : undefined,
  group: itemsOfSlots,
  meaning: Meaning.event
}

/** Tools are named by `^[a-zA-Z0-9_-]{1,128}$`, and calls by `^[a-zA-Z0-9_-]+$`. */
export const limits = {
  toolName: { foreign: /[^a-zA-Z0-9_-]/, length: 128 },
  callId: { foreign: /[^a-zA-Z0-9_-]/ }
} satisfies Limits

/** What of the API is not modelled but kept as it stands, by the list that it is found in. */
export const unmodelled = {
  blocks: ["search_result", "container_upload", "fallback"],
  resultContent: ["search_result", "tool_reference", "browser_state"],
  documentSources: ["content"],
  toolReferences: ["tool_definition"],
  events: ["ping"]
} as const
