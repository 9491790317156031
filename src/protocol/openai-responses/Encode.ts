/** Writes canonical events as those of the wire, with its numbers and ids, and with all that it says more than once. */
import { HashMap, Option, Result, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Items } from "../../canonical/Item.ts"
import type { Response } from "../../canonical/Response.ts"
import { anyProtocol, isRecord, Latest } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import { flat } from "./ErrorEvent.ts"
import { type Ended, type Snapshot, type Step, StepFromWire } from "./Event.ts"
import { extrasOf, name as protocol, withExtras } from "./Extras.ts"
import { FailureFromWire } from "./Failure.ts"
import * as Item from "./Item.ts"
import * as Joined from "./Joined.ts"
import * as Made from "./Made.ts"
import type { Obj } from "./Made.ts"
import * as Native from "./Native.ts"
import * as Parts from "./Parts.ts"
import * as Slot from "./Slot.ts"
import * as Telling from "./Telling.ts"

type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>

export interface Writing {
  /** The number of the next event. */
  readonly number: number
  readonly head: Omit<Of<"Started">, "_tag">
  /** The events that say that the response waits or goes on, until they are said. */
  readonly progress: ReadonlyArray<Obj>
  readonly usage: Response["usage"]
  readonly gaps: Native.Gaps
  readonly told: Telling.Slots
  readonly slots: Latest.Latest<number, Slot.Slot>
  /** The slots that are no item here, or one more: how far they move those after them. */
  readonly moves: ReadonlyArray<{ readonly slot: number; readonly by: 1 | -1 }>
  /** What else a slot holds that is an item of its own here. */
  readonly more: HashMap.HashMap<number, ReadonlyArray<Items>>
}
type Written = readonly [state: Writing, events: ReadonlyArray<Schema.Json>]

const encodeStep = Schema.encodeUnknownResult(StepFromWire)
const encodeFailure = Schema.encodeUnknownSync(FailureFromWire)
/** How a step is spelt, if it has a place on this wire. */
const spelt = (step: Step): Obj | undefined => {
  const wire = encodeStep(step)
  return Result.isSuccess(wire) ? wire.success as Obj : undefined
}

const step = (before: Writing, event: Event): Written => {
  const [state, events] = write(before, event)
  let { number } = state
  const numbered = events.map((wire): Schema.Json => isRecord(wire) ? { ...wire, sequence_number: number++ } : wire)
  return [{ ...state, number }, numbered]
}

const write = (state: Writing, event: Event): Written => {
  switch (event._tag) {
    case "Started":
      return started(state, event)
    case "UsageUpdated":
      return [{ ...state, usage: event.usage }, []]
    case "Finished":
      return under(progressed(state), (state) => [state, [finished(state, event)]])
    case "Failed":
      return under(progressed(state), (state) => [state, [failed(event)]])
    case "Unmodelled":
      return event.protocol === protocol || event.protocol === anyProtocol ? kept(state, event.raw) : [state, []]
    default: {
      const [gaps, own] = Native.native(state.gaps, event)
      const after = gaps === state.gaps ? state : { ...state, gaps }
      return own._tag === "SlotStarted" || own._tag === "SlotDone" ? apart(after, own) : telling(after, own)
    }
  }
}

/** The event, with those that it makes known. */
const telling = (state: Writing, event: Telling.SlotEvent): Written => {
  const [told, events] = Telling.step(state.told, event)
  return events.reduce<Written>(
    (written, event) => under(written, (state) => ofSlot(state, event)),
    progressed({ ...state, told })
  )
}

const under = ([state, events]: Written, next: (state: Writing) => Written): Written => {
  const [after, more] = next(state)
  return [after, events.length === 0 ? more : [...events, ...more]]
}

// the response ----------------------------------------------------------------------------------------------------

const started = (state: Writing, { _tag, ...head }: Of<"Started">): Written => {
  const { event, status = "in_progress", ...extras } = extrasOf(head)
  const response: Response = {
    ...withExtras(head, extras),
    items: [],
    finishReason: "other",
    rawFinishReason: typeof status === "string" ? status : "in_progress"
  }
  const created = spelt(
    withExtras<typeof Snapshot.Type>({ _tag: "Snapshot", response }, isRecord(event) ? event as Obj : {})
  )
  if (created === undefined) return [state, []]
  const body = created.response as Obj
  const progress = [
    ...(status === "queued" ? [{ type: "response.queued", response: body }] : []),
    { type: "response.in_progress", response: { ...body, status: "in_progress" } }
  ]
  return [{ ...state, head: withExtras(head, extras), progress }, [created]]
}

/** Before the first item it is said once that the response goes on. */
const progressed = (state: Writing): Written =>
  state.progress.length === 0 ? [state, []] : [{ ...state, progress: [] }, state.progress]

const finished = (state: Writing, event: Of<"Finished">): Obj => {
  const { providerOptions: _, response: told, _tag, ...ending } = event
  const slots = Latest.ordered(state.slots).map(([, slot]) => slot)
  const usage = state.usage ?? state.head.usage
  const response: Response = told ??
    {
      ...state.head,
      items: slots.flatMap(({ joined }) => Joined.itemsOf(joined)),
      ...ending,
      ...(usage === undefined ? {} : { usage })
    }
  const { type, ...extras } = extrasOf(event)
  const end = (response: Response) => spelt(withExtras<typeof Ended.Type>({ _tag: "Ended", response }, extras))
  const wire = Made.namedIn(end(response) ?? { response: {} })
  const odd = typeof type === "string" && Made.isTerminal(type)
  return { ...wire, type: odd ? type : Made.terminalOf(wire.response) }
}

const failed = ({ failure }: Of<"Failed">): Obj => flat(encodeFailure(failure) as Obj)

// slots -----------------------------------------------------------------------------------------------------------

const withSlot = (state: Writing, slot: number, [after, events]: Slot.Written): Written => [
  { ...state, slots: Latest.set(state.slots, slot, after) },
  events
]

const ofSlot = (state: Writing, event: Telling.SlotEvent): Written => {
  if (event._tag === "SlotStarted") return opened(state, event)
  const slot = Latest.get(state.slots, event.slot)
  if (slot === undefined) return [state, []]
  switch (event._tag) {
    case "ProofDelta":
      return withSlot(state, event.slot, [{ ...slot, joined: Joined.add(slot.joined, event) }, []])
    case "SlotDone":
      return withSlot(state, event.slot, done(slot, event))
    case "CitationAdded": {
      const wire = spelt(event)
      return wire === undefined ? [state, []] : withSlot(state, event.slot, Slot.cited(slot, event, wire))
    }
    default: {
      const wire = spelt(event)
      return wire === undefined ? [state, []] : withSlot(state, event.slot, Slot.told(slot, event, wire))
    }
  }
}

/** Items that are several here: the first is told bit by bit, the others whole, once the slot is closed. */
const apart = (state: Writing, event: Of<"SlotStarted" | "SlotDone">): Written => {
  const { items, slot } = event
  const known = Option.getOrElse(HashMap.get(state.more, slot), () => none)
  const [first, ...told] = items === undefined || items.length < 2 ? [items] : Item.apart(items)
  const more = items === undefined ? known : told.flatMap((items) => items === undefined ? [] : [items])
  const placeOf = (i: number): number => slot + i / (more.length + 1)
  const moves = more.slice(known.length).map((_, i) => ({ slot: placeOf(known.length + i), by: 1 as const }))
  const written = telling(
    moves.length === 0
      ? state
      : { ...state, more: HashMap.set(state.more, slot, more), moves: [...state.moves, ...moves] },
    first === undefined ? event : { ...event, items: first }
  )
  if (event._tag === "SlotStarted") return written
  return more.reduce<Written>(
    (written, items, i) => under(written, (state) => telling(state, { _tag: "SlotDone", slot: placeOf(i + 1), items })),
    written
  )
}
const none: ReadonlyArray<Items> = []

const indexOf = ({ moves }: Writing, slot: number): number =>
  moves.reduce((index, move) => move.slot < slot ? index + move.by : index, Math.floor(slot))

const opened = (state: Writing, event: Of<"SlotStarted">): Written => {
  const { items, slot } = event
  const index = indexOf(state, slot)
  const wire = spelt(event)
  if (wire === undefined && items.length > 0) return [{ ...state, moves: [...state.moves, { slot, by: -1 }] }, []]
  const [item, held] = Parts.apart(
    Made.named(isRecord(wire?.item) ? wire.item as Obj : {}, index, "in_progress")
  )
  const fresh = Slot.fresh({ index, id: String(item.id), type: item.type, joined: Joined.opened(items), held })
  return withSlot(state, slot, [fresh, wire === undefined ? [] : [{ ...wire, output_index: index, item }]])
}

const done = (slot: Slot.Slot, event: Of<"SlotDone">): Slot.Written => {
  const items: Items = event.items ?? Joined.itemsOf(slot.joined)
  const joined = Joined.closed(items)
  const wire = spelt({ ...event, items })
  if (wire === undefined || !isRecord(wire.item)) return [{ ...slot, joined }, []]
  const item = Made.named(wire.item as Obj, slot.index, "completed")
  const type = slot.type ?? item.type
  const [after, events] = Slot.closed({ ...slot, type }, item)
  return [{ ...after, joined }, [...events, { ...wire, output_index: slot.index, item }]]
}

// what is kept as it stands ---------------------------------------------------------------------------------------

const kept = (state: Writing, raw: Schema.Json): Written => {
  if (!isRecord(raw)) return [state, [raw]]
  const wire = raw as Obj
  const progress = state.progress.filter(({ type }) => type !== wire.type)
  if (progress.length < state.progress.length) return [{ ...state, progress }, [wire]]
  const slot = typeof wire.output_index === "number" ? Latest.get(state.slots, wire.output_index) : undefined
  if (slot === undefined) return [state, [wire]]
  return under(withSlot(state, wire.output_index as number, Slot.kept(slot, wire)), (state) => [state, [wire]])
}

export const encode: Machine<Writing, Event, Schema.Json> = {
  initial: {
    number: 0,
    head: {},
    progress: [],
    usage: undefined,
    gaps: Native.none,
    told: Telling.none,
    slots: Latest.empty(),
    moves: [],
    more: HashMap.empty()
  },
  step
}
