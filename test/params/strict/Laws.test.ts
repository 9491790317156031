import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { isRecord } from "../../../src/codec/index.ts"
import type { Fitted, Target } from "../../../src/params/Fitted.ts"
import * as Strict from "../../../src/params/Strict.ts"
import { differences } from "../../../src/testing/Recorded.ts"
import { Dice, sampled, written } from "./Samples.ts"
import { fault, fromGemini, validator } from "./Validity.ts"

type Json = Schema.Json

const runs = { arbitrary: { runs: 500 } }
const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))
const targets: ReadonlyArray<Target> = ["openai", "anthropic", "gemini"]
const strictnesses = ["prefer", "off"] as const

const told = (target: Target, { schema }: Fitted, closed = false): Json =>
  target === "gemini" ? fromGemini(schema, closed) : schema

/** What came back, without what is allowed to have come in addition: a default, and `null` for what is absent. */
const lessened = (back: Json, args: Json, fallbacks: ReadonlySet<string>): Json => {
  if (Array.isArray(back)) {
    return Array.isArray(args) ? back.map((item: Json, index) => lessened(item, args[index] ?? null, fallbacks)) : back
  }
  if (!isRecord(back) || !isRecord(args)) return back
  return Object.fromEntries(
    Object.entries(back as Schema.JsonObject).flatMap(([key, child]) => {
      if (Object.hasOwn(args, key)) return [[key, lessened(child, args[key] as Json, fallbacks)]]
      return child === null || fallbacks.has(JSON.stringify(child)) ? [] : [[key, child]]
    })
  )
}

const explain = (fields: { readonly [key: string]: unknown }): string =>
  Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join("\n")

describe("the samples", () => {
  it("reach all that the laws speak of", () => {
    const seeds = Array.from({ length: 400 }, (_, seed) => seed)
    const schemas = seeds.map((seed) => JSON.stringify(sampled(seed).schema))
    const words = [
      "$ref",
      "oneOf",
      "allOf",
      "prefixItems",
      "patternProperties",
      "propertyNames",
      "default",
      "const",
      "not"
    ]
    for (const word of words) {
      assert.isAbove(schemas.filter((schema) => schema.includes(`"${word}":`)).length, 20, word)
    }
    for (const target of targets) {
      const counts = { own: 0, strict: 0, lossless: 0, turned: 0, written: 0 }
      for (const seed of seeds) {
        const { schema, values } = sampled(seed)
        const fitted = Result.getOrThrow(Strict.fit(target, "prefer")(schema))
        const isOwn = validator(schema)
        const own = values.filter((args) => isOwn(args) === undefined)
        counts.own += own.length
        if (!fitted.strict) continue
        counts.strict++
        counts.turned += own.filter((args) => differences(fitted.apply(args), args).length > 0).length
        if (fitted.losses.length > 0) continue
        counts.lossless++
        const isSent = validator(told(target, fitted, true))
        counts.written += written(told(target, fitted, true), new Dice(seed)).filter((args) =>
          isSent(args) === undefined
        ).length
      }
      assert.isAbove(counts.own, 1500)
      assert.isAbove(counts.strict, 100)
      assert.isAbove(counts.lossless, 50)
      assert.isAbove(counts.turned, 50)
      assert.isAbove(counts.written, 50)
    }
  })
})

for (const target of targets) {
  describe(`a schema for ${target}`, () => {
    for (const strictness of strictnesses) {
      it.effect.prop(
        `is one, takes what apply makes, and gives it back (${strictness})`,
        [Seed],
        ([seed]) =>
          Effect.sync(() => {
            const { fallbacks, schema, values } = sampled(seed)
            const fitted = Result.getOrThrow(Strict.fit(target, strictness)(schema))
            const sent = told(target, fitted)
            assert.isUndefined(fault(sent), explain({ schema, sent }))
            const isOwn = validator(schema)
            const isSent = validator(sent)
            for (const args of values) {
              if (isOwn(args) !== undefined) continue
              const applied = fitted.apply(args)
              const back = fitted.undo(applied)
              assert.isUndefined(isSent(applied), explain({ schema, sent, args, applied, why: isSent(applied) }))
              assert.deepStrictEqual(
                differences(lessened(back, args, fallbacks), args),
                [],
                explain({ schema, sent, args, applied, back })
              )
              assert.isUndefined(isOwn(back), explain({ schema, args, applied, back, why: isOwn(back) }))
            }
          }),
        runs
      )
    }

    it.effect.prop(
      "gives the tool's own arguments for whatever it takes, where nothing is lost",
      [Seed],
      ([seed]) =>
        Effect.sync(() => {
          const { schema } = sampled(seed)
          const fitted = Result.getOrThrow(Strict.fit(target, "prefer")(schema))
          if (!fitted.strict || fitted.losses.length > 0) return
          const sent = told(target, fitted, true)
          const isOwn = validator(schema)
          const isSent = validator(sent)
          const dice = new Dice(seed)
          for (const args of Array.from({ length: 5 }, () => written(sent, dice)).flat()) {
            if (isSent(args) !== undefined) continue
            const back = fitted.undo(args)
            assert.isUndefined(isOwn(back), explain({ schema, sent, args, back, why: isOwn(back) }))
          }
        }),
      runs
    )

    it.effect.prop("takes what a model wrote in the tool's own form", [Seed], ([seed]) =>
      Effect.sync(() => {
        const { schema, values } = sampled(seed)
        const isOwn = validator(schema)
        for (const strictness of strictnesses) {
          const fitted = Result.getOrThrow(Strict.fit(target, strictness)(schema))
          for (const args of values) {
            if (isOwn(args) !== undefined) continue
            const back = fitted.undo(args)
            assert.isUndefined(isOwn(back), explain({ schema, args, back, why: isOwn(back) }))
          }
        }
      }), runs)

    it.effect.prop(
      "leaves alone what it does not understand",
      [Seed, Schema.Json],
      ([seed, args]) =>
        Effect.sync(() => {
          const { schema, values } = sampled(seed)
          for (const strictness of strictnesses) {
            const fitted = Result.getOrThrow(Strict.fit(target, strictness)(schema))
            for (const value of [args, ...values]) {
              const once = fitted.undo(value)
              assert.isDefined(once)
              assert.isDefined(fitted.apply(value))
            }
          }
        }),
      runs
    )
  })
}
