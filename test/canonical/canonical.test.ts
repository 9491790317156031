import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Item, Part, Request, Response, Tool, Usage } from "../../src/canonical/index.ts"

describe("constructors", () => {
  it("make what the schemas accept", () => {
    const items: ReadonlyArray<Item.Item> = [
      Item.system("be brief"),
      Item.user(["look", "here"].map(Part.text)),
      Item.user(Part.image("https://example.org/a.png")),
      Item.assistant([Part.text("a"), Part.document({ type: "file", id: "file_1" })]),
      Item.developer("x"),
      Item.toolCall("c", "f", { a: [1] }),
      Item.toolCall("d", "g"),
      Item.toolResult("c", "3"),
      Item.toolResult("d", [], { isError: true })
    ]
    assert.deepStrictEqual(Schema.decodeUnknownSync(Item.Items)(items), items)
    assert.deepStrictEqual(items[5], { type: "tool-call", id: "c", name: "f", arguments: `{"a":[1]}` })
    assert.deepStrictEqual(items[8], { type: "tool-result", id: "d", output: [], isError: true })
  })
  it.effect("are matched by kind, with no kind forgotten", () =>
    Effect.gen(function*() {
      const kinds = Item.match(Item.user("hi"), {
        message: ({ role }) => role,
        reasoning: () => "reasoning",
        "tool-call": ({ name }) => name,
        "tool-result": ({ id }) => id,
        "tool-approval-request": () => "ask",
        "tool-approval-response": () => "answer",
        tools: ({ action }) => action,
        compaction: () => "compaction",
        unmodelled: ({ protocol }) => protocol
      })
      assert.strictEqual(kinds, "user")
      yield* Effect.void
    }))
})

describe("readers", () => {
  const call = Item.toolCall("c", "f")
  const response: Response.Response = {
    items: [
      { type: "reasoning", protocol: "p", summary: [Part.text("s")], content: [Part.text("thought")] },
      { type: "reasoning", protocol: "p", summary: [Part.text("only a summary")], content: [] },
      { type: "reasoning", protocol: "p", proof: "opaque" },
      { ...call, id: "w", providerExecuted: true },
      Item.toolResult("w", "found"),
      Item.assistant("Done"),
      Item.assistant([Part.text("."), { type: "refusal", text: "no" }, {
        type: "unmodelled",
        protocol: "p",
        raw: { text: "x" }
      }]),
      call
    ],
    finishReason: "tool-calls"
  }
  it("read a response", () => {
    assert.strictEqual(Response.text(response), "Done.")
    assert.deepStrictEqual(Response.toolCalls(response), [call])
    assert.strictEqual(Response.reasoning(response), "thought\n\nonly a summary")
    assert.strictEqual(Response.text({ items: [], finishReason: "stop" }), "")
  })
  it("read an item's text, and nothing from a kind that has none", () => {
    assert.strictEqual(Item.textIn(Item.user([Part.text("a"), Part.image("u"), Part.text("b")])), "ab")
    assert.strictEqual(Item.textIn(Item.user([])), "")
    assert.strictEqual(Item.textIn(Item.toolResult("c", "text")), "text")
    assert.strictEqual(Item.textIn(Item.toolResult("c", [Part.text("a"), Part.text("b")])), "ab")
    assert.strictEqual(
      Item.textIn({ type: "tool-result", id: "c", output: { type: "json", value: { a: 1 } } }),
      undefined
    )
    assert.strictEqual(Item.textIn({ type: "tool-result", id: "c" }), "")
    assert.strictEqual(Item.textIn(call), undefined)
  })
  it("total the usage unless the provider's total is another", () => {
    assert.strictEqual(Usage.total({ input: 3, output: 2 }), 5)
    assert.strictEqual(Usage.total({ input: 3, output: 2, total: 9 }), 9)
  })
})

describe("schemas", () => {
  it("keep absent, false, null and empty apart", () => {
    const tool: Tool.FunctionTool = { type: "function", name: "", strict: false, parameters: null }
    assert.deepStrictEqual(Schema.decodeUnknownSync(Tool.Tool)(tool), tool)
    const request: Request.Request = { items: [], instructions: [], stop: [], temperature: 0, store: false }
    assert.deepStrictEqual(Schema.decodeUnknownSync(Request.Request)(request), request)
  })
})
