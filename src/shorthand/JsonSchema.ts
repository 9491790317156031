/** Derives the JSON Schema of an Effect Schema, once for each. */
import { Schema, SchemaAST } from "effect"
import { isRecord } from "../codec/index.ts"
import { expected } from "./Expected.ts"
import { type Form, plain } from "./Form.ts"

/** A JSON Schema, or an Effect Schema that it is derived from. */
export type JsonSchema = { readonly [key: string]: unknown } | Schema.Constraint

const json = plain(Schema.Json)

const derived = new WeakMap<SchemaAST.AST, Schema.Json>()

const derive = (schema: Schema.Constraint): Schema.Json => {
  const known = derived.get(schema.ast)
  if (known !== undefined) return known
  const document = json.read(whole(Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })))
  derived.set(schema.ast, document)
  return document
}

interface Document {
  readonly schema: { readonly [key: string]: unknown }
  readonly definitions: { readonly [name: string]: { readonly [key: string]: unknown } }
}

/** One schema with its definitions. APIs want a type at the root: one that only refers to a definition becomes it. */
const whole = ({ definitions, schema: { $ref, ...rest } }: Document): unknown => {
  const name = typeof $ref === "string" ? nameIn($ref) : undefined
  const root = name === undefined ? rest : { ...definitions[name], ...rest }
  const others = Object.entries(definitions).filter(([key]) => key !== name)
  const isUsed = JSON.stringify([root, others]).includes(JSON.stringify($ref ?? null))
  const needed = isUsed ? definitions : Object.fromEntries(others)
  const typed = isNoFields(root) ? { type: "object", properties: {}, additionalProperties: false } : root
  return Object.keys(needed).length === 0 ? typed : { ...typed, $defs: needed }
}

/** What an Effect struct without fields becomes: anything but nothing. */
const isNoFields = ({ not }: { readonly [key: string]: unknown }): boolean => isRecord(not) && not.type === "null"

/** The name in `#/$defs/My%20Place`. */
const nameIn = ($ref: string): string =>
  decodeURIComponent($ref.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~")

/** The values that come back whole. */
export const carries = Schema.NullOr(Schema.Record(Schema.String, Schema.Json))

/** Reads either kind of schema as JSON Schema; writes JSON Schema. */
export const form: Form<Schema.Json> = {
  read: (value) => {
    if (Schema.isSchema(value)) return derive(value)
    if (value === null || isRecord(value)) return json.read(value)
    throw expected("a JSON Schema or an Effect Schema", value)
  },
  write: (schema) => schema
}

/** The name a schema was given, in the letters that APIs take. */
export const nameOf = (schema: Schema.Constraint): string | undefined => {
  const name = SchemaAST.resolveIdentifier(schema.ast)
  return name === undefined ? undefined : name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64)
}
