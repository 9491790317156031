/**
 * Reads the blocks of a stream: a slot is a block, by its index; an index that is used once more is another block.
 *
 * What a block says when it is opened is told as the deltas that it stands for. A call's input is told when the block is
 * closed, unless it came in pieces until then; a call without input has `{}`. A signature, and what a compaction says, is
 * told when the block is closed, too: the last one stands. An event about a block that cannot have it is passed on as it
 * stands.
 */
import type { Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import { isRecord, Latest } from "../../codec/index.ts"
import { name } from "./Content.ts"
import type * as Wire from "./Event.ts"
import { bagOf, type Extras, extrasOf, nest } from "./Extras.ts"
import { type Kind, kindOf, opening, said } from "./Growth.ts"
import type { Block } from "./Item.ts"
import { itemsOfBlocks } from "./Turns.ts"
import { type Deltas, grown } from "./Unknown.ts"

type Json = Schema.Json

interface Slot {
  readonly kind: Kind
  readonly isOpen: boolean
  /** What is told when it is closed, if it has not come in pieces by then. */
  readonly rest: ReadonlyArray<Event>
  /** A block that is not modelled, and what was added to it. */
  readonly unknown: { readonly block: Json; readonly deltas: Deltas | undefined } | undefined
}

/** What is known of the blocks of a stream. */
export interface Slots {
  readonly slots: Latest.Latest<number, Slot>
  /** The slot that an index stands for. */
  readonly indexes: Latest.Latest<number, number>
  /** The slot that was opened last. */
  readonly last: number | undefined
  /** The slot after the highest. */
  readonly next: number
}
/** What is known after an event, and what it tells. */
export type Step<S> = readonly [state: S, events: ReadonlyArray<Event>]

export const none: Slots = { slots: Latest.empty(), indexes: Latest.empty(), last: undefined, next: 0 }

export const unmodelled = (raw: Json): Event => ({ _tag: "Unmodelled", protocol: name, raw })

type Opened = Pick<Wire.BlockStart, "slot" | "block" | "providerOptions">

export const open = <S extends Slots>(state: S, event: Opened): Step<S> => {
  const { block, slot: index = state.next } = event
  const before = slotAt(state, index)
  // An index that is taken is counted anew, and its block is complete.
  const slot = before === undefined && !Latest.has(state.slots, index) ? index : state.next
  const kind = kindOf(block)
  const { citations, proof, text } = said(block)
  const isTold = kind === "text" || kind === "thought"
  const told = text === "" ? [] : [textOf(kind, slot, text)]
  const proven: ReadonlyArray<Event> = proof === "" ? [] : [{ _tag: "ProofDelta", slot, text: proof }]
  const opened: Slot = {
    kind,
    isOpen: true,
    rest: [...isTold ? [] : told, ...proven],
    unknown: block.type === "unmodelled" ? { block: block.raw, deltas: undefined } : undefined
  }
  const after: S = {
    ...state,
    slots: Latest.set(state.slots, slot, opened),
    indexes: Latest.set(state.indexes, index, slot),
    last: slot,
    next: Math.max(state.next, slot + 1)
  }
  const started: Step<S> = [after, [
    { _tag: "SlotStarted", slot, items: itemsOfBlocks([opening(block)]), ...bagOf(extrasOf(event)) },
    ...isTold ? told : [],
    ...citations.map((citation) => ({ _tag: "CitationAdded" as const, slot, part: 0, citation }))
  ]]
  if (before === undefined || !before.there.isOpen) return started
  const [ended, events] = closed(after, before.slot, before.there, {})
  return [ended, [...events, ...started[1]]]
}

/** The block that an index stands for; without one, the one that was opened last. */
const slotAt = <S extends Slots>(state: S, index: number | undefined) => {
  const slot = index === undefined ? state.last : Latest.get(state.indexes, index)
  const there = slot === undefined ? undefined : Latest.get(state.slots, slot)
  return slot === undefined || there === undefined ? undefined : { slot, there }
}

const textOf = (kind: Kind, slot: number, text: string): Event => {
  if (kind === "thought") return { _tag: "ReasoningDelta", slot, part: 0, of: "content", text }
  return kind === "call" ? { _tag: "ArgumentsDelta", slot, text } : { _tag: "TextDelta", slot, part: 0, text }
}

/** What kind of block a delta adds to. */
const grows: Readonly<Record<Exclude<Wire.Delta["type"], "unmodelled">, Exclude<Kind, "whole">>> = {
  text: "text",
  citation: "text",
  thought: "thought",
  signature: "thought",
  input: "call",
  compaction: "compaction"
}

/** What a block is taken for that was never opened. A call would have no name. */
const neverOpened: { readonly [K in Kind]?: Block } = {
  text: { type: "text", text: "" },
  thought: { type: "reasoning", protocol: name, content: [] },
  compaction: { type: "compaction", protocol: name }
}

export const add = <S extends Slots>(state: S, event: Wire.BlockDelta, wire: Json): Step<S> => {
  const { delta } = event
  const kind = delta.type === "unmodelled" ? undefined : grows[delta.type]
  const known = slotAt(state, event.slot)
  if (known === undefined) {
    const block = kind === undefined ? undefined : neverOpened[kind]
    if (block === undefined) return [state, [unmodelled(wire)]]
    const { slot } = event
    const opened = open(state, { ...slot === undefined ? {} : { slot }, block })
    return followed(opened, (state) => add(state, event, wire))
  }
  const { slot, there } = known
  const kept = () => unmodelled(isRecord(wire) && event.slot !== undefined ? { ...wire, index: slot } as Json : wire)
  if (there.unknown !== undefined && isRecord(wire)) {
    const deltas = { delta: wire.delta as Json, before: there.unknown.deltas }
    return [at(state, slot, { ...there, unknown: { ...there.unknown, deltas } }), [kept()]]
  }
  const events = there.kind === kind ? eventsOf(slot, event) : []
  const isLast = there.kind === kind && (delta.type === "signature" || delta.type === "compaction")
  if (isLast && there.isOpen) {
    const before = isProofUnsaid(wire) ? there.rest.filter(({ _tag }) => _tag === "ProofDelta") : []
    return [at(state, slot, { ...there, rest: [...events, ...before] }), events.length === 0 ? [kept()] : []]
  }
  if (events.length === 0) return [state, [kept()]]
  const tellsRest = delta.type === "input" && delta.text.trim() !== ""
  return [tellsRest ? at(state, slot, { ...there, rest: [] }) : state, events]
}

/** A compaction's text stands above the one before, a proof only where it is told. */
const isProofUnsaid = (wire: Json): boolean =>
  isRecord(wire) && isRecord(wire.delta) && wire.delta.type === "compaction_delta" &&
  !("encrypted_content" in wire.delta)

const eventsOf = (slot: number, event: Wire.BlockDelta): ReadonlyArray<Event> => {
  const { delta } = event
  const options = bagOf(nest(extrasOf(event), "delta", delta.type === "unmodelled" ? {} : extrasOf(delta)))
  switch (delta.type) {
    case "text":
      return [{ _tag: "TextDelta", slot, part: 0, text: delta.text, ...options }]
    case "thought":
      return [{ _tag: "ReasoningDelta", slot, part: 0, of: "content", text: delta.text, ...options }]
    case "input":
      return [{ _tag: "ArgumentsDelta", slot, text: delta.text, ...options }]
    case "signature":
      return [{ _tag: "ProofDelta", slot, text: delta.text, ...options }]
    case "citation":
      return [{ _tag: "CitationAdded", slot, part: 0, citation: delta.citation, ...options }]
    case "compaction": {
      const { proof, text } = delta
      const summary: ReadonlyArray<Event> = text === undefined
        ? []
        : [{ _tag: "TextDelta", slot, part: 0, text, ...options }]
      if (proof === undefined) return summary
      return [...summary, { _tag: "ProofDelta", slot, text: proof, ...text === undefined ? options : {} }]
    }
    case "unmodelled":
      return []
  }
}

export const close = <S extends Slots>(state: S, event: Wire.BlockStop, wire: Json): Step<S> => {
  const known = slotAt(state, event.slot)
  return known?.there.isOpen === true
    ? closed(state, known.slot, known.there, extrasOf(event))
    : [state, [unmodelled(wire)]]
}

const closed = <S extends Slots>(state: S, slot: number, there: Slot, keys: Extras): Step<S> => {
  const { rest, unknown } = there
  const items = unknown?.deltas === undefined
    ? {}
    : { items: itemsOfBlocks([{ type: "unmodelled", protocol: name, raw: grown(unknown.block, unknown.deltas) }]) }
  return [at(state, slot, { ...there, isOpen: false, rest: [] }), [
    ...rest,
    { _tag: "SlotDone", slot, ...items, ...bagOf(keys) }
  ]]
}

/** Some hosts do not close their blocks. */
export const closeAll = <S extends Slots>(state: S): Step<S> =>
  Latest.ordered(state.slots).filter(([, { isOpen }]) => isOpen)
    .reduce((step, [slot, there]) => followed(step, (state) => closed(state, slot, there, {})), [state, []] as Step<S>)

export const openedAndClosed = <S extends Slots>(state: S, block: Block): Step<S> =>
  followed(open(state, { block }), closeAll)

const at = <S extends Slots>(state: S, slot: number, there: Slot): S => ({
  ...state,
  slots: Latest.set(state.slots, slot, there)
})

export const followed = <S>([state, events]: Step<S>, next: (state: S) => Step<S>): Step<S> => {
  const [after, more] = next(state)
  return [after, [...events, ...more]]
}
