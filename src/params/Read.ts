/** Reads JSON Schema as parameters, and refuses with a path what they cannot say. */
import type { Schema } from "effect"
import { within } from "../codec/Codec.ts"
import { isRecord, refuse } from "../codec/index.ts"
import { beside, isGeneral } from "./Null.ts"
import { isBareObject, type JsonSchema, type Param, type Params, Scalar, type Type, TypeName } from "./Param.ts"

/** Strict schemas name all there is: every key is required and no other is there. */
export interface Mode {
  readonly strict: boolean
}

/** The parameters that an object schema describes. */
export const readParams = (schema: JsonSchema, mode: Mode): Params => {
  if (schema.type !== "object") {
    throw within("type", () => refuse(`Expected parameters of type object, got ${shown(schema.type)}`))
  }
  // Even a bare object is one of no parameters, which takes any others.
  const { properties = [], ...object } = readTyped(mode.strict ? schema : { properties: {}, ...schema }, mode)
  return { ...object, type: "object", properties }
}

/** What a schema says of a value. */
export const readType = (schema: unknown, mode: Mode): Type => {
  if (!isRecord(schema)) throw refuse(`Expected a JSON Schema that is an object, got ${shown(schema)}`)
  const other = beside(schema)
  if (other === undefined) return readTyped(schema as JsonSchema, mode)
  const { index, schema: inner } = other
  const type = within("anyOf", () => within(index, () => readTyped(inner as JsonSchema, mode)))
  return { ...type, nullable: true }
}

/** Keywords that describe a value without its type. */
const choices = ["anyOf", "oneOf", "allOf", "enum", "const"]

const readTyped = (schema: JsonSchema, mode: Mode): Type => {
  const { type } = schema
  if (type === undefined) {
    if (choices.some((keyword) => Object.hasOwn(schema, keyword))) return verbatim(schema, mode)
    throw refuse(`Expected a JSON Schema with a type, got ${shown(schema)}`)
  }
  const names = within("type", () => readNames(type))
  const own = names.filter((name) => name !== "null")
  const isNullable = own.length < names.length
  const isUnion = own.length > 1
  if (isUnion && !own.every(isScalar)) return verbatim(schema, mode)
  const { enum: values, ...rest } = schema
  if (isNullable && isGeneral(rest)) return verbatim(schema, mode)
  const some = isNullable && Array.isArray(values)
    ? { ...schema, enum: values.filter((value) => value !== null) }
    : schema
  return {
    // An enum without null lets no null through, whatever the types say.
    ...(isNullable && (!Array.isArray(values) || values.includes(null)) ? { nullable: true } : {}),
    ...(isUnion
      ? { type: "union", types: own.filter(isScalar), ...readOther(some, [], mode) }
      : own[0] === "array"
      ? readArray(some, mode)
      : own[0] === "object"
      ? readObject(some, mode)
      : { type: own[0]!, ...readOther(some, [], mode) })
  }
}

type Name = Exclude<TypeName, "union" | "schema">
const isScalar = (name: unknown): name is Scalar => (Scalar.literals as ReadonlyArray<unknown>).includes(name)
const isName = (name: unknown): name is Name => isScalar(name) || name === "array" || name === "object"

const readNames = (type: Schema.Json): ReadonlyArray<Name | "null"> => {
  const names: ReadonlyArray<Schema.Json> = isList(type) ? [...new Set(type)] : [type]
  const known = names.filter((name): name is Name | "null" => isName(name) || name === "null" && isList(type))
  if (known.length === names.length && known.some(isName)) return known
  const expected = TypeName.literals.filter(isName).join(", ")
  throw refuse(`Unsupported JSON Schema type: ${shown(type)} (known are ${expected})`)
}
const isList = (value: unknown): value is ReadonlyArray<Schema.Json> => Array.isArray(value)

/** What no type says is kept as it stands. It may hold anything, so it cannot be held to be strict. */
const verbatim = (schema: JsonSchema, { strict }: Mode): Type => {
  if (strict) throw refuse(`Expected a strict schema with one type, got ${shown(schema)}`)
  return { type: "schema", schema }
}

const readArray = (schema: JsonSchema, mode: Mode): Type => {
  const { items } = schema
  // A tuple and `true` are kept as they stand, as is a schema that says nothing.
  const isOne = isRecord(items) && Object.keys(items).length > 0
  if (!isOne && mode.strict) throw refuse("Expected items of one type for an array in a strict schema")
  return {
    type: "array",
    ...readOther(schema, isOne ? ["items"] : [], mode),
    ...(isOne ? { items: within("items", () => readItem(items, mode)) } : {})
  }
}

/** An array of objects of any keys is kept as it stands: as data it would be a slip. */
const readItem = (items: { readonly [key: string]: unknown }, mode: Mode): Type => {
  const type = readType(items, mode)
  return isBareObject(type) ? { type: "schema", schema: items as JsonSchema } : type
}

const readObject = (schema: JsonSchema, mode: Mode): Type => {
  const { additionalProperties: others, properties } = schema
  if (others !== undefined && typeof others !== "boolean" && !isRecord(others)) {
    throw within("additionalProperties", () => refuse(`Expected a JSON Schema or a boolean, got ${shown(others)}`))
  }
  if (mode.strict && others !== false) {
    throw within("additionalProperties", () => refuse(`Expected false in a strict schema, got ${shown(others)}`))
  }
  if (mode.strict && properties === undefined) throw refuse("Expected properties for an object in a strict schema")
  const isBare = properties === undefined && others !== false
  const held = isRecord(others) ? { additionalProperties: others as JsonSchema } : {}
  if (isBare) return { type: "object", ...readOther(schema, ["additionalProperties"], mode), ...held }
  return {
    type: "object",
    ...readOther(schema, ["additionalProperties", "properties", "required"], mode),
    ...(others === undefined || others === true ? { additionalProperties: true } : held),
    properties: readProperties(properties ?? {}, schema.required ?? [], mode)
  }
}

const readProperties = (properties: Schema.Json, required: Schema.Json, mode: Mode): ReadonlyArray<Param> => {
  if (!isRecord(properties)) {
    throw within("properties", () => refuse(`Expected JSON Schemas by name, got ${shown(properties)}`))
  }
  if (!isList(required)) throw within("required", () => refuse(`Expected a list of names, got ${shown(required)}`))
  for (const [index, name] of required.entries()) {
    if (typeof name === "string" && Object.hasOwn(properties, name)) continue
    throw within("required", () => within(index, () => refuse(`Expected the name of a property, got ${shown(name)}`)))
  }
  const names = new Set(required)
  const missing = mode.strict ? Object.keys(properties).find((name) => !names.has(name)) : undefined
  if (missing !== undefined) {
    throw within("required", () => refuse(`Expected every property in a strict schema, got none for ${shown(missing)}`))
  }
  return Object.entries(properties).map(([name, schema]) => {
    const { nullable, ...type } = within("properties", () => within(name, () => readType(schema, mode)))
    // In a strict schema what may be left out is null instead.
    if (mode.strict) return { name, required: nullable !== true, ...type }
    return { name, required: names.has(name), ...type, ...(nullable === true ? { nullable } : {}) }
  })
}

/** What is said besides the type and its parts. */
const readOther = (schema: JsonSchema, parts: ReadonlyArray<string>, { strict }: Mode): Omit<Type, "type"> => {
  const { description, enum: values } = schema
  if (description !== undefined && typeof description !== "string") {
    throw within("description", () => refuse(`Expected a text, got ${shown(description)}`))
  }
  if (values !== undefined && !isList(values)) {
    throw within("enum", () => refuse(`Expected a list of values, got ${shown(values)}`))
  }
  if (strict && Object.hasOwn(schema, "default")) {
    throw within("default", () => refuse("Expected no default in a strict schema"))
  }
  const taken = new Set(["type", "description", "enum", "default", ...parts])
  const keywords = Object.entries(schema).filter(([key]) => !taken.has(key))
  return {
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
    ...(Object.hasOwn(schema, "default") ? { default: schema.default! } : {}),
    ...(keywords.length === 0 ? {} : { keywords: Object.fromEntries(keywords) })
  }
}

/** The beginning of a value. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
