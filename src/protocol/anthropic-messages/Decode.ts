/**
 * Reads a stream: what each wire event means after all before it.
 *
 * Nothing stops the stream: an event that is not known, not well formed, or about a block that cannot have it is passed on
 * as it stands. What an event of a block means is in `Slots.ts`.
 */
import { Equal, Result, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Usage } from "../../canonical/Usage.ts"
import { isRecord, parsed } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import * as Wire from "./Event.ts"
import { bagOf, type Extras, extrasOf, nest } from "./Extras.ts"
import { errorTypes, FailureFromWire } from "./Failure.ts"
import { lenient } from "./Lenient.ts"
import { reasonOf, UsageFromWire } from "./Response.ts"
import * as Slots from "./Slots.ts"
import { blocksOfItems } from "./Turns.ts"

type Json = Schema.Json
type Step = Slots.Step<Decoding>

export interface Decoding extends Slots.Slots {
  /** What was told of the usage until now. */
  readonly usage: Usage | undefined
  readonly ending: Wire.Ending
  readonly options: Extras
}

const initial: Decoding = {
  ...Slots.none,
  usage: undefined,
  ending: {},
  options: {}
}

const decodeEvent = parsed(Wire.EventFromWire)
const encodeUsage = Schema.encodeSync(UsageFromWire)
const decodeUsage = Schema.decodeUnknownResult(UsageFromWire)
const decodeFailure = Schema.decodeUnknownResult(FailureFromWire)

const step = (state: Decoding, wire: Json): Step => {
  const event = decodeEvent(lenient(wire))
  switch (event.type) {
    case "message-start":
      return begin(state, event)
    case "block-start":
      return Slots.open(state, event)
    case "block-delta":
      return Slots.add(state, event, wire)
    case "block-stop":
      return Slots.close(state, event, wire)
    case "message-delta":
      return count(state, event, wire)
    case "message-stop":
      return finish(state, event)
    case "unmodelled":
      return [state, [failureIn(wire) ?? Slots.unmodelled(wire)]]
  }
}

/** Wire events in, canonical events out. */
export const decoding: Machine<Decoding, Json, Event> = { initial, step }

const failureIn = (wire: Json): Event | undefined => {
  const body = isRecord(wire) ? errorIn(wire) : undefined
  const failure = body === undefined ? undefined : Result.getOrUndefined(decodeFailure(body))
  return failure === undefined ? undefined : { _tag: "Failed", failure }
}

/** The body of an error: its own, or one that some hosts spell without an object, or under its own type. */
const errorIn = (wire: { readonly [key: string]: unknown }): unknown => {
  const { error, request_id = null, type = "error", ...flat } = wire
  if (typeof flat.message === "string" && typeof type === "string" && Object.hasOwn(errorTypes, type)) {
    return { error: wire }
  }
  if (type !== "error") return undefined
  if (typeof error === "string") return { ...wire, error: { message: error } }
  if (error !== undefined && error !== null) return wire
  return wire.type === "error" && typeof flat.message === "string" ? { request_id, error: flat } : undefined
}

// message ---------------------------------------------------------------------------------------------------------

const begin = (state: Decoding, event: Wire.MessageStart): Step => {
  const { finishReason: _, items, rawFinishReason, stopSequence, ...head } = event.message
  const started: Event = {
    _tag: "Started",
    ...head,
    ...bagOf(nest(extrasOf(head), "message_start", extrasOf(event)))
  }
  const ending = {
    ...rawFinishReason === undefined ? {} : { stopReason: rawFinishReason },
    ...stopSequence === undefined ? {} : { stopSequence }
  }
  const begun: Step = [{ ...state, usage: head.usage, ending }, [started]]
  return blocksOfItems(items).reduce(
    (step, block) => Slots.followed(step, (state) => Slots.openedAndClosed(state, block)),
    begun
  )
}

/** The usage is cumulative: each count that is told stands above the one before. */
const count = (state: Decoding, event: Wire.MessageDelta, wire: Json): Step => {
  const usage = event.usage === undefined ? Result.succeed(state.usage) : decodeUsage(counted(state.usage, event.usage))
  if (Result.isFailure(usage)) return [state, [Slots.unmodelled(wire)]]
  const options = { ...extrasOf(state.ending), ...extrasOf(event.ending ?? {}) }
  const counting: Decoding = {
    ...state,
    usage: usage.success,
    ending: { ...state.ending, ...event.ending, ...bagOf(options) },
    options: { ...state.options, ...extrasOf(event) }
  }
  const told: ReadonlyArray<Event> = usage.success === undefined || Equal.equals(usage.success, state.usage)
    ? []
    : [{ _tag: "UsageUpdated", usage: usage.success }]
  return event.ending?.stopReason === undefined
    ? [counting, told]
    : Slots.followed(Slots.closeAll(counting), (state) => [state, told])
}

const counted = (usage: Usage = { input: 0, output: 0 }, counts: Wire.CountsOnWire): Wire.CountsOnWire => {
  const all: Record<string, Json> = { ...encodeUsage(usage) as Wire.CountsOnWire }
  for (const [key, value] of Object.entries(counts)) if (value !== null || !(key in all)) all[key] = value
  return all
}

const finish = (state: Decoding, event: Wire.MessageStop): Step => {
  const { container, stopDetails, stopReason, stopSequence, ...rest } = state.ending
  const body = {
    ...state.options,
    ...container === undefined ? {} : { container },
    ...stopDetails === undefined ? {} : { stop_details: stopDetails }
  }
  const finished: Event = {
    _tag: "Finished",
    finishReason: reasonOf(stopReason),
    ...stopReason === undefined ? {} : { rawFinishReason: stopReason },
    ...stopSequence === undefined ? {} : { stopSequence },
    ...bagOf(nest(nest(body, "delta", extrasOf(rest)), "message_stop", extrasOf(event)))
  }
  return Slots.followed(Slots.closeAll(state), (state) => [state, [finished]])
}
