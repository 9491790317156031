/** Follows references within one schema document: JSON Pointers, anchors and its own address. */
import type { Schema } from "effect"
import { below, isObject, keysOf, own, valueAt } from "./Pointer.ts"

type Json = Schema.Json

/** What a reference leads to. */
export interface Found {
  readonly schema: Json
  readonly pointer: string
  /** The name it goes by: that of the definition, or the last word of its place. */
  readonly name: string
}

/** Finds what a reference leads to; nothing where it leads out of the document, or nowhere. */
export type Follow = (reference: string) => Found | undefined

export const refsOf = (root: Schema.JsonObject): Follow => {
  let anchors: ReadonlyMap<string, Found> | undefined
  const address = own(root, "$id")
  return (reference) => {
    const at = reference.indexOf("#")
    const base = at === -1 ? reference : reference.slice(0, at)
    if (base !== "" && base !== address) return (anchors ??= anchored(root)).get(reference)
    const fragment = at === -1 ? "" : decoded(reference.slice(at + 1))
    if (fragment !== "" && !fragment.startsWith("/")) return (anchors ??= anchored(root)).get(`#${fragment}`)
    const schema = valueAt(root, keysOf(fragment))
    return schema === undefined ? undefined : found(schema, fragment)
  }
}

const decoded = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Not every writer encodes a percent sign.
    return fragment
  }
}

const found = (schema: Json, pointer: string): Found => ({
  schema,
  pointer,
  name: keysOf(pointer).findLast((key) => key !== "items" && !/^\d+$/.test(key)) ?? "root"
})

/** What is named by `$anchor` or by an `$id` inside. */
const anchored = (root: Schema.JsonObject): ReadonlyMap<string, Found> => {
  const named = new Map<string, Found>()
  const todo: Array<{ readonly value: Json; readonly pointer: string }> = [{ value: root, pointer: "" }]
  for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
    const { pointer, value } = place
    if (Array.isArray(value)) {
      value.forEach((child: Json, index) => todo.push({ value: child, pointer: below(pointer, index) }))
    }
    if (!isObject(value)) continue
    for (const [key, mark] of [["$anchor", "#"], ["$dynamicAnchor", "#"], ["$id", ""]] as const) {
      const name = own(value, key)
      if (typeof name === "string" && !named.has(mark + name)) named.set(mark + name, found(value, pointer))
    }
    for (const [key, child] of Object.entries(value)) todo.push({ value: child, pointer: below(pointer, key) })
  }
  return named
}
