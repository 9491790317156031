/** The keywords of JSON Schema, by what they speak of. */
import type { Scalar } from "./Node.ts"

/** What a value may be, by JSON Schema's own words. */
export type Kind = Scalar | "array" | "object"

export const kinds: ReadonlyArray<Kind> = ["string", "number", "integer", "boolean", "array", "object", "null"]

const number = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"]

/** Keywords that bound values of a kind, and are kept as they are read. */
export const bounds: { readonly [K in Kind]: ReadonlyArray<string> } = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number,
  integer: number,
  boolean: [],
  null: [],
  array: ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: ["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "propertyNames"]
}

/** Keywords that bound values of any kind. `then` and `else` go with `if`. */
export const anyBounds: ReadonlyArray<string> = ["not", "if"]

/** Keywords that say what a value of a kind is made of. */
export const makings: { readonly [K in Kind]?: ReadonlyArray<string> } = {
  array: ["items", "prefixItems", "additionalItems", "unevaluatedItems"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "unevaluatedProperties"]
}

export const unions = ["anyOf", "oneOf"] as const

/** Keywords that make a member of a union more than a condition on what stands beside it. */
export const structural: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "$ref",
  "properties",
  "items",
  "prefixItems",
  "allOf",
  ...unions
])

/** Keywords that say nothing of values. A default belongs to the property, not to its schema. */
const silent = ["title", "description", "examples", "example", "deprecated", "nullable"]

/** Keywords that narrow what a value may be. */
export const narrowing: ReadonlySet<string> = new Set([
  ...structural,
  ...Object.values(bounds).flat(),
  ...Object.values(makings).flat(),
  ...anyBounds
])

/** Keywords that a schema beside a `$ref` may say something with. */
export const speaking: ReadonlySet<string> = new Set([...narrowing, ...silent])
