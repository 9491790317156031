/** Counts what a schema has too much of for an API, by the limits that it states. */
import type { Schema } from "effect"
import { isObject } from "./Pointer.ts"

type Json = Schema.Json
type Written = Schema.JsonObject

/** What is counted in a schema, its definitions with it. */
interface Counts {
  properties: number
  optional: number
  unions: number
  values: number
  characters: number
  depth: number
}

interface Budget {
  readonly of: keyof Counts
  readonly most: number
  readonly what: string
}

/**
 * https://platform.openai.com/docs/guides/structured-outputs#objects-have-limitations-on-nesting-depth-and-size
 * A level is an object or a list; nobody says whether a union is one, and `null` makes many of those.
 */
export const openai: ReadonlyArray<Budget> = [
  { of: "properties", most: 5000, what: "properties" },
  { of: "depth", most: 10, what: "levels of nesting" },
  { of: "values", most: 1000, what: "listed values" },
  { of: "characters", most: 120_000, what: "characters in names and listed values" }
]

/**
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits
 * They hold for all strict tools of a request together, of which there may be 20; here, one that is too much alone is
 * found.
 */
export const anthropic: ReadonlyArray<Budget> = [
  { of: "optional", most: 24, what: "optional properties" },
  { of: "unions", most: 16, what: "properties of several types" }
]

/** What is beyond a budget, in words. */
export const beyond = (schema: Written, budgets: ReadonlyArray<Budget>): ReadonlyArray<string> => {
  const counts: Counts = { properties: 0, optional: 0, unions: 0, values: 0, characters: 0, depth: 0 }
  count(schema, counts, 0)
  return budgets.filter(({ most, of }) => counts[of] > most).map(({ most, of, what }) =>
    `${counts[of]} ${what}, where ${most} are allowed`
  )
}

const count = (schema: Json | undefined, counts: Counts, depth: number): void => {
  if (!isObject(schema)) return
  const { $defs, anyOf, enum: values, items, properties, required, type } = schema
  const level = depth + (type === "object" || type === "array" ? 1 : 0)
  counts.depth = Math.max(counts.depth, level)
  if (Array.isArray(values)) {
    counts.values += values.length
    for (const value of values) counts.characters += String(value).length
  }
  if (Array.isArray(anyOf)) {
    counts.unions++
    for (const member of anyOf) count(member, counts, level)
  }
  if (isObject(properties)) {
    const names = Object.keys(properties)
    counts.properties += names.length
    counts.optional += names.length - (Array.isArray(required) ? required.length : 0)
    for (const name of names) {
      counts.characters += name.length
      count(properties[name], counts, level)
    }
  }
  count(items, counts, level)
  if (!isObject($defs)) return
  for (const [name, child] of Object.entries($defs)) {
    counts.characters += name.length
    count(child, counts, 0)
  }
}
