/**
 * Writes one item as it arrives: opens and closes its parts around their deltas, and remembers their texts, which the
 * wire says again when a part, the item and the response are closed.
 */
import { Chunk, HashMap, HashSet, Option, type Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import { isRecord } from "../../codec/index.ts"
import * as Joined from "./Joined.ts"
import type { Obj } from "./Made.ts"
import type * as Parts from "./Parts.ts"
import type { Delta } from "./Telling.ts"

type Json = Schema.Json
type CitationAdded = Extract<Event, { readonly _tag: "CitationAdded" }>

export interface Slot {
  /** Its place among those that are written, and the id of its item. */
  readonly index: number
  readonly id: string
  /** What the wire calls it; a slot of which nothing is known is a call. */
  readonly type: Json | undefined
  readonly joined: Joined.Joined
  /** The citations of each part, as they were written. */
  readonly annotations: HashMap.HashMap<number, Chunk.Chunk<Json>>
  /** The parts that it came with and that are not opened yet. */
  readonly held: ReadonlyArray<Parts.Opened>
  /** The part that was told of last. */
  readonly current: { readonly form: Form; readonly at: number } | undefined
  /** What the wire has been told of the parts, by type and place: once is enough. */
  readonly said: HashSet.HashSet<string>
}
export type Written = readonly [slot: Slot, events: Array<Obj>]

// how each kind of text is written --------------------------------------------------------------------------------

interface Form {
  /** The type of the part, and of the item that has such. */
  readonly part: string
  readonly item: string
  /** The events that tell it whole, and that open and close it; the keys under which they say where. */
  readonly whole: string
  readonly frame: string
  /** The place of its deltas, but for the number. */
  readonly place: string
  readonly key: "text" | "refusal"
  readonly at: "content_index" | "summary_index"
  /** What an empty one has beside its text. */
  readonly rest: Obj
}
const content = { frame: "response.content_part", at: "content_index", key: "text", rest: {} } as const
const forms: { readonly [type: string]: Form } = {
  output_text: {
    ...content,
    part: "output_text",
    place: "TextDelta",
    item: "message",
    whole: "response.output_text.done",
    rest: { annotations: [], logprobs: [] }
  },
  refusal: {
    ...content,
    part: "refusal",
    place: "RefusalDelta",
    item: "message",
    whole: "response.refusal.done",
    key: "refusal"
  },
  reasoning_text: {
    ...content,
    part: "reasoning_text",
    place: "content",
    item: "reasoning",
    whole: "response.reasoning_text.done"
  },
  summary_text: {
    ...content,
    part: "summary_text",
    place: "summary",
    item: "reasoning",
    whole: "response.reasoning_summary_text.done",
    frame: "response.reasoning_summary_part",
    at: "summary_index"
  }
}
const formOf = (delta: Exclude<Delta, { readonly _tag: "ArgumentsDelta" }>): Form =>
  delta._tag === "TextDelta"
    ? forms.output_text!
    : delta._tag === "RefusalDelta"
    ? forms.refusal!
    : delta.of === "content"
    ? forms.reasoning_text!
    : forms.summary_text!

/** Where a call's arguments are told, and by which events. */
const calls: { readonly [type: string]: { readonly events: string; readonly key: "arguments" | "input" } } = {
  function_call: { events: "response.function_call_arguments", key: "arguments" },
  mcp_call: { events: "response.mcp_call_arguments", key: "arguments" },
  custom_tool_call: { events: "response.custom_tool_call_input", key: "input" }
}
const callOf = ({ type = "function_call" }: Slot) =>
  typeof type === "string" && Object.hasOwn(calls, type) ? calls[type] : undefined

// parts -----------------------------------------------------------------------------------------------------------

/** Adds an event of the slot, unless the wire has been told already. */
const say = ([slot, events]: Written, type: string, at: number, body: Obj): Written => {
  const what = `${type} ${at}`
  if (HashSet.has(slot.said, what)) return [slot, events]
  events.push({ type, output_index: slot.index, item_id: slot.id, ...body })
  return [{ ...slot, said: HashSet.add(slot.said, what) }, events]
}

const opening = (before: Written, form: Form, at: number): Written => {
  const { current } = before[0]
  if (current?.form === form && current.at === at) return before
  const closed = current === undefined ? before : closing(before, current.form, current.at)
  const added = `${form.frame}.added`
  const [slot, events] = released(closed, (held) => held.type === added && held.at <= at)
  const part = { type: form.part, [form.key]: "", ...form.rest }
  return say([{ ...slot, current: { form, at } }, events], added, at, { [form.at]: at, part })
}

/** Opens parts that the item came with. */
const released = (before: Written, isDue: (part: Parts.Opened) => boolean): Written => {
  const [slot, events] = before
  if (slot.held.length === 0) return before
  const held = slot.held.filter((part) => !isDue(part))
  return slot.held.filter(isDue).reduce<Written>(
    (written, { at, type, wire }) => say(written, type, at, wire),
    [{ ...slot, held }, events]
  )
}

const closing = (before: Written, form: Form, at: number, part = partSoFar(before[0], form, at)): Written => {
  const place = { [form.at]: at }
  const logprobs = form.part === "output_text" ? { logprobs: part.logprobs ?? [] } : {}
  const told = say(before, form.whole, at, { ...place, [form.key]: part[form.key] ?? "", ...logprobs })
  return say(told, `${form.frame}.done`, at, { ...place, part })
}

const partSoFar = (slot: Slot, form: Form, at: number): Obj => {
  const text = Joined.textOf(slot.joined, `${form.place} ${at}`)
  const annotations = form.part === "output_text" ? { annotations: Chunk.toReadonlyArray(annotationsOf(slot, at)) } : {}
  return { type: form.part, ...form.rest, [form.key]: text, ...annotations }
}

const annotationsOf = ({ annotations }: Slot, at: number): Chunk.Chunk<Json> =>
  Option.getOrElse(HashMap.get(annotations, at), () => Chunk.empty())

// events ----------------------------------------------------------------------------------------------------------

/** An item of which nothing is told yet; the parts that it came with are opened when their turn comes. */
export const fresh = (item: Pick<Slot, "id" | "index" | "type" | "joined" | "held">): Slot => ({
  ...item,
  annotations: HashMap.empty(),
  current: undefined,
  said: HashSet.empty()
})

/** A delta, with the opening of its part where that is new. `wire` is how it is spelt. */
export const told = (before: Slot, delta: Delta, wire: Obj): Written => {
  const slot: Slot = { ...before, joined: Joined.add(before.joined, delta) }
  const ours = { output_index: slot.index, item_id: slot.id }
  if (delta._tag === "ArgumentsDelta") {
    const call = callOf(slot)
    return [slot, call === undefined ? [] : [{ ...wire, ...ours, type: `${call.events}.delta` }]]
  }
  const form = formOf(delta)
  // An item of another kind has no such part to open; that it was told is passed on.
  if (slot.type !== form.item) return [slot, [{ ...wire, ...ours }]]
  const [after, events] = opening([slot, []], form, delta.part)
  return [after, [...events, { ...wire, ...ours }]]
}

export const cited = (before: Slot, event: CitationAdded, wire: Obj): Written => {
  if (before.type !== "message") return [before, []]
  const { part } = event
  const [slot, events] = opening([before, []], forms.output_text!, part)
  const told = annotationsOf(slot, part)
  const ours = { output_index: slot.index, item_id: slot.id, annotation_index: Chunk.size(told) }
  return [
    {
      ...slot,
      joined: Joined.add(slot.joined, event),
      annotations: HashMap.set(slot.annotations, part, Chunk.append(told, wire.annotation!))
    },
    [...events, { ...wire, ...ours }]
  ]
}

/** Closes every part of an item as it stands in the end. */
export const closed = (slot: Slot, item: Obj): Written => {
  let written: Written = [slot, []]
  for (const key of ["summary", "content"] as const) {
    const parts = item[key]
    if (!Array.isArray(parts)) continue
    for (const [at, part] of (parts as ReadonlyArray<Json>).entries()) {
      const form = isRecord(part) ? forms[String(part.type)] : undefined
      if (form === undefined || form.item !== item.type) continue
      written = closing(opening(written, form, at), form, at, part as Obj)
    }
  }
  written = released(written, () => true)
  const call = callOf(slot)
  const text = call === undefined ? undefined : item[call.key]
  return call === undefined || typeof text !== "string" ? written : say(written, `${call.events}.done`, 0, {
    [call.key]: text
  })
}

/**
 * Makes room for an event of the wire that is kept as it stood: what it tells need not be made anew, and what it closes
 * was told before.
 */
export const kept = (slot: Slot, raw: Obj): Written => {
  const form = Object.values(forms).find(({ frame, part, whole }) =>
    raw.type === whole || isRecord(raw.part) && raw.part.type === part && String(raw.type).startsWith(frame)
  )
  const at = form === undefined ? 0 : raw[form.at] ?? 0
  const marked: Slot = { ...slot, said: HashSet.add(slot.said, `${raw.type} ${at}`) }
  if (form !== undefined && raw.type === `${form.frame}.done` && typeof at === "number") {
    return closing([marked, []], form, at)
  }
  const [call, text] = [callOf(slot), Joined.textOf(slot.joined, "arguments")]
  return call !== undefined && text !== "" && /\.(completed|failed)$/.test(String(raw.type))
    ? say([marked, []], `${call.events}.done`, 0, { [call.key]: text })
    : [marked, []]
}
