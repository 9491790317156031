/**
 * Leaves out the parts of a message that only another protocol models, and counts the others anew: on the wire a part
 * is known by its place, and those have none.
 */
import { HashMap, Option } from "effect"
import type { Part } from "../../canonical/Part.ts"
import { anyProtocol } from "../../codec/index.ts"
import { name as protocol } from "./Extras.ts"
import type { SlotEvent } from "./Telling.ts"

/** The places of the parts that are left out, of each slot that has such. */
export type Gaps = HashMap.HashMap<number, ReadonlyArray<number>>
export const none: Gaps = HashMap.empty()

const isForeign = (part: Part): boolean =>
  part.type === "unmodelled" && part.protocol !== protocol && part.protocol !== anyProtocol

/** The event as this wire counts. */
export const native = (gaps: Gaps, event: SlotEvent): readonly [Gaps, SlotEvent] => {
  switch (event._tag) {
    case "SlotStarted": {
      const [item] = event.items
      if (item?.type !== "message" || !item.parts.some(isForeign)) return [gaps, event]
      const places = item.parts.flatMap((part, at) => isForeign(part) ? [at] : [])
      const parts = item.parts.filter((part) => !isForeign(part))
      // A message with nothing else has no place at all.
      if (parts.length === 0) return [gaps, event]
      return [HashMap.set(gaps, event.slot, places), { ...event, items: event.items.with(0, { ...item, parts }) }]
    }
    case "TextDelta":
    case "RefusalDelta":
    case "CitationAdded": {
      const before = Option.getOrElse(HashMap.get(gaps, event.slot), () => []).filter((at) => at < event.part).length
      return [gaps, before === 0 ? event : { ...event, part: event.part - before }]
    }
    default:
      return [gaps, event]
  }
}
