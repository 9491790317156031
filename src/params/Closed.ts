/** Closes a JSON Schema: every object in it refuses keys that it does not name. */
import type { Schema } from "effect"
import { isRecord } from "../codec/index.ts"

/** Keywords that hold one schema. */
const one = [
  "items",
  "additionalItems",
  "unevaluatedItems",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "additionalProperties",
  "unevaluatedProperties"
]
/** Keywords that hold a list of schemas. */
const several = ["anyOf", "oneOf", "allOf", "prefixItems", "items"]
/** Keywords that hold schemas by name. */
const named = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]

/**
 * The schema with `additionalProperties: false` on every object that says nothing of other keys, at any depth. What is
 * said already stays: `additionalProperties: true` is an answer. Anthropic asks this of `output_config.format`
 * (https://docs.claude.com/en/docs/build-with-claude/structured-outputs).
 *
 * @example `closed({ type: ["object", "null"] })  // => { type: ["object", "null"], additionalProperties: false }`
 */
export const closed = (schema: Schema.Json): Schema.Json => {
  if (!isRecord(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, child]) => [key, within(key, child as Schema.Json)])
  )
  return isOpen(schema) ? { ...inner, additionalProperties: false } : inner
}

const within = (key: string, child: Schema.Json): Schema.Json => {
  if (several.includes(key) && Array.isArray(child)) return child.map(closed)
  if (one.includes(key)) return closed(child)
  if (!named.includes(key) || !isRecord(child)) return child
  return Object.fromEntries(Object.entries(child).map(([name, schema]) => [name, closed(schema as Schema.Json)]))
}

const isOpen = (schema: { readonly [key: string]: unknown }): boolean => {
  if (Object.hasOwn(schema, "additionalProperties")) return false
  const { properties, type } = schema
  return type === "object" || Array.isArray(type) && type.includes("object") ||
    type === undefined && isRecord(properties)
}
