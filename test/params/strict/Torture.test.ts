import { assert, describe, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import type { Strictness, Target } from "../../../src/params/Fitted.ts"
import * as Strict from "../../../src/params/Strict.ts"

type Json = Schema.Json

const targets: ReadonlyArray<Target> = ["openai", "anthropic", "gemini"]
const strictnesses: ReadonlyArray<Strictness> = ["prefer", "off"]

/** Fits the schema for every target, and sends arguments there and back. The time that it took, in milliseconds. */
const through = (schema: Json, ...values: ReadonlyArray<Json>): number => {
  const start = performance.now()
  for (const target of targets) {
    for (const strictness of strictnesses) {
      const fitted = Result.getOrThrow(Strict.fit(target, strictness)(schema))
      assert.isBelow(lengthOf(fitted.schema, schema), 3_000_000)
      for (const value of [{}, ...values]) assert.isDefined(fitted.undo(fitted.apply(value)))
    }
  }
  return performance.now() - start
}

/** How long it is as JSON; that of what is sent as it is does not matter. */
const lengthOf = (sent: Json, schema: Json): number => sent === schema ? 0 : JSON.stringify(sent).length

const range = (length: number) => Array.from({ length }, (_, index) => index)
const named = (count: number, make: (index: number) => Json): Json =>
  Object.fromEntries(range(count).map((index) => [`N${index}`, make(index)]))
const object = (properties: Schema.JsonObject): Schema.JsonObject => ({ type: "object", properties })
const nested = (levels: number, around: (inner: Json) => Json, inner: Json): Json =>
  range(levels).reduce<Json>((schema) => around(schema), inner)

/** Generous for a machine that is busy with other things; what doubles with every level takes forever. */
const soon = 5000

describe("schemas that are out to exhaust", () => {
  it("fan out through definitions", () => {
    const last = 30
    const $defs = named(
      last + 1,
      (index) =>
        index === last
          ? { type: "string" }
          : object({ a: { $ref: `#/$defs/N${index + 1}` }, b: { $ref: `#/$defs/N${index + 1}` } })
    )
    assert.isBelow(through({ ...object({ x: { $ref: "#/$defs/N0" } }), $defs }, { x: { a: { b: {} } } }), soon)
  })

  it("fan out through references with something beside them", () => {
    const last = 30
    const next = (index: number): Json => ({ $ref: `#/$defs/N${index + 1}`, description: "beside" })
    const $defs = named(
      last + 1,
      (index) => index === last ? { type: "string" } : object({ a: next(index), b: next(index) })
    )
    assert.isBelow(through({ ...object({ x: { $ref: "#/$defs/N0" } }), $defs }, { x: { a: { b: {} } } }), soon)
  })

  it("fan out through unions and what stands beside them", () => {
    const level = (inner: Json): Json => ({
      type: "object",
      properties: { child: inner },
      anyOf: [object({ a: { type: "string" } }), object({ b: { type: "string" } })]
    })
    assert.isBelow(through(object({ x: nested(20, level, { type: "string" }) })), soon)
  })

  it("chain thousands of definitions", () => {
    const last = 5000
    const $defs = named(
      last + 1,
      (index) => index === last ? { type: "string" } : object({ next: { $ref: `#/$defs/N${index + 1}` } })
    )
    assert.isBelow(through({ ...object({ x: { $ref: "#/$defs/N0" } }), $defs }), soon)
    const beside = named(
      last + 1,
      (index) =>
        index === last ? { type: "string" } : object({ next: { $ref: `#/$defs/N${index + 1}`, description: "d" } })
    )
    assert.isBelow(through({ ...object({ x: { $ref: "#/$defs/N0" } }), $defs: beside }), soon)
  })

  it("nest thousands of levels deep", () => {
    for (
      const around of [
        (inner: Json) => object({ a: inner }),
        (inner: Json): Json => ({ type: "array", items: inner }),
        (inner: Json): Json => ({ anyOf: [inner, { type: "null" }] }),
        (inner: Json): Json => ({ allOf: [inner] }),
        (inner: Json): Json => ({ not: inner })
      ]
    ) {
      assert.isBelow(through(object({ x: nested(5000, around, { type: "string" }) })), soon)
    }
  })

  it("go round in circles", () => {
    const a = { $ref: "#/$defs/A" }
    const b = { $ref: "#/$defs/B" }
    const circles: ReadonlyArray<Schema.JsonObject> = [
      { A: b, B: a },
      { A: a, B: b },
      { A: { allOf: [a] }, B: { allOf: [a, b] } },
      { A: { anyOf: [a, b] }, B: { oneOf: [b, a, { type: "null" }] } },
      { A: { $ref: "#/$defs/A", description: "itself" }, B: { not: b } },
      {
        A: object({ a, b, list: { type: "array", items: { anyOf: [a, b] } } }),
        B: { ...object({ b, a }), required: ["b"] }
      },
      {
        A: { ...a, ...object({ deeper: { ...a, description: "again" } }) },
        B: { type: "object", additionalProperties: b }
      }
    ]
    for (const $defs of circles) {
      assert.isBelow(
        through({ ...object({ a, b }), $defs }, { a: { a: { a: null }, list: [null, {}] }, b: null }),
        soon
      )
      assert.isBelow(through({ ...a, $defs }, { a: null }), soon)
    }
    assert.isBelow(through({ $ref: "#" }), soon)
    assert.isBelow(through({ anyOf: [{ $ref: "#" }, { $ref: "#" }] }, { a: [{}] }), soon)
  })

  it("have thousands of everything", () => {
    const text: Json = { type: "string", maxLength: 9 }
    assert.isBelow(through(object(named(5000, () => text) as Schema.JsonObject)), soon)
    assert.isBelow(through(object({ x: { enum: range(20_000).map((index) => `v${index}`) } }), { x: "v19999" }), soon)
    const member = (index: number): Json => ({ ...object({ kind: { const: index }, note: text }), required: ["kind"] })
    assert.isBelow(through(object({ x: { oneOf: range(300).map(member) } }), { x: { kind: 299 } }), soon)
    assert.isBelow(through(object({ x: { allOf: range(2000).map((index) => object({ [`p${index}`]: text })) } })), soon)
  })
})

describe("values that are out to exhaust", () => {
  const either: Json = {
    anyOf: [
      { ...object({ next: { $ref: "#/$defs/Either" }, a: { type: "integer" } }), required: ["next"] },
      { ...object({ next: { $ref: "#/$defs/Either" }, b: { type: "string" } }), required: ["next"] },
      { type: "object", additionalProperties: { $ref: "#/$defs/Either" } },
      { type: "null" }
    ]
  }
  const schema = { ...object({ x: { $ref: "#/$defs/Either" } }), $defs: { Either: either } }
  const chain = (levels: number, last: Json) => nested(levels, (next) => ({ next }), last)

  it("fit several members of a union at every level", () => {
    assert.isBelow(through(schema, { x: chain(60, null) }, { x: chain(60, 5) }, { x: chain(300, null) }), soon)
  })

  it("nest deeper than the stack", () => {
    assert.isBelow(through(schema, { x: chain(100_000, null) }), soon)
    const list = {
      ...object({ x: { $ref: "#/$defs/L" } }),
      $defs: { L: { type: "array", items: { $ref: "#/$defs/L" } } }
    }
    assert.isBelow(through(list, { x: nested(100_000, (inner) => [inner], []) }), soon)
  })
})
