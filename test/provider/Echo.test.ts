/** Holds Echo to what it promises, in both protocols. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as Item from "../../src/canonical/Item.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Client from "../../src/pipeline/Client.ts"
import * as Wire from "../../src/pipeline/Wire.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import * as Echo from "../../src/provider/Echo.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"
import { sampleOf } from "../../src/provider/SchemaSample.ts"

const weather = {
  name: "weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city", "days"]
  }
}

for (
  const [protocol, layer] of [["openai-responses", Echo.layer], ["anthropic-messages", Echo.layerAnthropic]] as const
) {
  describe(protocol, () => {
    const send = (input: Parameters<typeof Client.send>[0]) => Effect.provide(Client.send(input), layer)

    it.effect("repeats the last user text", () =>
      Effect.gen(function*() {
        const input = ["first", { role: "assistant", text: "no" }, { role: "user", text: "last ☃" }] as const
        const response = yield* send({ model: "m", input })
        assert.strictEqual(Response.text(response), "last ☃")
        assert.strictEqual(response.finishReason, "stop")
        assert.strictEqual(response.model, "m")
        assert.isAbove(response.usage?.input ?? 0, 0)
      }))

    it.effect("calls a tool where it must, and hears its result", () =>
      Effect.gen(function*() {
        const other = { name: "other", parameters: { type: "object" } }
        const first = yield* send({ model: "m", input: "Bergen", tools: [weather, other], toolChoice: "required" })
        const [call] = Response.toolCalls(first)
        assert.strictEqual(call?.name, "weather")
        assert.deepStrictEqual(JSON.parse(call?.arguments ?? ""), { city: "Bergen", days: 0 })
        assert.strictEqual(first.finishReason, "tool-calls")
        const named = yield* send({ model: "m", input: "x", tools: [weather, other], toolChoice: { name: "other" } })
        assert.strictEqual(Response.toolCalls(named)[0]?.name, "other")
        const items = [Item.user("Bergen"), ...first.items, Item.toolResult(call!.id, "rain")]
        assert.strictEqual(Response.text(yield* send({ model: "m", items })), "rain")
      }))

    it.effect("writes JSON where a schema asks for it", () =>
      Effect.gen(function*() {
        const responseFormat = { type: "json_schema", name: "place", schema: weather.parameters } as const
        const response = yield* send({ model: "m", input: "Oslo", responseFormat })
        assert.deepStrictEqual(JSON.parse(Response.text(response)), { city: "Oslo", days: 0 })
      }))

    it.effect("shows what goes out", () =>
      Effect.gen(function*() {
        const seen: Array<Wire.Outgoing> = []
        yield* send({ model: "m", input: "hi" }).pipe(Wire.tapped((outgoing) => Effect.sync(() => seen.push(outgoing))))
        assert.deepStrictEqual(seen.map(({ protocol }) => protocol), [protocol])
      }))
  })
}

describe("as a network", () => {
  it.effect("answers any client of these APIs", () =>
    Effect.gen(function*() {
      const apiKey = Redacted.make("none")
      for (const client of [yield* OpenAi.make({ apiKey }), yield* Anthropic.make({ apiKey })]) {
        assert.strictEqual(Response.text(yield* client.send({ model: "claude-sonnet-4-5", input: "hi" })), "hi")
      }
    }).pipe(Effect.provide(Echo.layerHttp)))

  it.effect("refuses what is no request of them", () =>
    Effect.gen(function*() {
      const lost = yield* OpenAi.make({ baseUrl: "http://echo.invalid/elsewhere?" })
      assert.strictEqual((yield* Effect.flip(lost.send({ model: "m", input: "hi" }))).reason._tag, "NotFound")
    }).pipe(Effect.provide(Echo.layerHttp)))

  it.effect("needs nothing", () =>
    Effect.gen(function*() {
      const needless: Layer.Layer<Client.Client> = Layer.mergeAll(Echo.layer)
      assert.strictEqual(Response.text(yield* Effect.provide(Client.send({ input: "hi" }), needless)), "hi")
    }))
})

describe("samples of a schema", () => {
  it("have what is required, and no more", () => {
    const tree = {
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["next"] } },
      type: ["object", "null"],
      properties: {
        a: { enum: ["x", "y"] },
        b: { const: 7 },
        c: { anyOf: [{ type: "null" }, { type: "string" }] },
        d: { type: "array", items: { type: "boolean" }, minItems: 1 },
        e: { type: "number", minimum: 3 },
        f: { type: "string" }
      },
      required: ["a", "b", "c", "d", "e"]
    }
    assert.deepStrictEqual(sampleOf(tree, "t"), { a: "x", b: 7, c: null, d: [true], e: 3 })
    assert.isObject(sampleOf({ ...tree, properties: { a: { $ref: "#/$defs/node" } }, required: ["a"] }, "t"))
  })
})
