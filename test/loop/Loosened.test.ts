/** Holds the road back from strict forms to the schema: by hand, and to Effect's own codec of them where that one works. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import { loosened } from "../../src/loop/Loosened.ts"

const Names = Schema.Record(Schema.String, Schema.String)
const optional = Schema.optionalKey

interface Tree {
  readonly name?: string
  readonly children: ReadonlyArray<Tree>
}
const Tree: Schema.Codec<Tree> = Schema.Struct({
  name: optional(Schema.String),
  children: Schema.Array(Schema.suspend(() => Tree))
})

const byHand: ReadonlyArray<readonly [name: string, Schema.Constraint, sent: Schema.Json, own: Schema.Json]> = [
  ["what is absent", Schema.Struct({ a: optional(Schema.String), b: Schema.NullOr(Schema.String) }), {
    a: null,
    b: null
  }, { b: null }],
  ["a record", Schema.Struct({ r: Names }), { r: [{ "0": "a", "1": "b" }] }, { r: { a: "b" } }],
  ["pairs as lists", Schema.Struct({ r: Names }), { r: [["a", "b"]] }, { r: { a: "b" } }],
  ["an optional record", Schema.Struct({ r: optional(Names) }), { r: [{ "0": "a", "1": "b" }] }, { r: { a: "b" } }],
  [
    "an optional struct with something optional",
    Schema.Struct({ s: optional(Schema.Struct({ x: optional(Schema.Finite) })) }),
    { s: { x: null } },
    { s: {} }
  ],
  ["an optional tuple", Schema.Struct({ t: optional(Schema.Tuple([Schema.Null, Names])) }), {
    t: { "0": null, "1": [{ "0": "a", "1": "b" }] }
  }, { t: [null, { a: "b" }] }],
  [
    "a tuple with more behind it",
    Schema.Struct({ t: Schema.TupleWithRest(Schema.Tuple([Schema.String]), [Schema.Finite, Names]) }),
    { t: { "0": "a", "__rest__": [1, 2], "__tail_0__": [] } },
    { t: ["a", 1, 2, {}] }
  ],
  ["one of several", Schema.Array(Schema.Union([Schema.String, Schema.Struct({ r: Names })])), [
    "a",
    { r: [{ "0": "a", "1": "b" }] }
  ], ["a", { r: { a: "b" } }]],
  ["what refers to itself", Tree, { name: null, children: [{ name: "x", children: [] }] }, {
    children: [{ name: "x", children: [] }]
  }]
]

const Everything = Schema.Struct({
  text: Schema.String,
  count: optional(Schema.Int),
  names: Names,
  place: Schema.Tuple([Schema.Finite, Schema.Finite]),
  list: Schema.Array(Schema.Struct({ word: optional(Schema.Literals(["a", "b"])) })),
  choice: Schema.Union([Schema.Struct({ kind: Schema.Literal("x"), of: Names }), Schema.Boolean])
})

describe("a strict form", () => {
  for (const [name, schema, sent, own] of byHand) {
    it(`is taken back: ${name}`, () => {
      assert.deepStrictEqual(loosened(schema)(sent), own)
      assert.deepStrictEqual(loosened(schema)(own), own)
    })
  }

  const encode = Schema.encodeEffect(toCodecOpenAI(Everything).codec)
  it.effect.prop("is what Effect writes", [Everything], ([value]) =>
    Effect.gen(function*() {
      const sent = (yield* encode(value)) as Schema.Json
      assert.deepStrictEqual(loosened(Everything)(sent), value)
      assert.deepStrictEqual(loosened(Everything)(value), value)
    }), { arbitrary: { runs: 300 } })
})
