/** Runs tools and asks for values against a server that others wrote, over the loopback network, in both protocols. */
import type { LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import * as Item from "../../src/canonical/Item.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Loop from "../../src/loop/Loop.ts"
import * as Structured from "../../src/loop/Structured.ts"
import * as Client from "../../src/pipeline/Client.ts"
import { connect, providers } from "../Mock.ts"
import { handlers, resultsIn, toolkit } from "./toolkit.ts"

const call = (id: string, name: string, args: unknown = {}) => ({ id, name, arguments: JSON.stringify(args) })

const teach = (mock: LLMock): void => {
  mock.on({ userMessage: /umbrella/i, hasToolResult: false }, {
    toolCalls: [call("call_1", "weather", { city: "Bergen" }), call("call_2", "weather", { city: "Atlantis" })],
    usage: { input_tokens: 7, output_tokens: 2 }
  })
  mock.onToolResult("call_2", { toolCalls: [call("call_3", "clock")] }, { chunkSize: 4 })
  mock.onToolResult("call_3", { content: "Take one at noon.", usage: { input_tokens: 9, output_tokens: 4 } }, {
    chunkSize: 4
  })
  mock.on({ userMessage: /write/i, hasToolResult: false }, {
    toolCalls: [call("call_4", "send", { to: "Bob" }), call("call_5", "clock")]
  })
  mock.on({ toolCallId: "call_4", toolResultContains: "Sent as number 1" }, { content: "It is sent." })
  mock.on({ toolCallId: "call_4", toolResultContains: "did not allow" }, { content: "Then not." })
  mock.on({ userMessage: /forever/ }, { toolCalls: [call("call_6", "clock")] })
  mock.on({ userMessage: /person/, hasToolResult: false, predicate: ({ tools = [] }) => tools.length > 0 }, {
    toolCalls: [call("call_7", "Person", { name: "Ada" })]
  })
  mock.on({ toolCallId: "call_7" }, { toolCalls: [call("call_8", "Person", { name: "Ada", age: 36 })] })
  mock.on({ userMessage: /person/ }, { content: `{"name":"Ada","age":"36","nick":null}` })
  mock.on({ userMessage: /does not fit/ }, { content: `{"name":"Ada","age":36,"nick":null}` })
}

for (const served of providers) {
  const [protocol, , model] = served
  describe(protocol, () => {
    const connected = Effect.gen(function*() {
      const { client, mock } = yield* connect(served, teach)
      const sent: Array<string> = []
      return { mock, sent, layer: Layer.merge(Layer.succeed(Client.Client, client), handlers(sent)) }
    })

    it.live("parallel calls, one of which fails, and another turn, with strict tools", () =>
      Effect.gen(function*() {
        const { layer, mock } = yield* connected
        const run = yield* Loop.run({ model, input: "Umbrella today?" }, toolkit, { strict: "require" }).pipe(
          Effect.provide(layer)
        )
        assert.strictEqual(Response.text(run.response), "Take one at noon.")
        assert.deepStrictEqual([run.stop, run.turns.length], ["done", 3])
        assert.deepStrictEqual(resultsIn(run.items), [
          ["call_1", { sky: "rain", high: 9 }],
          ["call_2", `The tool failed: {"_tag":"NoSuchCity","city":"Atlantis"}`, "error"],
          ["call_3", "noon"]
        ])
        assert.deepInclude(run.usage, { input: 16, output: 6 })
        const requests = mock.getRequests()
        assert.deepStrictEqual(requests.map(({ response }) => response.status), [200, 200, 200])
      }).pipe(Effect.scoped))

    it.live("the same as it happens", () =>
      Effect.gen(function*() {
        const { layer } = yield* connected
        const events = yield* Loop.stream({ model, input: "Umbrella today?" }, toolkit).pipe(
          Stream.runCollect,
          Effect.provide(layer)
        )
        const tags = events.map(({ _tag }) => _tag)
        assert.strictEqual(tags.filter((tag) => tag === "TurnStarted").length, 3)
        assert.isAbove(tags.filter((tag) => tag === "TextDelta").length, 2)
        assert.isBelow(tags.indexOf("ToolFinished"), tags.indexOf("TextDelta"))
        const last = events.at(-1)
        if (last?._tag !== "RunFinished") return assert.fail(`It ends with ${last?._tag}`)
        const whole = yield* Effect.provide(Loop.run({ model, input: "Umbrella today?" }, toolkit), layer)
        assert.strictEqual(Response.text(last.run.response), "Take one at noon.")
        assert.deepStrictEqual(resultsIn(last.run.items), resultsIn(whole.items))
        assert.deepStrictEqual(last.run.items.map(({ type }) => type), whole.items.map(({ type }) => type))
      }).pipe(Effect.scoped))

    it.live("an approval, given and denied", () =>
      Effect.gen(function*() {
        const { layer, sent } = yield* connected
        const first = [Item.user("Write to Bob.")]
        const asked = yield* Effect.provide(Loop.run({ model, items: first }, toolkit), layer)
        assert.deepStrictEqual([asked.stop, asked.pending.map(({ id }) => id)], ["approval", ["call_4"]])
        assert.deepStrictEqual(resultsIn(asked.items), [["call_5", "noon"]])
        const resume = (answer: typeof Loop.approve) =>
          Loop.run({ model, items: [...first, ...asked.items, ...asked.pending.map((call) => answer(call))] }, toolkit)
            .pipe(Effect.map(({ response }) => Response.text(response)), Effect.provide(layer))
        assert.strictEqual(yield* resume((call) => Loop.deny(call, "Not today.")), "Then not.")
        assert.deepStrictEqual(sent, [])
        assert.strictEqual(yield* resume(Loop.approve), "It is sent.")
        assert.deepStrictEqual(sent, ["Bob"])
      }).pipe(Effect.scoped))

    it.live("as many turns as are allowed, and what may be continued after them", () =>
      Effect.gen(function*() {
        const { layer, mock } = yield* connected
        const run = yield* Effect.provide(Loop.run({ model, input: "forever" }, toolkit, { maxTurns: 2 }), layer)
        assert.deepStrictEqual([run.stop, mock.getRequests().length, resultsIn(run.items).length], ["turns", 2, 2])
        const items = [Item.user("forever"), ...run.items]
        yield* Effect.provide(Client.send({ model, items }), layer)
      }).pipe(Effect.scoped))

    const Person = Schema.Struct({
      name: Schema.String,
      age: Schema.Int,
      nick: Schema.optionalKey(Schema.String)
    }).annotate({ identifier: "Person" })

    it.live("a value in the API's own format, and by a tool, each with a repair", () =>
      Effect.gen(function*() {
        const { layer, mock } = yield* connected
        const ask = { model, input: "A person, please." }
        const native = yield* Effect.provide(Structured.send(Person, ask, { repair: true }), layer)
        assert.deepStrictEqual(native.value, { name: "Ada", age: 36 })
        assert.strictEqual(native.turns.length, 2)
        const called = yield* Effect.provide(Structured.send(Person, ask, { repair: true, via: "tool" }), layer)
        assert.deepStrictEqual(called.value, { name: "Ada", age: 36 })
        assert.strictEqual(called.turns.length, 2)
        const { reason } = yield* Effect.flip(Effect.provide(Structured.send(Person, ask), layer))
        assert.deepInclude(reason, { _tag: "InvalidAnswer", param: "/age" })
        assert.isTrue(mock.getRequests().every(({ response }) => response.status === 200))
      }).pipe(Effect.scoped))
  })
}
