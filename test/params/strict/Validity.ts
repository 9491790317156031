/** Asks ajv what a schema is worth: whether it is one, and which values it takes. */
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Schema } from "effect"
import { isRecord } from "../../../src/codec/index.ts"

type Json = Schema.Json

const options = { strict: false, ownProperties: true, addUsedSchema: false } as const
const makers = { "2020-12": () => new Ajv2020(options), "07": () => new Ajv(options) }
const made = new Map<keyof typeof makers, { readonly ajv: Ajv | Ajv2020; left: number }>()

const ajvFor = (schema: Json): Ajv | Ajv2020 => {
  const draft = isRecord(schema) && typeof schema.$schema === "string" && schema.$schema.includes("draft-07")
    ? "07"
    : "2020-12"
  const before = made.get(draft)
  if (before !== undefined && before.left-- > 0) return before.ajv
  // It keeps all that it has compiled: after a while, another one takes its place.
  const ajv = makers[draft]()
  addFormats.default(ajv)
  made.set(draft, { ajv, left: 300 })
  return ajv
}

let count = 0

const asSchema = (schema: Json) => isRecord(schema) ? schema : schema === true

/** Is it a valid schema? The reason why not, or nothing. */
export const fault = (schema: Json): string | undefined => {
  const ajv = ajvFor(schema)
  return ajv.validateSchema(asSchema(schema)) === true ? undefined : ajv.errorsText(ajv.errors)
}

/** Which values it takes: the reason why it does not take one, or nothing. */
export const validator = (schema: Json): (value: Json) => string | undefined => {
  const ajv = ajvFor(schema)
  // Of several schemas without a name, ajv takes "#" in one for another.
  const named = isRecord(schema) ? { ...schema, $id: `urn:schema:${count++}` } : schema === true
  const validate = ajv.compile(named)
  return (value) => validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** Gemini's words as JSON Schema. Closed, an object has the properties that it names, and no others. */
export const fromGemini = (schema: Json, closed: boolean): Json => {
  if (!isRecord(schema)) return schema
  const { anyOf, items, nullable, properties, type, ...rest } = schema as Schema.JsonObject
  const named = isRecord(properties) ? Object.entries(properties as Schema.JsonObject) : undefined
  const inner: Json = {
    ...typeof type === "string" ? { type: type.toLowerCase() } : {},
    ...Array.isArray(anyOf) ? { anyOf: anyOf.map((member: Json) => fromGemini(member, closed)) } : {},
    ...items === undefined ? {} : { items: fromGemini(items, closed) },
    ...named === undefined
      ? {}
      : { properties: Object.fromEntries(named.map(([name, child]) => [name, fromGemini(child, closed)])) },
    ...named === undefined || !closed ? {} : { additionalProperties: false },
    ...rest
  }
  return nullable === true ? { anyOf: [inner, { type: "null" }] } : inner
}
