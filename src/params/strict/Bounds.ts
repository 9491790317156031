/** Checks the bounds that a schema sets beyond the kind of a value. What it cannot check counts as kept. */
import type { Schema } from "effect"
import { memoize } from "effect/Function"
import { ruleOf } from "../Keywords.ts"
import { isOfFormat } from "./Formats.ts"
import type { Limit } from "./Node.ts"

type Keeps = (value: Schema.Json) => boolean

/** Does the value keep within all of these? */
export const within = (limits: ReadonlyArray<Limit>, value: Schema.Json): boolean =>
  limits.every((limit) => keeping(limit)(value))

const keeping = memoize(({ keyword, value: bound }: Limit): Keeps => {
  if (keyword === "format") {
    return (value) => typeof value !== "string" || typeof bound !== "string" || isOfFormat(bound, value)
  }
  const rule = ruleOf(keyword, bound)
  return (value) => rule?.(value) === undefined
})
