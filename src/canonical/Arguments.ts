/** Reads the arguments of a call, which are JSON text as a model wrote it. */
import type { Schema } from "effect"
import { type Refusal, refuse } from "../codec/index.ts"

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
