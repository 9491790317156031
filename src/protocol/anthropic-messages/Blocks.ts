/**
 * Writes the blocks of a stream: what is told of a slot, as blocks that follow one another.
 *
 * A block is opened empty and filled by deltas, as the API does it; what a slot is closed with and was not told until
 * then is told before it is closed. The number of a slot is the index of its block until a slot turns out to be several
 * blocks here, or none; from then on blocks are counted. What this API has no block for is left out.
 */
import { HashMap, Option, Result, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Items } from "../../canonical/Item.ts"
import * as Wire from "./Event.ts"
import { bagOf, type Extras, extrasOf, unnest } from "./Extras.ts"
import { type Kind, kindOf, opening, type Said, said } from "./Growth.ts"
import type { Block } from "./Item.ts"
import { blocksOfItems } from "./Turns.ts"

type Json = Schema.Json
type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>
export type Step = readonly [state: Encoding, wires: ReadonlyArray<Json>]

/** A block that was opened, and how much of it was told. */
interface Opened {
  readonly index: number
  readonly isOpen: boolean
  readonly kind: Kind
  /** The part of the message that it is, or the paragraph of the thought that it has come to. */
  readonly part: number
  readonly text: number
  readonly proof: number
  readonly citations: number
}

interface Slot {
  readonly blocks: ReadonlyArray<Opened>
  /** May a part be opened in it that was not there from the start? */
  readonly speaks: boolean
  readonly isOpen: boolean
  /** What comes after a block that is still told. */
  readonly later: Items
}

export interface Encoding {
  readonly slots: HashMap.HashMap<number, Slot>
  /** The index after the highest. */
  readonly next: number
  /** Are slots and blocks counted apart? */
  readonly isMoved: boolean
  /** All counts that were written until now. */
  readonly counts: Wire.CountsOnWire | undefined
  /** Why it stopped, where the head of a whole response told it: the end is where clients look for it. */
  readonly stopDetails: Json | undefined
  /** What the next event may complete: usage, or the text of a compaction. */
  readonly waiting: Wire.MessageDelta | Wire.BlockDelta | undefined
}

export const encode = Schema.encodeSync(Wire.EventFromWire) as (event: Wire.WireEvent) => Json
const encodeResult = Schema.encodeResult(Wire.EventFromWire)

/** The event, if the API has a place for the block or the citation in it. */
const carried = (event: Wire.BlockStart | Wire.BlockDelta): ReadonlyArray<Json> =>
  Result.match(encodeResult(event), { onFailure: () => [], onSuccess: (wire) => [wire as Json] })

// slots -----------------------------------------------------------------------------------------------------------

const fresh: Slot = { blocks: [], speaks: true, isOpen: true, later: [] }

const slotAt = (slots: Encoding["slots"], slot: number): Slot | undefined =>
  Option.getOrUndefined(HashMap.get(slots, slot))

export const blocksIn = (slots: Encoding["slots"], slot: number): ReadonlyArray<Opened> =>
  slotAt(slots, slot)?.blocks ?? []

/** The blocks of items, each with its place: a part's in its message. */
const placed = (items: Items): ReadonlyArray<{ readonly block: Block; readonly part: number }> =>
  items.flatMap((item) =>
    blocksOfItems([item]).map((block, index) => ({ block, part: item.type === "message" ? index : 0 }))
  )

/** A slot is opened. */
export const open = (state: Encoding, slot: number, items: Items, keys: Extras): Step => {
  const speaks = items.some((item) => item.type === "message")
  const told = items.findIndex((item) => item.type === "tool-call") + 1
  const opened = put(state, slot, { ...fresh, speaks, later: told === 0 ? [] : items.slice(told) })
  const step = placed(told === 0 ? items : items.slice(0, told)).reduce<Step>(
    (step, { block, part }) => followed(step, (state) => start(state, slot, block, part, keys)),
    [opened, []]
  )
  return speaks || step[1].length > 0 ? step : [{ ...step[0], isMoved: true }, []]
}

/** Opens a block, if the API has it, and tells what it says by then. */
const start = (state: Encoding, slot: number, block: Block, part: number, keys: Extras): Step => {
  const there = slotAt(state.slots, slot) ?? fresh
  const isMoved = state.isMoved || there.blocks.length > 0
  const index = isMoved ? state.next : slot
  const wires = carried({ type: "block-start", slot: index, block: opening(block), ...bagOf(keys) })
  if (wires.length === 0) return [state, []]
  const opened: Opened = { index, isOpen: true, kind: kindOf(block), part, text: 0, proof: 0, citations: 0 }
  const before = there.blocks.map((block) => ({ ...block, isOpen: false }))
  const after: Encoding = { ...state, isMoved, next: Math.max(state.next, index + 1) }
  return followed(
    [put(after, slot, { ...there, blocks: [...before, opened] }), [...stops(there.blocks, {}), ...wires]],
    (state) => tell(state, slot, opened, said(block))
  )
}

const stops = (blocks: ReadonlyArray<Opened>, keys: Extras): ReadonlyArray<Json> =>
  blocks.filter(({ isOpen }) => isOpen).map(({ index }) => encode({ type: "block-stop", slot: index, ...bagOf(keys) }))

/** Tells what was not told of a block. */
const tell = (state: Encoding, slot: number, opened: Opened, all: Said): Step => {
  const { index, kind } = opened
  const text = all.text.slice(opened.text)
  const proof = all.proof.slice(opened.proof)
  const citations = all.citations.slice(opened.citations)
  const deltas: ReadonlyArray<Wire.Delta> = kind === "compaction"
    ? text === "" && proof === "" ? [] : [compacted(text, proof)]
    : [
      ...text === "" ? [] : [{ type: typeOf(kind), text }],
      ...proof === "" ? [] : [{ type: "signature" as const, text: proof }],
      ...citations.map((citation) => ({ type: "citation" as const, citation }))
    ]
  const after = told(state, slot, opened, text.length, proof.length, citations.length)
  return [after, deltas.flatMap((delta) => carried({ type: "block-delta", slot: index, delta }))]
}

const typeOf = (kind: Kind): "text" | "thought" | "input" =>
  kind === "thought" ? "thought" : kind === "call" ? "input" : "text"

const compacted = (text: string, proof: string): Wire.Delta => ({
  type: "compaction",
  ...text === "" ? {} : { text },
  ...proof === "" ? {} : { proof }
})

export type Addition = Of<
  "TextDelta" | "RefusalDelta" | "CitationAdded" | "ReasoningDelta" | "ArgumentsDelta" | "ProofDelta"
>

/** Something is added to a slot. */
export const add = (state: Encoding, event: Addition): Step => {
  const there = slotAt(state.slots, event.slot) ?? fresh
  const opened = there.blocks.findLast((block) => takes(block, event))
  if (opened !== undefined) return addTo(state, opened, event)
  if (!there.speaks || !("part" in event) || event._tag === "ReasoningDelta") return [state, []]
  const [after, wires] = start(put(state, event.slot, there), event.slot, { type: "text", text: "" }, event.part, {})
  return followed([after, wires], (state) => addTo(state, blocksIn(state.slots, event.slot).at(-1)!, event))
}

const takes = ({ kind, part }: Opened, event: Addition): boolean => {
  switch (event._tag) {
    case "TextDelta":
      return kind === "text" && part === event.part || kind === "compaction"
    case "RefusalDelta":
    case "CitationAdded":
      return kind === "text" && part === event.part
    case "ReasoningDelta":
      return kind === "thought" && event.of === "content"
    case "ArgumentsDelta":
      return kind === "call"
    case "ProofDelta":
      return kind === "thought" || kind === "compaction"
  }
}

const addTo = (state: Encoding, opened: Opened, event: Addition): Step => {
  const { index, kind, part } = opened
  const [outer, inner] = unnest(extrasOf(event), "delta")
  const delta = (delta: Wire.Delta): Wire.BlockDelta => ({
    type: "block-delta",
    slot: index,
    delta: { ...delta, ...bagOf(inner) },
    ...bagOf(outer)
  })
  if (event._tag === "CitationAdded") {
    return [told(state, event.slot, opened, 0, 0, 1), carried(delta({ type: "citation", citation: event.citation }))]
  }
  if (event._tag === "ProofDelta") {
    const after = told(state, event.slot, opened, 0, event.text.length, 0)
    if (kind !== "compaction") return [after, [encode(delta({ type: "signature", text: event.text }))]]
    const { waiting } = state
    if (waiting?.type !== "block-delta") return [after, [encode(delta(compacted("", event.text)))]]
    return [{ ...after, waiting: undefined }, [
      encode({ ...waiting, delta: { ...waiting.delta, proof: event.text } as Wire.Delta })
    ]]
  }
  const paragraph = event._tag === "ReasoningDelta" ? event.part : part
  const text = paragraph > part ? `\n\n${event.text}` : event.text
  const after = told(state, event.slot, { ...opened, part: paragraph }, text.length, 0, 0)
  if (kind === "compaction") return [{ ...after, waiting: delta({ type: "compaction", text }) }, []]
  return [after, [encode(delta({ type: typeOf(kind), text }))]]
}

/** A slot is closed. */
export const close = (state: Encoding, slot: number, told: Items | undefined, keys: Extras): Step => {
  const there = slotAt(state.slots, slot)
  const items = told ?? there?.later ?? []
  if (there?.isOpen === false || there === undefined && items.length === 0) return [state, []]
  const step = placed(items).reduce<Step>(
    (step, { block, part }) =>
      followed(step, (state) => {
        const kind = kindOf(block)
        const opened = blocksIn(state.slots, slot).find((it) =>
          it.kind === kind && (it.part === part || kind !== "text" && kind !== "whole")
        )
        return opened === undefined ? start(state, slot, block, part, {}) : tell(state, slot, opened, said(block))
      }),
    [there === undefined ? put(state, slot, fresh) : state, []]
  )
  return followed(step, (state) => {
    const closing = slotAt(state.slots, slot) ?? fresh
    const blocks = closing.blocks.map((block) => ({ ...block, isOpen: false }))
    const after = put(state, slot, { ...closing, blocks, isOpen: false, later: [] })
    return [blocks.length === 0 ? { ...after, isMoved: true } : after, stops(closing.blocks, keys)]
  })
}

export const closeAll = (state: Encoding): Step =>
  [...HashMap.entries(state.slots)].filter(([, { isOpen }]) => isOpen).toSorted(([a], [b]) => a - b)
    .reduce<Step>((step, [slot]) => followed(step, (state) => close(state, slot, undefined, {})), [state, []])

const told = (
  state: Encoding,
  slot: number,
  opened: Opened,
  text: number,
  proof: number,
  citations: number
): Encoding => {
  const there = slotAt(state.slots, slot) ?? fresh
  const more = {
    ...opened,
    text: opened.text + text,
    proof: opened.proof + proof,
    citations: opened.citations + citations
  }
  return put(state, slot, { ...there, blocks: there.blocks.map((it) => it.index === more.index ? more : it) })
}

const put = (state: Encoding, slot: number, there: Slot): Encoding => ({
  ...state,
  slots: HashMap.set(state.slots, slot, there)
})

export const followed = ([state, wires]: Step, next: (state: Encoding) => Step): Step => {
  const [after, more] = next(state)
  return [after, [...wires, ...more]]
}
