/**
 * Spells the events of a stream, each by itself. What they mean one after the other is said in `Decode.ts`, how
 * canonical events become them in `Encode.ts`.
 *
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
import { Schema } from "effect"
import { Citation, Unmodelled } from "../../canonical/Part.ts"
import { Response } from "../../canonical/Response.ts"
import { as, bag, complete } from "../../codec/index.ts"
import { CitationFromWire, open, variant } from "./Content.ts"
import type { FailureFromWire } from "./Failure.ts"
import { AssistantBlockFromWire, Block } from "./Item.ts"
import { ResponseFromWire } from "./Response.ts"

const optional = Schema.optionalKey
const type = <const T extends string>(value: T) => Schema.Literal(value)
const slot = { slot: optional(Schema.Finite) }

// deltas ----------------------------------------------------------------------------------------------------------

const Text = Schema.Struct({ type: type("text"), text: Schema.String, ...bag })
const Thought = Schema.Struct({ type: type("thought"), text: Schema.String, ...bag })
const Input = Schema.Struct({ type: type("input"), text: Schema.String, ...bag })
const Signature = Schema.Struct({ type: type("signature"), text: Schema.String, ...bag })
const Cited = Schema.Struct({ type: type("citation"), citation: Citation, ...bag })
const Compacted = Schema.Struct({
  type: type("compaction"),
  text: optional(Schema.String),
  proof: optional(Schema.String),
  ...bag
})
const Delta = Schema.Union([Text, Thought, Input, Signature, Cited, Compacted, Unmodelled])
export type Delta = typeof Delta.Type

/** What is added to a block. */
export const DeltaFromWire = open(
  Delta,
  variant(Text, { type: "text_delta" }, { text: "text" }),
  variant(Thought, { type: "thinking_delta" }, { text: "thinking" }),
  variant(Input, { type: "input_json_delta" }, { text: "partial_json" }),
  variant(Signature, { type: "signature_delta" }, { text: "signature" }),
  variant(Cited, { type: "citations_delta" }, { citation: as("citation", CitationFromWire) }),
  variant(Compacted, { type: "compaction_delta" }, {
    text: as("content", Schema.String, { neutral: null }),
    proof: as("encrypted_content", Schema.String, { neutral: null })
  })
)

// ending ----------------------------------------------------------------------------------------------------------

const Ending = Schema.Struct({
  stopReason: optional(Schema.String),
  stopSequence: optional(Schema.String),
  container: optional(Schema.Json),
  stopDetails: optional(Schema.Json),
  ...bag
})
export type Ending = typeof Ending.Type

const EndingFromWire = variant(Ending, {}, {
  stopReason: as("stop_reason", Schema.String, { neutral: null }),
  stopSequence: as("stop_sequence", Schema.String, { neutral: null }),
  container: as("container", Schema.Json, { neutral: null }),
  stopDetails: as("stop_details", Schema.Json, { neutral: null })
})

/** Some of the counts of a usage object: those that are not `null` stand above what was counted before. */
export const CountsOnWire = Schema.Record(Schema.String, Schema.Json)
export type CountsOnWire = typeof CountsOnWire.Type

// events ----------------------------------------------------------------------------------------------------------

const MessageStart = Schema.Struct({ type: type("message-start"), message: Response, ...bag })
const BlockStart = Schema.Struct({ type: type("block-start"), ...slot, block: Block, ...bag })
const BlockDelta = Schema.Struct({ type: type("block-delta"), ...slot, delta: Delta, ...bag })
const BlockStop = Schema.Struct({ type: type("block-stop"), ...slot, ...bag })
const MessageDelta = Schema.Struct({
  type: type("message-delta"),
  ending: optional(Ending),
  usage: optional(CountsOnWire),
  ...bag
})
const MessageStop = Schema.Struct({ type: type("message-stop"), ...bag })

const WireEvent = Schema.Union([
  MessageStart,
  BlockStart,
  BlockDelta,
  BlockStop,
  MessageDelta,
  MessageStop,
  Unmodelled
])
/** One event as the wire has it, under canonical names. */
export type WireEvent = typeof WireEvent.Type
export type MessageStart = typeof MessageStart.Type
export type BlockStart = typeof BlockStart.Type
export type BlockDelta = typeof BlockDelta.Type
export type BlockStop = typeof BlockStop.Type
export type MessageDelta = typeof MessageDelta.Type
export type MessageStop = typeof MessageStop.Type

/**
 * One event: `{ type: "message_start", message }`, `{ type: "content_block_start", index, content_block }`,
 * `{ type: "content_block_delta", index, delta }`, `{ type: "content_block_stop", index }`,
 * `{ type: "message_delta", delta, usage }`, `{ type: "message_stop" }`. Any other is kept as it stands; an error is
 * spelt in `Failure.ts`.
 */
export const EventFromWire = complete(open(
  WireEvent,
  variant(MessageStart, { type: "message_start" }, { message: as("message", ResponseFromWire) }),
  variant(BlockStart, { type: "content_block_start" }, {
    slot: "index",
    block: as("content_block", AssistantBlockFromWire)
  }),
  variant(BlockDelta, { type: "content_block_delta" }, { slot: "index", delta: as("delta", DeltaFromWire) }),
  variant(BlockStop, { type: "content_block_stop" }, { slot: "index" }),
  variant(MessageDelta, { type: "message_delta" }, {
    ending: as("delta", EndingFromWire),
    usage: as("usage", CountsOnWire, { neutral: { input_tokens: 0, output_tokens: 0 } })
  }),
  variant(MessageStop, { type: "message_stop" }, {})
))

/** An `error` event. */
export type ErrorWire = typeof FailureFromWire.Encoded & { readonly type: "error" }
/** A wire event: one that is modelled, or any other object with a type. */
export type EventWire = typeof EventFromWire.Encoded | ErrorWire
