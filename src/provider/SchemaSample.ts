/** Makes a small value that a JSON Schema describes. */
import type { Schema } from "effect"
import { isRecord } from "../codec/index.ts"

/**
 * A value with the required properties, the first of the choices, and `text` for every string.
 *
 * @example `sampleOf({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }, "hi")  // => { city: "hi" }`
 */
export const sampleOf = (schema: Schema.Json, text: string): Schema.Json => new Sampler(schema, text).sample(schema, 0)

class Sampler {
  readonly root: Schema.Json
  readonly text: string
  constructor(root: Schema.Json, text: string) {
    this.root = root
    this.text = text
  }

  sample(schema: unknown, depth: number): Schema.Json {
    // A schema may contain itself.
    if (!isRecord(schema) || depth > 20) return null
    const { $ref: ref, anyOf, const: constant, enum: choices, oneOf, type } = schema
    if (constant !== undefined) return constant as Schema.Json
    if (Array.isArray(choices)) return choices[0] ?? null
    if (typeof ref === "string") return this.sample(this.resolve(ref), depth + 1)
    if (Array.isArray(anyOf)) return this.sample(anyOf[0], depth + 1)
    if (Array.isArray(oneOf)) return this.sample(oneOf[0], depth + 1)
    switch (Array.isArray(type) ? type[0] : type ?? (schema.properties === undefined ? undefined : "object")) {
      case "string":
        return this.text
      case "number":
      case "integer":
        return typeof schema.minimum === "number" ? schema.minimum : 0
      case "boolean":
        return true
      case "array":
        return typeof schema.minItems === "number" && schema.minItems > 0 ? [this.sample(schema.items, depth + 1)] : []
      case "null":
        return null
      default:
        return this.properties(schema, depth)
    }
  }

  properties({ properties, required }: Readonly<Record<string, unknown>>, depth: number): Schema.Json {
    const known = isRecord(properties) ? properties : {}
    const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
    return Object.fromEntries(names.map((name) => [name, this.sample(known[name], depth + 1)]))
  }

  /** What a JSON Pointer within the schema names: `#/$defs/City`. */
  resolve(ref: string): unknown {
    return ref.split("/").slice(1).reduce<unknown>(
      (node, key) => isRecord(node) ? node[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
      this.root
    )
  }
}
