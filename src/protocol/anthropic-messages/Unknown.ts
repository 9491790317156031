/** Adds deltas to a block of a type that is not modelled, as far as their own names tell what they add to. */
import type { Schema } from "effect"
import { isRecord } from "../../codec/index.ts"
import { inputOf } from "./Lenient.ts"

type Json = Schema.Json

/** Deltas, the last one first. */
export interface Deltas {
  readonly delta: Json
  readonly before: Deltas | undefined
}

/**
 * The block with its deltas: a text is added to the field of its name, a citation to the citations, and pieces of
 * JSON are together the input.
 */
export const grown = (block: Json, deltas: Deltas): Json => {
  if (!isRecord(block)) return block
  const all: Array<Json> = []
  for (let at: Deltas | undefined = deltas; at !== undefined; at = at.before) all.push(at.delta)
  const out: Record<string, unknown> = { ...block }
  const citations = Array.isArray(block.citations) ? [...block.citations] : []
  let input = ""
  for (const delta of all.toReversed()) {
    if (!isRecord(delta)) continue
    for (const [key, value] of Object.entries(delta)) {
      if (key === "type") continue
      if (key === "partial_json") input += String(value)
      else if (key === "citation") citations.push(value)
      else out[key] = typeof value === "string" && typeof out[key] === "string" ? out[key] + value : value
    }
  }
  if (citations.length > 0) out.citations = citations
  if (input.trim() !== "") out.input = inputOf(input)
  return out as Json
}
