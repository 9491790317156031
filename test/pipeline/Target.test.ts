/** What is known of who answers: whose rules hold for schemas, and how a stream's items are grouped. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Item from "../../src/canonical/Item.ts"
import * as Client from "../../src/pipeline/Client.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import { LlmError } from "../../src/pipeline/LlmError.ts"
import { Overloaded } from "../../src/pipeline/Reason.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import * as Echo from "../../src/provider/Echo.ts"
import * as Scripted from "../../src/testing/Scripted.ts"

const openAi = Effect.provide(Client.Client, Echo.layer)
const anthropic = Effect.provide(Client.Client, Echo.layerAnthropic)
const request = { model: "m", input: "Well then" }

describe("a client", () => {
  it.effect("knows its protocol's rules, whatever is changed about it", () =>
    Effect.gen(function*() {
      const client = (yield* anthropic).pipe(
        Client.mapRequest((request) => request),
        Client.mapResponse((response) => response),
        Client.tapWire(() => Effect.void),
        Client.withHeaders({})
      )
      assert.deepStrictEqual([client.target, client.grouping], ["anthropic", AnthropicMessages])
      assert.deepStrictEqual([(yield* openAi).target, (yield* openAi).grouping?.name], ["openai", OpenAiResponses.name])
      assert.isUndefined(Client.make(() => Effect.never).target)
    }))

  it.effect("of two knows the rules that both have", () =>
    Effect.gen(function*() {
      const two = (yield* openAi).pipe(Client.orElse(yield* openAi))
      assert.deepStrictEqual([two.target, two.grouping], ["openai", (yield* openAi).grouping])
      const mixed = (yield* openAi).pipe(Client.orElse(yield* anthropic), Client.mapRequest((request) => request))
      assert.deepStrictEqual([mixed.target, mixed.grouping], [undefined, undefined])
    }))

  it.effect("of two protocols streams what ends with the whole response, whoever answers", () =>
    Effect.gen(function*() {
      const down = Client.make(() => Effect.fail(new LlmError({ reason: new Overloaded({}) })))
      const client = down.pipe(Client.orElse(yield* anthropic))
      const events = yield* Stream.runCollect(client.stream(request))
      const last = events.at(-1)
      assert.deepStrictEqual(
        last?._tag === "Finished" ? last.response?.items : undefined,
        [Item.assistant("Well then")]
      )
      const own = yield* Stream.runCollect((yield* anthropic).stream(request))
      assert.isFalse(own.some((event) => event._tag === "Finished" && event.response !== undefined))
    }))

  it.effect("that is scripted stands for whom the test says", () =>
    Effect.gen(function*() {
      const { client } = yield* Scripted.make([], { target: "anthropic" })
      assert.strictEqual(client.target, "anthropic")
    }))
})

describe("events that are completed", () => {
  const told = [
    { _tag: "Started", id: "r" },
    { _tag: "TextDelta", slot: 0, part: 0, text: "a" },
    { _tag: "TextDelta", slot: 1, part: 0, text: "b" },
    { _tag: "Finished", finishReason: "stop" }
  ] as const
  const lastOf = (grouping?: Collect.Grouping) =>
    Effect.map(Stream.runCollect(Collect.completed(grouping)(Stream.make(...told))), (events) => {
      assert.deepStrictEqual(events.slice(0, -1), told.slice(0, -1))
      const last = events.at(-1)
      return last?._tag === "Finished" ? last.response : undefined
    })

  it.effect("hold in the last one what they tell, grouped as the protocol has it, or not at all", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* lastOf(AnthropicMessages), {
        id: "r",
        items: [{
          type: "message",
          role: "assistant",
          parts: [{ type: "text", text: "a" }, { type: "text", text: "b" }]
        }],
        finishReason: "stop"
      })
      assert.deepStrictEqual((yield* lastOf())?.items, [Item.assistant("a"), Item.assistant("b")])
    }))
})
