/** What is remembered of a conversation is what would be written of it anew. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit, Hash, Schema } from "effect"
import { Item } from "../../src/canonical/index.ts"
import { carried } from "../../src/codec/index.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"

const protocols = [AnthropicMessages, OpenAiResponses] as const

/** Lists as a program may make them one after the other: grown, shortened, with one changed, begun elsewhere. */
const histories = (all: Item.Items, seed: number): ReadonlyArray<Item.Items> =>
  Array.from({ length: 12 }, (_, i) => {
    const n = Math.abs(Hash.string(`${seed} ${i}`)) % (all.length + 1)
    return [
      all.slice(0, n),
      all.slice(0, Math.min(all.length, i + 1)),
      all.slice(n),
      all.map((item, index) => index === n ? { ...item } : item),
      all.toSpliced(n, 1),
      all.toSpliced(n, 0, Item.user("between"))
    ][i % 6]!
  })

const answer = (exit: Exit.Exit<unknown, unknown>): unknown => Exit.isSuccess(exit) ? exit.value : String(exit.cause)

for (const { RequestFromWire, name } of protocols) {
  const encode = Schema.encodeUnknownExit(RequestFromWire)

  describe(name, () => {
    it.effect("writes a conversation that it knows the beginning of as it would write it anew", () =>
      Effect.gen(function*() {
        const requests = yield* Arbitrary.sampleEffect(Arbitrary.schema(carried(protocols[0].RequestFromWire)), {
          count: 300,
          seed: 5
        })
        const others = yield* Arbitrary.sampleEffect(Arbitrary.schema(carried(protocols[1].RequestFromWire)), {
          count: 300,
          seed: 6
        })
        for (const [i, { items }] of requests.entries()) {
          const all = [...items, ...others[i]!.items, ...requests[(i * 7) % requests.length]!.items]
          for (const items of histories(all, i)) {
            const known = answer(encode({ model: "m", items }))
            assert.deepStrictEqual(known, answer(encode({ model: "m", items: structuredClone(items) })))
          }
        }
      }))

    it("writes only what is new", () => {
      const next = [Item.user("a"), Item.assistant("b"), Item.user("c")]
      const [before, after] = [next.slice(0, 2), next].map((items) =>
        Object.values(Schema.encodeUnknownSync(RequestFromWire)({ model: "m", items })).find(Array.isArray)
      )
      assert.strictEqual(after?.[0], before?.[0])
      assert.deepStrictEqual([before?.length, after?.length], [2, 3])
    })

    it("looks at what is put into the same list, and at lists that begin with a frozen item", () => {
      const items: Array<Item.Item> = [Item.user("a"), Item.assistant("b")]
      const one = answer(encode({ model: "m", items }))
      items.push({ type: "message", role: "user", parts: 5 } as never)
      assert.include(String(answer(encode({ model: "m", items }))), `at ["items"][2]["parts"]`)
      const frozen = [Object.freeze(Item.user("a")), Item.assistant("b")]
      for (let i = 0; i < 3; i++) assert.deepStrictEqual(answer(encode({ model: "m", items: frozen })), one)
    })

    it("does not look at a frozen list again, nor take another that begins like it for the same", () => {
      const said = [Item.user("a"), Item.assistant("b"), Item.user("c")]
      const items = Object.freeze(said.slice())
      const one = answer(encode({ model: "m", items }))
      for (let i = 0; i < 2; i++) assert.deepStrictEqual(answer(encode({ model: "m", items })), one)
      const other = answer(encode({ model: "m", items: [said[0]!, said[1]!, Item.user("d")] }))
      assert.notDeepEqual(other, one)
      assert.deepStrictEqual(answer(encode({ model: "m", items })), one)
    })

    it("writes on by a hundred thousand items at once", () => {
      const items = Array.from({ length: 100_000 }, (_, i) => i % 2 === 0 ? Item.user("a") : Item.assistant("b"))
      encode({ model: "m", items: items.slice(0, 10) })
      const body: object = Schema.encodeUnknownSync(RequestFromWire)({ model: "m", items })
      assert.strictEqual(Object.values(body).find(Array.isArray)?.length, items.length)
    })

    it("names the place of a refusal in the whole", () => {
      const items = [Item.user("a"), Item.assistant("b"), Item.user("c")]
      encode({ model: "m", items })
      const wrong = { ...Item.toolCall("c", "f"), arguments: name === "anthropic-messages" ? "[" : 5 }
      const message = answer(encode({ model: "m", items: [...items, wrong] }))
      assert.include(String(message), `at ["items"][3]["arguments"]`)
    })
  })
}
