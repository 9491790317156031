/** What a tool of Effect's becomes in a request, and how its arguments are read. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { Tool } from "effect/ai"
import * as Item from "../../src/canonical/Item.ts"
import * as Offer from "../../src/loop/Offer.ts"
import type { LlmError } from "../../src/pipeline/LlmError.ts"

const Weather = Tool.make("weather", {
  description: "The weather of a city.",
  parameters: Schema.Struct({
    city: Schema.String,
    days: Schema.optionalKey(Schema.Int),
    units: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  }),
  success: Schema.String
})
const offered = (tool: Tool.Any, options?: Offer.Options) => Result.getOrThrow(Offer.make(tool, options))
const call = (text: string) => ({ id: "c", name: "weather", arguments: text })
const valueOf = (tool: Tool.Any, args: Schema.Json, options?: Offer.Options) =>
  offered(tool, options).read(Item.toolCall("c", "weather", args)) as Effect.Effect<unknown>

describe("an offer", () => {
  it("is not strict unless that is asked for: OpenAI is told so, Anthropic needs not be", () => {
    const { losses, tool } = offered(Weather, { target: "openai" })
    assert.deepStrictEqual<unknown>(tool, {
      type: "function",
      name: "weather",
      description: "The weather of a city.",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string" },
          days: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
          units: { type: "object", additionalProperties: { type: "string" } }
        },
        required: ["city"],
        additionalProperties: false
      },
      strict: false
    })
    assert.deepStrictEqual(losses, [])
    assert.notProperty(offered(Weather, { target: "anthropic" }).tool, "strict")
    assert.deepStrictEqual(offered(Weather).tool, tool)
  })

  it("is strict in each target's form", () => {
    for (const target of ["openai", "anthropic"] as const) {
      const { losses, tool } = offered(Weather, { target, strict: "prefer" })
      assert.strictEqual(tool.strict, true)
      assert.deepStrictEqual(losses, [])
      const { properties, required } = tool.parameters as { properties: { days: unknown }; required: unknown }
      assert.deepStrictEqual(required, ["city", "days", "units"])
      assert.include(JSON.stringify(properties.days), `{"type":"null"}`)
    }
  })

  it("is derived once: the same canonical tool each time, and another for another aim", () => {
    const first = offered(Weather, { target: "openai", strict: "prefer" })
    assert.strictEqual(offered(Weather, { target: "openai", strict: "prefer" }), first)
    assert.notStrictEqual(offered(Weather, { target: "openai" }).tool, first.tool)
  })

  it("that cannot be strict is not, with the reason; or fails where it has to be", () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree: Schema.Codec<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })
    const Grow = Tool.make("grow", { parameters: Schema.Struct({ tree: Tree }) })
    const { losses, tool } = offered(Grow, { target: "anthropic", strict: "prefer" })
    assert.notProperty(tool, "strict")
    assert.deepStrictEqual(losses.map(({ why }) => why), [
      "AnthropicStructuredOutput: Recursive schemas are not supported"
    ])
    const required = Offer.make(Grow, { target: "anthropic", strict: "require" })
    if (!Result.isFailure(required)) return assert.fail("It is strict")
    assert.strictEqual(required.failure.reason._tag, "Unsupported")
    assert.include(
      required.failure.message,
      `/parameters: "grow" cannot be strict: AnthropicStructuredOutput: Recursive`
    )
    assert.strictEqual(offered(Grow, { target: "openai", strict: "require" }).tool.strict, true)
  })

  it("is not strict where nobody knows whose rules hold", () => {
    const { losses, tool } = offered(Weather, { strict: "prefer" })
    assert.strictEqual(tool.strict, false)
    assert.match(losses[0]?.why ?? "", /no target/)
    assert.isTrue(Result.isFailure(Offer.make(Weather, { strict: "require" })))
  })

  it("heeds the tool's own word on strictness", () => {
    const never = Weather.annotate(Tool.Strict, false)
    assert.strictEqual(offered(never, { target: "openai", strict: "require" }).tool.strict, false)
    const always = Weather.annotate(Tool.Strict, true)
    assert.strictEqual(offered(always, { target: "openai" }).tool.strict, true)
    assert.isTrue(Result.isFailure(Offer.make(always)))
  })

  it("of a tool with a JSON Schema has that, and of one with none an object", () => {
    const parameters = { type: "object", properties: { query: { type: "string" } } }
    const { tool } = offered(Tool.dynamic("find", { parameters }), { target: "anthropic" })
    assert.deepStrictEqual<unknown>(tool, { type: "function", name: "find", parameters })
    assert.deepStrictEqual(offered(Tool.dynamic("any")).tool.parameters, { type: "object" })
    assert.deepStrictEqual(offered(Tool.make("now")).tool.parameters, { type: "object", additionalProperties: false })
  })

  it("of a tool that a provider defines is refused", () => {
    const Search = Tool.providerDefined({ id: "openai.web_search", customName: "search", providerName: "web_search" })
    const refused = Offer.make(Search(undefined))
    assert.isTrue(Result.isFailure(refused) && refused.failure.message.includes("the request's own tools"))
  })
})

describe("arguments", () => {
  const plain = { city: "Bergen", units: { t: "C" } }
  it.effect("of both forms are read, of whichever was sent", () =>
    Effect.gen(function*() {
      const sent = { city: "Bergen", days: null, units: [{ "0": "t", "1": "C" }] }
      for (const target of ["openai", "anthropic"] as const) {
        const strict = { target, strict: "prefer" } as const
        assert.deepStrictEqual(yield* valueOf(Weather, plain, strict), { value: plain, encoded: plain })
        assert.deepStrictEqual(yield* valueOf(Weather, sent, strict), { value: plain, encoded: plain })
      }
      assert.deepStrictEqual(yield* valueOf(Weather, plain), { value: plain, encoded: plain })
    }))

  it.effect("are read for Gemini too, whose schemas are fitted as any other's", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* valueOf(Weather, plain, { target: "gemini" }), { value: plain, encoded: plain })
      const find = Tool.dynamic("weather", { parameters: { type: "object", properties: { city: { type: "string" } } } })
      for (const target of ["gemini", "openai", "anthropic"] as const) {
        const got = yield* valueOf(find, { city: "Bergen" }, { target, strict: "prefer" })
        assert.deepStrictEqual(got, { value: { city: "Bergen" }, encoded: { city: "Bergen" } })
      }
    }))

  it.effect("of a schema from elsewhere are what that schema says, whatever was sent", () =>
    Effect.gen(function*() {
      const find = Tool.dynamic("weather", {
        parameters: {
          type: "object",
          properties: {
            city: { type: "string", minLength: 2 },
            days: { type: "integer", default: 3 },
            note: { type: "string" },
            units: { type: "object", additionalProperties: { type: "string" } }
          },
          required: ["city"]
        }
      })
      const own = { city: "Bergen", days: 3, units: { t: "C" } }
      const sent = { city: "Bergen", days: null, note: null, units: [{ key: "t", value: "C" }] }
      for (const target of ["openai", "anthropic", "gemini"] as const) {
        for (const strict of ["off", "prefer"] as const) {
          const args = target === "openai" && strict === "prefer" ? sent : { city: "Bergen", units: { t: "C" } }
          assert.deepStrictEqual(yield* valueOf(find, args, { target, strict }), { value: own, encoded: own })
          const bad = { city: "B", days: "3", units: {} }
          const { reason } = yield* Effect.flip(
            offered(find, { target, strict }).read(Item.toolCall("c", "weather", bad)) as Effect.Effect<
              unknown,
              LlmError
            >
          )
          assert.deepInclude(reason, {
            _tag: "InvalidToolArguments",
            param: "/city",
            detail: "city must have at least 2 characters; days must be an integer"
          })
        }
      }
    }))

  it.effect("of a type that JSON has not are decoded from what JSON has", () =>
    Effect.gen(function*() {
      const Remind = Tool.make("remind", { parameters: Schema.Struct({ at: Schema.Date }) })
      const at = new Date("2030-01-01T00:00:00.000Z")
      assert.deepStrictEqual(yield* valueOf(Remind, { at: at.toISOString() }), { value: { at } })
    }))

  it.effect("that are blank are empty; that are no JSON, or do not fit, are told with their place", () =>
    Effect.gen(function*() {
      const Now = Tool.make("now")
      assert.deepStrictEqual<unknown>(yield* Result.getOrThrow(Offer.make(Now)).read(call(" ")), {
        value: {},
        encoded: {}
      })
      const reasonOf = (text: string) => {
        const offer = Result.getOrThrow(Offer.make(Weather, { target: "openai" }))
        return Effect.map(Effect.flip(offer.read(call(text))), ({ reason }) => reason)
      }
      const broken = yield* reasonOf(`{"city":"Ber`)
      assert.deepInclude(broken, { _tag: "InvalidToolArguments", tool: "weather", id: "c", text: `{"city":"Ber` })
      const unfit = yield* reasonOf(`{"city":"Bergen","units":{"t":1}}`)
      assert.deepInclude(unfit, { _tag: "InvalidToolArguments", param: "/units/t" })
      assert.match(unfit.message, /at \/units\/t\): Expected string/)
    }))
})
