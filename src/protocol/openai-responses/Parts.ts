/**
 * Opens an item and its parts one after the other, as the API does: an item that is opened with parts is one that is
 * opened without, with the event that opens each of them.
 */
import { isRecord } from "../../codec/index.ts"
import type { Obj } from "./Made.ts"

/** The event that opens a part: its type, the part's place, and the rest of it. */
export interface Opened {
  readonly type: string
  readonly at: number
  readonly wire: Obj
}

/** The lists of parts that an item has, with the events that open such a part. */
const lists = [
  { key: "summary", frame: "response.reasoning_summary_part", at: "summary_index" },
  { key: "content", frame: "response.content_part", at: "content_index" }
] as const

/** An item as it is opened, and what opens its parts. */
export const apart = (item: Obj): readonly [item: Obj, parts: ReadonlyArray<Opened>] => {
  if (item.type !== "message" && item.type !== "reasoning") return [item, []]
  const opened: Array<Opened> = []
  const bare: { -readonly [K in keyof Obj]: Obj[K] } = { ...item }
  for (const { at: index, frame, key } of lists) {
    const parts = item[key]
    if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isRecord)) continue
    bare[key] = []
    for (const [at, part] of (parts as ReadonlyArray<Obj>).entries()) {
      opened.push({ type: `${frame}.added`, at, wire: { [index]: at, part } })
    }
  }
  return opened.length === 0 ? [item, opened] : [bare, opened]
}
