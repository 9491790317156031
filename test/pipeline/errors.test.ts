/**
 * What a person is told when a request cannot go out: each message is a file of its own, reviewed as text.
 * `UPDATE_GOLDEN=1` writes them anew.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Anthropic, Client, Item, OpenAi, type Pipeline } from "../../src/index.ts"

const golden = new URL("./golden/", import.meta.url)
const fileOf = (name: string): URL => new URL(`${name.replaceAll(" ", "-")}.txt`, golden)

const options = { apiKey: Redacted.make("sk-secret") }
const never = () => Effect.die(new Error("Nothing should have been sent"))
const anthropic = Anthropic.layerTest(never, options)
const openai = OpenAi.layerTest(never, options)

const call = { ...Item.toolCall("call_1", "weather"), arguments: `{"city":"Ro` }
const list = { ...Item.toolCall("call_2", "weather"), arguments: "[1,2]" }
const conversation = [Item.system("be brief"), Item.user("hi")]

const cases: ReadonlyArray<readonly [name: string, layer: typeof anthropic, input: Pipeline.Input]> = [
  ["arguments that are no JSON", anthropic, {
    model: "claude-sonnet-4-5",
    items: [...conversation, call, Item.toolResult("call_1", "x")]
  }],
  ["arguments that are no object", anthropic, {
    model: "claude-sonnet-4-5",
    items: [...conversation, list, Item.toolResult("call_2", "x")]
  }],
  ["a request without a model", anthropic, { items: conversation, maxTokens: 9 }],
  ["a model whose maximum nobody knows", anthropic, { model: "claude-next", input: "hi" }],
  ["a result without its call", openai, { items: [...conversation, Item.toolResult("call_gone", "42")] }],
  ["a call without its result", openai, {
    items: [...conversation, Item.toolCall("call_open", "ping"), Item.user("next")]
  }],
  ["a role that nobody has", openai, { input: [{ role: "wizard", text: "hi" }] } as unknown as Pipeline.Input],
  ["an item that is not whole", openai, { items: [{ type: "tool-call", id: "c" }] } as unknown as Pipeline.Input]
]

describe("a request that cannot go out", () => {
  for (const [name, layer, input] of cases) {
    it.effect(`tells why: ${name}`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(Effect.provide(Client.send(input), layer))
        const message = `${error._tag} ${error.reason._tag}\n${error.message}\n`
        if (process.env.UPDATE_GOLDEN === "1") writeFileSync(fileOf(name), message)
        assert.strictEqual(message, readFileSync(fileOf(name), "utf8"))
      }))
  }
  it("has a file for each, and no other", () => {
    const files = cases.map(([name]) => fileOf(name).pathname.split("/").at(-1))
    assert.deepStrictEqual(readdirSync(golden).toSorted(), files.toSorted())
  })
})
