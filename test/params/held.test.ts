/** Arguments held against schemas from elsewhere: what ajv takes is taken. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { held } from "../../src/params/Validate.ts"
import { sampled } from "./strict/Samples.ts"
import { validator } from "./strict/Validity.ts"

const keep = { unknownKeys: "keep", absent: "omit" } as const

describe("arguments of a schema from elsewhere", () => {
  it.effect.prop("are taken where the schema takes them", [Schema.Int], ([seed]) =>
    Effect.sync(() => {
      const { fallbacks, schema, values } = sampled(seed)
      const fault = validator(schema)
      const check = held(schema, keep)
      for (const value of values.filter((value) => fault(value) === undefined)) {
        const taken = check(value)
        const explained = `${JSON.stringify(schema)}\n${JSON.stringify(value)}`
        if (Result.isFailure(taken)) return assert.fail(`${taken.failure.message}\n${explained}`)
        // A default is what its author wrote, be it of its own schema or not.
        if (fallbacks.size === 0) assert.deepStrictEqual(taken.success, value, explained)
      }
    }), { arbitrary: { runs: 500 } })
})
