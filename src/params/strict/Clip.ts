/** Cuts off what a document nests so deeply that walking it would exhaust the stack. */
import type { Schema } from "effect"

type Json = Schema.Json

/** How many levels of JSON a schema may have: far more than any API accepts. */
const deepest = 400

/** What stands where something was cut off. It is no schema. */
export const tooDeep = `nested more than ${deepest} levels deep`

/** The same document, unless it is too deep. */
export const clipped = (document: Json): Json => isDeep(document) ? clip(document, deepest) : document

/** Is it deeper than a schema may be? */
export const isDeep = (document: Json): boolean => {
  let level: ReadonlyArray<Json> = [document]
  const seen = new Set<Json>()
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap((value): ReadonlyArray<Json> => {
      if (value === null || typeof value !== "object" || seen.has(value)) return []
      seen.add(value)
      return Object.values(value) as ReadonlyArray<Json>
    })
  }
  return false
}

const clip = (value: Json, levels: number): Json => {
  if (value === null || typeof value !== "object") return value
  if (levels === 0) return tooDeep
  if (Array.isArray(value)) return value.map((child: Json) => clip(child, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, clip(child as Json, levels - 1)]))
}
