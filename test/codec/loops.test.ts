/** The kit where code may not be made at run time: the loops answer as the straight code does. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit, Schema } from "effect"
import { carried } from "../../src/codec/index.ts"
import { BookFromWire, PieceFromWire } from "./demo.ts"

const loops = Effect.promise(async () => {
  // Code is made on first use: the ban comes after that of one copy of the module, and before that of the other.
  Schema.decodeUnknownExit(BookFromWire)({})
  Schema.decodeUnknownExit(PieceFromWire)({})
  Schema.encodeExit(BookFromWire)({ title: "t", notes: [] })
  const compile = await import("../../src/codec/Compile.ts")
  compile.forbid()
  return await import("./demo.ts?loops" as string) as typeof import("./demo.ts")
})

const agree = (a: Exit.Exit<unknown, Schema.SchemaError>, b: Exit.Exit<unknown, Schema.SchemaError>): void => {
  if (Exit.isSuccess(a) && Exit.isSuccess(b)) assert.deepStrictEqual(a.value, b.value)
  else assert.strictEqual(String(Exit.isFailure(a) && a.cause), String(Exit.isFailure(b) && b.cause))
}

describe("the loops", () => {
  it.effect("agree with the straight code on sampled values and bodies, well formed or not", () =>
    Effect.gen(function*() {
      const looped = yield* loops
      assert.notStrictEqual(looped.BookFromWire, BookFromWire)
      const inside = yield* Arbitrary.sampleEffect(Arbitrary.schema(carried(BookFromWire)), { count: 200, seed: 1 })
      const outside = yield* Arbitrary.sampleEffect(Arbitrary.schema(Schema.toEncoded(BookFromWire)), {
        count: 200,
        seed: 2
      })
      for (const book of inside) {
        agree(Schema.encodeExit(looped.BookFromWire)(book), Schema.encodeExit(BookFromWire)(book))
      }
      for (
        const body of [
          ...outside,
          {},
          { title: 1 },
          { title: "t", entries: [{ author: "me", body: [{ type: "txt" }] }] },
          5,
          null,
          []
        ]
      ) {
        agree(Schema.decodeUnknownExit(looped.BookFromWire)(body), Schema.decodeUnknownExit(BookFromWire)(body))
        agree(Schema.decodeUnknownExit(looped.PieceFromWire)(body), Schema.decodeUnknownExit(PieceFromWire)(body))
      }
    }))
})
