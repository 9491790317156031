/** Checks the bounds that a schema sets beyond the kind of a value. What it cannot check counts as kept. */
import { Equal, type Schema } from "effect"
import { isOfFormat } from "./Formats.ts"
import type { Limit } from "./Node.ts"
import { isObject } from "./Pointer.ts"

type Json = Schema.Json

/** Does the value keep within all of these? */
export const within = (limits: ReadonlyArray<Limit>, value: Json): boolean =>
  limits.every(({ keyword, value: bound }) => checks[keyword]?.(value, bound) ?? true)

type Check = (value: Json, bound: Json) => boolean

const ofNumber = (keeps: (value: number, bound: number) => boolean): Check => (value, bound) =>
  typeof value !== "number" || typeof bound !== "number" || keeps(value, bound)

const ofSize =
  (sizeOf: (value: Json) => number | undefined, keeps: (size: number, bound: number) => boolean): Check =>
  (value, bound) => {
    const size = sizeOf(value)
    return size === undefined || typeof bound !== "number" || keeps(size, bound)
  }

const least = (size: number, bound: number) => size >= bound
const most = (size: number, bound: number) => size <= bound
const characters = (value: Json) => typeof value === "string" ? [...value].length : undefined
const items = (value: Json) => Array.isArray(value) ? value.length : undefined
const properties = (value: Json) => isObject(value) ? Object.keys(value).length : undefined

const checks: { readonly [keyword: string]: Check } = {
  minimum: ofNumber(least),
  maximum: ofNumber(most),
  exclusiveMinimum: ofNumber((value, bound) => value > bound),
  exclusiveMaximum: ofNumber((value, bound) => value < bound),
  multipleOf: ofNumber((value, bound) => Math.abs(value / bound - Math.round(value / bound)) < 1e-8),
  minLength: ofSize(characters, least),
  maxLength: ofSize(characters, most),
  minItems: ofSize(items, least),
  maxItems: ofSize(items, most),
  minProperties: ofSize(properties, least),
  maxProperties: ofSize(properties, most),
  pattern: (value, bound) =>
    typeof value !== "string" || typeof bound !== "string" || (compiled(bound)?.test(value) ?? true),
  format: (value, bound) => typeof value !== "string" || typeof bound !== "string" || isOfFormat(bound, value),
  uniqueItems: (value) =>
    !Array.isArray(value) || value.length > 1000 ||
    value.every((item, index) => value.findIndex((other) => Equal.equals(other, item)) === index)
}

const patterns = new Map<string, RegExp | undefined>()

/** The pattern as JSON Schema means it; nothing where JavaScript knows no such pattern. */
export const compiled = (pattern: string): RegExp | undefined => {
  if (patterns.has(pattern)) return patterns.get(pattern)
  let made: RegExp | undefined
  try {
    made = new RegExp(pattern, "u")
  } catch {
    // The pattern is written for another engine.
    made = undefined
  }
  if (patterns.size > 1000) patterns.clear()
  patterns.set(pattern, made)
  return made
}
