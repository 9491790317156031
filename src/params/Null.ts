/**
 * The two spellings of "or null" in JSON Schema: `null` among the types, and `null` beside the schema.
 *
 * What is said beside the types holds for `null` too where it is not about one type (`enum`, `const`, `anyOf`, …). Only
 * the second spelling lets `null` off there.
 */
import { isRecord } from "../codec/index.ts"

type Fields = { readonly [key: string]: unknown }

/** Keywords that a `null` has to satisfy too. */
const general = ["enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "$ref", "$dynamicRef"]
/** Keywords that only tell of a value, and so stand beside a choice of schemas as well as in them. */
const telling = [
  "description",
  "default",
  "title",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment"
]

/** Is anything said that holds for values of every type? */
export const isGeneral = (keywords: Fields): boolean => general.some((keyword) => Object.hasOwn(keywords, keyword))

/** A schema beside `null`, and where it stands in `anyOf`. */
export interface Beside {
  readonly index: number
  /** The schema, with what is told of the choice as a whole. */
  readonly schema: Fields
}

/** The other schema of a choice between one and `null`, if the choice says no more than that schema could. */
export const beside = ({ anyOf, ...told }: Fields): Beside | undefined => {
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !Object.keys(told).every((key) => telling.includes(key))) {
    return undefined
  }
  const index = anyOf.findIndex((member) => !isNull(member))
  const schema: unknown = anyOf[index]
  if (!anyOf.some(isNull) || !isRecord(schema) || !isTyped(schema.type)) return undefined
  return Object.keys(told).some((key) => Object.hasOwn(schema, key))
    ? undefined
    : { index, schema: { ...told, ...schema } }
}

const isNull = (schema: unknown): boolean =>
  isRecord(schema) && schema.type === "null" && Object.keys(schema).length === 1

const isTyped = (type: unknown): boolean => Array.isArray(type) ? !type.includes("null") : typeof type === "string"
