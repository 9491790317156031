import { assert, describe, it } from "@effect/vitest"
import { Item, Losses, Part, type Request } from "../../src/canonical/index.ts"

const frame = { protocol: "p", defaults: { temperature: 1 } }
const compare = (before: Request.Request, after: Request.Request) => Losses.difference(before, after, frame)
const none = { losses: [], withheld: [], added: [] }
const result = (id: string, text: string): Item.ToolResult => Item.toolResult(id, text)

describe("difference", () => {
  it("does not see how messages are cut, where tool results stand in a turn, blank text, or a default", () => {
    const before: Request.Request = {
      items: [Item.user("a"), result("1", "x"), Item.user("b"), Item.user(" \n")],
      temperature: 1
    }
    const after: Request.Request = { items: [result("1", "x"), Item.user([Part.text("a"), Part.text("b")])], stop: [] }
    assert.deepStrictEqual(compare(before, after), none)
    assert.deepStrictEqual(compare(after, before), none)
  })
  it("sees the order of what is said, and who says it", () => {
    assert.strictEqual(
      compare({ items: [Item.user("a"), Item.user("b")] }, { items: [Item.user("b"), Item.user("a")] }).losses.length,
      2
    )
    assert.isAbove(compare({ items: [Item.user("a")] }, { items: [Item.system("a")] }).losses.length, 0)
    const turns = [Item.user("a"), Item.assistant("b"), result("1", "x")]
    assert.isAbove(compare({ items: turns }, { items: [result("1", "x"), ...turns.slice(0, 2)] }).losses.length, 0)
  })
  it("compares arguments as JSON, and other people's JSON to the letter", () => {
    const call = (args: string): Request.Request => ({ items: [{ ...Item.toolCall("c", "f"), arguments: args }] })
    assert.deepStrictEqual(compare(call(` { "a": 1.0 } `), call(`{"a":1}`)), none)
    assert.deepStrictEqual(compare(call(""), call("{}")), none)
    assert.deepStrictEqual(compare(call(`{"a":1}`), call(`{"a":2}`)).losses.map(({ pointer }) => pointer), [
      "/items/0/arguments/a"
    ])
    assert.deepStrictEqual(compare(call(`{"a":[1e2,0.10,-5,1.50E+3]}`), call(`{"a":[100,0.1,-5,1500]}`)), none)
    assert.deepStrictEqual(compare(call(`{"id":2512292042121000001}`), call(`{"id":2512292042121000000}`)).losses, [
      { pointer: "/items/0/arguments/id", why: `"2512292042121000001" became 2512292042121000000` }
    ])
    assert.deepStrictEqual(compare(call("{"), call("[")).losses.map(({ pointer }) => pointer), ["/items/0/arguments"])
    const tool = (parameters: object): Request.Request => ({
      items: [],
      tools: [{ type: "function", name: "f", parameters: parameters as { readonly a?: null } }]
    })
    assert.deepStrictEqual(compare(tool({ a: null }), tool({})).losses.map(({ pointer }) => pointer), [
      "/tools/0/parameters/a"
    ])
  })
  it("names each loss by its place in the first value, and goes on after it", () => {
    const { added, losses } = compare(
      {
        items: [
          Item.user([Part.text("a"), { type: "audio", source: { type: "url", url: "u" } }]),
          { type: "unmodelled", protocol: "q", raw: { type: "x" } },
          Item.assistant("kept"),
          Item.user("c")
        ],
        user: "ann"
      },
      { items: [Item.user("a"), Item.assistant("kept"), Item.user("d")] }
    )
    assert.deepStrictEqual(losses, [
      { pointer: "/items/0/parts/1", why: "p cannot carry this audio" },
      { pointer: "/items/1", why: "p cannot carry what is not modelled (it belongs to q)" },
      { pointer: "/items/3/parts/0/text", why: `"c" became "d"` },
      { pointer: "/user", why: `p cannot carry "ann"` }
    ])
    assert.deepStrictEqual(added, [])
  })
  it("lists apart what belongs to another protocol", () => {
    const { losses, withheld } = compare(
      {
        items: [
          { type: "reasoning", protocol: "q", proof: "token" },
          { ...Item.user("a"), providerOptions: { q: { id: "m" }, p: { id: "n" } } }
        ]
      },
      { items: [{ ...Item.user("a"), providerOptions: { p: { id: "n" } } }] }
    )
    assert.deepStrictEqual(losses, [])
    assert.deepStrictEqual(withheld.map(({ pointer }) => pointer), ["/items/0", "/items/1/providerOptions/q"])
  })
  it("takes thoughts that can be read for a loss, and an empty thought for one still", () => {
    const readable: Request.Request = {
      items: [{ type: "reasoning", protocol: "q", summary: [Part.text("hm")], proof: "t" }]
    }
    assert.deepStrictEqual(compare(readable, { items: [] }).losses.map(({ pointer }) => pointer), ["/items/0"])
    const thought = { type: "reasoning", protocol: "p", proof: "t" } as const
    assert.isFalse(Losses.isEquivalent({ items: [{ ...thought, content: [] }] }, { items: [thought] }, frame))
  })
  it("escapes pointers", () => {
    const options = (extra: object): Request.Request => ({
      items: [],
      providerOptions: { p: extra as { readonly a?: string } }
    })
    assert.deepStrictEqual(compare(options({ "a/b~c": 1 }), options({})).losses.map(({ pointer }) => pointer), [
      "/providerOptions/p/a~1b~0c"
    ])
  })
})
