/** Reads the arguments of a call, which are JSON text as a model wrote it. */
import type { Schema } from "effect"
import { isRecord, type Refusal, refuse } from "../codec/index.ts"

/** The JSON that they spell, or nothing where they spell none. Blank ones are empty. */
export const read = (text: string): Schema.Json | undefined => {
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Says that they are not what a wire has a place for, with their beginning. */
export const refused = (expected: string, text: string): Refusal => {
  const start = text.length > 60 ? `${text.slice(0, 57)}…` : text
  return refuse(`Expected arguments that are ${expected}, got ${JSON.stringify(start)}`)
}

/** Arguments to try codecs on: the text of these, but without keys that JSON must escape. */
export const sample = (args: Schema.Json): string => JSON.stringify(unescaped(args))

/** V8 13.6 (Node 24) may read such a key as another, `"\u0000"` as `"\\"`. */
const unescaped = (value: Schema.Json): Schema.Json =>
  isRecord(value)
    ? Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key.replace(/["\\\p{C}]/gu, ""), unescaped(child as Schema.Json)])
    )
    : Array.isArray(value)
    ? value.map(unescaped)
    : value
