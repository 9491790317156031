/** Sorts the bounds of a schema into those that an API takes and those that can only be told to the model. */
import type { Schema } from "effect"
import type { Limit } from "./Node.ts"
import type { Rules } from "./Rules.ts"
import type { Shape } from "./Shape.ts"
import type { Kind } from "./Words.ts"

type Json = Schema.Json

/** What goes without saying: it is lost, but needs no words. */
const idle: { readonly [keyword: string]: Json } = {
  minLength: 1,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER
}

export const isIdle = (keyword: string, value: Json): boolean => idle[keyword] === value

export const boundsOf = (
  { form, node: { about, body, pointer } }: Shape,
  rules: Rules
): { readonly kept: ReadonlyArray<Limit>; readonly told: ReadonlyArray<Limit> } => {
  const kind = kindOf(body)
  // What is written otherwise is bounded otherwise.
  const taken = kind === undefined || form.kind === "entries" || form.kind === "text" ? {} : rules.limits[kind] ?? {}
  const limits = body.kind === "list" && body.rest === undefined
    ? shortest([...about.limits, { keyword: "maxItems", value: body.prefix.length, pointer }])
    : about.limits
  const kept = new Map<string, Limit>()
  const told: Array<Limit> = []
  for (const limit of kind === undefined ? limits : rules.restate(kind, limits)) {
    const fits = taken[limit.keyword]?.(limit.value) === true && !kept.has(limit.keyword)
    if (fits) kept.set(limit.keyword, limit)
    else told.push(limit)
  }
  return { kept: [...kept.values()], told }
}

const kindOf = (body: Shape["node"]["body"]): Kind | undefined =>
  body.kind === "scalar" || body.kind === "literals"
    ? body.type
    : body.kind === "list"
    ? "array"
    : body.kind === "object"
    ? "object"
    : undefined

/** Of several bounds on the length of a list, the shortest. */
const shortest = (limits: ReadonlyArray<Limit>): ReadonlyArray<Limit> => {
  const lengths = limits.filter(({ keyword }) => keyword === "maxItems")
  const least = Math.min(...lengths.map(({ value }) => Number(value)))
  const first = lengths.find(({ value }) => value === least)
  return limits.filter((limit) => limit.keyword !== "maxItems" || limit === first)
}
