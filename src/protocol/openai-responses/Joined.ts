/** Joins what was told of one slot to its items. Texts are joined by `+`, which costs no copy. */
import { Chunk, HashMap, Option } from "effect"
import type { Item, Items } from "../../canonical/Item.ts"
import type { Citation, Part, Texts } from "../../canonical/Part.ts"
import { Latest } from "../../codec/index.ts"
import { type Delta, placeOf, type SlotEvent } from "./Telling.ts"

export interface Joined {
  /** As it was opened, or as it was closed. */
  readonly items: Items
  readonly isDone: boolean
  readonly proof: string
  /** All that was told at each place, and what told it first. */
  readonly texts: Latest.Latest<string, { readonly first: Delta; readonly text: string }>
  readonly citations: HashMap.HashMap<number, Chunk.Chunk<Citation>>
}

export const opened = (items: Items): Joined => ({
  items,
  isDone: false,
  proof: "",
  texts: Latest.empty(),
  citations: HashMap.empty()
})

export const closed = (items: Items): Joined => ({ ...opened(items), isDone: true })

/** What is known of a slot after one more of its events. What closed it stands. */
export const add = (before: Joined, event: SlotEvent): Joined => {
  if (event._tag === "SlotStarted") return opened(event.items)
  if (before.isDone) return before
  switch (event._tag) {
    case "SlotDone":
      return closed(event.items ?? itemsOf(before))
    case "ProofDelta":
      return { ...before, proof: before.proof + event.text }
    case "CitationAdded":
      return {
        ...before,
        citations: HashMap.set(
          before.citations,
          event.part,
          Chunk.append(citationsOf(before, event.part), event.citation)
        )
      }
    default: {
      const place = placeOf(event)
      const { first, text } = Latest.get(before.texts, place) ?? { first: event, text: "" }
      return { ...before, texts: Latest.set(before.texts, place, { first, text: text + event.text }) }
    }
  }
}

/** All that was told at a place. */
export const textOf = ({ texts }: Joined, place: string): string => Latest.get(texts, place)?.text ?? ""

const citationsOf = ({ citations }: Joined, part: number): Chunk.Chunk<Citation> =>
  Option.getOrElse(HashMap.get(citations, part), () => Chunk.empty())

/** The items of a slot: as they were closed, or as they were opened with all that was told since. */
export const itemsOf = (slot: Joined): Items => {
  const [item, ...more] = slot.items
  const told = slot.isDone || item === undefined ? undefined : joined(slot, item)
  return told === undefined ? slot.items : [told, ...more]
}

const joined = (slot: Joined, item: Item): Item | undefined => {
  const deltas = [...slot.texts].map(([, { first, text }]) => ({ ...first, text })).toSorted((a, b) =>
    partOf(a) - partOf(b)
  )
  switch (item.type) {
    case "message": {
      const parts: Array<Part> = [...item.parts]
      for (const delta of deltas) {
        if (delta._tag === "TextDelta") put(parts, delta.part, { type: "text", text: delta.text })
        if (delta._tag === "RefusalDelta") put(parts, delta.part, { type: "refusal", text: delta.text })
      }
      return {
        ...item,
        parts: parts.map((part, at) => withCitations(part, Chunk.toReadonlyArray(citationsOf(slot, at))))
      }
    }
    case "reasoning": {
      const texts = (of: "summary" | "content"): Texts | undefined => {
        const told = deltas.filter((delta) => delta._tag === "ReasoningDelta" && delta.of === of)
        if (told.length === 0) return item[of]
        const parts: Array<Part> = [...item[of] ?? []]
        for (const delta of told) put(parts, partOf(delta), { type: "text", text: delta.text })
        return parts as ReadonlyArray<Part> as Texts
      }
      const [summary, content] = [texts("summary"), texts("content")]
      const proof = (item.proof ?? "") + slot.proof
      return {
        ...item,
        ...(summary === undefined ? {} : { summary }),
        ...(content === undefined ? {} : { content }),
        ...(proof === "" ? {} : { proof })
      }
    }
    case "tool-call": {
      const text = textOf(slot, "arguments")
      if (text === "") return undefined
      return item.input === undefined
        ? { ...item, arguments: (item.arguments ?? "") + text }
        : { ...item, input: item.input + text }
    }
    default:
      return undefined
  }
}

const partOf = (delta: Delta): number => delta._tag === "ArgumentsDelta" ? 0 : delta.part

/** Adds to the part of that kind which stands there, or puts a new one at the end. */
const put = (parts: Array<Part>, at: number, told: Extract<Part, { readonly type: "text" | "refusal" }>): void => {
  const there = parts[at]
  if (there?.type === told.type) parts[at] = { ...there, text: there.text + told.text }
  else parts.push(told)
}

const withCitations = (part: Part, more: ReadonlyArray<Citation>): Part =>
  part.type !== "text" || more.length === 0 ? part : { ...part, citations: [...part.citations ?? [], ...more] }
