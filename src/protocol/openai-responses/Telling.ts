/**
 * Tells every text of a slot exactly once, as deltas, and opens every slot that something is told of.
 *
 * What a server tells whole when it opens an item, only when it closes a text, or only when it closes the item, becomes
 * the delta that is missing; what it repeats is passed over. Both machines go through here, so what one writes the other
 * reads the same. Of a text no more is remembered than its length and its end.
 */
import type { Event } from "../../canonical/Event.ts"
import type { Item, Items } from "../../canonical/Item.ts"
import type { Part, Refusal, Text } from "../../canonical/Part.ts"
import { Latest } from "../../codec/index.ts"
import { extrasOf, name as protocol } from "./Extras.ts"

type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>
/** An event that adds a text to a place of a slot. */
export type Delta = Of<"TextDelta" | "RefusalDelta" | "ReasoningDelta" | "ArgumentsDelta">
/** An event of a slot. */
export type SlotEvent = Extract<Event, { readonly slot: number }>
/** A text told whole. */
export type Told = { readonly told: Delta }

interface Seen {
  readonly length: number
  readonly end: string
}
interface Slot {
  readonly isOpen: boolean
  readonly seen: Latest.Latest<string, Seen>
}
const unseen: Slot["seen"] = Latest.empty()
export type Slots = Latest.Latest<number, Slot>
export const none: Slots = Latest.empty()

export const isOpen = (slots: Slots, slot: number): boolean => Latest.get(slots, slot)?.isOpen === true

/** Where in its slot a delta adds. */
export const placeOf = (delta: Delta): string =>
  delta._tag === "ArgumentsDelta"
    ? "arguments"
    : delta._tag === "ReasoningDelta"
    ? `${delta.of} ${delta.part}`
    : `${delta._tag} ${delta.part}`

/** The events that an event of a slot comes to, with those before it that it lets be known. */
export const step = (
  slots: Slots,
  event: SlotEvent | Told
): readonly [slots: Slots, events: ReadonlyArray<SlotEvent>] => {
  if ("told" in event) return rest(slots, event.told)
  switch (event._tag) {
    case "SlotStarted":
      return opened(slots, event)
    case "SlotDone": {
      if (event.items === undefined && Latest.get(slots, event.slot) !== undefined) return closed(slots, event, [])
      const { items = [], slot } = event
      if (Latest.get(slots, slot) === undefined) {
        const [open, events] = opened(slots, { _tag: "SlotStarted", slot, items }, () => true)
        return closed(open, event, events)
      }
      let after = slots
      const missing: Array<SlotEvent> = []
      for (const told of textsOf(slot, items)) {
        const [next, events] = rest(after, told)
        after = next
        missing.push(...events)
      }
      return closed(after, event, missing)
    }
    default: {
      const slot = Latest.get(slots, event.slot)
      if (slot === undefined) {
        const [open, events] = opened(slots, { _tag: "SlotStarted", slot: event.slot, items: impliedBy(event) })
        const [after, more] = step(open, event)
        return [after, [...events, ...more]]
      }
      return [slot.isOpen && isDelta(event) ? added(slots, slot, event) : slots, [event]]
    }
  }
}

// opening and closing ---------------------------------------------------------------------------------------------

const opened = (
  slots: Slots,
  event: Of<"SlotStarted">,
  isTold: (text: Delta) => boolean = (text) => !isPlaceholder(text)
): readonly [Slots, ReadonlyArray<SlotEvent>] => {
  const texts = textsOf(event.slot, event.items).filter(({ text }) => text !== "")
  const items = blank(event.items)
  const told = texts.filter(isTold)
  const seen = (items === event.items ? texts : told).reduce(seenWith, unseen)
  return [
    Latest.set(slots, event.slot, { isOpen: true, seen }),
    items === event.items ? [event] : [{ ...event, items }, ...told]
  ]
}

const closed = (
  slots: Slots,
  event: Of<"SlotDone">,
  before: ReadonlyArray<SlotEvent>
): readonly [Slots, ReadonlyArray<SlotEvent>] => [
  Latest.set(slots, event.slot, { isOpen: false, seen: unseen }),
  [...before, event]
]

/** What an event says of an item that was never opened. Of a call it says nothing. */
const impliedBy = (event: SlotEvent): Items => {
  switch (event._tag) {
    case "TextDelta":
    case "RefusalDelta":
    case "CitationAdded":
      return [{ type: "message", role: "assistant", parts: [] }]
    case "ReasoningDelta":
    case "ProofDelta":
      return [{ type: "reasoning", protocol }]
    default:
      return []
  }
}

// deltas ----------------------------------------------------------------------------------------------------------

/** How much of the end of a text is held against the whole, to know the one for the other's beginning. */
const enough = 32

const seenAt = (seen: Slot["seen"], delta: Delta): Seen => Latest.get(seen, placeOf(delta)) ?? nothing
const nothing: Seen = { length: 0, end: "" }

const seenWith = (seen: Slot["seen"], delta: Delta): Slot["seen"] => {
  const place = placeOf(delta)
  const { end, length } = Latest.get(seen, place) ?? nothing
  return Latest.set(seen, place, {
    length: length + delta.text.length,
    end: (end + delta.text.slice(-enough)).slice(-enough)
  })
}

const added = (slots: Slots, slot: Slot, delta: Delta): Slots =>
  Latest.set(slots, delta.slot, { isOpen: true, seen: seenWith(slot.seen, delta) })

/** What of a whole text is missing. One that does not begin with what was told is not to be mended. */
const rest = (slots: Slots, told: Delta): readonly [Slots, ReadonlyArray<SlotEvent>] => {
  const slot = Latest.get(slots, told.slot)
  if (slot?.isOpen === false) return [slots, []]
  const { end, length } = seenAt(slot?.seen ?? unseen, told)
  if (told.text.length <= length || !told.text.startsWith(end, length - end.length)) return [slots, []]
  return step(slots, { ...told, text: told.text.slice(length) })
}

const isDelta = (event: SlotEvent): event is Delta =>
  event._tag === "TextDelta" || event._tag === "RefusalDelta" || event._tag === "ReasoningDelta" ||
  event._tag === "ArgumentsDelta"

// the texts of an item --------------------------------------------------------------------------------------------

/** The calls whose arguments arrive bit by bit. */
const isStreamed = (kind: string | undefined): boolean =>
  kind === undefined || kind === "mcp_call" || kind === "custom_tool_call"

/** Each text that this wire tells bit by bit, whole. */
export const textsOf = (slot: number, items: Items): ReadonlyArray<Delta> =>
  items.flatMap((item): ReadonlyArray<Delta> => {
    switch (item.type) {
      case "message":
        return item.parts.flatMap((part, index): ReadonlyArray<Delta> =>
          part.type === "text"
            ? [{ _tag: "TextDelta", slot, part: index, text: part.text }]
            : part.type === "refusal"
            ? [{ _tag: "RefusalDelta", slot, part: index, text: part.text }]
            : []
        )
      case "reasoning":
        return (["summary", "content"] as const).flatMap((of) =>
          (item[of] ?? []).flatMap((text, part): ReadonlyArray<Delta> =>
            text.type === "text" ? [{ _tag: "ReasoningDelta", slot, part, of, text: text.text }] : []
          )
        )
      case "tool-call": {
        const text = item.input ?? item.arguments
        return text === undefined || !isStreamed(item.kind) ? [] : [{ _tag: "ArgumentsDelta", slot, text }]
      }
      default:
        return []
    }
  })

/** Arguments that only hold the place of those to come. */
const isPlaceholder = ({ _tag, text }: Delta): boolean => _tag === "ArgumentsDelta" && text.trim() === "{}"

/** The one item without its texts; of a part that says more than its words the rest stays. */
const blank = (items: Items): Items => {
  const [item, ...more] = items
  if (item === undefined || more.length > 0) return items
  const without = blankItem(item)
  return without === item ? items : [without]
}

const blankItem = (item: Item): Item => {
  switch (item.type) {
    case "message":
      return item.parts.length === 0
        ? item
        : { ...item, parts: item.parts.every(isBare) ? [] : item.parts.map(emptied) }
    case "reasoning": {
      const { content, summary, ...others } = item
      if ((content ?? []).length + (summary ?? []).length === 0) return item
      return {
        ...others,
        ...(summary === undefined || summary.every(isBare) ? {} : { summary: summary.map(emptied) }),
        ...(content === undefined ? {} : { content: content.every(isBare) ? [] : content.map(emptied) })
      }
    }
    case "tool-call":
      if (textsOf(0, [item]).every(({ text }) => text === "")) return item
      return item.input === undefined ? { ...item, arguments: "" } : { ...item, input: "" }
    default:
      return item
  }
}

const emptied = <P extends Part>(part: P): P =>
  part.type === "text" || part.type === "refusal" ? { ...part, text: "" } : part

const isBare = (part: { readonly type: string }): boolean => {
  if (part.type !== "text" && part.type !== "refusal") return false
  const { providerOptions = {}, text: _text, type: _type, ...more } = part as Text | Refusal
  const { logprobs, ...extras } = extrasOf({ providerOptions })
  return Object.keys(more).length === 0 && Object.keys(extras).length === 0 &&
    Object.keys(providerOptions).every((key) => key === protocol) &&
    (logprobs === undefined || Array.isArray(logprobs) && logprobs.length === 0)
}
