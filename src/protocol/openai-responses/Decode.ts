/** Reads wire events in the light of those before: which slot one belongs to, and what of it is new. */
import { Equal, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Item } from "../../canonical/Item.ts"
import type { Response } from "../../canonical/Response.ts"
import { isRecord, parsed } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import * as Ending from "./Ending.ts"
import { nested } from "./ErrorEvent.ts"
import { type Ended, type Step, StepFromWire } from "./Event.ts"
import { type Extras, extrasOf, name as protocol, withExtras } from "./Extras.ts"
import { FailureFromWire } from "./Failure.ts"
import * as Joined from "./Joined.ts"
import * as Made from "./Made.ts"
import type { Obj } from "./Made.ts"
import * as Parts from "./Parts.ts"
import type { PartTold, Told } from "./Repeated.ts"
import * as Routing from "./Routing.ts"
import type { Reading } from "./Routing.ts"
import * as Telling from "./Telling.ts"

export type { Reading }
type Json = Schema.Json
type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>
type Result = readonly [state: Reading, events: ReadonlyArray<Event>]

const readStep = parsed(StepFromWire)
const readFailure = Schema.decodeUnknownSync(FailureFromWire)

const step = (state: Reading, input: Json): Result => {
  if (!isRecord(input)) return [state, [{ _tag: "Unmodelled", protocol, raw: input }]]
  const raw = input as Obj
  if (raw.type === "error") {
    const { sequence_number: _number, type: _type, ...event } = raw
    return [state, [{ _tag: "Failed", failure: readFailure(nested(event)) }]]
  }
  if (isHollow(raw.item) || isHollow(raw.annotation)) return [state, [kept(raw)]]
  return take(state, whole(Routing.located(state, raw)), raw)
}

/** The event as it came, apart from its number, which is made anew. */
const kept = ({ sequence_number: _, ...raw }: Obj): Event => ({ _tag: "Unmodelled", protocol, raw })

/** What an event is about is an object, of whatever kind. */
const isHollow = (value: Json | undefined): boolean => value !== undefined && !isRecord(value)

/** Reads an event of which all is known that others say; `raw` is how it came. */
const take = (state: Reading, wire: Obj, raw: Obj): Result => {
  const read = readStep(wire)
  if (!("_tag" in read)) return [state, [kept(raw)]]
  const [after, events] = next(state, read, wire, raw)
  return ["slot" in read ? Routing.placed(after, raw.output_index, read.slot) : after, events]
}

const next = (
  state: Reading,
  read: Exclude<Step, { readonly type: "unmodelled" }>,
  wire: Obj,
  raw: Obj
): Result => {
  switch (read._tag) {
    case "Snapshot": {
      const started = startedFrom(read)
      if (state.started === undefined) return [{ ...state, started }, [started]]
      const isUsual = Object.keys(extrasOf(read)).length === 0 &&
        (wire.type !== "response.queued" || extrasOf(state.started).status === "queued")
      return [state, isUsual && Equal.equals(known(started), known(state.started)) ? [] : [kept(raw)]]
    }
    case "Ended":
      return ended(state, read, wire, isRecord(raw.response))
    case "Told":
      return repeated(state, wire, deltaOf(read), Object.keys(extrasOf(read)).length === 0 ? [] : [kept(raw)])
    case "PartTold": {
      const delta = partOf(read)
      const more = isRepeated(extrasOf(read)) ? [] : [kept(raw)]
      return delta === undefined ? [state, more] : repeated(state, wire, delta, more)
    }
    case "SlotStarted":
      return parted(state, read, wire)
    default: {
      const told = Telling.step(state.slots, read)
      return [Routing.opened(state, wire, read.slot, told), told[1]]
    }
  }
}

const each = <A>(state: Reading, all: ReadonlyArray<A>, next: (state: Reading, one: A) => Result): Result => {
  let after = state
  const events: Array<Event> = []
  for (const one of all) {
    const [state, more] = next(after, one)
    after = state
    events.push(...more)
  }
  return [after, events]
}

/** An item that comes with parts is opened without them, and then they are. */
const parted = (state: Reading, read: Of<"SlotStarted">, wire: Obj): Result => {
  const [item, parts] = isRecord(wire.item) && read.items[0]?.type !== "unmodelled" ? Parts.apart(wire.item as Obj) : []
  const bare = parts === undefined || parts.length === 0 ? read : readStep({ ...wire, item })
  const told = Telling.step(state.slots, "_tag" in bare && bare._tag === "SlotStarted" ? bare : read)
  const opened = Routing.opened(state, wire, read.slot, told)
  const id = isRecord(wire.item) && typeof wire.item.id === "string" && wire.item.id !== ""
    ? { item_id: wire.item.id }
    : {}
  const [after, more] = each(opened, parts ?? [], (state, part) => {
    const wire: Obj = { type: part.type, output_index: read.slot, ...id, ...part.wire }
    return take(state, wire, wire)
  })
  return [after, [...told[1], ...more]]
}

// the response ----------------------------------------------------------------------------------------------------

/** All but the items; how it stands is told only where that is not the usual. */
const startedFrom = (read: Extract<Step, { readonly _tag: "Snapshot" }>): Of<"Started"> => {
  const { finishReason: _, items: _items, rawFinishReason: status, stopSequence: _stop, ...head } = read.response
  const event = extrasOf(read)
  const started: Of<"Started"> = { _tag: "Started", ...head }
  return withExtras(started, {
    ...extrasOf(head),
    ...(status === undefined || status === "in_progress" ? {} : { status }),
    ...(Object.keys(event).length === 0 ? {} : { event })
  })
}

/** What is known of the response, whatever event said so, and however it stood then. */
const known = (started: Of<"Started">): Of<"Started"> => {
  const { event: _, status: _status, ...extras } = extrasOf(started)
  return withExtras(started, extras)
}

/** Fills in what some servers leave out of a response that the event's own name says. */
const whole = (wire: Obj): Obj => {
  const { response, type } = wire
  const status = Made.statusOf(type)
  const isLast = Made.isTerminal(type)
  const body = isLast ? response ?? {} : response
  if (status === undefined || !isRecord(body)) return wire
  const { output } = body as Obj
  const isWhole = output != null && body.status != null
  if (isWhole && !isLast) return wire
  return Made.unnamedIn({
    ...wire,
    response: { ...body as Obj, output: output ?? [], status: body.status as Json ?? status }
  })
}

/** The end of the stream, after all that only its body says, and with all that the body leaves out. */
const ended = (
  before: Reading,
  { response: body, ...event }: typeof Ended.Type,
  wire: Obj,
  hasBody: boolean
): Result => {
  const [after, told] = each(before, Routing.untold(before, outputIn(wire), itemIn), (state, [slot, item]) => {
    const done = doneWith(slot, item)
    return take(state, done, done)
  })
  const [state, closed] = each(after, Routing.toldIn(after), (state, [slot, joined]) => {
    const items = Joined.itemsOf(joined)
    if (joined.isDone || items.length === 0) return [state, []]
    const told = Telling.step(state.slots, { _tag: "SlotDone", slot, items })
    return [Routing.opened(state, wire, slot, told), told[1]]
  })
  const response = hasBody ? body : { ...headOf(before), ...body }
  const finished = finishedWith(
    response.items.length > 0 ? response : completed(response, Routing.toldIn(state).flatMap(([, { items }]) => items))
  )
  const extras = extrasOf(event)
  const isUsual = Made.terminalOf(wire.response) === wire.type
  const end = withExtras(finished, isUsual ? extras : { ...extras, type: wire.type! })
  return [state, [...told, ...closed, end]]
}

const outputIn = ({ response }: Obj): ReadonlyArray<Obj> =>
  isRecord(response) && Array.isArray(response.output) ? response.output.filter(isRecord) as ReadonlyArray<Obj> : []

const doneWith = (slot: number, item: Obj): Obj => ({ type: "response.output_item.done", output_index: slot, item })

const itemIn = (item: Obj): Item | undefined => {
  const read = readStep(doneWith(0, item))
  return "_tag" in read && read._tag === "SlotDone" ? read.items?.[0] : undefined
}

const headOf = ({ started }: Reading) => {
  if (started === undefined) return {}
  const { _tag, ...head } = known(started)
  return head
}

/** The response with the items that were told. They say why it ended, where its status says no more than that it did. */
const completed = (response: Response, items: Response["items"]): Response => ({
  ...response,
  items,
  finishReason: response.finishReason === "stop" ? Ending.read({ status: "completed" }, items) : response.finishReason
})

const finishedWith = (response: Response): Of<"Finished"> => {
  const { finishReason, rawFinishReason } = response
  return { _tag: "Finished", finishReason, ...(rawFinishReason === undefined ? {} : { rawFinishReason }), response }
}

// what is told once more ------------------------------------------------------------------------------------------

/** What is missing of a text that was told whole; the event itself only where it says something else besides. */
const repeated = (state: Reading, wire: Obj, told: Telling.Delta, more: ReadonlyArray<Event>): Result => {
  const step = Telling.step(state.slots, { told })
  const [, events] = step
  return [events.length === 0 ? state : Routing.opened(state, wire, told.slot, step), [...events, ...more]]
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

export const decode: Machine<Reading, Json, Event> = { initial: Routing.initial, step }
