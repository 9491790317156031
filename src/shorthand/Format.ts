/** Reads the form that an answer shall have. */
import { Schema } from "effect"
import * as Request from "../canonical/Request.ts"
import { isRecord } from "../codec/index.ts"
import type { Others } from "./Content.ts"
import { expected, oneOf } from "./Expected.ts"
import { type Fields, type Form, record, schema, shortest, within } from "./Form.ts"
import * as JsonSchema from "./JsonSchema.ts"
import { struct, tagged, unmodelled } from "./Struct.ts"

interface Named {
  readonly name?: string | null
  readonly description?: string | null
  readonly strict?: boolean | null
}
export type ResponseFormat =
  | "text"
  | "json"
  | "json_object"
  | Schema.Constraint
  | Request.ResponseFormat
  | { readonly type: "text" | "json" | "json_object" } & Others
  | { readonly type?: "json_schema"; readonly schema: JsonSchema.JsonSchema } & Named & Others
  | { readonly type: "json_schema"; readonly json_schema: Named & { readonly schema?: JsonSchema.JsonSchema } & Others }
    & Others

const kinds = tagged<Request.ResponseFormat>({
  text: struct(Request.PlainText, "a response format"),
  json: struct(Request.JsonObject, "a response format"),
  "json-schema": struct(Request.JsonSchema, "a JSON Schema format", { forms: { schema: JsonSchema.form } }),
  unmodelled
})

const types: { readonly [type: string]: Request.ResponseFormat["type"] } = {
  text: "text",
  json: "json",
  json_object: "json",
  json_schema: "json-schema",
  "json-schema": "json-schema",
  unmodelled: "unmodelled"
}
const what = "\"text\", \"json\", { name, schema } or an Effect Schema"

const read = (value: unknown): Request.ResponseFormat => {
  if (Schema.isSchema(value)) return named({ schema: value })
  if (value === "text") return { type: "text" }
  if (value === "json" || value === "json_object") return { type: "json" }
  const object = record(
    value,
    what,
    value === "json_schema" ? "a JSON Schema format holds its schema: { name, schema }" : undefined
  )
  const { type = Object.hasOwn(object, "schema") ? "json_schema" : undefined } = object
  if (type === undefined) throw expected(what, object)
  if (typeof type !== "string" || !Object.hasOwn(types, type)) {
    throw within("type", () => expected(oneOf(Object.keys(types).slice(0, -1)), type))
  }
  return type === "json_schema" ? named(flat(object)) : kinds.read(types[type]!, object)
}

/** The nested form flattened; what stands outside wins. */
const flat = (object: Fields): Fields => {
  const { json_schema: nested, ...rest } = object
  return isRecord(nested) ? { ...nested, ...rest } : object
}

/** APIs want a name: the written one, the schema's own, or one that says nothing. */
const named = (object: Fields): Request.ResponseFormat => {
  const name = object.name ?? (Schema.isSchema(object.schema) ? JsonSchema.nameOf(object.schema) : undefined) ?? anyName
  return kinds.read("json-schema", { ...object, name })
}
const anyName = "response"

const write = (format: Request.ResponseFormat): unknown => {
  const own = kinds.spellings(format)
  if (format.type === "text" || format.type === "json") return shortest(format, read, [format.type, ...own])
  const unnamed = format.type === "json-schema" && format.name === anyName
    ? own.map(({ name: _, ...rest }) => rest)
    : []
  return shortest(format, read, [...unnamed, ...own])
}

export const form: Form<Request.ResponseFormat> = { read, write }

/** The formats that come back whole: those whose schema is a JSON Schema. */
export const carries = Schema.Union([
  ...Request.ResponseFormat.members.filter((member) => member !== Request.JsonSchema),
  Schema.Struct({ ...Request.JsonSchema.fields, schema: JsonSchema.carries })
])

/**
 * The form of an answer: `"text"`, `"json"`, an Effect Schema, `{ name?, schema, strict?, description? }`, or either API's
 * object, nested or flat. A schema without a name is called by its identifier, or `response`. Fails where a schema is missing.
 *
 * @example `decode(Schema.Struct({ city: Schema.String }))`
 */
export const ResponseFormat: Schema.Codec<Request.ResponseFormat, ResponseFormat> = schema<ResponseFormat>()(
  Request.ResponseFormat,
  form,
  carries
)
