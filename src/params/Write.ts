/** Writes parameters as JSON Schema. */
import { within } from "../codec/Codec.ts"
import { refuse } from "../codec/index.ts"
import { isGeneral } from "./Null.ts"
import { isBareObject, type JsonSchema, type Param, type Type } from "./Param.ts"
import { type Mode, readType } from "./Read.ts"

/** Where a type stands, in the words of whoever calls the tool: `stops[].at`. */
type Where = string

/** The schema of a value, or of a value or `null`. */
export const write = (type: Type, mode: Mode, where: Where = "", orNull = false): JsonSchema => {
  if (type.type === "schema") return writeVerbatim(type, mode, where)
  const { default: fallback, description, enum: values, keywords = {} } = type
  const names = type.type === "union" ? type.types ?? [] : [type.type]
  const told = {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined || mode.strict ? {} : { default: fallback })
  }
  const held = { ...(values === undefined ? {} : { enum: values }), ...partsOf(type, mode, where), ...keywords }
  const isNullable = orNull || type.nullable === true
  if (isNullable && isGeneral(held)) return { anyOf: [{ type: only(names), ...held }, { type: "null" }], ...told }
  return { type: only(isNullable ? [...names, "null"] : names), ...told, ...held }
}

const only = (names: ReadonlyArray<string>): string | ReadonlyArray<string> => names.length === 1 ? names[0]! : names

const partsOf = (type: Type, mode: Mode, where: Where): JsonSchema =>
  type.type === "array" ? itemsOf(type, mode, where) : type.type === "object" ? propertiesOf(type, mode, where) : {}

const itemsOf = ({ items }: Type, mode: Mode, where: Where): JsonSchema => {
  if (items !== undefined) return { items: within("items", () => writeItem(items, mode, `${where}[]`)) }
  if (mode.strict) throw refuse(`Expected items for the array ${called(where)} in a strict schema`)
  return {}
}

/** What is kept as it stands may be a bare object there, and nowhere else. */
const writeItem = (items: Type, mode: Mode, where: Where): JsonSchema =>
  items.schema !== undefined && !mode.strict && isBareObject(readType(items.schema, mode))
    ? items.schema
    : write(items, mode, where)

const propertiesOf = (object: Type, mode: Mode, where: Where): JsonSchema => {
  const { additionalProperties: others, properties } = object
  const { strict } = mode
  if (strict && properties === undefined) {
    throw refuse(`Expected properties for the object ${called(where)} in a strict schema`)
  }
  if (strict && others !== undefined && others !== true) {
    throw within(
      "additionalProperties",
      () => refuse(`Expected no additionalProperties for the object ${called(where)} in a strict schema`)
    )
  }
  const held = others === undefined || others === true ? {} : { additionalProperties: others }
  if (properties === undefined) return held
  return {
    properties: within("properties", () =>
      Object.fromEntries(properties.map((param, index) => [
        param.name,
        within(index, () => write(param, mode, inside(where, param), strict && !param.required))
      ]))),
    required: properties.filter(({ required }) => strict || required).map(({ name }) => name),
    ...(others === undefined || strict ? { additionalProperties: false } : held)
  }
}

const inside = (where: Where, { name }: Param): Where => where === "" ? name : `${where}.${name}`
const called = (where: Where): string => where === "" ? "of all parameters" : JSON.stringify(where)

const writeVerbatim = ({ schema = {} }: Type, mode: Mode, where: Where): JsonSchema => {
  if (mode.strict) {
    throw within("schema", () => refuse(`Expected one type for ${called(where)} in a strict schema, got a schema`))
  }
  const { type } = within("schema", () => readType(schema, mode))
  if (type !== "schema") {
    throw within(
      "schema",
      () => refuse(`Expected a schema that no type says, got one that a param of type ${type} says`)
    )
  }
  return schema
}
