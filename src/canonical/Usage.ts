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

/**
 * What two responses cost together. A count that only one of them has is that; one that neither has stays absent. `total`
 * is kept where it is not `input + output`. The bags are left out: nobody knows what in them may be added.
 *
 * @example `Usage.add({ input: 1, output: 2 }, { input: 3, output: 4, cacheRead: 1 })  // => { input: 4, output: 6, cacheRead: 1 }`
 */
export const add = (a: Usage, b: Usage): Usage => {
  const [input, output, all] = [a.input + b.input, a.output + b.output, total(a) + total(b)]
  const optional = (["cacheRead", "cacheWrite", "reasoning"] as const).flatMap((key) =>
    a[key] === undefined && b[key] === undefined ? [] : [[key, (a[key] ?? 0) + (b[key] ?? 0)] as const]
  )
  return { input, output, ...Object.fromEntries(optional), ...(all === input + output ? {} : { total: all }) }
}

/** All tokens: the provider's own total, or else input and output. */
export const total = (usage: Usage): number => usage.total ?? usage.input + usage.output
