/** The arguments of a call held against params. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import * as Params from "../../src/params/Params.ts"
import * as Made from "./Made.ts"

const { make, validate } = Params
const runs = { arbitrary: { runs: 500 } }

const got = (result: Result.Result<unknown, Params.InvalidArguments>): unknown =>
  Result.match(result, { onFailure: ({ message }) => message, onSuccess: (value) => value })
const one = (type: Params.Type, required = true) => make([{ name: "x", required, ...type }])
/** What is said of one argument. */
const said = (type: Params.Type, x: unknown): unknown => {
  const out = got(validate(one(type))({ x }))
  return typeof out === "string" ? out : "fine"
}

const trip = make([
  { name: "city", type: "string", required: true, enum: ["Malmö", "Lund"] },
  { name: "days", type: "integer", required: false, default: 3 },
  { name: "note", type: "string", required: false },
  {
    name: "stops",
    type: "array",
    required: false,
    items: {
      type: "object",
      properties: [
        { name: "at", type: "number", required: true },
        { name: "stay", type: "boolean", required: false, default: true }
      ]
    }
  },
  { name: "by", type: "union", types: ["string", "integer"], required: true, nullable: true }
])

describe("validate", () => {
  it("gives typed values, with defaults filled in at any depth", () => {
    const result = validate(trip)({ city: "Lund", stops: [{ at: 1 }, { at: 2.5, stay: false }], by: null, days: null })
    assert.isTrue(Result.isSuccess(result))
    const args: {
      readonly city: "Malmö" | "Lund"
      readonly days: number
      readonly note?: string
      readonly stops?: ReadonlyArray<{ readonly at: number; readonly stay: boolean }>
      readonly by: string | number | null
    } = Result.getOrThrow(result)
    assert.deepStrictEqual(args, {
      city: "Lund",
      days: 3,
      stops: [{ at: 1, stay: true }, { at: 2.5, stay: false }],
      by: null
    })
  })

  it("gives null for what is not there, where that is asked for", () => {
    const args: { readonly note: string | null } = Result.getOrThrow(
      validate(trip, { absent: "null" })({ city: "Lund", by: 1 })
    )
    assert.deepStrictEqual(args, { city: "Lund", days: 3, note: null, stops: null, by: 1 } as object)
  })

  it("tells every fault with its path, in the order of the params", () => {
    const result = validate(trip)({ city: "Oslo", days: 1.5, stops: [{ stay: 1 }, 5], by: [] })
    assert.strictEqual(
      got(result),
      "city must be one of: Malmö, Lund; days must be an integer; stops[0].at is required; stops[0].stay must be a " +
        "boolean; stops[1] must be an object; by must be a string or an integer or null"
    )
    const { _tag, faults } = Result.getOrThrow(Result.flip(result))
    assert.strictEqual(_tag, "InvalidArguments")
    assert.deepStrictEqual(faults[2], { path: ["stops", 0, "at"], detail: "is required" })
  })

  it("says where a name that is no word stands", () => {
    const odd = make([
      { name: "a.b", type: "object", required: true, properties: [{ name: "x y", type: "string", required: true }] },
      { name: "größe", type: "string", required: true }
    ])
    assert.strictEqual(got(validate(odd)({ "a.b": {} })), `["a.b"]["x y"] is required; größe is required`)
    assert.strictEqual(got(validate(odd)(null)), "arguments must be an object")
    assert.strictEqual(got(validate(odd)([])), "arguments must be an object")
  })

  it("does with other keys as it is told", () => {
    const params = make([{ name: "in", type: "object", required: true, properties: [] }])
    const args = { in: { a: 1 }, b: 2 }
    assert.deepStrictEqual(got(validate(params)(args)), { in: {} })
    assert.deepStrictEqual(got(validate(params, { unknownKeys: "keep" })(args)), args)
    assert.strictEqual(got(validate(params, { unknownKeys: "refuse" })(args)), "in.a is not known; b is not known")
  })

  it("keeps the other keys of an open object, and holds them to their schema", () => {
    const open = { type: "object", properties: [], additionalProperties: true } as const
    assert.deepStrictEqual(got(validate(open, { unknownKeys: "refuse" })({ a: 1 })), { a: 1 })
    const map = { ...open, additionalProperties: { type: "integer" } } as const
    assert.strictEqual(got(validate(map)({ a: 1, b: "2" })), "b must be an integer")
    const patterns = { ...make([]), keywords: { patternProperties: { "^x-": { type: "integer" } } } }
    assert.strictEqual(
      got(validate(patterns, { unknownKeys: "refuse" })({ "x-a": "", b: 1 })),
      "x-a must be an integer; b is not known"
    )
  })

  it("takes what a model wrote for the strict schema", () => {
    const strict = Schema.encodeSync(Params.ParamsFromStrictJsonSchema)(trip)
    assert.deepStrictEqual(Object.keys(strict.properties as object), strict.required as unknown)
    assert.deepStrictEqual(got(validate(trip)({ city: "Lund", days: null, note: null, stops: null, by: null })), {
      city: "Lund",
      days: 3,
      by: null
    })
  })

  it("fills in a default of its own for each call", () => {
    const check = validate(one({ type: "array", default: [] }, false))
    const [first, second] = [Result.getOrThrow(check({})), Result.getOrThrow(check({}))] as unknown as [
      { x: Array<unknown> },
      { x: Array<unknown> }
    ]
    first.x.push(1)
    assert.deepStrictEqual(second, { x: [] })
  })

  it("completes a default by the defaults within it", () => {
    const properties = [{ name: "zoom", type: "integer", required: false, default: 3 }] as const
    const view = (value: Schema.Json) => got(validate(one({ type: "object", properties, default: value }, false))({}))
    assert.deepStrictEqual(view({}), { x: { zoom: 3 } })
    assert.deepStrictEqual(view({ zoom: 5 }), { x: { zoom: 5 } })
    assert.deepStrictEqual(view("far"), { x: "far" })
  })

  it("takes names that every object has", () => {
    const names = ["__proto__", "constructor", "toString"]
    const params = make(names.map((name) => ({ name, type: "string" as const, required: true })))
    assert.strictEqual(
      got(validate(params)({})),
      "__proto__ is required; constructor is required; toString is required"
    )
    const args: unknown = JSON.parse(`{ "__proto__": "a", "constructor": "b", "toString": "c" }`)
    assert.deepStrictEqual(got(validate(params)(args)), args)
  })

  it("throws for params that make no sense", () => {
    assert.throws(() => validate(one({ type: "string", items: { type: "string" } })), /items can only be used with/)
  })

  const cases: ReadonlyArray<readonly [type: Params.Type, good: unknown, bad: unknown, detail: string]> = [
    [{ type: "integer" }, 1.0, 1.5, "must be an integer"],
    [{ type: "number" }, 3, "3", "must be a number"],
    [{ type: "string", keywords: { minLength: 2 } }, "ab", "👩", "must have at least 2 characters"],
    [{ type: "string", keywords: { maxLength: 1 } }, "👩", "ab", "must have at most 1 character"],
    [{ type: "string", keywords: { pattern: "^a\\d$" } }, "a1", "b1", "must match ^a\\d$"],
    [{ type: "number", keywords: { minimum: 1 } }, 1, 0, "must be at least 1"],
    [{ type: "number", keywords: { maximum: 1 } }, 1, 2, "must be at most 1"],
    [{ type: "number", keywords: { exclusiveMinimum: 1 } }, 2, 1, "must be more than 1"],
    [{ type: "number", keywords: { exclusiveMaximum: 1 } }, 0, 1, "must be less than 1"],
    [{ type: "number", keywords: { multipleOf: 0.1 } }, 0.3, 0.25, "must be a multiple of 0.1"],
    [{ type: "array", keywords: { minItems: 1 } }, [1], [], "must have at least 1 item"],
    [{ type: "array", keywords: { maxItems: 1 } }, [1], [1, 2], "must have at most 1 item"],
    [{ type: "array", keywords: { uniqueItems: true } }, [1, "1", [["a", 1]], { a: 1 }], [{ a: 1, b: 2 }, {
      b: 2,
      a: 1
    }], "must not have an item twice"],
    [{ type: "array", keywords: { prefixItems: [{ type: "string" }] } }, ["a", 1], [["a"]], ""],
    [{ type: "object", keywords: { minProperties: 1 } }, { a: 1 }, {}, "must have at least 1 keys"],
    [{ type: "object", keywords: { required: ["a"] } }, { a: 1 }, {}, ""],
    [{ type: "string", keywords: { const: "a" } }, "a", "b", "must be a"],
    [
      { type: "object", enum: [{ a: 1, b: [null] }] },
      { b: [null], a: 1 },
      { a: 1 },
      `must be one of: {"a":1,"b":[null]}`
    ],
    [{ type: "string", enum: ["a"], nullable: true }, null, "b", "must be one of: a"],
    [{ type: "schema", schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }] } }, [1], [
      "a"
    ], "must have one of the forms that its schema lists"],
    [
      { type: "schema", schema: { oneOf: [{ type: "integer" }, { type: "number" }] } },
      1.5,
      1,
      "must have only one of the forms that its schema lists"
    ],
    [
      { type: "schema", schema: { allOf: [{ type: "string" }, { minLength: 1 }] } },
      "a",
      "",
      "must have at least 1 character"
    ],
    [
      { type: "string", keywords: { not: { const: "a" } } },
      "b",
      "a",
      "must not have the form that its schema excludes"
    ],
    [{ type: "array", items: { type: "schema", schema: { type: "object" } } }, [{ a: 1 }], [1], ""]
  ]
  for (const [type, good, bad, detail] of cases) {
    it(`holds ${JSON.stringify(type)}`, () => {
      assert.strictEqual(said(type, good), "fine")
      assert.include(String(said(type, bad)), detail === "" ? "x" : `x ${detail}`)
    })
  }

  it("leaves to the model what it does not know", () => {
    assert.strictEqual(said({ type: "string", keywords: { pattern: "(?i)a", format: "date", "x-y": 1 } }, "b"), "fine")
    assert.strictEqual(said({ type: "schema", schema: { anyOf: [{ $ref: "#/$defs/x" }] } }, 1), "fine")
  })

  const samples = Made.seeds.pipe(Arbitrary.map((seed) => ({ seed, params: Made.params(seed) })))

  it.effect.prop("changes nothing about arguments that it gave", [samples], ([{ params, seed }]) =>
    Effect.sync(() => {
      const check = validate(params)
      const dice = Made.diceOf(seed)
      const schema = Schema.encodeSync(Params.ParamsFromJsonSchema)(params)
      for (let i = 0; i < 10; i++) {
        const given = check(Made.value(schema, dice))
        if (Result.isFailure(given)) continue
        // A default is whatever its author wrote, which may be no value of the param.
        const again = check(given.success)
        if (Result.isSuccess(again)) assert.deepStrictEqual(again.success, given.success)
      }
    }), runs)

  const plain = Made.seeds.pipe(Arbitrary.map((seed) => ({ seed, params: Made.plain(seed) })))

  it.effect.prop(
    "accepts every value of its params, and none with one thing wrong",
    [plain],
    ([{ params, seed }]) =>
      Effect.sync(() => {
        const dice = Made.diceOf(seed)
        const check = validate(params, { unknownKeys: "refuse" })
        for (let i = 0; i < 5; i++) {
          const args = Made.fitting(params, dice)
          assert.deepStrictEqual(got(check(args)), args)
          assert.isTrue(Result.isFailure(check({ ...args as object, "not a name": 1 })))
          for (const name of params.properties.filter(({ required }) => required).map(({ name }) => name)) {
            const { [name]: _, ...rest } = args as { readonly [key: string]: unknown }
            assert.isTrue(Result.isFailure(check(rest)))
          }
        }
      }),
    runs
  )

  it("takes time in proportion to the arguments", () => {
    const check = validate(one({ type: "array", items: { type: "integer" }, keywords: { uniqueItems: true } }))
    const list = Array.from({ length: 200_000 }, (_, i) => i)
    const start = performance.now()
    assert.isTrue(Result.isSuccess(check({ x: list })))
    assert.isBelow(performance.now() - start, 5000)
  })
})

describe("a choice", () => {
  const one = (schema: Schema.JsonObject) => Params.make([{ name: "v", type: "schema", schema, required: true }])
  const only = (name: string): Schema.JsonObject => ({
    type: "object",
    properties: { [name]: { type: "integer" } },
    additionalProperties: false
  })
  const [a, b] = [only("a"), only("b")]

  it("is of the form that names all keys, whatever the policy for others", () => {
    for (const keyword of ["anyOf", "oneOf"]) {
      for (const unknownKeys of ["drop", "keep", "refuse"] as const) {
        const check = Params.validate(one({ [keyword]: [a, b] }), { unknownKeys })
        assert.deepStrictEqual(Result.getOrThrow(check({ v: { b: 1 } })), { v: { b: 1 } })
      }
    }
  })

  it("is not counted, and nothing is excluded, by what only a model reads", () => {
    const references = { $defs: { a, b }, oneOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] }
    for (const schema of [references, { anyOf: [{ type: "string", not: { format: "email" } }] }]) {
      const v = "oneOf" in schema ? { b: 1 } : "text"
      assert.deepStrictEqual(Result.getOrThrow(Params.validate(one(schema))({ v })), { v })
    }
  })
})
