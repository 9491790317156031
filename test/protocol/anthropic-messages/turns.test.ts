import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Item } from "../../../src/canonical/index.ts"
import { ItemsFromBlocks, ItemsFromMessages } from "../../../src/protocol/anthropic-messages/Turns.ts"

const decode = Schema.decodeUnknownSync(ItemsFromMessages)
const encode = Schema.encodeSync(ItemsFromMessages)
const text = (text: string) => ({ type: "text", text } as const)
const call = { type: "tool_use", id: "c", name: "n", input: {} } as const
const result = { type: "tool_result", tool_use_id: "c", content: "3" } as const

describe("reading turns", () => {
  it("one message is a run of content, across neighbours of one role", () =>
    assert.deepStrictEqual(decode([{ role: "user", content: "a" }, { role: "user", content: [text("b")] }]), [
      { type: "message", role: "user", parts: [text("a"), text("b")] }
    ]))
  it("an item between ends a message", () =>
    assert.deepStrictEqual(
      decode([{ role: "assistant", content: [text("a"), call, text("b")] }]).map((item) => item.type),
      ["message", "tool-call", "message"]
    ))
  it("what a response says of itself is read over in a replayed message", () =>
    assert.deepStrictEqual(
      decode([{
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [text("a")],
        stop_reason: "end_turn",
        stop_sequence: null,
        stop_details: null,
        usage: {},
        container: null,
        context_management: null
      }]),
      [Item.assistant("a")]
    ))
  it("a turn with unknown keys is remembered by its first item, and the next turn begins one too", () => {
    const wire = [
      { role: "user", content: "a", name: "ann" },
      { role: "user", content: "b" },
      { role: "user", content: "c" }
    ]
    assert.deepStrictEqual(decode(wire), [
      { ...Item.user("a"), providerOptions: { "anthropic-messages": { turn: { name: "ann" } } } },
      { ...Item.user([text("b"), text("c")]), providerOptions: { "anthropic-messages": { turn: {} } } }
    ])
    assert.deepStrictEqual(encode(decode(wire)), [
      { role: "user", content: "a", name: "ann" },
      { role: "user", content: [text("b"), text("c")] }
    ])
  })
  it("a block in a turn of the wrong role, and a turn of no known role, are kept", () => {
    const wire = [
      { role: "user", content: [{ type: "thinking", thinking: "x", signature: "s" }, text("a")] },
      { role: "wizard", content: "x" },
      { role: "assistant", content: [{ type: "image", source: { type: "url", url: "u" } }] },
      { role: "system", content: [call] }
    ]
    assert.deepStrictEqual(decode(wire).map((item) => item.type), ["message", "unmodelled", "message", "message"])
    assert.deepStrictEqual<unknown>(encode(decode(wire)), wire)
  })
  it("a blank turn after one with unknown keys is left out, and its neighbours are one", () => {
    const named = { role: "user", content: "a", name: "ann" }
    const wire = [named, { role: "user", content: " " }, { role: "assistant", content: "" }, {
      role: "user",
      content: "b"
    }]
    assert.deepStrictEqual<unknown>(encode(decode(wire)), [named, { role: "user", content: "b" }])
    assert.deepStrictEqual<unknown>(
      encode(decode([{ role: "user", content: [] }, { role: "user", content: "a" }, ...wire.slice(2)])),
      [
        { role: "user", content: [] },
        { role: "user", content: [text("a"), text("b")] }
      ]
    )
  })
  it("an empty turn stays one", () => {
    const wire = [{ role: "user", content: "a" }, { role: "assistant", content: [] }]
    assert.deepStrictEqual<unknown>(encode(decode(wire)), wire)
  })
})

describe("writing turns", () => {
  it("one turn for each run of items of one role", () =>
    assert.deepStrictEqual(
      encode([Item.user("a"), Item.user("b"), Item.assistant("c"), Item.toolCall("c", "n"), Item.toolResult("c", "3")]),
      [
        { role: "user", content: [text("a"), text("b")] },
        { role: "assistant", content: [text("c"), call] },
        { role: "user", content: [result] }
      ]
    ))
  it("a turn of calls alone holds nothing else", () =>
    assert.deepStrictEqual(encode([Item.assistant(""), Item.toolCall("c", "n")]), [{
      role: "assistant",
      content: [call]
    }]))
  it("tool results come first", () =>
    assert.deepStrictEqual(encode([Item.toolCall("c", "n"), Item.user("so?"), Item.toolResult("c", "3")]), [
      { role: "assistant", content: [call] },
      { role: "user", content: [result, text("so?")] }
    ]))
  it("blank texts are left out, the turns of nothing else too, and their neighbours are one", () =>
    assert.deepStrictEqual(
      encode([
        Item.user("lights?"),
        Item.assistant(" \n"),
        Item.user([text("\t"), { type: "image", source: { type: "url", url: "u" } }])
      ]),
      [{ role: "user", content: [text("lights?"), { type: "image", source: { type: "url", url: "u" } }] }]
    ))
  it("white space that touches another text of the assistant's stays", () =>
    assert.deepStrictEqual(
      encode([
        Item.assistant([text("a"), text("\n"), text(""), text("b")]),
        Item.toolCall("c", "n"),
        Item.assistant("\n")
      ]),
      [{ role: "assistant", content: [text("a"), text("\n"), text("b"), call] }]
    ))
  it("a blank text with extras is not left out", () => {
    const wire = [{ role: "user", content: [{ type: "text", text: "", x: 1 }] }]
    assert.deepStrictEqual<unknown>(encode(decode(wire)), wire)
  })
  it("a developer speaks as the system", () =>
    assert.deepStrictEqual(encode([Item.developer("be brief")]), [{ role: "system", content: "be brief" }]))
  it("what belongs to another protocol is left out, and its neighbours are one", () =>
    assert.deepStrictEqual(
      encode([
        Item.user("a"),
        { type: "reasoning", protocol: "openai-responses", proof: "x" },
        { type: "tool-call", id: "w", name: "web", kind: "web_search_call", providerExecuted: true },
        { type: "tool-call", id: "q", name: "code", input: "free text" },
        { type: "unmodelled", protocol: "openai-responses", raw: {} },
        Item.user("b")
      ]),
      [{ role: "user", content: "a" }, { role: "user", content: "b" }]
    ))
  it("keys that a person wrote beside a message stand beside its content", () =>
    assert.deepStrictEqual(encode([{ ...Item.user("a"), providerOptions: { "*": { name: "ann" } } }]), [
      { role: "user", content: "a", name: "ann" }
    ]))
  it("an error names the item", () => {
    const broken = [Item.user("a"), Item.assistant("b"), { ...Item.toolCall("c9", "n"), arguments: "{" }]
    assert.throws(
      () => encode(broken),
      `Expected arguments that are a JSON object, got "{"\n  at [2]["arguments"]`
    )
    assert.throws(
      () => encode([{ ...Item.toolCall("c9", "n"), arguments: "[1]" }]),
      "Expected arguments that are a JSON object"
    )
    assert.throws(() => Schema.encodeSync(ItemsFromBlocks)(broken), `at [2]["arguments"]`)
  })
  it("a long conversation costs no more a turn than a short one", () => {
    const long = Array.from({ length: 100_000 }, (_, i) => i % 2 === 0 ? Item.user(" ") : Item.assistant("a"))
    assert.strictEqual(encode(long).length, 1)
    assert.strictEqual(decode(encode(long.map((_, i) => Item.user(String(i))))).length, 1)
  })
})

describe("a response's blocks", () => {
  it("keep their blank texts", () => {
    const wire = [text("\n\n"), call]
    const items = Schema.decodeUnknownSync(ItemsFromBlocks)(wire)
    assert.deepStrictEqual(items, [Item.assistant("\n\n"), Item.toolCall("c", "n")])
    assert.deepStrictEqual(Schema.encodeSync(ItemsFromBlocks)(items), wire)
  })
  it("of none are no items", () => assert.deepStrictEqual(Schema.decodeUnknownSync(ItemsFromBlocks)([]), []))
})
