/**
 * Spells the events of a stream, each on its own: what one means after all before it is for the machines to say.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import { Schema } from "effect"
import * as Event from "../../canonical/Event.ts"
import { Response } from "../../canonical/Response.ts"
import { as, bag, complete, transform, Unmodelled } from "../../codec/index.ts"
import { CitationFromAnnotation } from "./Content.ts"
import { extrasOf, open, variant, withExtras } from "./Extras.ts"
import type { FailureWire } from "./Failure.ts"
import { anew } from "./Made.ts"
import * as Repeated from "./Repeated.ts"
import { ItemsFromItem, ResponseFromWire } from "./Response.ts"

const optional = Schema.optionalKey

// a response begins, goes on, ends --------------------------------------------------------------------------------

/** The response as it stands before its first item. */
export const Snapshot = Schema.Struct({ _tag: Schema.Literal("Snapshot"), response: Response, ...bag })
/** The whole response, when nothing more comes. */
export const Ended = Schema.Struct({ _tag: Schema.Literal("Ended"), response: Response, ...bag })

const whole = { response: ResponseFromWire }
const SnapshotFromCreated = variant(Snapshot, { type: "response.created" }, whole, {}, anew)
const SnapshotFromQueued = variant(Snapshot, { type: "response.queued" }, whole, {}, anew)
const SnapshotFromInProgress = variant(Snapshot, { type: "response.in_progress" }, whole, {}, anew)
const EndedFromCompleted = variant(Ended, { type: "response.completed" }, whole, {}, anew)
const EndedFromIncomplete = variant(Ended, { type: "response.incomplete" }, whole, {}, anew)
const EndedFromFailed = variant(Ended, { type: "response.failed" }, whole, {}, anew)

// items -----------------------------------------------------------------------------------------------------------

const item = { slot: "output_index", items: as("item", complete(ItemsFromItem)) } as const
const StartedFromAdded = variant(Event.SlotStarted, { type: "response.output_item.added" }, item, {}, anew)
const DoneFromDone = variant(
  Event.SlotDone,
  { type: "response.output_item.done" },
  {
    slot: "output_index",
    items: as("item", complete(ItemsFromItem), { needed: true })
  },
  {},
  anew
)

// deltas ----------------------------------------------------------------------------------------------------------

const LoggedText = Schema.Struct({ ...Event.TextDelta.fields, logprobs: optional(Schema.Array(Schema.Json)) })
type LoggedText = typeof LoggedText.Type
type TextDelta = typeof Event.TextDelta.Type

const logged = ({ logprobs = [], ...delta }: LoggedText): TextDelta =>
  withExtras(delta, { ...extrasOf(delta), logprobs })

/** Probabilities are the protocol's own; where there are none, the wire has an empty list. */
const TextFromDelta = transform(
  variant(
    LoggedText,
    { type: "response.output_text.delta" },
    {
      slot: "output_index",
      part: "content_index",
      text: "delta",
      logprobs: as("logprobs", Schema.Array(Schema.Json), { always: [] })
    },
    {},
    anew
  ),
  Event.TextDelta,
  {
    decode: (delta): TextDelta => delta.logprobs === undefined ? delta : logged(delta),
    encode: (delta): LoggedText => {
      const { logprobs, ...rest } = extrasOf(delta)
      return Array.isArray(logprobs) ? { ...withExtras(delta, rest), logprobs } : delta
    }
  }
)
const RefusalFromDelta = variant(
  Event.RefusalDelta,
  { type: "response.refusal.delta" },
  {
    slot: "output_index",
    part: "content_index",
    text: "delta"
  },
  {},
  anew
)
const ContentFromDelta = variant(
  Event.ReasoningDelta,
  { type: "response.reasoning_text.delta" },
  {
    slot: "output_index",
    part: "content_index",
    text: "delta"
  },
  { of: "content" },
  anew
)
const SummaryFromDelta = variant(
  Event.ReasoningDelta,
  { type: "response.reasoning_summary_text.delta" },
  {
    slot: "output_index",
    part: "summary_index",
    text: "delta"
  },
  { of: "summary" },
  anew
)

const argument = { slot: "output_index", text: "delta" } as const
const ArgumentsFromFunction = variant(
  Event.ArgumentsDelta,
  { type: "response.function_call_arguments.delta" },
  argument,
  {},
  anew
)
const ArgumentsFromMcp = variant(
  Event.ArgumentsDelta,
  { type: "response.mcp_call_arguments.delta" },
  argument,
  {},
  anew
)
const ArgumentsFromCustom = variant(
  Event.ArgumentsDelta,
  { type: "response.custom_tool_call_input.delta" },
  argument,
  {},
  anew
)

const CitationFromAdded = variant(
  Event.CitationAdded,
  { type: "response.output_text.annotation.added" },
  {
    slot: "output_index",
    part: "content_index",
    citation: as("annotation", CitationFromAnnotation)
  },
  {},
  [...anew, "annotation_index"]
)

// events ----------------------------------------------------------------------------------------------------------

const Step = Schema.Union([
  Snapshot,
  Ended,
  Event.SlotStarted,
  Event.SlotDone,
  Event.TextDelta,
  Event.RefusalDelta,
  Event.ReasoningDelta,
  Event.ArgumentsDelta,
  Event.CitationAdded,
  Repeated.Told,
  Repeated.PartTold,
  Unmodelled
])

/** One wire event, read alone. What is unknown or malformed is kept as it stands. */
export const StepFromWire = open(
  Step,
  SnapshotFromCreated,
  SnapshotFromQueued,
  SnapshotFromInProgress,
  EndedFromCompleted,
  EndedFromIncomplete,
  EndedFromFailed,
  StartedFromAdded,
  DoneFromDone,
  TextFromDelta,
  RefusalFromDelta,
  ContentFromDelta,
  SummaryFromDelta,
  ArgumentsFromFunction,
  ArgumentsFromMcp,
  ArgumentsFromCustom,
  CitationFromAdded,
  Repeated.TextFromDone,
  Repeated.RefusalFromDone,
  Repeated.ContentFromDone,
  Repeated.SummaryFromDone,
  Repeated.ArgumentsFromFunctionDone,
  Repeated.ArgumentsFromMcpDone,
  Repeated.ArgumentsFromCustomDone,
  Repeated.PartFromAdded,
  Repeated.PartFromDone,
  Repeated.SummaryPartFromAdded,
  Repeated.SummaryPartFromDone
)
export type Step = typeof StepFromWire.Type

/** An `error` event: the words of the failure beside its type, or in an object of their own. */
export type ErrorWire = FailureWire & { readonly type: "error" }
/** A wire event: one that is modelled, or any other object with a type. */
export type EventWire = typeof StepFromWire.Encoded | ErrorWire
