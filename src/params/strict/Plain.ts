/** Sends a schema as it is, mended only where an API refuses it though nothing is strict. */
import type { Schema } from "effect"
import type { Fitted, SchemaLoss } from "../Fitted.ts"
import { apply } from "./Apply.ts"
import { written } from "./Emit.ts"
import { shortened } from "./Fold.ts"
import type { Node } from "./Node.ts"
import { isObject } from "./Pointer.ts"
import { rootOf } from "./Root.ts"
import { plain } from "./Rules.ts"
import { shaped } from "./Shaping.ts"
import { undo } from "./Undo.ts"
import { kinds, unions } from "./Words.ts"

type Json = Schema.Json

/** What no API takes beside a tool's `type: "object"`. */
const refused = [...unions, "allOf", "enum", "const", "not", "$ref"]

/** The schema without strictness. */
export const plainly = (schema: Json, read: Node): Fitted => {
  const root = rootOf(read)
  const { losses, root: shape } = shaped(root, plain)
  const values = { strict: false, apply: (args: Json) => apply(shape, args), undo: (args: Json) => undo(shape, args) }
  if (schema === true) return { ...values, schema: { type: "object" }, losses: [] }
  if (!root.wrapped && isObject(schema) && isCurrent(schema)) {
    const said = refused.filter((keyword) => Object.hasOwn(schema, keyword))
    if (said.length === 0) {
      return { ...values, schema: schema.type === "object" ? schema : { ...schema, type: "object" }, losses: [] }
    }
    // Conditions on an object that is there in full are told in words.
    if (root.node === read && said.every((keyword) => conditions.has(keyword))) {
      return { ...values, ...inWords(schema, said) }
    }
  }
  return { ...values, schema: written(shape, "plain") ?? { type: "object" }, losses }
}

const conditions = new Set<string>([...unions, "not"])

const inWords = (
  schema: Schema.JsonObject,
  keywords: ReadonlyArray<string>
): { readonly schema: Json; readonly losses: ReadonlyArray<SchemaLoss> } => {
  const rest = Object.entries(schema).filter(([key]) => !keywords.includes(key) && key !== "description")
  const words = keywords.map((keyword) => `${keyword}: ${shortened(schema[keyword]!)}`)
  const description = [schema.description, words.join("; ")].filter((text) => typeof text === "string").join("\n")
  return {
    schema: { ...Object.fromEntries(rest), type: "object", description },
    losses: keywords.map((keyword) => ({ pointer: `/${keyword}`, why: `no API takes ${keyword} beside a tool's type` }))
  }
}

/** Is it written as JSON Schema is now, and not in an older draft's words, OpenAPI's or Gemini's? */
const isCurrent = (schema: Schema.JsonObject): boolean => {
  const todo: Array<Json> = [schema]
  const seen = new Set<Json>()
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (seen.has(node)) continue
    if (Array.isArray(node)) { for (const child of node) todo.push(child) }
    if (!isObject(node)) continue
    seen.add(node)
    if (isOld(node)) return false
    for (const [key, child] of Object.entries(node)) if (!values.has(key)) todo.push(child)
  }
  return true
}

/** Keywords that hold values, not schemas. */
const values = new Set(["default", "enum", "const", "examples", "example"])

/** Each mark counts only where it cannot be the name of a property, whose schema is an object or a boolean. */
const isOld = ({ exclusiveMaximum, exclusiveMinimum, items, nullable, type }: Schema.JsonObject): boolean => {
  const types: ReadonlyArray<Json> = Array.isArray(type) ? type : type === undefined || isObject(type) ? [] : [type]
  return nullable === true || exclusiveMinimum === true || exclusiveMaximum === true || Array.isArray(items) ||
    types.some((name) => typeof name !== "boolean" && !kinds.some((kind) => kind === name))
}
