/** Stops before a call that somebody has to allow, and goes on when they have. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Prompt, Tool, Toolkit } from "effect/ai"
import * as Item from "../../src/canonical/Item.ts"
import type { Request } from "../../src/canonical/Request.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Loop from "../../src/loop/Loop.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as Scripted from "../../src/testing/Scripted.ts"
import { clock, handlers, resultsIn, send, toolkit } from "./toolkit.ts"

const ask: Request = { model: "m", items: [Item.user("Write to them.")] }
const run = ({ layer }: Scripted.Script, items: Item.Items, sent: Array<string> = []) =>
  Loop.run({ ...ask, items }, toolkit).pipe(Effect.provide(handlers(sent)), Effect.provide(layer))

describe("an approval", () => {
  it.effect("is asked for, while the calls beside it are run", () =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const model = yield* Scripted.make([[send("a", "Bob"), clock("b"), send("c", "me"), send("d", "Eve")]])
      const got = yield* run(model, ask.items, sent)
      assert.strictEqual(got.stop, "approval")
      assert.deepStrictEqual(got.pending, [send("a", "Bob"), send("d", "Eve")])
      assert.deepStrictEqual(resultsIn(got.items), [["b", "noon"], ["c", "Sent as number 1"]])
      assert.deepStrictEqual(sent, ["me"])
    }))

  it.effect("that is given runs the call, and one that is not tells the model", () =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const model = yield* Scripted.make([[send("a", "Bob"), clock("b"), send("d", "Eve"), send("e", "Sue")], "Done."])
      const asked = yield* run(model, ask.items, sent)
      const [bob, eve, sue] = asked.pending
      const before = [...ask.items, ...asked.items]
      const got = yield* run(model, [
        ...before,
        Loop.approve(bob!),
        Loop.deny(eve!, "She is on leave."),
        Loop.deny(sue!)
      ], sent)
      assert.strictEqual(Response.text(got.response), "Done.")
      assert.deepStrictEqual(sent, ["Bob"])
      assert.deepStrictEqual(resultsIn(got.items), [
        ["a", "Sent as number 1"],
        ["d", "The user did not allow this call: She is on leave.", "error"],
        ["e", "The user did not allow this call.", "error"]
      ])
      const { items } = (yield* model.asked)[1]!
      assert.deepStrictEqual(items, [...before, ...got.items.slice(0, 3)])
      before.forEach((item, i) => assert.strictEqual(items[i], item))
    }))

  it.effect("may come behind words of the user, and keeps the conversation valid", () =>
    Effect.gen(function*() {
      const model = yield* Scripted.make([[send("a", "Bob"), clock("b")], "Done."])
      const asked = yield* run(model, ask.items)
      const items = [...ask.items, ...asked.items, Item.user("Go on."), ...asked.pending.map(Loop.approve)]
      const got = yield* run(model, items)
      const wire = yield* Schema.encodeEffect(AnthropicMessages.RequestFromWire)({
        model: "m",
        items: [...items.filter(({ type }) => type !== "tool-approval-response"), ...got.items]
      })
      const { messages } = wire as { messages: ReadonlyArray<{ role: string; content: unknown }> }
      assert.deepStrictEqual(messages.map(({ role }) => role), ["user", "assistant", "user", "assistant"])
      assert.deepStrictEqual(messages[2]!.content, [
        { type: "tool_result", tool_use_id: "b", content: "noon" },
        { type: "tool_result", tool_use_id: "a", content: "Sent as number 1" },
        { type: "text", text: "Go on." }
      ])
    }))

  it.effect("releases a forced choice: the call was made", () =>
    Effect.gen(function*() {
      const model = yield* Scripted.make(["Done."])
      const items = [...ask.items, send("a", "Bob"), Loop.approve({ id: "a" })]
      yield* Loop.run({ ...ask, items, toolChoice: { type: "required" } }, toolkit).pipe(
        Effect.provide(handlers()),
        Effect.provide(model.layer)
      )
      assert.deepStrictEqual((yield* model.asked)[0]!.toolChoice, { type: "auto" })
    }))

  it.effect("goes on with a conversation that the server keeps by what that has not", () =>
    Effect.gen(function*() {
      const model = yield* Scripted.make([[send("a", "Bob"), clock("b")], "Done."])
      const input = { ...ask, conversation: "conv_1" }
      const go = (items: Item.Items) =>
        Loop.run({ ...input, items }, toolkit).pipe(Effect.provide(handlers()), Effect.provide(model.layer))
      const asked = yield* go(ask.items)
      const got = yield* go([...ask.items, ...asked.items, Item.user("Go on."), ...asked.pending.map(Loop.approve)])
      assert.deepStrictEqual((yield* model.asked)[1]!.items, [
        asked.items.at(-1)!,
        Item.user("Go on."),
        got.items[0]!
      ])
    }))

  it.effect("that is missing is an error, before anything is run or sent", () =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const model = yield* Scripted.make([])
      const items = [...ask.items, send("a", "Bob"), Loop.approve({ id: "a" }), send("b", "Eve")]
      const { reason } = yield* Effect.flip(run(model, items, sent))
      assert.deepInclude(reason, {
        _tag: "InvalidRequest",
        param: "/items/3",
        detail: `Expected an answer whether the tool call "b" may be run, got none`
      })
      assert.deepStrictEqual(sent, [])
    }))

  it.effect("of a provider's own tool is asked for and answered as it stands", () =>
    Effect.gen(function*() {
      const request = { type: "tool-approval-request", id: "mcpr_1", name: "crm", arguments: "{}" } as const
      const model = yield* Scripted.make([{ items: [request, clock("a")], finishReason: "stop" }, "Done."])
      const asked = yield* run(model, ask.items)
      assert.strictEqual(asked.stop, "approval")
      assert.deepStrictEqual(asked.pending, [request])
      assert.deepStrictEqual(resultsIn(asked.items), [["a", "noon"]])
      const items = [...ask.items, ...asked.items, ...asked.pending.map(Loop.approve)]
      const got = yield* run(model, items)
      assert.strictEqual(got.stop, "done")
      assert.deepStrictEqual((yield* model.asked)[1]!.items, items)
    }))

  it.effect("may depend on the parameters and on what was said, by an effect", () =>
    Effect.gen(function*() {
      const seen: Array<Prompt.Message> = []
      const Pay = Tool.make("pay", {
        parameters: Schema.Struct({ at: Schema.Date }),
        success: Schema.String,
        needsApproval: ({ at }, { messages, toolCallId }) =>
          Effect.sync(() => {
            seen.push(...messages)
            return at.getTime() > 0 && toolCallId === "b"
          })
      })
      const kit = Toolkit.make(Pay)
      const pay = (id: string) => Item.toolCall(id, "pay", { at: "2030-01-01T00:00:00.000Z" })
      const model = yield* Scripted.make([[Item.assistant("I pay."), pay("a"), pay("b")]])
      const got = yield* Loop.run({ ...ask, items: [Item.system("Pay."), ...ask.items] }, kit).pipe(
        Effect.provide(kit.toLayer({ pay: () => Effect.succeed("paid") })),
        Effect.provide(model.layer)
      )
      assert.deepStrictEqual(got.pending.map(({ id }) => id), ["b"])
      assert.deepStrictEqual(seen.slice(0, 3).map(({ role }) => role), ["system", "user", "assistant"])
    }))
})

describe("calls that have no result", () => {
  it.effect("are answered first, so that a run goes on from what was kept of it", () =>
    Effect.gen(function*() {
      const model = yield* Scripted.make(["Noon."])
      const items = [...ask.items, clock("a"), clock("b"), Item.toolResult("a", "eleven")]
      const got = yield* run(model, items)
      assert.deepStrictEqual(resultsIn(got.items), [["b", "noon"]])
      assert.deepStrictEqual((yield* model.asked)[0]!.items, [...items, got.items[0]!])
    }))
})
