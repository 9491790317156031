/** Tells a run as it happens. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { Tool, Toolkit } from "effect/ai"
import * as Item from "../../src/canonical/Item.ts"
import * as Loop from "../../src/loop/Loop.ts"
import * as Client from "../../src/pipeline/Client.ts"
import { LlmError } from "../../src/pipeline/LlmError.ts"
import * as Reason from "../../src/pipeline/Reason.ts"
import * as Scripted from "../../src/testing/Scripted.ts"
import { clock, handlers, toolkit, weather } from "./toolkit.ts"

const answers = [[Item.assistant("Let me look."), weather("a"), clock("b")], "Rain at noon."]

describe("a streamed run", () => {
  it.effect("tells turns, the model's events, tools as they end, and at last what run gives", () =>
    Effect.gen(function*() {
      const { layer } = yield* Scripted.make(answers)
      const events = yield* Loop.stream({ model: "m", input: "hi" }, toolkit).pipe(
        Stream.runCollect,
        Effect.provide(handlers()),
        Effect.provide(layer)
      )
      assert.deepStrictEqual(events.map(({ _tag }) => _tag).filter((tag) => !/^Slot|Arguments/.test(tag)), [
        "TurnStarted",
        "Started",
        "TextDelta",
        "Finished",
        "ToolStarted",
        "ToolStarted",
        "ToolFinished",
        "ToolFinished",
        "TurnFinished",
        "TurnStarted",
        "Started",
        "TextDelta",
        "Finished",
        "TurnFinished",
        "RunFinished"
      ])
      const whole = yield* Effect.flatMap(
        Scripted.make(answers),
        ({ layer }) =>
          Loop.run({ model: "m", input: "hi" }, toolkit).pipe(Effect.provide(handlers()), Effect.provide(layer))
      )
      const last = events.at(-1)
      assert.deepStrictEqual(last?._tag === "RunFinished" ? last.run : undefined, whole)
    }))

  it.effect("tells a result when it is there, and how far a tool is", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const Late = Tool.make("late")
      const Early = Tool.dynamic("early")
      const kit = Toolkit.make(Late, Early)
      const layer = kit.toLayer({
        late: () => Deferred.await(gate),
        early: (_, { preliminary }) => Effect.as(preliminary("half"), "whole")
      })
      const model = yield* Scripted.make([[Item.toolCall("a", "late"), Item.toolCall("b", "early")], "Done."])
      const told: Array<unknown> = []
      yield* Loop.stream({ model: "m", input: "hi" }, kit).pipe(
        Stream.runForEach((event) => {
          if (event._tag !== "ToolProgress" && event._tag !== "ToolFinished") return Effect.void
          told.push([event._tag, event.call.id, Item.textIn(event.result)])
          // Only who has heard of the second tool lets the first one end.
          return event._tag === "ToolFinished" ? Deferred.succeed(gate, undefined) : Effect.void
        }),
        Effect.provide(layer),
        Effect.provide(model.layer)
      )
      assert.deepStrictEqual(told, [
        ["ToolProgress", "b", "half"],
        ["ToolFinished", "b", "whole"],
        ["ToolFinished", "a", ""]
      ])
    }))

  it.effect("fails as the model does, with what was told before", () =>
    Effect.gen(function*() {
      const model = yield* Scripted.make([[clock("a")], new LlmError({ reason: new Reason.Overloaded({}) })])
      const told: Array<string> = []
      const { reason } = yield* Loop.stream({ model: "m", input: "hi" }, toolkit).pipe(
        Stream.runForEach(({ _tag }) => Effect.sync(() => told.push(_tag))),
        Effect.provide(handlers()),
        Effect.provide(model.layer),
        Effect.flip
      )
      assert.strictEqual(reason._tag, "Overloaded")
      assert.strictEqual(told.at(-1), "TurnStarted")
      assert.include(told, "ToolFinished")
    }))

  it.effect("dies as a tool does", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Tool.make("buggy"))
      const model = yield* Scripted.make([[Item.toolCall("a", "buggy")]])
      const exit = yield* Loop.stream({ model: "m", input: "hi" }, kit).pipe(
        Stream.runDrain,
        Effect.provide(kit.toLayer({ buggy: () => Effect.die("A bug") })),
        Effect.provide(model.layer),
        Effect.exit
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))

  it.effect("interrupts its tools when nobody reads on", () =>
    Effect.gen(function*() {
      const stopped = yield* Deferred.make<void>()
      const kit = Toolkit.make(Tool.dynamic("endless"))
      const layer = kit.toLayer({
        endless: (_, { preliminary }) =>
          preliminary("begun").pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
          )
      })
      const model = yield* Scripted.make([[Item.toolCall("a", "endless")]])
      yield* Loop.stream({ model: "m", input: "hi" }, kit).pipe(
        Stream.takeUntil(({ _tag }) => _tag === "ToolProgress"),
        Stream.runDrain,
        Effect.provide(layer),
        Effect.provide(model.layer)
      )
      assert.isTrue(yield* Deferred.isDone(stopped))
    }))

  it.effect("reads no further than a little ahead of who reads it", () =>
    Effect.gen(function*() {
      let told = 0
      const delta = Effect.sync(() => ({ _tag: "TextDelta" as const, slot: 0, part: 0, text: String(told++) }))
      const client = Client.make(() => Effect.never, undefined, () => Stream.fromEffectRepeat(delta))
      const events = yield* Loop.stream({ model: "m", input: "hi" }, toolkit).pipe(
        Stream.take(3),
        Stream.runCollect,
        Effect.provide(handlers()),
        Effect.provideService(Client.Client, client)
      )
      assert.strictEqual(events.length, 3)
      assert.isBelow(told, 100)
    }))

  it.effect("says so when a client's stream has no end", () =>
    Effect.gen(function*() {
      const client = Client.make(() => Effect.never, undefined, () => Stream.make({ _tag: "Started" as const }))
      const fiber = yield* Loop.stream({ model: "m", input: "hi" }, toolkit).pipe(
        Stream.runDrain,
        Effect.provide(handlers()),
        Effect.provideService(Client.Client, client),
        Effect.flip,
        Effect.forkChild
      )
      assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "StreamTruncated")
    }))
})
