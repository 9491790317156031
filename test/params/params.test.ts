/** Params to JSON Schema and back: laws, what is kept, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { isRecord } from "../../src/codec/index.ts"
import * as Held from "../../src/params/Arguments.ts"
import * as Params from "../../src/params/Params.ts"
import { laws } from "../../src/testing/Laws.ts"
import { parting, spoilt } from "../../src/testing/Roads.ts"
import * as Made from "./Made.ts"

const { ParamsFromJsonSchema, ParamsFromStrictJsonSchema } = Params
const runs = { arbitrary: { runs: 500 } }

const encode = Schema.encodeSync(ParamsFromJsonSchema)
const decode = Schema.decodeUnknownSync(ParamsFromJsonSchema)
const encodeStrict = Schema.encodeSync(ParamsFromStrictJsonSchema)
const decodeStrict = Schema.decodeUnknownSync(ParamsFromStrictJsonSchema)

const messageOf = (work: () => unknown): string => {
  try {
    return JSON.stringify(work())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What is no JSON Schema about a value, by the draft's own rules of structure. */
const oddities = (schema: unknown, path = "#"): ReadonlyArray<string> => {
  if (typeof schema === "boolean") return []
  if (!isRecord(schema)) return [`${path} is no schema`]
  const odd: Array<string> = []
  const { additionalProperties, anyOf, enum: values, items, properties, required, type } = schema
  const types = ["string", "integer", "number", "boolean", "array", "object", "null"]
  const names: ReadonlyArray<unknown> = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (names.some((name) => !types.includes(String(name)))) odd.push(`${path}/type is unknown`)
  if (Array.isArray(type) && (type.length === 0 || new Set(type).size < type.length)) odd.push(`${path}/type is no set`)
  if (values !== undefined && !Array.isArray(values)) odd.push(`${path}/enum is no list`)
  if (required !== undefined) {
    if (!Array.isArray(required) || new Set(required).size < required.length) odd.push(`${path}/required is no set`)
    else if (!required.every((name) => Object.hasOwn(properties ?? {}, String(name)))) odd.push(`${path}/required`)
  }
  const inner: ReadonlyArray<readonly [string, unknown]> = [
    ...Object.entries(properties ?? {}).map(([name, schema]) => [`properties/${name}`, schema] as const),
    ...(additionalProperties === undefined ? [] : [["additionalProperties", additionalProperties] as const]),
    ...(items === undefined || Array.isArray(items) ? [] : [["items", items] as const]),
    ...(Array.isArray(anyOf) ? anyOf : []).map((schema: unknown, i) => [`anyOf/${i}`, schema] as const)
  ]
  return [...odd, ...inner.flatMap(([key, schema]) => oddities(schema, `${path}/${key}`))]
}

/** What is not strict about a schema. */
const laxities = (schema: unknown, path = "#"): ReadonlyArray<string> => {
  if (!isRecord(schema)) return []
  const { additionalProperties, anyOf, items, properties, required, type } = schema
  const is = (name: string): boolean => type === name || Array.isArray(type) && type.includes(name)
  const isOpen = is("object") &&
    (additionalProperties !== false || !isRecord(properties) ||
      String(required) !== String(Object.keys(properties)))
  return [
    ...(isOpen ? [`${path} is open`] : []),
    ...(is("array") && !isRecord(items) ? [`${path} is bare`] : []),
    ...("default" in schema ? [`${path} has a default`] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => laxities(inner, `${path}/${name}`)),
    ...laxities(items, `${path}/items`),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((inner, i) => laxities(inner, `${path}/anyOf/${i}`)) : [])
  ]
}

const samples = Made.seeds.pipe(Arbitrary.map((seed) => Made.params(seed)))
const strictSamples = Made.seeds.pipe(Arbitrary.map((seed) => Made.params(seed, { strict: true })))

describe("params", () => {
  it.effect("obey the laws of a codec", () => laws(ParamsFromJsonSchema, { runs: 500, arbitrary: samples }))

  it.effect.prop("come back from JSON Schema, which is one, as they were", [samples], ([params]) =>
    Effect.sync(() => {
      const schema = encode(params)
      assert.deepStrictEqual(oddities(schema), [])
      assert.deepStrictEqual(JSON.parse(JSON.stringify(schema)), schema)
      assert.deepStrictEqual(decode(schema), params)
    }), runs)

  it.effect.prop(
    "give the same strict schema again when they are read from it",
    [strictSamples],
    ([params]) =>
      Effect.sync(() => {
        const schema = encodeStrict(params)
        assert.deepStrictEqual([...oddities(schema), ...laxities(schema)], [])
        assert.deepStrictEqual(encodeStrict(decodeStrict(schema)), schema)
      }),
    runs
  )

  it.effect.prop("are read from a strict schema alike on every road", [strictSamples], ([params]) =>
    Effect.sync(() => {
      const part = parting(ParamsFromStrictJsonSchema)
      for (const [way, value] of [["encode", params], ["decode", encodeStrict(params)]] as const) {
        for (const one of spoilt(value, 4, JSON.stringify(value))) assert.isUndefined(part(way, one))
      }
    }), runs)

  it.effect.prop("mean what a foreign schema meant", [Made.seeds], ([seed]) =>
    Effect.sync(() => {
      const schema = Made.foreign(seed)
      const ours = encode(decode(schema))
      assert.deepStrictEqual(encode(decode(ours)), ours)
      const policy = { unknownKeys: "refuse", absent: "omit" } as const
      const [theirs, own] = [Held.check(schema, policy), Held.check(ours, policy)]
      const dice = Made.diceOf(seed)
      for (let i = 0; i < 10; i++) {
        const value = Made.value(schema, dice)
        const faults = [theirs, own].map((check) => {
          const found: Array<Params.Fault> = []
          check(value, undefined, found)
          return found.map(({ path }) => path.join()).toSorted()
        })
        assert.deepStrictEqual(faults[0], faults[1], JSON.stringify({ schema, ours, value }))
      }
    }), runs)
})

const field = (type: Params.Type, required = true): Params.Params => Params.make([{ name: "field", required, ...type }])
const schemaOf = (schema: Schema.Json) => ({
  type: "object",
  properties: { field: schema },
  additionalProperties: false
})
const read = (schema: Schema.Json) => decode(schemaOf(schema)).properties[0]
const written = (type: Params.Type, required = true) =>
  (encode(field(type, required)).properties as Schema.JsonObject).field
const strictly = (type: Params.Type, required = true) =>
  (encodeStrict(field(type, required)).properties as Schema.JsonObject).field

describe("what params keep", () => {
  const param = { name: "field", required: false }
  const cases: ReadonlyArray<readonly [name: string, schema: Schema.Json, type: Params.Type]> = [
    ["the types inside nested arrays", { type: "array", items: { type: "array", items: { type: "string" } } }, {
      type: "array",
      items: { type: "array", items: { type: "string" } }
    }],
    ["several types", { type: ["string", "integer"] }, { type: "union", types: ["string", "integer"] }],
    ["several types, one with parts", { type: ["string", "array"], items: { type: "string" } }, {
      type: "schema",
      schema: { type: ["string", "array"], items: { type: "string" } }
    }],
    ["null as a value", { type: ["string", "null"] }, { type: "string", nullable: true }],
    ["null beside an enum", { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] }, {
      type: "string",
      nullable: true,
      enum: ["a"]
    }],
    ["a choice", { anyOf: [{ type: "string" }, { $ref: "#/$defs/x" }] }, {
      type: "schema",
      schema: { anyOf: [{ type: "string" }, { $ref: "#/$defs/x" }] }
    }],
    ["a tuple", { type: "array", items: [{ type: "string" }, { type: "integer" }] }, {
      type: "array",
      keywords: { items: [{ type: "string" }, { type: "integer" }] }
    }],
    ["objects of any keys in an array", { type: "array", items: { type: "object", title: "T" } }, {
      type: "array",
      items: { type: "schema", schema: { type: "object", title: "T" } }
    }],
    ["a map", { type: "object", additionalProperties: { type: "string" } }, {
      type: "object",
      additionalProperties: { type: "string" }
    }],
    ["every other keyword", { type: "string", format: "date", minLength: 2, "x-y": [1] }, {
      type: "string",
      keywords: { format: "date", minLength: 2, "x-y": [1] }
    }]
  ]
  for (const [name, schema, type] of cases) {
    it(name, () => {
      assert.deepStrictEqual(read(schema), { ...param, ...type })
      assert.deepStrictEqual(written(type, false), schema)
    })
  }

  it("null in either spelling, whatever stands around it", () => {
    const nullable = { ...param, type: "string", nullable: true } as const
    assert.deepStrictEqual(read({ type: ["string", "null"], enum: ["a", null] }), { ...nullable, enum: ["a"] })
    assert.deepStrictEqual(
      read({ type: ["string", "null"], enum: ["a"] }),
      { ...param, type: "string", enum: ["a"] } as const
    )
    assert.deepStrictEqual(read({ anyOf: [{ type: "null" }, { type: "string" }], default: null, title: "T" }), {
      ...nullable,
      default: null,
      keywords: { title: "T" }
    })
  })

  it("names that every object has", () => {
    const params = Params.make(["__proto__", "constructor", "toString"].map((name) => ({
      name,
      type: "string" as const,
      required: true
    })))
    for (const codec of [ParamsFromJsonSchema, ParamsFromStrictJsonSchema]) {
      const schema = Schema.encodeSync(codec)(params)
      assert.deepStrictEqual(Object.keys(schema.properties as object), ["__proto__", "constructor", "toString"])
      assert.deepStrictEqual(Schema.decodeUnknownSync(codec)(JSON.parse(JSON.stringify(schema))), params)
    }
  })

  it("other keys of an object that is open", () => {
    const open = { type: "object", properties: {}, required: [] }
    assert.deepStrictEqual(encode(decode(open)), open)
    assert.deepStrictEqual(encode(decode({ type: "object" })), open)
    assert.deepStrictEqual(encodeStrict(decode(open)), { ...open, additionalProperties: false })
  })
})

describe("what is refused", () => {
  const inField = "at [\"properties\"][\"field\"]"
  const foreign: ReadonlyArray<readonly [schema: Schema.Json, message: string]> = [
    [{}, `Expected a JSON Schema with a type, got {}\n  ${inField}`],
    [true, `Expected a JSON Schema that is an object, got true\n  ${inField}`],
    [{ $ref: "#/$defs/x" }, "Expected a JSON Schema with a type"],
    [
      { type: "date" },
      `Unsupported JSON Schema type: "date" (known are string, integer, number, boolean, array, object)`
    ],
    [{ type: "array", items: { type: "array", items: { $ref: "#" } } }, `${inField}["items"]["items"]`],
    [{ type: "object", properties: { a: {} } }, `${inField}["properties"]["a"]`],
    [{ type: "object", properties: { a: { type: "string" } }, required: ["b"] }, `${inField}["required"][0]`],
    [{ type: "string", description: 1 }, `${inField}["description"]`],
    [{ type: "string", enum: "a" }, `${inField}["enum"]`],
    [{ type: "object", properties: {}, additionalProperties: 1 }, `${inField}["additionalProperties"]`]
  ]
  for (const [schema, message] of foreign) {
    it(`as a schema: ${JSON.stringify(schema)}`, () => assert.include(messageOf(() => read(schema)), message))
  }
  it("as a schema: one that is not of an object", () => {
    assert.include(messageOf(() => decode({ type: "string" })), "Expected parameters of type object, got \"string\"")
  })

  const data: ReadonlyArray<readonly [type: Params.Type, message: string]> = [
    [{ type: "union", types: ["string"] }, "a union has at least two types"],
    [{ type: "schema" }, "a param of type schema needs its schema"],
    [{ type: "schema", schema: { const: 1 }, nullable: true }, "nullable of a schema is written in the schema"],
    [{ type: "schema", schema: { type: "string" } }, "got one that a param of type string says"],
    [{ type: "string", keywords: { enum: ["a"] } }, "enum is no other keyword of type string"],
    [{ type: "integer", types: ["string", "integer"] }, "types can only be used with type union, got integer"],
    [{ type: "array", additionalProperties: true }, "additionalProperties can only be used with type object, got array"]
  ]
  for (const [type, message] of data) {
    it(`as params: ${JSON.stringify(type)}`, () => assert.include(messageOf(() => written(type)), message))
  }
  it("as params: two of one name", () => {
    const twice = Params.make([field({ type: "string" }), field({ type: "string" })].flatMap((one) => one.properties))
    assert.include(messageOf(() => encode(twice)), "there is another param of the name \"field\"")
  })

  const bare: ReadonlyArray<readonly [type: Params.Type, message: string]> = [
    [{ type: "array", items: { type: "array" } }, "Expected items for the array \"field[]\" in a strict schema"],
    [
      { type: "object", properties: field({ type: "object" }).properties },
      "for the object \"field.field\" in a strict"
    ],
    [{ type: "schema", schema: { const: 1 } }, "Expected one type for \"field\" in a strict schema"],
    [{ type: "object", properties: [], additionalProperties: { type: "string" } }, "Expected no additionalProperties"]
  ]
  for (const [type, message] of bare) {
    it(`in strict: ${JSON.stringify(type)}`, () => assert.include(messageOf(() => strictly(type)), message))
  }
  it("in strict, on the way in", () => {
    const lax: ReadonlyArray<readonly [schema: Schema.JsonObject, message: string]> = [
      [{ ...schemaOf({ type: "string" }), required: [] }, "Expected every property in a strict schema, got none for"],
      [{ type: "object", properties: {} }, "Expected false in a strict schema, got nothing"],
      [{ ...schemaOf({ type: "string", default: "" }), required: ["field"] }, "Expected no default in a strict schema"],
      [{ ...schemaOf({ type: "array" }), required: ["field"] }, "Expected items of one type"],
      [{ ...schemaOf({ const: 1 }), required: ["field"] }, "Expected a strict schema with one type"]
    ]
    for (const [schema, message] of lax) assert.include(messageOf(() => decodeStrict(schema)), message)
  })
})
