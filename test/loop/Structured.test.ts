/** Asks for values: natively, by a tool, with repairs, and says why there is none. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Item from "../../src/canonical/Item.ts"
import type { Request } from "../../src/canonical/Request.ts"
import * as Structured from "../../src/loop/Structured.ts"
import type { Known } from "../../src/pipeline/Client.ts"
import type { InvalidAnswer } from "../../src/pipeline/Reason.ts"
import * as Scripted from "../../src/testing/Scripted.ts"

const Person = Schema.Struct({
  name: Schema.String,
  age: Schema.optionalKey(Schema.Int),
  born: Schema.Date
}).annotate({ identifier: "Person" })
const ada = { name: "Ada", born: new Date("1815-12-10T00:00:00.000Z") }
const written = JSON.stringify({ name: "Ada", age: null, born: "1815-12-10T00:00:00.000Z" })
const plainly = { name: "Ada", born: "1815-12-10T00:00:00.000Z" }

const ask: Request = { model: "m", items: [Item.user("Who?")] }
const asking = <T>(
  schema: Schema.ConstraintCodec<T, unknown>,
  answers: ReadonlyArray<Scripted.Answer>,
  options?: Structured.Options,
  known: Known = { target: "openai" }
) =>
  Effect.gen(function*() {
    const { asked, layer } = yield* Scripted.make(answers, known)
    const answer = yield* Effect.result(Effect.provide(Structured.send(schema, ask, options), layer))
    return { answer, asked: yield* asked }
  })
const valueOf = (answer: { readonly _tag: string; readonly success?: { readonly value: unknown } }) =>
  answer.success?.value
const whyOf = (
  answer: { readonly _tag: string; readonly failure?: { readonly reason: { readonly _tag: string } } }
): InvalidAnswer => {
  assert.strictEqual(answer.failure?.reason._tag, "InvalidAnswer")
  return answer.failure?.reason as InvalidAnswer
}

describe("a value", () => {
  it.effect("is asked for in the API's own format, strict, and decoded to the schema's type", () =>
    Effect.gen(function*() {
      for (const target of ["openai", "anthropic"] as const) {
        const { answer, asked } = yield* asking(Person, [written], {}, { target })
        assert.deepStrictEqual(valueOf(answer), ada)
        const format = asked[0]!.responseFormat
        if (format?.type !== "json-schema") return assert.fail("There is no format")
        assert.deepInclude(format, { name: "Person", strict: true })
        assert.deepStrictEqual((format.schema as { required: unknown }).required, ["name", "age", "born"])
        assert.isUndefined(asked[0]!.tools)
      }
    }))

  it.effect("is asked for by a tool where the API is not known, or where that is wanted", () =>
    Effect.gen(function*() {
      const call = Item.toolCall("c", "Person", plainly)
      for (const [options, known] of [[{}, {}], [{ via: "tool" }, { target: "anthropic" }]] as const) {
        const { answer, asked } = yield* asking(Person, [[call]], options, known)
        assert.deepStrictEqual(valueOf(answer), ada)
        assert.deepStrictEqual(asked[0]!.toolChoice, { type: "tool", name: "Person" })
        const [tool] = asked[0]!.tools ?? []
        assert.isTrue(tool?.type === "function" && tool.name === "Person" && tool.strict !== true)
        assert.isUndefined(asked[0]!.responseFormat)
      }
    }))

  it.effect("that is no object is boxed, and one that has no strict form is asked for by a tool", () =>
    Effect.gen(function*() {
      const list = yield* asking(Schema.Array(Schema.Int), [`{"value":[1,2]}`])
      assert.deepStrictEqual(valueOf(list.answer), [1, 2])
      assert.strictEqual(list.asked[0]!.responseFormat?.type, "json-schema")
      interface Tree {
        readonly children: ReadonlyArray<Tree>
      }
      const Tree: Schema.Codec<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })
      const tree = yield* asking(Tree, [[Item.toolCall("c", "answer", { children: [{ children: [] }] })]], {}, {
        target: "anthropic"
      })
      assert.deepStrictEqual(valueOf(tree.answer), { children: [{ children: [] }] })
    }))

  it.effect("is derived once", () =>
    Effect.gen(function*() {
      const schemas = yield* Effect.forEach([1, 2], () =>
        Effect.map(asking(Person, [written]), ({ asked }) => {
          const format = asked[0]!.responseFormat
          return format?.type === "json-schema" ? format.schema : undefined
        }))
      assert.isDefined(schemas[0])
      assert.strictEqual(schemas[0], schemas[1])
    }))
})

describe("a repair", () => {
  it.effect("shows the model what is wrong with its text", () =>
    Effect.gen(function*() {
      const wrong = JSON.stringify({ name: "Ada", age: "36", born: "1815-12-10T00:00:00.000Z" })
      const { answer, asked } = yield* asking(Person, [wrong, "Sorry.", written], { repair: 2 })
      assert.deepStrictEqual(valueOf(answer), ada)
      assert.deepStrictEqual(asked.map(({ items }) => items.length), [1, 3, 5])
      assert.match(Item.textIn(asked[1]!.items[2]!) ?? "", /^This answer does not fit: Expected .*number.* at \/age\./)
      assert.match(Item.textIn(asked[2]!.items[4]!) ?? "", /Expected JSON/)
    }))

  it.effect("shows the model what is wrong with its call, as the result of that", () =>
    Effect.gen(function*() {
      const calls = [{ ...plainly, name: 7 }, plainly].map((args, i) => [Item.toolCall(`${i}`, "Person", args)])
      const { answer, asked } = yield* asking(Person, calls, { via: "tool", repair: true })
      assert.deepStrictEqual(valueOf(answer), ada)
      const result = asked[1]!.items[2]!
      assert.deepInclude(result, { type: "tool-result", id: "0", isError: true })
      assert.match(Item.textIn(result) ?? "", /at \/name/)
      assert.deepStrictEqual(asked[1]!.toolChoice, { type: "tool", name: "Person" })
    }))

  it.effect("is not made unless it is asked for, nor more often", () =>
    Effect.gen(function*() {
      const none = yield* asking(Person, [`{"name":"Ada"`])
      assert.deepInclude(whyOf(none.answer), { detail: "Expected JSON", text: `{"name":"Ada"`, finishReason: "stop" })
      const one = yield* asking(Person, [`{"name":"Ada"}`, `{"name":7}`, "never"], { repair: true })
      assert.deepInclude(whyOf(one.answer), { param: "/name", text: `{"name":7}` })
      assert.strictEqual(one.asked.length, 2)
    }))
})

describe("no value", () => {
  it.effect("comes of a refusal, of an answer that was cut off, and of none: not repaired, and told", () =>
    Effect.gen(function*() {
      const refusal: Item.Item = {
        type: "message",
        role: "assistant",
        parts: [{ type: "refusal", text: "I may not." }]
      }
      const cases: ReadonlyArray<readonly [Scripted.Answer, Partial<InvalidAnswer>]> = [
        [[refusal], { finishReason: "refusal", detail: "The model refused: I may not." }],
        [{ items: [Item.assistant(`{"name":"A`)], finishReason: "length" }, {
          finishReason: "length",
          detail: "The answer was cut off at maxTokens",
          text: `{"name":"A`
        }],
        [{ items: [], finishReason: "content-filter" }, { detail: "A filter stopped the answer" }]
      ]
      for (const [answer, why] of cases) {
        const got = yield* asking(Person, [answer, written], { repair: true })
        assert.deepInclude(whyOf(got.answer), why)
        assert.strictEqual(got.asked.length, 1)
      }
      const silent = yield* asking(Person, ["I would rather talk."], { via: "tool" })
      const why = whyOf(silent.answer)
      assert.strictEqual(why.detail, `Expected a call of the tool "Person", got none`)
      assert.match(why.message, /^The model gave no answer that fits the schema: Expected a call/)
    }))
})
