/** Makes what every event of the wire has and no canonical one needs, and knows it again: numbers, ids, the last word. */
import type { Schema } from "effect"
import { isRecord } from "../../codec/index.ts"

type Json = Schema.Json
export type Obj = { readonly [key: string]: Json }

/** Wire keys that are made anew on the way out. */
export const anew: ReadonlyArray<string> = ["sequence_number", "item_id", "obfuscation"]

// places ----------------------------------------------------------------------------------------------------------

/** The events of one item, and the key under which they say which part of it they mean. */
const places: ReadonlyMap<unknown, "" | "content_index" | "summary_index"> = new Map([
  ...["output_item.added", "output_item.done"].map((name) => [`response.${name}`, ""] as const),
  ...["function_call_arguments", "mcp_call_arguments", "custom_tool_call_input"].flatMap((name) =>
    ["delta", "done"].map((way) => [`response.${name}.${way}`, ""] as const)
  ),
  ...["output_text", "refusal", "reasoning_text"].flatMap((name) =>
    ["delta", "done"].map((way) => [`response.${name}.${way}`, "content_index"] as const)
  ),
  ...["output_text.annotation.added", "content_part.added", "content_part.done"].map((name) =>
    [`response.${name}`, "content_index"] as const
  ),
  ...["part.added", "part.done", "text.delta", "text.done"].map((name) =>
    [`response.reasoning_summary_${name}`, "summary_index"] as const
  )
])
/** Empty for an event of a whole item, `undefined` for one that we do not read by its item. */
export const placeOf = (type: Json | undefined) => places.get(type)

// ids -------------------------------------------------------------------------------------------------------------

const idOf = (index: number): string => `item_${index}`

/** How an item stands when it is opened, and when it is closed. */
export type Status = "in_progress" | "completed"

/** Has the item no id? Some have a blank one then, where a whole response is written. */
const isNameless = ({ id, type }: Obj): boolean => id === undefined || blank.has(type) && (id === null || id === "")
const blank: ReadonlySet<unknown> = new Set(["message", "reasoning", "function_call_output"])
/** The items that always say how they stand. */
const standing: ReadonlySet<unknown> = new Set(["message", "function_call_output"])

/** The item under an id: one that has none is known by its place. */
export const named = (item: Obj, index: number, status: Status): Obj =>
  isNameless(item)
    ? { ...item, id: idOf(index), ...(standing.has(item.type) && item.status === "completed" ? { status } : {}) }
    : item

/** The item as it was before it was named. */
export const unnamed = (item: Obj, index: number, status: Status): Obj => {
  if (!isNameless(item) && item.id !== idOf(index)) return item
  const { id: _, ...rest } = item
  if (standing.has(item.type)) return { ...rest, id: "", ...(item.status === status ? { status: "completed" } : {}) }
  return blank.has(item.type) ? { ...rest, id: "" } : rest
}

const eachItem = (response: Json | undefined, f: (item: Obj, index: number) => Obj): Json | undefined => {
  if (!isRecord(response) || !Array.isArray(response.output)) return response as Json | undefined
  const output = response.output.map((item: Json, index): Json => isRecord(item) ? f(item as Obj, index) : item)
  return { ...response as Obj, output }
}
export const namedIn = (wire: Obj): Obj => ({
  ...wire,
  response: eachItem(wire.response, (item, index) => named(item, index, "completed"))!
})
export const unnamedIn = (wire: Obj): Obj => ({
  ...wire,
  response: eachItem(wire.response, (item, index) => unnamed(item, index, "completed"))!
})

// the response as a whole -----------------------------------------------------------------------------------------

const statuses: ReadonlyMap<unknown, string> = new Map([
  ["response.created", "in_progress"],
  ["response.queued", "queued"],
  ["response.in_progress", "in_progress"],
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
  ["response.failed", "failed"]
])
/** How a response stands that comes with an event of this type; `undefined` for an event without one. */
export const statusOf = (type: Json | undefined): string | undefined => statuses.get(type)

/** Does nothing come after it? */
export const isTerminal = (type: Json | undefined): boolean =>
  type === "response.completed" || type === "response.incomplete" || type === "response.failed"

/** The event that a response ends with. */
export const terminalOf = (response: Json | undefined): string => {
  const status = isRecord(response) ? response.status : undefined
  return status === "failed" || status === "incomplete" ? `response.${status}` : "response.completed"
}
