/** Puts JSON Schema into the words of Gemini's Schema (https://ai.google.dev/api/caching#Schema). */
import type { Schema } from "effect"
import { isObject } from "./Pointer.ts"

type Json = Schema.Json
type Written = Schema.JsonObject

/**
 * A schema without references, in Gemini's words.
 *
 * @example `inGeminiWords({ anyOf: [{ type: "string" }, { type: "null" }] })  // => { type: "STRING", nullable: true }`
 */
export const inGeminiWords = (schema: Written): Written => {
  const { additionalProperties: _, anyOf, items, properties, required, type, ...rest } = schema
  if (Array.isArray(anyOf)) return { ...union(anyOf.filter((member) => isObject(member))), ...rest }
  const named = isObject(properties) ? Object.entries(properties) : []
  return {
    ...typeof type === "string" ? { type: type.toUpperCase() } : {},
    ...named.length === 0 ? {} : { properties: Object.fromEntries(named.map(([name, child]) => [name, inner(child)])) },
    ...Array.isArray(required) && required.length > 0 ? { required } : {},
    ...items === undefined ? {} : { items: inner(items) },
    ...rest
  }
}

const inner = (schema: Json): Json => isObject(schema) ? inGeminiWords(schema) : schema

/** `null` is no member of a union but a mark on it. */
const union = (members: ReadonlyArray<Written>): Written => {
  const others = members.filter(({ type }) => type !== "null").map(inGeminiWords)
  const nullable = others.length < members.length ? { nullable: true } : {}
  const [first] = others
  if (first === undefined) return { type: "NULL" }
  return others.length === 1 ? { ...first, ...nullable } : { anyOf: others, ...nullable }
}
