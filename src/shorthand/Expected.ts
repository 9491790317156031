/** Says what was expected and what came, in one sentence that never shows a secret. */
import { Schema } from "effect"
import { type Refusal, refuse } from "../codec/Codec.ts"
import { isRecord } from "../codec/index.ts"

/** @example `expected("a role", "bot", "…")  // Expected a role, got "bot" (…)` */
export const expected = (what: string, value: unknown, hint?: string): Refusal =>
  refuse(`Expected ${what}, got ${shown(value)}${hint === undefined ? "" : ` (${hint})`}`)

/** A value in short: the start of a text, the keys of an object, the length of a list. */
export const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`
  if (value === undefined) return "nothing"
  if (Schema.isSchema(value)) return "an Effect Schema"
  if (value instanceof Uint8Array) return "bytes"
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`
  return isRecord(value) ? keys(Object.keys(value)) : String(value)
}

/** A value by its kind alone, for what may be a secret. */
export const hidden = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : `a value of type ${typeof value}`

export const isSecret = (key: string): boolean =>
  /authorization|headers|cookie|password|secret|credential|token$|key$/i.test(key)

const keys = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "an empty object"
    : `{ ${names.slice(0, 8).map((name) => name.slice(0, 40)).join(", ")}${names.length > 8 ? ", …" : ""} }`

/** "a, b or c" */
export const oneOf = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

/** The names that one may have meant by another, nearest first. */
export const near = (name: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .map((other) => ({ other, distance: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance, other }) => distance <= Math.max(2, Math.min(name.length, other.length) / 3))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ other }) => other)

/** How many letters must be put in, left out or changed to make one word of the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === b[j] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}
