import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { Client, Item, LlmError, Reason, Response } from "../../src/index.ts"
import { Scripted } from "../../src/testing/index.ts"

describe("a scripted client", () => {
  it.effect("answers in order, with texts, items, errors and functions, and remembers what it was asked", () =>
    Effect.gen(function*() {
      const script = yield* Scripted.make([
        "Hello!",
        [Item.toolCall("c", "weather", { city: "Rome" })],
        new LlmError({ reason: new Reason.RateLimited({}) }),
        ({ model }) => `I am ${model}`,
        { items: [], finishReason: "length" }
      ])
      const ask = (input: string) => Effect.provide(Client.send({ model: "m", input }), script.layer)
      assert.strictEqual(Response.text(yield* ask("one")), "Hello!")
      const calling = yield* ask("two")
      assert.strictEqual(calling.finishReason, "tool-calls")
      assert.strictEqual((yield* Effect.flip(ask("three"))).reason._tag, "RateLimited")
      assert.strictEqual(Response.text(yield* ask("four")), "I am m")
      assert.strictEqual((yield* ask("five")).finishReason, "length")
      assert.deepStrictEqual((yield* script.asked).map(({ items }) => items.map(Item.textIn)), [
        ["one"],
        ["two"],
        ["three"],
        ["four"],
        ["five"]
      ])
    }))
  it.effect("dies when it is asked more than it knows: the test is wrong", () =>
    Effect.gen(function*() {
      const script = yield* Scripted.make([])
      const exit = yield* Effect.exit(script.client.send({ input: "hi" }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))
})
