/** Finds the slot that an event of the wire belongs to, by whatever it says of it: a number, an item's id, or neither. */
import { HashMap, HashSet, Option, type Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Item } from "../../canonical/Item.ts"
import { isRecord, Latest } from "../../codec/index.ts"
import * as Joined from "./Joined.ts"
import * as Made from "./Made.ts"
import type { Obj } from "./Made.ts"
import * as Telling from "./Telling.ts"

type Json = Schema.Json

/** What is known of a stream that is read. */
export interface Reading {
  readonly started: Extract<Event, { readonly _tag: "Started" }> | undefined
  readonly slots: Telling.Slots
  /** What was told of each slot. */
  readonly told: Latest.Latest<number, Joined.Joined>
  /** The slot of each item that has an id. */
  readonly ids: HashMap.HashMap<string, number>
  /** The slots of numbers that were used again, or were taken by then. */
  readonly moved: HashMap.HashMap<number, number>
  readonly taken: HashSet.HashSet<number>
  readonly last: { readonly slot: number; readonly id: string | undefined } | undefined
  readonly next: number
}

export const initial: Reading = {
  started: undefined,
  slots: Telling.none,
  told: Latest.empty(),
  ids: HashMap.empty(),
  moved: HashMap.empty(),
  taken: HashSet.empty(),
  last: undefined,
  next: 0
}

const at = <K, V>(map: HashMap.HashMap<K, V>, key: K): V | undefined => Option.getOrUndefined(HashMap.get(map, key))

// where an event belongs ------------------------------------------------------------------------------------------

/** The event with the slot and the place that it belongs to, where it does not say; and its item without a made id. */
export const located = (state: Reading, wire: Obj): Obj => {
  const place = Made.placeOf(wire.type)
  if (place === undefined) return wire
  const index = wire.output_index
  const slot = typeof index === "number" ? numbered(state, wire, index) : unnumbered(state, wire)
  const named = isRecord(wire.item) ? Made.unnamed(wire.item as Obj, slot, statusIn(wire)) : wire.item
  if (slot === index && named === wire.item && (place === "" || typeof wire[place] === "number")) return wire
  return {
    ...wire,
    output_index: slot,
    ...(place === "" || typeof wire[place] === "number" ? {} : { [place]: 0 }),
    ...(named === undefined ? {} : { item: named })
  }
}

const isAdded = ({ type }: Obj): boolean => type === "response.output_item.added"
const isDone = ({ type }: Obj): boolean => type === "response.output_item.done"
const statusIn = (wire: Obj): Made.Status => isAdded(wire) ? "in_progress" : "completed"

const idOf = (wire: Obj): string | undefined => {
  const id = wire.item_id ?? (isRecord(wire.item) ? wire.item.id : undefined)
  return typeof id === "string" && id !== "" ? id : undefined
}

/** By its number; but where that item is closed, another one that is told under it has a slot of its own. */
const numbered = (state: Reading, wire: Obj, index: number): number => {
  const slot = at(state.moved, index) ?? (HashSet.has(state.taken, index) ? state.next : index)
  const isClosed = Latest.get(state.slots, slot)?.isOpen === false
  const id = idOf(wire)
  const isOther = id === undefined ? isAdded(wire) : (isAdded(wire) || isDone(wire)) && at(state.ids, id) !== slot
  return isClosed && isOther ? state.next : slot
}

/** By the item's id, or else the slot that was opened last, unless that is another's. */
const unnumbered = ({ ids, last, next, slots }: Reading, wire: Obj): number => {
  const id = idOf(wire)
  const named = id === undefined ? undefined : at(ids, id)
  if (named !== undefined) return named
  if (last === undefined || isAdded(wire)) return next
  if (isDone(wire) && !Telling.isOpen(slots, last.slot)) return next
  return id === undefined || last.id === undefined ? last.slot : next
}

// what is known after it ------------------------------------------------------------------------------------------

const nothing = Joined.opened([])

/** What is known of the slots once an event has spoken of one, in so many events. */
export const opened = (
  state: Reading,
  wire: Obj,
  slot: number,
  [slots, events]: readonly [Telling.Slots, ReadonlyArray<Telling.SlotEvent>]
): Reading => {
  const told = events.reduce(
    (told, event) => Latest.set(told, slot, Joined.add(Latest.get(told, slot) ?? nothing, event)),
    state.told
  )
  const isNew = !Latest.has(state.slots, slot)
  if (!isNew && !isRecord(wire.item)) return { ...state, slots, told }
  const id = idOf(wire)
  return {
    ...state,
    slots,
    told,
    ids: id === undefined ? state.ids : HashMap.set(state.ids, id, slot),
    last: isNew || isAdded(wire) ? { slot, id } : state.last,
    next: Math.max(state.next, slot + 1)
  }
}

/** Remembers the slot of a number that stands for another. */
export const placed = (state: Reading, index: Json | undefined, slot: number): Reading =>
  typeof index !== "number" || index === slot || at(state.moved, index) === slot || !Latest.has(state.slots, slot)
    ? state
    : { ...state, moved: HashMap.set(state.moved, index, slot), taken: HashSet.add(state.taken, slot) }

// the end ---------------------------------------------------------------------------------------------------------

/** What was told of every slot, in order. */
export const toldIn = ({ told }: Reading): ReadonlyArray<readonly [slot: number, Joined.Joined]> => Latest.ordered(told)

/**
 * The items of a whole response that were not told to their end, each with its slot. They are known by their ids, and
 * else by their order and kind.
 */
export const untold = (
  state: Reading,
  output: ReadonlyArray<Obj>,
  read: (item: Obj) => Item | undefined
): ReadonlyArray<readonly [slot: number, item: Obj]> => {
  const used = new Set<number>()
  const named = output.map((item) => {
    const id = idOf({ item })
    const slot = id === undefined ? undefined : at(state.ids, id)
    if (slot === undefined || used.has(slot)) return undefined
    used.add(slot)
    return slot
  })
  const others = toldIn(state).filter(([slot]) => !used.has(slot))
  let next = Math.max(state.next, output.length)
  const slotOf = (item: Obj, index: number): number => {
    const whole = read(item)
    const like = others.findIndex(([, { items: [told] }]) => isLike(told, whole))
    const [found] = like === -1 ? [] : others.splice(like, 1)
    return found?.[0] ?? (Latest.has(state.told, index) ? next++ : index)
  }
  return output.flatMap((item, index) => {
    const slot = named[index] ?? slotOf(item, index)
    return Latest.get(state.told, slot)?.isDone === true ? [] : [[slot, item] as const]
  })
}

/** Could it be the same item? A call of which only arguments were told has no more to be known by. */
const isLike = (told: Item | undefined, whole: Item | undefined): boolean => {
  if (told === undefined || whole === undefined) return whole?.type === "tool-call"
  if (told.type !== "tool-call" || whole.type !== "tool-call") return told.type === whole.type
  return told.id === whole.id || told.providerExecuted === true && told.kind === whole.kind
}
