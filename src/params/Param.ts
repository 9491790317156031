/** The parameters of a tool as plain data: what each is called, what it holds, whether it must be there. */
import { Schema } from "effect"
import { isRecord } from "../codec/index.ts"

const optional = Schema.optionalKey

/** Types whose values have no parts. */
export const Scalar = Schema.Literals(["string", "integer", "number", "boolean"])
export type Scalar = typeof Scalar.Type

/**
 * What a value may be. `union` is several scalars; `schema` a JSON Schema that is kept as it stands, for what no other
 * type says (`anyOf`, `const` without a type, an array of objects of any keys).
 */
export const TypeName = Schema.Literals([...Scalar.literals, "array", "object", "union", "schema"])
export type TypeName = typeof TypeName.Type

/** A JSON Schema that is an object. */
export const JsonSchema = Schema.Record(Schema.String, Schema.Json)
export type JsonSchema = typeof JsonSchema.Type

/**
 * What a value is: its type, and what else is said of it.
 *
 * - `nullable`: `null` is as good, whatever else is said.
 * - `items`: what an array holds; without it the array is bare.
 * - `properties`: what an object holds; without them it is bare, and has any keys. `additionalProperties`: `true` where
 *   other keys are as good, or what each of them holds; an object that names its properties is closed without it.
 * - `types`: the scalars of a `union`. `schema`: the JSON Schema of a `schema`, which says all there is to say.
 * - `keywords`: the other keywords of JSON Schema, such as `minLength`, as they stand.
 */
export interface Type {
  readonly type: TypeName
  readonly description?: string
  readonly nullable?: true
  readonly enum?: ReadonlyArray<Schema.Json>
  readonly default?: Schema.Json
  readonly items?: Type
  readonly properties?: ReadonlyArray<Param>
  readonly additionalProperties?: true | JsonSchema
  readonly types?: ReadonlyArray<Scalar>
  readonly schema?: JsonSchema
  readonly keywords?: JsonSchema
}

/** One parameter: a type with a name. */
export interface Param extends Type {
  readonly name: string
  readonly required: boolean
}

/** All parameters of a tool: an object that names its properties. */
export interface Params extends Type {
  readonly type: "object"
  readonly properties: ReadonlyArray<Param>
}

// what does not go together -----------------------------------------------------------------------------------------

const one = (path: PropertyKey, issue: string): Schema.FilterIssue => ({ path: [path], issue })

/** Keywords that a type has a field for. */
const reserved = ({ items, keywords, properties, type }: Type): ReadonlyArray<string> => [
  "type",
  "description",
  "enum",
  "default",
  // A tuple, and what says nothing of the items, is a keyword like any other.
  ...(type === "array" && (items !== undefined || saysSome(keywords?.items)) ? ["items"] : []),
  ...(type === "object" ? ["properties", "additionalProperties"] : []),
  ...(type === "object" && properties !== undefined ? ["required"] : [])
]

const saysSome = (items: unknown): boolean => isRecord(items) && Object.keys(items).length > 0

/** The type that a field belongs to. */
const owners = {
  items: "array",
  properties: "object",
  additionalProperties: "object",
  types: "union",
  schema: "schema"
} as const
const besideSchema = ["description", "nullable", "enum", "default", "keywords"] as const

/** Is it an object, of whose keys nothing is said? */
export const isBareObject = ({ additionalProperties, properties, type }: Type): boolean =>
  type === "object" && properties === undefined && additionalProperties === undefined

/** The first thing about a type that makes no sense. */
const senseless = (value: Type): Schema.FilterIssue | undefined => {
  const { enum: values, items, keywords = {}, properties, schema, type, types } = value
  if (items !== undefined && properties !== undefined) return one("properties", "cannot use both items and properties")
  for (const [field, owner] of Object.entries(owners)) {
    if (Object.hasOwn(value, field) && type !== owner) {
      return one(field, `${field} can only be used with type ${owner}, got ${type}`)
    }
  }
  if (items !== undefined && isBareObject(items)) {
    return one("items", "items must name the properties of their objects, got a bare object")
  }
  if (type === "array" && values !== undefined && !values.some(Array.isArray)) {
    return one("enum", "the enum of an array lists whole arrays: what lists its members belongs to its items")
  }
  if (type === "union" && (types === undefined || types.length < 2 || new Set(types).size < types.length)) {
    return one("types", "a union has at least two types, each once")
  }
  if (type === "schema") {
    const beside = besideSchema.find((field) => Object.hasOwn(value, field))
    if (schema === undefined) return one("schema", "a param of type schema needs its schema")
    if (beside !== undefined) return one(beside, `${beside} of a schema is written in the schema`)
  }
  const said = reserved(value).find((keyword) => Object.hasOwn(keywords, keyword))
  return said === undefined ? undefined : one("keywords", `${said} is no other keyword of type ${type}`)
}

const sound = Schema.makeFilter(senseless)

const unnamed = Schema.makeFilter((params: ReadonlyArray<Param>): Schema.FilterIssue | undefined => {
  const names = new Set<string>()
  for (const [index, { name }] of params.entries()) {
    if (names.has(name)) return one(index, `there is another param of the name ${JSON.stringify(name)}`)
    names.add(name)
  }
  return undefined
})

// schemas -----------------------------------------------------------------------------------------------------------

const described = {
  description: optional(Schema.String),
  enum: optional(Schema.Array(Schema.Json)),
  default: optional(Schema.Json),
  additionalProperties: optional(Schema.Union([Schema.Literal(true), JsonSchema])),
  keywords: optional(JsonSchema)
}
const Properties = Schema.Array(Schema.suspend((): Schema.Codec<Param> => Param)).check(unnamed)
const fields = {
  ...described,
  type: TypeName,
  nullable: optional(Schema.Literal(true)),
  items: optional(Schema.suspend((): Schema.Codec<Type> => Type)),
  properties: optional(Properties),
  types: optional(Schema.Array(Scalar)),
  schema: optional(JsonSchema)
}

/** What a value is. Fails where what is said does not go together, such as `items` of a string. */
export const Type: Schema.Codec<Type> = Schema.Struct(fields).check(sound)

/** One parameter. */
export const Param: Schema.Codec<Param> = Schema.Struct({ name: Schema.String, required: Schema.Boolean, ...fields })
  .check(sound)

/**
 * All parameters of a tool, as data.
 *
 * @example
 * ```ts
 * const weather: Params.Params = Params.make([
 *   { name: "city", type: "string", required: true, description: "Where" },
 *   { name: "days", type: "integer", required: false, default: 3, keywords: { minimum: 1 } }
 * ])
 * ```
 */
export const Params: Schema.Codec<Params> = Schema.Struct({
  ...described,
  type: Schema.Literal("object"),
  properties: Properties
}).check(sound)

/** The parameters in a list, with nothing else said of them: other keys are refused. */
export const make = <const P extends ReadonlyArray<Param>>(
  properties: P
): { readonly type: "object"; readonly properties: P } => ({ type: "object", properties })
