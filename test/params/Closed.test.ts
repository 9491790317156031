import { assert, describe, it } from "@effect/vitest"
import { closed } from "../../src/params/Closed.ts"

describe("closed", () => {
  it("closes every object, wherever it stands", () => {
    const object = { type: "object", properties: {} }
    const shut = { ...object, additionalProperties: false }
    const around = (inner: typeof object) => ({
      type: "object",
      additionalProperties: false,
      properties: { a: inner, items: { type: "array", items: inner }, tuple: { prefixItems: [inner] } },
      patternProperties: { "^x": inner },
      $defs: { d: { anyOf: [inner, { type: "null" }], oneOf: [inner], allOf: [inner], not: inner } },
      definitions: { d: inner }
    })
    assert.deepStrictEqual(closed(around(object)), around(shut))
  })

  it("keeps what is said of other keys", () => {
    const said = {
      type: "object",
      additionalProperties: true,
      properties: { a: { type: "object", additionalProperties: { type: "string" } } }
    }
    assert.deepStrictEqual(closed(said), said)
  })

  it("sees an object among several types, and where only properties say so", () => {
    assert.deepStrictEqual(closed({ type: ["object", "null"] }), {
      type: ["object", "null"],
      additionalProperties: false
    })
    assert.deepStrictEqual(closed({ properties: {} }), { properties: {}, additionalProperties: false })
  })

  it("touches nothing that is no schema", () => {
    const values = {
      type: "string",
      enum: ["object"],
      const: { type: "object" },
      default: { type: "object" },
      examples: [{ type: "object" }]
    }
    assert.deepStrictEqual(closed(values), values)
    assert.deepStrictEqual(closed(true), true)
    assert.deepStrictEqual(closed({ type: "object", properties: { properties: { type: "string" } } }), {
      type: "object",
      properties: { properties: { type: "string" } },
      additionalProperties: false
    })
  })

  it("is idempotent", () => {
    const once = closed({ type: "object", properties: { a: { type: ["object", "null"], properties: {} } } })
    assert.deepStrictEqual(closed(once), once)
  })
})
