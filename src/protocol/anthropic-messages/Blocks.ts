/**
 * Writes the blocks of a stream: what is told of a slot, as blocks that follow one another.
 *
 * A block is opened empty and filled by deltas, as the API does it; what a slot is closed with and was not told until
 * then is told before it is closed. Blocks are counted as they are opened, whatever the numbers of their slots: clients
 * take an index for a place in the list of those that came. A proof and a compaction are told once, as the last delta
 * of their block: clients do not add up what comes of them. What comes whole is told when its slot is closed, as it
 * may be known only then. What this API has no block for is left out.
 */
import { Result, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Item, Items } from "../../canonical/Item.ts"
import { Latest } from "../../codec/index.ts"
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
  readonly citations: number
  /** What is told of it when it is closed: a proof, or a compaction with its text. */
  readonly sealed: Sealed
}

interface Sealed {
  readonly text?: string
  readonly proof?: string
  readonly keys?: Extras
}

interface Slot {
  readonly blocks: ReadonlyArray<Opened>
  /** May a part be opened in it that was not there from the start? */
  readonly speaks: boolean
  readonly isOpen: boolean
  /** What comes whole, or after a call that is still told. */
  readonly later: Items
  /** The keys of the event that opened it, if its first block is yet to come. */
  readonly keys: Extras
}

export interface Encoding {
  readonly slots: Latest.Latest<number, Slot>
  /** How many blocks were opened. */
  readonly next: number
  /** May there be a slot that has something for later? */
  readonly isLater: boolean
  /** All counts that were written until now. */
  readonly counts: Wire.CountsOnWire | undefined
  /** Why it stopped, where the head of a whole response told it: the end is where clients look for it. */
  readonly stopDetails: Json | undefined
  /** Usage that the next event may complete. */
  readonly waiting: Wire.MessageDelta | undefined
  /** Was it said that the response failed? */
  readonly failed: boolean
}

export const encode = Schema.encodeSync(Wire.EventFromWire) as (event: Wire.WireEvent) => Json
const encodeResult = Schema.encodeResult(Wire.EventFromWire)

/** The event, if the API has a place for the block or the citation in it. */
const carried = (event: Wire.BlockStart | Wire.BlockDelta): ReadonlyArray<Json> =>
  Result.match(encodeResult(event), { onFailure: () => [], onSuccess: (wire) => [wire as Json] })

// slots -----------------------------------------------------------------------------------------------------------

const fresh: Slot = { blocks: [], speaks: true, isOpen: true, later: [], keys: {} }

const slotAt = (slots: Encoding["slots"], slot: number): Slot | undefined => Latest.get(slots, slot)

export const blocksIn = (slots: Encoding["slots"], slot: number): ReadonlyArray<Opened> =>
  slotAt(slots, slot)?.blocks ?? []

/** The blocks of items, each with its place: a part's in its message. */
const placed = (items: Items): ReadonlyArray<{ readonly block: Block; readonly part: number }> =>
  items.flatMap((item) =>
    blocksOfItems([item]).map((block, index) => ({ block, part: item.type === "message" ? index : 0 }))
  )

/** A slot is opened. */
export const open = (state: Encoding, slot: number, items: Items, keys: Extras): Step => {
  const speaks = items.some((item) => item.type === "message" && item.role === "assistant")
  const waits = items.findIndex((item, index) => isWhole(item) || items[index - 1]?.type === "tool-call")
  const [now, later] = waits === -1 ? [items, []] : [items.slice(0, waits), items.slice(waits)]
  const isLater = state.isLater || later.length > 0
  const opened = put({ ...state, isLater }, slot, { ...fresh, speaks, later, keys: waits === 0 ? keys : {} })
  return placed(now).reduce<Step>(
    (step, { block, part }) => followed(step, (state) => start(state, slot, block, part, keys)),
    [opened, []]
  )
}

/** Does it come in one piece? The parts of a message keep their places among its texts. */
const isWhole = (item: Item): boolean =>
  item.type !== "message" && blocksOfItems([item]).every((block) => kindOf(block) === "whole")

/** Opens a block, if the API has it, and tells what it says by then. */
const start = (state: Encoding, slot: number, block: Block, part: number, keys: Extras): Step => {
  const there = slotAt(state.slots, slot) ?? fresh
  const index = state.next
  const wires = carried({ type: "block-start", slot: index, block: opening(block), ...bagOf(keys) })
  if (wires.length === 0) return [state, []]
  const opened: Opened = { index, isOpen: true, kind: kindOf(block), part, text: 0, citations: 0, sealed: {} }
  const before = there.blocks.map((block) => ({ ...block, isOpen: false }))
  const after: Encoding = { ...state, next: index + 1 }
  return followed(
    [put(after, slot, { ...there, blocks: [...before, opened] }), [...stops(there.blocks, {}), ...wires]],
    (state) => tell(state, slot, opened, said(block))
  )
}

/** What was opened and waits to be closed is told as it was opened. */
export const openLater = (state: Encoding): Step =>
  state.isLater
    ? inOrder(state, ({ later }) => later.length > 0).reduce<Step>(
      (step, [slot, { later }]) => followed(step, (state) => told(state, slot, later)),
      [{ ...state, isLater: false }, []]
    )
    : [state, []]

/** Tells items of a slot, as far as they were not told before. */
const told = (state: Encoding, slot: number, items: Items): Step => {
  const there = slotAt(state.slots, slot) ?? fresh
  return placed(items).reduce<Step>(
    (step, { block, part }, at) =>
      followed(step, (state) => {
        const kind = kindOf(block)
        const opened = blocksIn(state.slots, slot).find((it) =>
          it.kind === kind && (it.part === part || kind !== "text" && kind !== "whole")
        )
        if (opened !== undefined) return tell(state, slot, opened, said(block))
        return start(state, slot, block, part, at === 0 ? there.keys : {})
      }),
    [put(state, slot, { ...there, later: [], keys: {} }), []]
  )
}

const stops = (blocks: ReadonlyArray<Opened>, keys: Extras): ReadonlyArray<Json> =>
  blocks.filter(({ isOpen }) => isOpen).flatMap((block) => [
    ...seal(block),
    encode({ type: "block-stop", slot: block.index, ...bagOf(keys) })
  ])

const seal = ({ index, kind, sealed }: Opened): ReadonlyArray<Json> => {
  const { keys = {}, proof, text } = sealed
  if (proof === undefined && text === undefined) return []
  const delta: Wire.Delta = kind === "compaction"
    ? { type: "compaction", ...text === undefined ? {} : { text }, ...proof === undefined ? {} : { proof } }
    : { type: "signature", text: proof ?? "" }
  return [encode(deltaOf(index, delta, keys))]
}

/** Tells what was not told of a block. What it says of its proof stands above what was said before. */
const tell = (state: Encoding, slot: number, opened: Opened, all: Said): Step => {
  const { index, kind, sealed } = opened
  const isHeld = kind === "compaction"
  const text = isHeld ? "" : all.text.slice(opened.text)
  const citations = all.citations.slice(opened.citations)
  const deltas: ReadonlyArray<Wire.Delta> = [
    ...text === "" ? [] : [{ type: typeOf(kind), text }],
    ...citations.map((citation) => ({ type: "citation" as const, citation }))
  ]
  const after = grow(state, slot, opened, text.length, citations.length, {
    ...sealed,
    ...isHeld && all.text !== "" ? { text: all.text } : {},
    ...all.proof === "" ? {} : { proof: all.proof }
  })
  return [after, deltas.flatMap((delta) => carried({ type: "block-delta", slot: index, delta }))]
}

const typeOf = (kind: Kind): "text" | "thought" | "input" =>
  kind === "thought" ? "thought" : kind === "call" ? "input" : "text"

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
  const { index, kind, part, sealed } = opened
  const keys = extrasOf(event)
  if (event._tag === "CitationAdded") {
    const delta = deltaOf(index, { type: "citation", citation: event.citation }, keys)
    return [grow(state, event.slot, opened, 0, 1, sealed), carried(delta)]
  }
  const paragraph = event._tag === "ReasoningDelta" ? event.part : part
  const text = paragraph > part ? `\n\n${event.text}` : event.text
  const field = event._tag === "ProofDelta" ? "proof" : "text"
  if (field === "proof" || kind === "compaction") {
    const more = { ...sealed, [field]: (sealed[field] ?? "") + text, keys: { ...sealed.keys, ...keys } }
    return [grow(state, event.slot, opened, 0, 0, more), []]
  }
  const after = grow(state, event.slot, { ...opened, part: paragraph }, text.length, 0, sealed)
  return [after, [encode(deltaOf(index, { type: typeOf(kind), text }, keys))]]
}

const deltaOf = (index: number, delta: Wire.Delta, keys: Extras): Wire.BlockDelta => {
  const [outer, inner] = unnest(keys, "delta")
  return { type: "block-delta", slot: index, delta: { ...delta, ...bagOf(inner) }, ...bagOf(outer) }
}

/** A slot is closed. */
export const close = (state: Encoding, slot: number, closing: Items | undefined, keys: Extras): Step => {
  const there = slotAt(state.slots, slot)
  const items = closing ?? there?.later ?? []
  if (there?.isOpen === false || there === undefined && items.length === 0) return [state, []]
  return followed(told(state, slot, items), (state) => {
    const closed = slotAt(state.slots, slot) ?? fresh
    const blocks = closed.blocks.map((block) => ({ ...block, isOpen: false }))
    return [put(state, slot, { ...closed, blocks, isOpen: false }), stops(closed.blocks, keys)]
  })
}

export const closeAll = (state: Encoding): Step =>
  inOrder(state, ({ isOpen }) => isOpen).reduce<Step>(
    (step, [slot]) => followed(step, (state) => close(state, slot, undefined, {})),
    [state, []]
  )

const inOrder = ({ slots }: Encoding, which: (slot: Slot) => boolean): ReadonlyArray<readonly [number, Slot]> =>
  Latest.ordered(slots).filter(([, slot]) => which(slot))

/** A block of which more was told. */
const grow = (
  state: Encoding,
  slot: number,
  opened: Opened,
  text: number,
  citations: number,
  sealed: Sealed
): Encoding => {
  const there = slotAt(state.slots, slot) ?? fresh
  const more = { ...opened, text: opened.text + text, citations: opened.citations + citations, sealed }
  return put(state, slot, { ...there, blocks: there.blocks.map((it) => it.index === more.index ? more : it) })
}

const put = (state: Encoding, slot: number, there: Slot): Encoding => ({
  ...state,
  slots: Latest.set(state.slots, slot, there)
})

export const followed = ([state, wires]: Step, next: (state: Encoding) => Step): Step => {
  const [after, more] = next(state)
  return [after, [...wires, ...more]]
}
