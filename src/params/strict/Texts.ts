/** Writes listed values as text, for an API that lists nothing else. */
import type { Schema } from "effect"

type Json = Schema.Json

/**
 * Each value with a text of its own that is not empty: a string is its own, where no other value needs that; anything
 * else is its JSON. Nothing where two would have the same.
 *
 * @example `textsOf([60, "60", ""])  // => [[60, "60"], ["60", "\"60\""], ["", "\"\""]]`
 */
export const textsOf = (values: ReadonlyArray<Json>): ReadonlyArray<readonly [Json, string]> | undefined => {
  const taken = new Set(
    values.filter((value) => typeof value !== "string" || value === "").map((value) => JSON.stringify(value))
  )
  const texts = values.map((value): readonly [Json, string] => [
    value,
    typeof value === "string" && value !== "" && !taken.has(value) ? value : JSON.stringify(value)
  ])
  return new Set(texts.map(([, text]) => text)).size === texts.length ? texts : undefined
}
