/** Every observed pair of another system's parameter lists, and of what it makes of a call's arguments. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { isRecord } from "../../src/codec/index.ts"
import * as Params from "../../src/params/Params.ts"
import { fields, type Json, type Table, type Vector, ways } from "./Vectors.ts"

type Fields = { readonly [key: string]: Json }

const plain = ways(Params.ParamsFromJsonSchema)
const strict = ways(Params.ParamsFromStrictJsonSchema)

// their params in our words -----------------------------------------------------------------------------------------

/** Theirs: `items` is the name of a primitive type, or the properties of the objects in the array. */
const type = ({ items, properties, required: _, ...rest }: Fields): Fields => ({
  ...rest,
  ...(items === undefined ? {} : { items: typeof items === "string" ? { type: items } : object(fields(items)) }),
  ...(properties === undefined ? {} : { properties: list(properties === "(nested)" ? nested : fields(properties)) })
})
const list = (params: Fields): Json =>
  Object.entries(params).map(([name, param]) => ({
    name,
    required: fields(param).required === true,
    ...type(fields(param))
  }))
const object = (params: Fields): Fields => ({ type: "object", properties: list(params) })

const nested = { lat: { type: "number", required: true }, label: { type: "string", required: false } }
const required = (type: string) => ({ type, required: true })

/** Lists that the vectors describe in words. */
const lists: { readonly [words: string]: Fields } = {
  none: {},
  "stops: array of {name, tags?: string[], at: {x}}": {
    stops: {
      type: "array",
      required: true,
      items: {
        name: required("string"),
        tags: { type: "array", items: "string" },
        at: { type: "object", required: true, properties: { x: required("integer") } }
      }
    }
  },
  "name: string; size?: s|l = s; at?: {x: integer}; rows?: [{q: integer}]; tags?: string[]": {
    name: required("string"),
    size: { type: "string", enum: ["s", "l"], default: "s" },
    at: { type: "object", properties: { x: required("integer") } },
    rows: { type: "array", items: { q: required("integer") } },
    tags: { type: "array", items: "string" }
  }
}
const listOf = (words: Json | undefined): Fields => object(lists[String(words)]!)

// our params in their words -----------------------------------------------------------------------------------------

/** A param as they read one, where they have a word for it: of what may be null they say nothing. */
const theirs = (param: Fields): Fields => {
  const { additionalProperties: _, items, nullable: __, properties, ...rest } = param
  const held = fields(items ?? null)
  return {
    description: null,
    enum: null,
    default: null,
    ...rest,
    item_type: items === undefined || Array.isArray(held.properties) ? null : held.type ?? null,
    nested: all(properties) ?? all(held.properties) ?? null
  }
}
const all = (params: Json | undefined): Json | undefined =>
  Array.isArray(params) ? params.map((param: Json) => theirs(fields(param))) : undefined

// the functions -----------------------------------------------------------------------------------------------------

const attempt = (work: () => Json): Json => {
  try {
    return work()
  } catch (error) {
    return { $error: error instanceof Error ? error.message : String(error) }
  }
}

/** The only param of a list, as schema or as data. */
const one = ({ properties }: Fields): Json =>
  Array.isArray(properties) ? properties[0] as Json : fields(properties!).field!

const declarations: { readonly [declaration: string]: Fields } = {
  "required a: String of String": { type: "string", items: { type: "string" } },
  "required a: Array of Hash": { type: "array", items: { type: "object" } },
  "required a: Array of String with block": { type: "array", items: { type: "string" }, properties: [] },
  "required a: String with block": { type: "string", properties: [] }
}
const asData = Schema.decodeUnknownSync(Params.Params)
const field = (param: Fields): Fields => ({ type: "object", properties: [{ name: "field", required: true, ...param }] })

const valid = (params: Fields, args: Json): Result.Result<unknown, Params.InvalidArguments> =>
  Params.validate(asData(params), { absent: "null" })(args)

/** Ruby's own names of types. */
const words: { readonly [name: string]: string } = { TrueClass: "boolean", FalseClass: "boolean" }

const functions: { readonly [name: string]: (input: Fields) => Json } = {
  "Param#to_json_schema": ({ param, strict: isStrict }) => {
    const { required } = fields(param!)
    const params = object({ field: { ...fields(param!), required: required! } })
    return one(fields((isStrict === true ? strict : plain).encode(params)))
  },
  "Params#to_json_schema": ({ params, strict: isStrict }) =>
    (isStrict === true ? strict : plain).encode(listOf(params)),
  "Param#type_name": ({ ruby_type: name }) => {
    const type = words[String(name)] ?? String(name).toLowerCase()
    return fields(one(fields(plain.encode(field({ type }))))).type!
  },
  "Param.from_json_schema": ({ name, required, schema }) => {
    const root = {
      type: "object",
      properties: { [String(name)]: schema! },
      required: required === true ? [name!] : [],
      additionalProperties: false
    }
    return theirs(fields(one(fields(plain.decode(root)))))
  },
  "round trip non-strict": (schema) => plain.encode(plain.decode(schema)),
  "Param#valid_type?": ({ required, type, value }) =>
    Result.isSuccess(valid(object({ value: { type: type!, required: required! } }), { value: value! })),
  "Params#validate": ({ arguments: args, params }) =>
    Result.match(valid(listOf(params), args!), {
      onFailure: ({ message }) => ({ $error: message }),
      onSuccess: (value) => value as Json
    }),
  "Params DSL": ({ declaration }) => asData(field(declarations[String(declaration)]!)) as unknown as Json
}

// the right values --------------------------------------------------------------------------------------------------

const spot = {
  properties: { lat: { type: "number" }, label: { type: ["string", "null"] } },
  required: ["lat", "label"],
  additionalProperties: false
}
const read = {
  name: "field",
  required: true,
  description: null,
  enum: null,
  default: null,
  item_type: null,
  nested: null
}
const bare = "strict providers refuse it"
const unknown = "JSON Schema has no such type"
const whole = "in JSON Schema the enum of an array lists whole arrays, and none of these is one"

const table: Table = {
  "riffer_param-020": {
    right: { type: ["array", "null"], items: { type: "boolean" } },
    why: "034 has the same spelling without a quirk, and it is OpenAI's own for what may be null"
  },
  "riffer_param-022": { error: "Expected items for the array \"field\" in a strict schema", why: bare },
  "riffer_param-024": { error: "Expected properties for the object \"field\" in a strict schema", why: bare },
  "riffer_param-028": { right: { type: ["object", "null"], ...spot }, why: "what may be left out may be null" },
  "riffer_param-036": {
    right: { anyOf: [{ type: "object", enum: ["x"], ...spot }, { type: "null" }] },
    why: "an enum changes nothing about the properties"
  },
  "riffer_param-037": { error: "the enum of an array lists whole arrays", why: whole },
  "riffer_param-038": { error: "the enum of an array lists whole arrays", why: whole },
  "riffer_param-044": { error: "Expected \"string\" | \"integer\"", why: unknown },
  "riffer_param-045": { error: "Expected \"string\" | \"integer\"", why: unknown },
  "riffer_param-054": {
    right: { ...read, type: "union", types: ["string", "integer"] },
    why: "either type is as good"
  },
  "riffer_param-059": {
    right: { ...read, type: "array", item_type: "schema" },
    why: "objects of any keys are kept as a schema; 093 forbids them as data"
  },
  "riffer_param-060": {
    right: { ...read, type: "array", item_type: "array" },
    why: "the same in their words; the inner type is in our items, as a test below says"
  },
  "riffer_param-061": {
    right: { ...read, type: "array", keywords: { items: [{ type: "string" }] } },
    why: "a tuple is kept as a keyword"
  },
  "riffer_param-068": {
    right: { ...read, type: "string", enum: ["a"] },
    why: "what strict schemas write is read"
  },
  "riffer_param-070": {
    right: { ...read, type: "string", keywords: { minLength: 2, pattern: "^a" } },
    why: "other keywords are kept"
  },
  "riffer_param-076": { right: true, why: "the value is 1: JSON has one type of number" },
  "riffer_param-077": { right: true, why: "an integer is a number" }
}

/** The words of their errors that ours have too. */
const sense: { readonly [id: string]: string } = {
  "riffer_param-064": "Unsupported JSON Schema type: \"null\"",
  "riffer_param-065": "Unsupported JSON Schema type: \"date\"",
  "riffer_param-066": "Unsupported JSON Schema type: [\"null\"]",
  "riffer_param-067": "Expected a JSON Schema with a type, got {}",
  "riffer_param-069": "Expected a JSON Schema with a type, got {\"$ref\":\"#/$defs/x\"}",
  "riffer_param-086": "name is required",
  "riffer_param-087": "name must be a string; size must be one of: s, l",
  "riffer_param-088": "at.x is required; rows[0].q is required; rows[1] must be an object; tags[1] must be a string",
  "riffer_param-092": "items can only be used with type array, got string",
  "riffer_param-093": "items must name the properties of their objects, got a bare object",
  "riffer_param-094": "cannot use both items and properties",
  "riffer_param-095": "properties can only be used with type object, got string"
}

describe("vectors of riffer_param", () => {
  const text = readFileSync(new URL("../fixtures/vectors/riffer_param.jsonl", import.meta.url), "utf8")
  const vectors = text.trimEnd().split("\n").map((line) => JSON.parse(line) as Vector)
  for (const { function: name, id, input, note, output } of vectors) {
    it(`${id} ${name}: ${note}`, () => {
      const got = attempt(() => functions[name]!(fields(input)))
      const right = table[id]
      const error = right !== undefined && "error" in right ? right.error : sense[id]
      if (error !== undefined) return assert.include(String(fields(got).$error), error)
      assert.deepStrictEqual(got, right !== undefined && "right" in right ? right.right : output)
    })
  }

  it("every line is compared, every quirk has its right value, and every error its words", () => {
    assert.strictEqual(vectors.length, 95)
    assert.deepStrictEqual(vectors.filter((vector) => !Object.hasOwn(functions, vector.function)), [])
    const right = { ...table, ...sense }
    const odd = vectors.filter(({ note, output }) => note.includes("quirk:") || isRecord(output) && "$error" in output)
    assert.deepStrictEqual(odd.map(({ id }) => id).filter((id) => !Object.hasOwn(right, id)), [])
    const ids = new Set(vectors.map(({ id }) => id))
    assert.deepStrictEqual(Object.keys(right).filter((id) => !ids.has(id)), [])
  })
})
