/** Reads wire events in the light of those before: which slot one belongs to, and what of it is new. */
import { Equal, HashMap, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import { isRecord } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import { type Step, StepFromWire } from "./Event.ts"
import { type Extras, extrasOf, name as protocol, withExtras } from "./Extras.ts"
import { FailureFromWire } from "./Failure.ts"
import * as Made from "./Made.ts"
import type { PartTold, Told } from "./Repeated.ts"
import * as Telling from "./Telling.ts"

type Json = Schema.Json
type Obj = { readonly [key: string]: Json }
type Started = Extract<Event, { readonly _tag: "Started" }>

export interface Reading {
  readonly started: Started | undefined
  readonly slots: Telling.Slots
  /** The slot of each item that has an id. */
  readonly ids: HashMap.HashMap<string, number>
  readonly last: { readonly slot: number; readonly id: string | undefined } | undefined
  readonly next: number
  /** The items that are closed, as the wire has them. */
  readonly done: HashMap.HashMap<number, Json>
}
type Result = readonly [state: Reading, events: ReadonlyArray<Event>]

const readStep = Schema.decodeUnknownSync(StepFromWire)
const readFailure = Schema.decodeUnknownSync(FailureFromWire)

const step = (state: Reading, input: Json): Result => {
  if (!isRecord(input)) return [state, [{ _tag: "Unmodelled", protocol, raw: input }]]
  const { sequence_number: _, ...raw } = input as Obj
  if (raw.type === "error") {
    const { type: _, ...body } = raw
    return [state, [{ _tag: "Failed", failure: readFailure(body) }]]
  }
  const kept: Event = { _tag: "Unmodelled", protocol, raw }
  if (isHollow(raw.item) || isHollow(raw.annotation)) return [state, [kept]]
  const wire = whole(state, located(state, input as Obj))
  const read = readStep(wire)
  if (!("_tag" in read)) return [state, [kept]]
  return next(state, read, wire, kept)
}

/** What an event is about is an object, of whatever kind. */
const isHollow = (value: Json | undefined): boolean => value !== undefined && !isRecord(value)

const next = (state: Reading, read: Exclude<Step, { readonly type: "unmodelled" }>, wire: Obj, kept: Event): Result => {
  switch (read._tag) {
    case "Snapshot": {
      const started = startedFrom(read)
      if (state.started === undefined) return [{ ...state, started }, [started]]
      const isUsual = Object.keys(extrasOf(read)).length === 0 &&
        (wire.type !== "response.queued" || extrasOf(state.started).status === "queued")
      return [state, isUsual && Equal.equals(known(started), known(state.started)) ? [] : [kept]]
    }
    case "Ended": {
      const { response } = read
      const type = Made.terminalOf(wire.response)
      const { finishReason, rawFinishReason } = response
      const finished: Event = {
        _tag: "Finished",
        finishReason,
        ...(rawFinishReason === undefined ? {} : { rawFinishReason }),
        response
      }
      const extras = extrasOf(read)
      return [state, [withExtras(finished, type === wire.type ? extras : { ...extras, type: wire.type! })]]
    }
    case "Told":
      return retold(state, wire, deltaOf(read), Object.keys(extrasOf(read)).length === 0 ? [] : [kept])
    case "PartTold": {
      const delta = partOf(read)
      const repeated = isRepeated(extrasOf(read)) ? [] : [kept]
      return delta === undefined ? [state, repeated] : retold(state, wire, delta, repeated)
    }
    default: {
      const [slots, events] = Telling.step(state.slots, read)
      return [{ ...opened(state, wire, read.slot), slots }, events]
    }
  }
}

// the response ----------------------------------------------------------------------------------------------------

/** All but the items; how it stands is told only where that is not the usual. */
const startedFrom = (read: Extract<Step, { readonly _tag: "Snapshot" }>): Started => {
  const { finishReason: _, items: _items, rawFinishReason: status, stopSequence: _stop, ...head } = read.response
  const event = extrasOf(read)
  const started: Started = { _tag: "Started", ...head }
  return withExtras(started, {
    ...extrasOf(head),
    ...(status === undefined || status === "in_progress" ? {} : { status }),
    ...(Object.keys(event).length === 0 ? {} : { event })
  })
}

/** What is known of the response, whatever event said so, and however it stood then. */
const known = (started: Started): Started => {
  const { event: _, status: _status, ...extras } = extrasOf(started)
  return withExtras(started, extras)
}

/** Fills in what some servers leave out of a response that the event's own name, or the items before, say. */
const whole = (state: Reading, wire: Obj): Obj => {
  const { response, type } = wire
  const status = Made.statusOf(type)
  if (status === undefined || !isRecord(response)) return wire
  const { output } = response as Obj
  const isLast = Made.isTerminal(type)
  const told = Array.isArray(output) && (output.length > 0 || !isLast)
  if (told && response.status != null) return isLast ? Made.unnamedIn(wire) : wire
  const items = isLast ? [...state.done].toSorted(([a], [b]) => a - b).map(([, item]) => item) : []
  return Made.unnamedIn({
    ...wire,
    response: {
      ...response as Obj,
      ...(told ? {} : { output: output == null || Array.isArray(output) ? items : output }),
      status: response.status as Json ?? status
    }
  })
}

// slots -----------------------------------------------------------------------------------------------------------

/** The event with the slot and the place that it belongs to, where it does not say; and its item without a made id. */
const located = (state: Reading, wire: Obj): Obj => {
  const place = Made.placeOf(wire.type)
  if (place === undefined) return wire
  const at = wire.output_index
  const slot = typeof at === "number" ? at : slotOf(state, wire)
  const named = isRecord(wire.item) ? Made.unnamed(wire.item as Obj, slot, statusIn(wire)) : wire.item
  if (slot === at && named === wire.item && (place === "" || typeof wire[place] === "number")) return wire
  return {
    ...wire,
    output_index: slot,
    ...(place === "" || typeof wire[place] === "number" ? {} : { [place]: 0 }),
    ...(named === undefined ? {} : { item: named })
  }
}

const statusIn = ({ type }: Obj): Made.Status => type === "response.output_item.added" ? "in_progress" : "completed"

const idOf = (wire: Obj): string | undefined => {
  const id = wire.item_id ?? (isRecord(wire.item) ? wire.item.id : undefined)
  return typeof id === "string" && id !== "" ? id : undefined
}

/** By the item's id, or else the slot that was opened last, unless that is another's. */
const slotOf = ({ ids, last, next, slots }: Reading, wire: Obj): number => {
  const id = idOf(wire)
  const named = id === undefined ? undefined : HashMap.get(ids, id)
  if (named?._tag === "Some") return named.value
  if (last === undefined || wire.type === "response.output_item.added") return next
  if (wire.type === "response.output_item.done" && !Telling.isOpen(slots, last.slot)) return next
  return id === undefined || last.id === undefined ? last.slot : next
}

/** What is known of the slots once an event has spoken of one. */
const opened = (state: Reading, wire: Obj, slot: number): Reading => {
  const isNew = !HashMap.has(state.slots, slot)
  const isItem = isRecord(wire.item)
  if (!isNew && !isItem) return state
  const id = idOf(wire)
  return {
    ...state,
    ids: id === undefined ? state.ids : HashMap.set(state.ids, id, slot),
    last: isNew || wire.type === "response.output_item.added" ? { slot, id } : state.last,
    next: Math.max(state.next, slot + 1),
    done: wire.type === "response.output_item.done" ? HashMap.set(state.done, slot, wire.item!) : state.done
  }
}

// what is told once more ------------------------------------------------------------------------------------------

/** What is missing of a text that was told whole; the event itself only where it says something else besides. */
const retold = (state: Reading, wire: Obj, told: Telling.Delta, kept: ReadonlyArray<Event>): Result => {
  const [slots, events] = Telling.step(state.slots, { told })
  return [events.length === 0 ? state : { ...opened(state, wire, told.slot), slots }, [...events, ...kept]]
}

const deltaOf = ({ of, part = 0, slot, text }: typeof Told.Type): Telling.Delta => {
  switch (of) {
    case "text":
      return { _tag: "TextDelta", slot, part, text }
    case "refusal":
      return { _tag: "RefusalDelta", slot, part, text }
    case "arguments":
      return { _tag: "ArgumentsDelta", slot, text }
    default:
      return { _tag: "ReasoningDelta", slot, part, of, text }
  }
}

const partOf = ({ of, part, refusal, slot, text }: typeof PartTold.Type): Telling.Delta | undefined => {
  const words = of === "refusal" ? refusal : text
  return of === undefined || words === undefined
    ? undefined
    : deltaOf({ _tag: "Told", of, slot, part, text: words })
}

/** A part is told again with its item: all of it that is known of parts. */
const isRepeated = ({ part = {}, ...event }: Extras): boolean =>
  Object.keys(event).length === 0 && isRecord(part) &&
  Object.keys(part).every((key) => key === "annotations" || key === "logprobs")

export const decode: Machine<Reading, Json, Event> = {
  initial: {
    started: undefined,
    slots: Telling.none,
    ids: HashMap.empty(),
    last: undefined,
    next: 0,
    done: HashMap.empty()
  },
  step
}
