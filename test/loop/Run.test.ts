/** Runs turns with a scripted model: what is sent, in which order, and why a run ends. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Deferred, Duration, Effect, Exit, Fiber, Ref, Schema } from "effect"
import { Prompt, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import * as Item from "../../src/canonical/Item.ts"
import type { Request } from "../../src/canonical/Request.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Loop from "../../src/loop/Loop.ts"
import type { Known } from "../../src/pipeline/Client.ts"
import * as Client from "../../src/pipeline/Client.ts"
import { LlmError } from "../../src/pipeline/LlmError.ts"
import * as Reason from "../../src/pipeline/Reason.ts"
import * as Scripted from "../../src/testing/Scripted.ts"
import { clock, handlers, resultsIn, send, toolkit, weather } from "./toolkit.ts"

const script = (answers: ReadonlyArray<Scripted.Answer>, known?: Known) => Scripted.make(answers, known)
const ask: Request = { model: "m", items: [Item.user("Umbrella today?")] }

const run = (
  { layer }: Scripted.Script,
  input: Parameters<typeof Loop.run>[0] = ask,
  options: Loop.Options = {},
  sent: Array<string> = []
) => Loop.run(input, toolkit, options).pipe(Effect.provide(handlers(sent)), Effect.provide(layer))

describe("a run", () => {
  it.effect("answers calls in their order, right behind the response, and goes on until there are none", () =>
    Effect.gen(function*() {
      const first = [Item.assistant("Let me look."), weather("a"), clock("b")]
      const model = yield* script([
        { items: first, finishReason: "tool-calls", usage: { input: 1, output: 2 } },
        [clock("c")],
        { items: [Item.assistant("Yes.")], finishReason: "stop", usage: { input: 10, output: 20, cacheRead: 5 } }
      ])
      const got = yield* run(model)
      assert.strictEqual(got.stop, "done")
      assert.strictEqual(Response.text(got.response), "Yes.")
      assert.deepStrictEqual(got.items.map(({ type }) => type), [
        "message",
        "tool-call",
        "tool-call",
        "tool-result",
        "tool-result",
        "tool-call",
        "tool-result",
        "message"
      ])
      assert.deepStrictEqual(resultsIn(got.items), [["a", { sky: "rain", high: 9 }], ["b", "noon"], ["c", "noon"]])
      assert.deepStrictEqual(got.usage, { input: 11, output: 22, cacheRead: 5 })
      assert.strictEqual(got.turns.length, 3)
      assert.deepStrictEqual(got.pending, [])
      const asked = yield* model.asked
      assert.deepStrictEqual(asked.map(({ items }) => items), [
        ask.items,
        [...ask.items, ...got.items.slice(0, 5)],
        [...ask.items, ...got.items.slice(0, 7)]
      ])
      // What was there stays the same object, and so what was written of it.
      for (const { items } of asked) items.forEach((item, i) => assert.strictEqual(item, asked[2]!.items[i]))
      const tools = asked.map(({ tools = [] }) => tools)
      assert.deepStrictEqual(tools[0]!.map((tool) => "name" in tool ? tool.name : ""), ["weather", "clock", "send"])
      tools[0]!.forEach((tool, i) => assert.strictEqual(tool, tools[2]![i]))
    }))

  it.effect("offers the same tools, of shorthand too, beside the request's own, whose calls are the caller's", () =>
    Effect.gen(function*() {
      const own = { name: "browse", parameters: { type: "object" } }
      const model = yield* script([[weather("a"), Item.toolCall("b", "browse")], "Done."])
      const got = yield* run(model, { model: "m", input: "hi", tools: [own] })
      assert.strictEqual(got.stop, "calls")
      assert.deepStrictEqual(got.pending.map(({ id }) => id), ["b"])
      assert.deepStrictEqual(resultsIn(got.items).map(([id]) => id), ["a"])
      const items = [Item.user("hi"), ...got.items, Item.toolResult("b", "a page")]
      const again = yield* run(model, { model: "m", items, tools: (yield* model.asked)[0]!.tools!.slice(3) })
      assert.strictEqual(Response.text(again.response), "Done.")
      assert.deepStrictEqual((yield* model.asked).map(({ tools = [] }) => tools.length), [4, 4])
    }))

  it.effect("refuses two tools of one name", () =>
    Effect.gen(function*() {
      const model = yield* script([])
      const { reason } = yield* Effect.flip(run(model, { input: "hi", tools: [{ name: "x" }, { name: "clock" }] }))
      assert.deepInclude(reason, { _tag: "InvalidRequest", param: "/tools/1/name" })
    }))

  it.effect("tells the model of what fails, does not fit, or is not there, and keeps its words as they were", () =>
    Effect.gen(function*() {
      const broken = { ...weather("b"), arguments: `{"city":` }
      const unfit = { ...weather("c"), arguments: `{ "city" : 7 }` }
      const blank = { ...clock("e"), arguments: "" }
      const model = yield* script([[weather("a", "Atlantis"), broken, unfit, Item.toolCall("d", "fly"), blank], "Oh."])
      const got = yield* run(model)
      assert.deepStrictEqual(resultsIn(got.items), [
        ["a", `The tool failed: {"_tag":"NoSuchCity","city":"Atlantis"}`, "error"],
        ["b", "The arguments do not fit, and the tool was not run: Expected JSON", "error"],
        ["c", "The arguments do not fit, and the tool was not run: Expected string at /city", "error"],
        ["d", `There is no tool "fly". The tools are: "weather", "clock", "send".`, "error"],
        ["e", "noon"]
      ])
      assert.strictEqual(got.items[1], broken)
      assert.strictEqual(got.items[2], unfit)
      assert.strictEqual(Response.text(got.response), "Oh.")
    }))

  it.effect("leaves alone what the provider runs, and goes on after a pause", () =>
    Effect.gen(function*() {
      const hosted = { ...Item.toolCall("s", "web_search"), providerExecuted: true as const }
      const model = yield* script([{ items: [hosted], finishReason: "pause" }, "Found it."])
      const got = yield* run(model)
      assert.deepStrictEqual(got.items.slice(0, -1), [hosted])
      assert.strictEqual(got.stop, "done")
      assert.deepStrictEqual((yield* model.asked)[1]!.items, [...ask.items, hosted])
    }))

  it.effect("runs no call of an answer that was cut off", () =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const model = yield* script([{ items: [{ ...send("a", "me") }], finishReason: "length" }])
      const got = yield* run(model, ask, {}, sent)
      assert.deepStrictEqual([got.stop, got.response.finishReason, sent.length], ["done", "length", 0])
      assert.deepStrictEqual(resultsIn(got.items), [
        ["a", "The answer ended before this call was complete, and the tool was not run.", "error"]
      ])
    }))

  it.effect("fails as the client does", () =>
    Effect.gen(function*() {
      const model = yield* script([[clock("a")], new LlmError({ reason: new Reason.RateLimited({}) })])
      const { reason } = yield* Effect.flip(run(model))
      assert.strictEqual(reason._tag, "RateLimited")
    }))

  it.effect("sends only what is new to a conversation that the server keeps", () =>
    Effect.gen(function*() {
      const model = yield* script([[clock("a")], [clock("b")], "Noon."])
      const got = yield* run(model, { ...ask, conversation: "conv_1" })
      assert.strictEqual(got.items.length, 5)
      assert.deepStrictEqual((yield* model.asked).map(({ items }) => items), [
        ask.items,
        got.items.slice(1, 2),
        got.items.slice(3, 4)
      ])
    }))

  it.effect("sends each request through the client's own changes", () =>
    Effect.gen(function*() {
      const { asked, client } = yield* script([[clock("a")], "Noon."])
      const ruled = client.pipe(
        Client.mapRequest((request) => ({ ...request, items: [Item.developer("Rule"), ...request.items] }))
      )
      yield* Loop.run(ask, toolkit).pipe(Effect.provide(handlers()), Effect.provideService(Client.Client, ruled))
      assert.deepStrictEqual((yield* asked).map(({ items }) => items.map(({ type }) => type)), [
        ["message", "message"],
        ["message", "message", "tool-call", "tool-result"]
      ])
    }))
})

describe("a run ends", () => {
  it.effect("after as many turns as are allowed, with all results", () =>
    Effect.gen(function*() {
      const model = yield* script(["a", "b", "c", "d"].map((id) => [clock(id)]))
      const got = yield* run(model, ask, { maxTurns: 2 })
      assert.strictEqual(got.stop, "turns")
      assert.deepStrictEqual(resultsIn(got.items), [["a", "noon"], ["b", "noon"]])
      assert.strictEqual((yield* model.asked).length, 2)
    }))

  it.effect("when a condition says so, asked after each turn that calls for another", () =>
    Effect.gen(function*() {
      const seen: Array<number> = []
      const model = yield* script([[clock("a")], [clock("b"), clock("c")], "Never."])
      const stopWhen = ({ items, turns }: Loop.Progress) =>
        Effect.sync(() => {
          seen.push(turns.length)
          return resultsIn(items).length >= 3
        })
      const got = yield* run(model, ask, { stopWhen })
      assert.deepStrictEqual([got.stop, seen], ["condition", [1, 2]])
      const never = yield* script(["Hi."])
      const done = yield* run(never, ask, { stopWhen: () => true })
      assert.strictEqual(done.stop, "done")
    }))
})

describe("a choice that forces a call", () => {
  it.effect("holds until there was one", () =>
    Effect.gen(function*() {
      const choices: ReadonlyArray<readonly [Request["toolChoice"], Request["toolChoice"]]> = [
        [{ type: "required" }, { type: "auto" }],
        [{ type: "tool", name: "clock", providerOptions: { "anthropic-messages": { x: 1 } } }, {
          type: "auto",
          providerOptions: { "anthropic-messages": { x: 1 } }
        }],
        [{ type: "allowed", mode: "required", tools: [] }, { type: "allowed", mode: "auto", tools: [] }],
        [{ type: "auto" }, { type: "auto" }],
        [undefined, undefined]
      ]
      for (const [toolChoice, then] of choices) {
        const hosted = { ...Item.toolCall("s", "web_search"), providerExecuted: true as const }
        const model = yield* script([{ items: [hosted], finishReason: "pause" }, [clock("a")], "Noon."])
        yield* run(model, toolChoice === undefined ? ask : { ...ask, toolChoice })
        assert.deepStrictEqual((yield* model.asked).map((request) => request.toolChoice), [
          toolChoice,
          toolChoice,
          then
        ])
      }
    }))
})

describe("tools", () => {
  const Slow = Tool.make("slow", { parameters: Schema.Struct({ ms: Schema.Finite }), success: Schema.Finite })
  const slow = Toolkit.make(Slow)
  const calls = (...ms: ReadonlyArray<number>) => ms.map((each, i) => Item.toolCall(`${i}`, "slow", { ms: each }))

  it.effect("run side by side, but not too many, and results keep the order of the calls", () =>
    Effect.gen(function*() {
      const now = yield* Ref.make({ running: 0, most: 0 })
      const ended: Array<number> = []
      const layer = slow.toLayer({
        slow: ({ ms }) =>
          Effect.gen(function*() {
            yield* Ref.update(now, ({ most, running }) => ({ running: running + 1, most: Math.max(most, running + 1) }))
            yield* Effect.sleep(Duration.millis(ms))
            yield* Ref.update(now, ({ most, running }) => ({ running: running - 1, most }))
            ended.push(ms)
            return ms
          })
      })
      const model = yield* script([calls(300, 100, 200, 50), "Done."])
      const fiber = yield* Loop.run(ask, slow, { concurrency: 2 }).pipe(
        Effect.provide(layer),
        Effect.provide(model.layer),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 second")
      const got = yield* Fiber.join(fiber)
      assert.deepStrictEqual(resultsIn(got.items), [["0", 300], ["1", 100], ["2", 200], ["3", 50]])
      assert.deepStrictEqual(ended, [100, 300, 200, 50])
      assert.strictEqual((yield* Ref.get(now)).most, 2)
    }))

  it.effect("that take too long are interrupted, and the model is told", () =>
    Effect.gen(function*() {
      const interrupted: Array<number> = []
      const layer = slow.toLayer({
        slow: ({ ms }) =>
          Effect.as(Effect.sleep(Duration.millis(ms)), ms).pipe(
            Effect.onInterrupt(() => Effect.sync(() => interrupted.push(ms)))
          )
      })
      const model = yield* script([calls(100, 90_000), "Done."])
      const fiber = yield* Loop.run(ask, slow, { timeout: "2 seconds" }).pipe(
        Effect.provide(layer),
        Effect.provide(model.layer),
        Effect.forkChild
      )
      yield* TestClock.adjust("2 seconds")
      const got = yield* Fiber.join(fiber)
      assert.deepStrictEqual(resultsIn(got.items), [["0", 100], ["1", "The tool gave no answer for 2s", "error"]])
      assert.deepStrictEqual(interrupted, [90_000])
    }))

  it.effect("are interrupted with the run", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const layer = slow.toLayer({
        slow: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
          )
      })
      const model = yield* script([calls(1)])
      const fiber = yield* Loop.run(ask, slow).pipe(
        Effect.provide(layer),
        Effect.provide(model.layer),
        Effect.forkChild
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(stopped))
    }))

  it.effect("that die, die", () =>
    Effect.gen(function*() {
      const bug = new Error("A bug")
      const model = yield* script([calls(1)])
      const exit = yield* Loop.run(ask, slow).pipe(
        Effect.provide(slow.toLayer({ slow: () => Effect.die(bug) })),
        Effect.provide(model.layer),
        Effect.exit
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && Cause.squash(exit.cause) === bug)
    }))

  it.effect("that give what they did not promise are wrong: a defect", () =>
    Effect.gen(function*() {
      const model = yield* script([calls(1)])
      const exit = yield* Loop.run(ask, slow).pipe(
        Effect.provide(slow.toLayer({ slow: () => Effect.succeed(Number.NaN) })),
        Effect.provide(model.layer),
        Effect.exit
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))

  it.effect("have services of their own, as handlers and for each call", () =>
    Effect.gen(function*() {
      class User extends Context.Service<User, { readonly name: string }>()("test/User") {}
      const Whoami = Tool.make("whoami", { success: Schema.String, dependencies: [User] })
      const kit = Toolkit.make(Whoami)
      const model = yield* script([[Item.toolCall("a", "whoami")], "Hi."])
      const got = yield* Loop.run(ask, kit).pipe(
        Effect.provide(kit.toLayer({ whoami: () => Effect.map(User, ({ name }) => name) })),
        Effect.provideService(User, { name: "Ada" }),
        Effect.provide(model.layer)
      )
      assert.deepStrictEqual(resultsIn(got.items), [["a", "Ada"]])
    }))

  it.effect("are taken with their handlers too, as MCP's are", () =>
    Effect.gen(function*() {
      const find = Tool.dynamic("find", { parameters: { type: "object", properties: {} }, success: Schema.String })
      const kit = Toolkit.make(find)
      const bound = yield* Effect.provide(
        kit,
        kit.toLayer({ find: (params) => Effect.succeed(JSON.stringify(params)) })
      )
      const model = yield* script([[Item.toolCall("a", "find", { q: [1, null] })], "Hi."])
      const got = yield* Loop.run(ask, bound).pipe(Effect.provide(model.layer))
      assert.deepStrictEqual(resultsIn(got.items), [["a", `{"q":[1,null]}`]])
    }))

  it.effect("get what their schema decodes, and models what they make of their results", () =>
    Effect.gen(function*() {
      const At = Tool.make("at", {
        parameters: Schema.Struct({ at: Schema.Date }),
        success: Schema.Struct({ next: Schema.Date, note: Schema.optional(Schema.String) })
      })
      const Shot = Tool.make("shot", {
        success: Schema.String,
        toModelOutput: (name) => [
          Prompt.textPart({ text: "Here it is." }),
          Prompt.filePart({ mediaType: "image/png", data: new Uint8Array([1, 2, 3]) }),
          Prompt.filePart({ mediaType: "application/pdf", fileName: name, data: new URL("https://a.example/b.pdf") })
        ]
      })
      const Quiet = Tool.make("quiet", { success: Schema.Void })
      const Polite = Tool.make("polite", { failure: Schema.String, failureMode: "return" })
      const kit = Toolkit.make(At, Shot, Quiet, Polite)
      const layer = kit.toLayer({
        at: ({ at }) => Effect.succeed({ next: new Date(at.getTime() + 1000), note: undefined }),
        shot: () => Effect.succeed("b.pdf"),
        quiet: () => Effect.void,
        polite: () => Effect.fail("Not now.")
      })
      const at = Item.toolCall("a", "at", { at: "2030-01-01T00:00:00.000Z" })
      const others = ["shot", "quiet", "polite"].map((name) => Item.toolCall(name, name))
      const model = yield* script([[at, ...others], "Hi."])
      const got = yield* Loop.run(ask, kit).pipe(Effect.provide(layer), Effect.provide(model.layer))
      assert.deepStrictEqual<unknown>(got.items.filter(({ type }) => type === "tool-result"), [
        {
          type: "tool-result",
          id: "a",
          output: { type: "json", value: { next: "2030-01-01T00:00:01.000Z", note: null } }
        },
        {
          type: "tool-result",
          id: "shot",
          output: [
            { type: "text", text: "Here it is." },
            { type: "image", source: { type: "base64", mediaType: "image/png", data: "AQID" } },
            { type: "document", source: { type: "url", url: "https://a.example/b.pdf" }, filename: "b.pdf" }
          ]
        },
        { type: "tool-result", id: "quiet" },
        {
          type: "tool-result",
          id: "polite",
          output: [{ type: "text", text: "The tool failed: Not now." }],
          isError: true
        }
      ])
    }))

  it.effect("are strict where that is asked for, and the run says where they are not", () =>
    Effect.gen(function*() {
      const model = yield* script(["Hi.", "Hi."], { target: "anthropic" })
      const got = yield* run(model, ask, { strict: "prefer" })
      assert.deepStrictEqual(got.losses, [])
      assert.isTrue((yield* model.asked)[0]!.tools?.every((tool) => tool.type === "function" && tool.strict === true))
      const unknown = yield* script(["Hi."])
      assert.deepStrictEqual((yield* run(unknown, ask, { strict: "prefer" })).losses.map(({ tool }) => tool), [
        "weather",
        "clock",
        "send"
      ])
      const { reason } = yield* Effect.flip(run(unknown, ask, { strict: "require" }))
      if (reason._tag !== "Unsupported") return assert.fail(reason._tag)
      assert.deepStrictEqual(reason.losses.map(({ pointer }) => pointer), [
        "/tools/0/parameters",
        "/tools/1/parameters",
        "/tools/2/parameters"
      ])
    }))
})
