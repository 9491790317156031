/**
 * Reads a stream: what each wire event means after all before it.
 *
 * A slot is a block, by its index; an index that is used once more is another block. What a block says when it is opened
 * is told as the deltas that it stands for. A call's input is told when the block is closed, unless it came in pieces
 * until then; a call without input has `{}`. A signature, and what a compaction says, is told when the block is closed,
 * too: the last one stands. Nothing stops the stream: an event that is not known, not well formed, or about a block
 * that cannot have it is passed on as it stands.
 */
import { Equal, Result, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Usage } from "../../canonical/Usage.ts"
import { isRecord, Latest, parsed } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import { name } from "./Content.ts"
import * as Wire from "./Event.ts"
import { bagOf, type Extras, extrasOf, nest } from "./Extras.ts"
import { errorTypes, FailureFromWire } from "./Failure.ts"
import { type Kind, kindOf, opening, said } from "./Growth.ts"
import type { Block } from "./Item.ts"
import { lenient } from "./Lenient.ts"
import { reasonOf, UsageFromWire } from "./Response.ts"
import { blocksOfItems, itemsOfBlocks } from "./Turns.ts"
import { type Deltas, grown } from "./Unknown.ts"

type Json = Schema.Json
type Step = readonly [state: Decoding, events: ReadonlyArray<Event>]

interface Slot {
  readonly kind: Kind
  readonly isOpen: boolean
  /** What is told when it is closed, if it has not come in pieces by then. */
  readonly rest: ReadonlyArray<Event>
  /** A block that is not modelled, and what was added to it. */
  readonly unknown: { readonly block: Json; readonly deltas: Deltas | undefined } | undefined
}

export interface Decoding {
  readonly slots: Latest.Latest<number, Slot>
  /** The slot that an index stands for. */
  readonly indexes: Latest.Latest<number, number>
  /** The slot that was opened last. */
  readonly last: number | undefined
  /** The slot after the highest. */
  readonly next: number
  /** What was told of the usage until now. */
  readonly usage: Usage | undefined
  readonly ending: Wire.Ending
  readonly options: Extras
}

const initial: Decoding = {
  slots: Latest.empty(),
  indexes: Latest.empty(),
  last: undefined,
  next: 0,
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
      return open(state, event)
    case "block-delta":
      return add(state, event, wire)
    case "block-stop":
      return close(state, event, wire)
    case "message-delta":
      return count(state, event, wire)
    case "message-stop":
      return finish(state, event)
    case "unmodelled":
      return [state, [failureIn(wire) ?? unmodelled(wire)]]
  }
}

/** Wire events in, canonical events out. */
export const decoding: Machine<Decoding, Json, Event> = { initial, step }

const unmodelled = (raw: Json): Event => ({ _tag: "Unmodelled", protocol: name, raw })

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
  return blocksOfItems(items).reduce((step, block) => followed(step, (state) => openedAndClosed(state, block)), begun)
}

/** The usage is cumulative: each count that is told stands above the one before. */
const count = (state: Decoding, event: Wire.MessageDelta, wire: Json): Step => {
  const usage = event.usage === undefined ? Result.succeed(state.usage) : decodeUsage(counted(state.usage, event.usage))
  if (Result.isFailure(usage)) return [state, [unmodelled(wire)]]
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
    : followed(closeAll(counting), (state) => [state, told])
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
  return followed(closeAll(state), (state) => [state, [finished]])
}

// blocks ----------------------------------------------------------------------------------------------------------

type Opened = Pick<Wire.BlockStart, "slot" | "block" | "providerOptions">

const open = (state: Decoding, event: Opened): Step => {
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
  const after: Decoding = {
    ...state,
    slots: Latest.set(state.slots, slot, opened),
    indexes: Latest.set(state.indexes, index, slot),
    last: slot,
    next: Math.max(state.next, slot + 1)
  }
  const started: Step = [after, [
    { _tag: "SlotStarted", slot, items: itemsOfBlocks([opening(block)]), ...bagOf(extrasOf(event)) },
    ...isTold ? told : [],
    ...citations.map((citation) => ({ _tag: "CitationAdded" as const, slot, part: 0, citation }))
  ]]
  if (before === undefined || !before.there.isOpen) return started
  const [ended, events] = closed(after, before.slot, before.there, {})
  return [ended, [...events, ...started[1]]]
}

/** The block that an index stands for; without one, the one that was opened last. */
const slotAt = (state: Decoding, index: number | undefined) => {
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

const add = (state: Decoding, event: Wire.BlockDelta, wire: Json): Step => {
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

const close = (state: Decoding, event: Wire.BlockStop, wire: Json): Step => {
  const known = slotAt(state, event.slot)
  return known?.there.isOpen === true
    ? closed(state, known.slot, known.there, extrasOf(event))
    : [state, [unmodelled(wire)]]
}

const closed = (state: Decoding, slot: number, there: Slot, keys: Extras): Step => {
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
const closeAll = (state: Decoding): Step =>
  Latest.ordered(state.slots).filter(([, { isOpen }]) => isOpen)
    .reduce((step, [slot, there]) => followed(step, (state) => closed(state, slot, there, {})), [state, []] as Step)

const openedAndClosed = (state: Decoding, block: Block): Step => followed(open(state, { block }), closeAll)

const at = (state: Decoding, slot: number, there: Slot): Decoding => ({
  ...state,
  slots: Latest.set(state.slots, slot, there)
})

const followed = ([state, events]: Step, next: (state: Decoding) => Step): Step => {
  const [after, more] = next(state)
  return [after, [...events, ...more]]
}
