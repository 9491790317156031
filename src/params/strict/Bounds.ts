/** Checks the bounds that a schema sets beyond the kind of a value. What it cannot check counts as kept. */
import type { Schema } from "effect"
import { ruleOf } from "../Keywords.ts"
import { isOfFormat } from "./Formats.ts"
import type { Limit } from "./Node.ts"

type Keeps = (value: Schema.Json) => boolean

/** Does the value keep within all of these? */
export const within = (limits: ReadonlyArray<Limit>, value: Schema.Json): boolean =>
  limits.every((limit) => keeping(limit)(value))

const known = new WeakMap<Limit, Keeps>()

const keeping = (limit: Limit): Keeps => {
  const before = known.get(limit)
  if (before !== undefined) return before
  const keeps = made(limit)
  known.set(limit, keeps)
  return keeps
}

const made = ({ keyword, value: bound }: Limit): Keeps => {
  if (keyword === "format") {
    return (value) => typeof value !== "string" || typeof bound !== "string" || isOfFormat(bound, value)
  }
  const rule = ruleOf(keyword, bound)
  return (value) => rule?.(value) === undefined
}
