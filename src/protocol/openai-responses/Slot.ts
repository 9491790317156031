/**
 * Writes one item as it arrives: opens and closes its parts around their deltas, and remembers their texts, which the
 * wire says again when a part, the item and the response are closed. Texts are joined by `+`, which costs no copy.
 */
import type { Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Items } from "../../canonical/Item.ts"
import type { Citation, Part, Parts, Texts } from "../../canonical/Part.ts"
import { isRecord } from "../../codec/index.ts"
import type { Obj } from "./Made.ts"
import { type Delta, placeOf } from "./Telling.ts"

type Json = Schema.Json
type CitationAdded = Extract<Event, { readonly _tag: "CitationAdded" }>

export interface Slot {
  /** Its place among those that are written, and the id of its item. */
  readonly index: number
  readonly id: string
  /** What the wire calls it; a slot of which nothing is known is a call. */
  readonly type: Json | undefined
  /** As it was opened, or as it was closed. */
  readonly items: Items
  readonly isDone: boolean
  readonly proof: string
  /** All that was told at each place, as one delta. */
  readonly texts: { readonly [place: string]: Delta }
  readonly citations: { readonly [part: number]: ReadonlyArray<{ readonly citation: Citation; readonly wire: Json }> }
  /** The part that was told of last. */
  readonly current: { readonly form: Form; readonly at: number } | undefined
  /** What the wire has been told of the parts, by type and place: once is enough. */
  readonly said: { readonly [what: string]: true }
}
export type Written = readonly [slot: Slot, events: ReadonlyArray<Obj>]

// how each kind of text is written --------------------------------------------------------------------------------

interface Form {
  /** The type of the part, and of the item that has such. */
  readonly part: string
  readonly item: string
  /** The events that tell it whole, and that open and close it; the keys under which they say where. */
  readonly whole: string
  readonly frame: string
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
    item: "message",
    whole: "response.output_text.done",
    rest: { annotations: [], logprobs: [] }
  },
  refusal: { ...content, part: "refusal", item: "message", whole: "response.refusal.done", key: "refusal" },
  reasoning_text: { ...content, part: "reasoning_text", item: "reasoning", whole: "response.reasoning_text.done" },
  summary_text: {
    ...content,
    part: "summary_text",
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

/** An event of the slot, unless the wire has been told already. */
const say = ([slot, events]: Written, type: string, at: number, body: Obj): Written => {
  const what = `${type} ${at}`
  if (slot.said[what]) return [slot, events]
  const wire: Obj = { type, output_index: slot.index, item_id: slot.id, ...body }
  return [{ ...slot, said: { ...slot.said, [what]: true } }, [...events, wire]]
}

const opening = (before: Written, form: Form, at: number): Written => {
  const { current } = before[0]
  if (current?.form === form && current.at === at) return before
  const [slot, events] = current === undefined ? before : closing(before, current.form, current.at)
  const part = { type: form.part, [form.key]: "", ...form.rest }
  return say([{ ...slot, current: { form, at } }, events], `${form.frame}.added`, at, { [form.at]: at, part })
}

const closing = (before: Written, form: Form, at: number, part = partSoFar(before[0], form, at)): Written => {
  const place = { [form.at]: at }
  const logprobs = form.part === "output_text" ? { logprobs: part.logprobs ?? [] } : {}
  const told = say(before, form.whole, at, { ...place, [form.key]: part[form.key] ?? "", ...logprobs })
  return say(told, `${form.frame}.done`, at, { ...place, part })
}

const partSoFar = ({ citations, texts }: Slot, form: Form, at: number): Obj => {
  const delta = Object.values(texts).find((delta) =>
    delta._tag !== "ArgumentsDelta" && formOf(delta) === form && delta.part === at
  )
  const annotations = form.part === "output_text" ? { annotations: (citations[at] ?? []).map(({ wire }) => wire) } : {}
  return { type: form.part, ...form.rest, [form.key]: delta?.text ?? "", ...annotations }
}

// events ----------------------------------------------------------------------------------------------------------

/** A delta, with the opening of its part where that is new. `wire` is how it is spelt. */
export const told = (before: Slot, delta: Delta, wire: Obj): Written => {
  const place = placeOf(delta)
  const { providerOptions: _, ...bare } = delta
  const so = before.texts[place]
  const slot: Slot = {
    ...before,
    texts: { ...before.texts, [place]: { ...bare, text: so === undefined ? delta.text : so.text + delta.text } }
  }
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

export const cited = (slot: Slot, { citation, part }: CitationAdded, wire: Obj): Written => {
  if (slot.type !== "message") return [slot, []]
  const [after, events] = opening([slot, []], forms.output_text!, part)
  const before = slot.citations[part] ?? []
  const ours = { output_index: slot.index, item_id: slot.id, annotation_index: before.length }
  return [
    { ...after, citations: { ...slot.citations, [part]: [...before, { citation, wire: wire.annotation! }] } },
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
  const marked: Slot = { ...slot, said: { ...slot.said, [`${raw.type} ${at}`]: true } }
  if (form !== undefined && raw.type === `${form.frame}.done` && typeof at === "number") {
    return closing([marked, []], form, at)
  }
  const [call, text] = [callOf(slot), slot.texts.arguments?.text]
  return call !== undefined && text !== undefined && /\.(completed|failed)$/.test(String(raw.type))
    ? say([marked, []], `${call.events}.done`, 0, { [call.key]: text })
    : [marked, []]
}

// the item as it was told -----------------------------------------------------------------------------------------

/** The items of a slot: as they were closed, or as they were opened with all that was told since. */
export const itemsOf = (slot: Slot): Items => {
  if (slot.isDone) return slot.items
  const { citations, items: [item, ...more], proof, texts } = slot
  const deltas = Object.values(texts).toSorted((a, b) => partOf(a) - partOf(b))
  switch (item?.type) {
    case "message": {
      const parts = deltas.reduce<Parts>((parts, delta) =>
        delta._tag === "TextDelta"
          ? onto(parts, delta.part, { type: "text", text: delta.text })
          : delta._tag === "RefusalDelta"
          ? onto(parts, delta.part, { type: "refusal", text: delta.text })
          : parts, item.parts)
      return [{ ...item, parts: parts.map((part, at) => withCitations(part, citations[at] ?? [])) }, ...more]
    }
    case "reasoning": {
      const texts = (of: "summary" | "content"): Texts | undefined =>
        deltas.reduce<Texts | undefined>(
          (texts, delta) =>
            delta._tag === "ReasoningDelta" && delta.of === of
              ? onto(texts ?? [], delta.part, { type: "text", text: delta.text }) as Texts
              : texts,
          item[of]
        )
      const [summary, content] = [texts("summary"), texts("content")]
      const all = (item.proof ?? "") + proof
      return [{
        ...item,
        ...(summary === undefined ? {} : { summary }),
        ...(content === undefined ? {} : { content }),
        ...(all === "" ? {} : { proof: all })
      }, ...more]
    }
    case "tool-call": {
      const text = texts.arguments?.text ?? ""
      if (text === "") return slot.items
      return [
        item.input === undefined
          ? { ...item, arguments: (item.arguments ?? "") + text }
          : { ...item, input: item.input + text },
        ...more
      ]
    }
    default:
      return slot.items
  }
}

const partOf = (delta: Delta): number => delta._tag === "ArgumentsDelta" ? 0 : delta.part

/** Adds to the part of that kind which stands there, or puts a new one at the end. */
const onto = (parts: Parts, at: number, told: Extract<Part, { readonly type: "text" | "refusal" }>): Parts => {
  const there = parts[at]
  return there?.type === told.type ? parts.with(at, { ...there, text: there.text + told.text }) : [...parts, told]
}

const withCitations = (part: Part, more: ReadonlyArray<{ readonly citation: Citation }>): Part =>
  part.type !== "text" || more.length === 0
    ? part
    : { ...part, citations: [...part.citations ?? [], ...more.map(({ citation }) => citation)] }
