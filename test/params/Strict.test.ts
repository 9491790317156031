import { assert, describe, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import { readFileSync } from "node:fs"
import { isRecord } from "../../src/codec/index.ts"
import type { Fitted, Strictness, Target } from "../../src/params/Fitted.ts"
import * as Strict from "../../src/params/Strict.ts"

type Json = Schema.Json

const fit = (target: Target, schema: Json, strictness: Strictness = "prefer"): Fitted =>
  Result.getOrThrow(Strict.fit(target, strictness)(schema))
const refused = (target: Target, schema: Json): Strict.Unfittable => {
  const result = Strict.fit(target, "require")(schema)
  assert.isTrue(Result.isFailure(result))
  return Result.getOrThrow(Result.flip(result))
}
const within = (fitted: Fitted, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((value, key) => isRecord(value) ? value[key] : undefined, fitted.schema)
const tool = (properties: Schema.JsonObject, ...required: ReadonlyArray<string>): Schema.JsonObject => ({
  type: "object",
  properties,
  required
})

interface Case {
  readonly id: string
  readonly input: string
  readonly right: { readonly [key: string]: Json }
}
const cases = new Map(
  readFileSync(new URL("../fixtures/cases/tool-schema.jsonl", import.meta.url), "utf8").split("\n").filter(Boolean)
    .map((line): Case => JSON.parse(line)).map((each) => [each.id, each])
)
const reported = (id: string, target: Target) => {
  const { input, right } = cases.get(id)!
  return { right, fitted: fit(target, JSON.parse(input)) }
}

describe("faults that users reported elsewhere", () => {
  it("strict-optional-and-default", () => {
    const { fitted, right } = reported("strict-optional-and-default", "openai")
    // The right schema leaves the map out, of which the rule says that it becomes key and value pairs.
    const { properties, required, ...rest } = fitted.schema as Schema.JsonObject
    const { tags, ...others } = properties as Schema.JsonObject
    assert.deepStrictEqual(
      { ...rest, properties: others, required: (required as ReadonlyArray<string>).filter((name) => name !== "tags") },
      right.strict_schema
    )
    const pair = {
      type: "object",
      properties: { key: { type: "string" }, value: { type: "string" } },
      required: ["key", "value"],
      additionalProperties: false
    }
    assert.deepStrictEqual(tags, {
      anyOf: [{ type: "array", items: pair }, { type: "null" }],
      description: "an object, as the list of its entries"
    })
    assert.include(required, "tags")
    assert.isTrue(fitted.strict)
    assert.deepStrictEqual(fitted.losses.map(({ pointer }) => pointer), ["/properties/zone/minLength"])
    const args = { zone: "UTC", note: null, tags: [{ key: "a", value: "b" }] }
    assert.deepStrictEqual(fitted.undo(args), { zone: "UTC", tags: { a: "b" } })
    assert.deepStrictEqual(fitted.apply({ zone: "UTC", tags: { a: "b" } }), args)
  })

  it("strict-ref-siblings", () => {
    const { fitted, right } = reported("strict-ref-siblings", "openai")
    const { rule: _, ...expected } = right
    assert.deepStrictEqual(within(fitted, "properties"), expected)
    assert.deepStrictEqual(within(fitted, "$defs", "N", "properties", "kids"), {
      type: "array",
      items: { $ref: "#/$defs/N" }
    })
    assert.isTrue(fitted.strict)
    assert.deepStrictEqual(fitted.undo({ tree: { kids: [] } }), { query: "all", tree: { kids: [] } })
  })

  it("strict-nullable-enum", () => {
    const { fitted, right } = reported("strict-nullable-enum", "openai")
    const { required, rule: _, ...expected } = right
    assert.deepStrictEqual(within(fitted, "properties"), expected)
    assert.deepStrictEqual(within(fitted, "required"), required)
    // Of the two, only the first may be null.
    assert.deepStrictEqual(fitted.undo({ guide: null, enc: null }), { guide: null })
  })

  it("gemini-schema-subset", () => {
    const { fitted, right } = reported("gemini-schema-subset", "gemini")
    assert.deepStrictEqual(fitted.schema, right.parameters)
    assert.deepStrictEqual(fitted.losses, [])
  })

  it("gemini-enum-strings", () => {
    const { fitted, right } = reported("gemini-enum-strings", "gemini")
    assert.deepStrictEqual(within(fitted, "properties", "status"), right.status)
    assert.deepStrictEqual(within(fitted, "properties", "mins"), { type: "STRING", enum: ["60", "1440"] })
    assert.deepStrictEqual(fitted.apply({ status: null, mins: 60 }), { status: null, mins: "60" })
    assert.deepStrictEqual(fitted.undo({ status: "open", mins: "1440" }), { status: "open", mins: 1440 })
    assert.deepStrictEqual(fitted.undo({ mins: 60 }), { mins: 60 })
  })
})

describe("fit", () => {
  it("knows what it has fitted", () => {
    const schema = tool({ a: { type: "string" } })
    const first = Strict.fit("openai", "prefer")(schema)
    assert.strictEqual(Strict.fit("openai", "prefer")(schema), first)
    assert.notStrictEqual(Strict.fit("openai", "off")(schema), first)
    assert.notStrictEqual(Strict.fit("gemini", "prefer")(schema), first)
  })

  it("sends a schema as it is where nothing is strict", () => {
    const schema = tool({ a: { type: "string", minLength: 3, "x-own": 1 } })
    for (const target of ["openai", "anthropic"] as const) {
      const fitted = fit(target, schema, "off")
      assert.strictEqual(fitted.schema, schema)
      assert.deepStrictEqual([fitted.strict, fitted.losses], [false, []])
    }
  })

  it("makes an object of every root", () => {
    const noArguments = { type: "object", properties: {}, required: [], additionalProperties: false }
    for (const silent of [{}, true, { type: "object" }, { $schema: "http://json-schema.org/draft-07/schema#" }]) {
      assert.deepStrictEqual(fit("openai", silent).schema, noArguments)
      assert.deepStrictEqual(fit("gemini", silent).schema, { type: "OBJECT" })
    }
    const text = { type: "string" }
    const object = { type: "object", properties: { a: text }, required: ["a"] }
    const referred = { $ref: "#/$defs/A", $defs: { A: object } }
    const nullable = { anyOf: [object, { type: "null" }] }
    const all = { allOf: [object, { properties: { b: text }, required: ["b"] }] }
    for (const schema of [referred, nullable]) {
      assert.deepStrictEqual(fit("openai", schema).schema, { ...object, additionalProperties: false })
      assert.deepStrictEqual(fit("anthropic", schema, "off").schema, object)
    }
    assert.deepStrictEqual(within(fit("openai", all), "required"), ["a", "b"])
  })

  it("puts a root that is no object under a key, and takes it from there", () => {
    const schema = {
      anyOf: [tool({ a: { type: "string" } }, "a"), tool({ b: { type: "string" } }, "b")]
    }
    for (const target of ["openai", "anthropic", "gemini"] as const) {
      for (const strictness of ["require", "off"] as const) {
        const fitted = fit(target, schema, strictness)
        assert.deepStrictEqual(within(fitted, "required"), ["value"])
        assert.deepStrictEqual(fitted.apply({ a: "x" }), { value: { a: "x" } })
        assert.deepStrictEqual(fitted.undo({ value: { b: "x" } }), { b: "x" })
        // A model that keeps to the tool's own form is understood too.
        assert.deepStrictEqual(fitted.undo({ b: "x" }), { b: "x" })
      }
    }
  })

  it("tells in words what the root's conditions are, where an API refuses them", () => {
    const schema = { ...tool({ a: {}, b: {} }), anyOf: [{ required: ["a"] }, { required: ["b"] }] }
    const fitted = fit("anthropic", schema, "off")
    assert.deepStrictEqual(fitted.schema, {
      ...tool({ a: {}, b: {} }),
      description: `anyOf: [{"required":["a"]},{"required":["b"]}]`
    })
    assert.deepStrictEqual(fitted.losses.map(({ pointer }) => pointer), ["/anyOf"])
  })

  it("falls back to the plain schema, or fails with the place, where any value may stand", () => {
    const places: ReadonlyArray<readonly [string, Schema.JsonObject]> = [
      ["/properties/a~1b", { "a/b": {} }],
      ["/properties/x", { x: { type: "object" } }],
      ["/properties/x", { x: { type: "object", properties: { y: { type: "string" } }, additionalProperties: true } }],
      ["/properties/x/items", { x: { type: "array" } }],
      ["/properties/x", { x: { $ref: "https://elsewhere.example/schema" } }]
    ]
    for (const [pointer, properties] of places) {
      const schema = tool(properties)
      for (const target of ["openai", "anthropic"] as const) {
        const fitted = fit(target, schema)
        assert.strictEqual(fitted.schema, schema)
        assert.isFalse(fitted.strict)
        assert.deepStrictEqual(fitted.losses.map((loss) => loss.pointer), [pointer])
        const error = refused(target, schema)
        assert.strictEqual(error.pointer, pointer)
        assert.include(error.message, pointer)
      }
    }
  })

  it("refuses what is no schema", () => {
    for (const schema of [null, 5, "object", []]) {
      for (const strictness of ["prefer", "require", "off"] as const) {
        assert.isTrue(Result.isFailure(Strict.fit("openai", strictness)(schema)))
      }
    }
  })

  it("keeps to the limits that OpenAI states", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
    const nested = (levels: number): Schema.JsonObject =>
      levels === 0 ? { type: "string" } : tool({ a: nested(levels - 1) }, "a")
    const properties = (count: number) => Object.fromEntries(many(count).map((name) => [name, { type: "string" }]))
    assert.isTrue(fit("openai", tool({ a: { enum: many(1000) } })).strict)
    assert.isFalse(fit("openai", tool({ a: { enum: many(1001) } })).strict)
    assert.isTrue(fit("openai", nested(10)).strict)
    assert.isFalse(fit("openai", nested(11)).strict)
    assert.isTrue(fit("openai", tool(properties(5000))).strict)
    assert.isFalse(fit("openai", tool(properties(5001))).strict)
    assert.isFalse(fit("openai", tool({ a: { enum: ["x".repeat(120_000)] } })).strict)
    assert.include(refused("openai", nested(11)).message, "11 levels of nesting")
  })

  it("keeps to the limits that Anthropic states", () => {
    const optional = (count: number) =>
      tool(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }])))
    assert.isTrue(fit("anthropic", optional(24)).strict)
    assert.isFalse(fit("anthropic", optional(25)).strict)
    const tree = tool({ kids: { type: "array", items: { $ref: "#" } } }, "kids")
    assert.isFalse(fit("anthropic", tree).strict)
    assert.isTrue(fit("openai", tree).strict)
    assert.include(refused("anthropic", tree).found, "contains itself")
  })

  it("keeps Anthropic's optional properties optional, and tells the bounds that it does not take", () => {
    const fitted = fit(
      "anthropic",
      tool({
        n: { type: "integer", minimum: 1 },
        l: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 }
      }, "l")
    )
    assert.deepStrictEqual(fitted.schema, {
      type: "object",
      properties: {
        n: { type: "integer", description: "minimum: 1" },
        l: { type: "array", items: { type: "string" }, minItems: 1, description: "maxItems: 3" }
      },
      required: ["l"],
      additionalProperties: false
    })
    assert.deepStrictEqual(fitted.losses.map(({ pointer }) => pointer), [
      "/properties/n/minimum",
      "/properties/l/maxItems"
    ])
  })

  it("understands older drafts, OpenAPI and Gemini's own words", () => {
    const schema = {
      type: "OBJECT",
      properties: {
        pair: { type: "ARRAY", items: [{ type: "STRING" }, { type: "STRING" }], additionalItems: false },
        maybe: { type: "INTEGER", nullable: true, minimum: 0, exclusiveMinimum: true }
      },
      required: ["pair", "maybe"]
    }
    assert.deepStrictEqual(fit("openai", schema, "off").schema, {
      type: "object",
      properties: {
        pair: { type: "array", prefixItems: [{ type: "string" }, { type: "string" }], items: false, maxItems: 2 },
        maybe: { anyOf: [{ type: "integer", exclusiveMinimum: 0 }, { type: "null" }] }
      },
      required: ["pair", "maybe"]
    })
  })

  it("cuts a recursive schema for Gemini, and says so", () => {
    const node = tool({ name: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/Node" } } }, "name")
    const schema = { ...tool({ root: { $ref: "#/$defs/Node" } }), $defs: { Node: node } }
    const fitted = fit("gemini", schema)
    assert.isFalse(fitted.strict)
    assert.deepStrictEqual(fitted.losses.map(({ pointer }) => pointer), ["/$defs/Node"])
    assert.include(JSON.stringify(fitted.schema), "a Node again, as above")
    assert.strictEqual(refused("gemini", schema).pointer, "/$defs/Node")
  })

  it("finds the member of a union that a value was written for", () => {
    const schema = tool({
      x: {
        anyOf: [
          { type: "object", additionalProperties: { type: "integer" } },
          { type: "array", items: tool({ key: { type: "string" }, value: { type: "integer" } }, "key", "value") }
        ]
      }
    }, "x")
    const fitted = fit("openai", schema)
    for (const x of [{}, [], { key: 1 }, [{ key: "a", value: 1 }]]) {
      assert.deepStrictEqual(fitted.undo(fitted.apply({ x })), { x })
    }
  })

  it("has no trouble with names that objects have already, or that need escaping", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "a/b", "~", "$ref", "properties"]
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string", maxLength: 5, default: "d" }]))
    const args = Object.fromEntries(names.map((name) => [name, "v"]))
    const defaults = Object.fromEntries(names.map((name) => [name, "d"]))
    for (const target of ["openai", "anthropic", "gemini"] as const) {
      const fitted = fit(target, tool(properties))
      const sent = within(fitted, "properties")
      assert.isTrue(isRecord(sent))
      assert.deepStrictEqual(Object.keys(sent as Schema.JsonObject), names)
      assert.deepStrictEqual(fitted.undo(fitted.apply(args)), args)
      assert.deepStrictEqual(fitted.undo({}), defaults)
      assert.deepStrictEqual(fitted.undo(fitted.apply({})), defaults)
    }
    assert.deepStrictEqual(fit("openai", tool(properties)).losses.map(({ pointer }) => pointer), [
      "/properties/__proto__/maxLength",
      "/properties/constructor/maxLength",
      "/properties/toString/maxLength",
      "/properties/hasOwnProperty/maxLength",
      "/properties//maxLength",
      "/properties/a~1b/maxLength",
      "/properties/~0/maxLength",
      "/properties/$ref/maxLength",
      "/properties/properties/maxLength"
    ])
    const map = fit("openai", tool({ m: { type: "object", additionalProperties: { type: "string" } } }, "m"))
    const odd = JSON.parse(`{"m":{"__proto__":"x","constructor":"y"}}`)
    assert.deepStrictEqual(map.undo(map.apply(odd)), odd)
  })
})

describe("undo", () => {
  const schema = tool({
    size: { type: "integer", default: 10 },
    tags: { type: "object", additionalProperties: { type: "string" } },
    inner: tool({ unit: { type: "string", default: "px" }, note: { type: "string" } }),
    wrong: { type: "string", default: null }
  }, "size")

  it("fills in defaults, nested ones too, and none that does not fit", () => {
    assert.deepStrictEqual(fit("openai", schema).undo({ inner: { note: null, unit: null } }), {
      inner: { unit: "px" },
      size: 10
    })
  })

  it("leaves a shared default alone", () => {
    const fitted = fit("openai", tool({ list: { type: "array", items: { type: "string" }, default: ["a"] } }))
    const [first, second] = [fitted.undo({}), fitted.undo({})] as ReadonlyArray<Schema.JsonObject>
    assert.deepStrictEqual(first, second)
    assert.notStrictEqual(first!.list, second!.list)
  })

  it("takes arguments in the tool's own form as they are", () => {
    const own = { size: 3, tags: { a: "b" }, inner: { unit: "em", note: "n" } }
    for (const target of ["openai", "anthropic", "gemini"] as const) {
      assert.strictEqual(fit(target, schema).undo(own), own)
    }
  })

  it("changes only what it understands", () => {
    const { undo } = fit("openai", schema)
    for (const odd of [null, 5, "text", [], [1], { tags: [1] }, { tags: "a", other: null }]) {
      const back = undo(odd)
      assert.deepStrictEqual(isRecord(odd) ? { ...odd, size: 10 } : odd, back)
    }
  })
})
