/** What may be written, as the compiler sees it: these lines are the test. */
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Item from "../../src/canonical/Item.ts"
import type * as Canonical from "../../src/canonical/Request.ts"
import * as Shorthand from "../../src/shorthand/index.ts"

type Request = typeof Shorthand.Request.Encoded

const canonical: Canonical.Request = {
  model: "m",
  items: [Item.user("hi")],
  tools: [{ type: "mcp", server: "crm" }],
  mcpServers: [{ name: "crm", url: "https://crm.example/mcp" }]
}

const good: ReadonlyArray<Request> = [
  { model: "m", input: "hi" },
  { model: "m", input: ["look", { image: "https://a.example/b.png", detail: "low" }] },
  {
    input: [{ role: "user", content: ["a", { document: { fileId: "f" }, title: "T" }] }, {
      role: "assistant",
      text: "b"
    }]
  },
  { messages: [{ id: "c", name: "f", input: { a: 1 } }, { role: "tool", tool_call_id: "c", content: "3" }] },
  { input: [Item.user("a"), Item.toolCall("c", "f"), Item.toolResult("c", "3")] },
  { input: { image: { data: new Uint8Array(), mediaType: "image/png" }, text: "hi", cache: "1h" } },
  { tools: [{ name: "f", parameters: Schema.Struct({ city: Schema.String }) }, { type: "web_search", max_uses: 2 }] },
  { tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }], toolChoice: { name: "f" } },
  {
    responseFormat: Schema.Struct({ city: Schema.String }),
    mcpServers: [{ name: "crm", url: "https://crm.example/mcp" }]
  },
  { responseFormat: { name: "n", schema: { type: "object" } }, reasoning: "high", stop: "END", cache: true },
  { ...canonical, instructions: "Be brief." },
  { input: { image: new URL("https://a.example/b.png") }, cache_control: { type: "ephemeral", ttl: "1h" } },
  { input: [{ role: "assistant", tool_calls: [{ id: "c", function: { name: "f", arguments: "{}" } }] }] },
  {
    tool_choice: "auto",
    parallel_tool_calls: true,
    max_tool_calls: 1,
    mcp_servers: [],
    response_format: "json",
    max_tokens: 1,
    top_p: 1,
    top_k: 1,
    previous_response_id: "r",
    service_tier: "auto"
  }
]

const bad = (): ReadonlyArray<Request> => [
  // @ts-expect-error a number for text
  { input: { text: 5 } },
  // @ts-expect-error a number for the input
  { input: 7 },
  // @ts-expect-error a message without content
  { input: [{ role: "user" }] },
  // @ts-expect-error a role that nobody has
  { input: [{ role: "bot", text: "hi" }] },
  // @ts-expect-error bytes without a media type
  { input: { image: { data: "AAAA" } } },
  // @ts-expect-error a key that is misspelt
  { inptu: "hi" },
  // @ts-expect-error a choice that is no word
  { toolChoice: "maybe" },
  // @ts-expect-error a format without its schema
  { responseFormat: "json_schema" },
  // @ts-expect-error a number for a model
  { model: 5 }
]

it("what the compiler takes is read, and what it does not take is refused", () => {
  const decode = Schema.decodeUnknownExit(Shorthand.Request)
  assert.deepStrictEqual(good.map((request) => decode(request)._tag), good.map(() => "Success"))
  assert.deepStrictEqual(bad().map((request) => decode(request)._tag), bad().map(() => "Failure"))
})
