/** What a response cost, in tokens. */
import { Schema } from "effect"
import { bag } from "../codec/index.ts"

const optional = Schema.optionalKey

/**
 * Tokens. `input` includes those read from and written to the cache; `output` includes `reasoning`. `total` is kept
 * only where the provider's is not `input + output`. What else the provider counts is in its bag.
 */
export const Usage = Schema.Struct({
  input: Schema.Finite,
  cacheRead: optional(Schema.Finite),
  cacheWrite: optional(Schema.Finite),
  output: Schema.Finite,
  reasoning: optional(Schema.Finite),
  total: optional(Schema.Finite),
  ...bag
})
export type Usage = typeof Usage.Type

/** All tokens: the provider's own total, or else input and output. */
export const total = (usage: Usage): number => usage.total ?? usage.input + usage.output
