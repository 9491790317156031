/**
 * What a person is told about input that is none of the shorthands: each message is a file of its own, reviewed as text.
 * `UPDATE_GOLDEN=1` writes them anew.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Shorthand from "../../src/shorthand/index.ts"

const golden = new URL("./golden/", import.meta.url)

const read = Schema.decodeUnknownResult(Shorthand.Request)
const messageOf = (input: unknown): string => {
  const result = read(input)
  return result._tag === "Failure" ? result.failure.message : `no error: ${JSON.stringify(result.success)}`
}

const cyclic: { input: Array<unknown> } = { input: [] }
cyclic.input.push(cyclic)

const cases: { readonly [name: string]: unknown } = {
  "data that holds itself": cyclic,
  "a number for text": { input: ["hi", { role: "user", text: 5 }] },
  "a number for a message": { input: [{ role: "user", content: 5 }] },
  "a number for the input": { input: 7 },
  "a number for a model": { model: 5 },
  "a role that nobody has": { input: [{ role: "bot", text: "hi" }] },
  "an object that is nothing": { input: [{ txet: "hi" }] },
  "nothing in a list": { input: ["hi", null] },
  "a message without content": { input: [{ role: "user" }] },
  "a message whose content is null": { input: [{ role: "user", content: null }] },
  "text and content": { input: [{ role: "user", text: "a", content: "b" }] },
  "a file id for a URL": { input: { document: "file_abc" } },
  "a long text for a URL": { input: { image: "iVBORw0KGgo".repeat(100) } },
  "bytes without a media type": { input: { image: new Uint8Array([1, 2, 3]) } },
  "base64 without a media type": { input: { image: { data: "AAAA" } } },
  "a part of an API's own form": { input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }] },
  "an item of an API's own form": { input: [{ type: "function_call", call_id: "c", name: "f", arguments: "{}" }] },
  "a canonical part that is not whole": {
    input: [{ type: "message", role: "user", parts: [{ type: "text", text: "a", citations: [{ type: "url" }] }] }]
  },
  "a result without a call": { input: ["hi", { id: "c1", name: "f", input: {} }, { toolCallId: "c2", output: "3" }] },
  "a tool message without an id": { input: [{ role: "tool", content: "3" }] },
  "calls that are no list": { input: [{ role: "assistant", content: "a", tool_calls: { id: "c" } }] },
  "a call without a name": {
    input: [{ role: "assistant", content: "a", tool_calls: [{ id: "c", function: { arguments: "{}" } }] }]
  },
  "calls of the user": { input: [{ role: "user", content: "a", tool_calls: [{ id: "c", name: "f", input: {} }] }] },
  "options under a providers name": { input: "hi", providerOptions: { anthropic: { top_k: 1 } } },
  "options of a part under a providers name": { input: { text: "hi", providerOptions: { openai: {} } } },
  "two inputs": { input: "a", messages: "b" },
  "a key that is misspelt": { model: "m", inptu: "hi" },
  "a key of another API": { model: "m", input: "hi", logit_bias: {} },
  "a value that is no JSON": { input: { text: "hi", when: () => 1 } },
  "a tool without a name": { tools: [{ description: "d", parameters: {} }] },
  "parameters that are no schema": { tools: [{ name: "f", parameters: 5 }] },
  "a server among the tools": { tools: [{ type: "mcp", server_label: "crm", server_url: "https://crm.example/mcp" }] },
  "a tool choice that is no word": { toolChoice: "maybe" },
  "a format without a schema": { responseFormat: "json_schema" },
  "a format of an unknown type": { responseFormat: { type: "grammar", syntax: "lark" } },
  "a server without a name": { mcpServers: [{ url: "https://crm.example/mcp" }] },
  "a server without an address": { mcpServers: [{ name: "crm", authorization: "sk-secret" }] },
  "a server twice": { mcpServers: [{ name: "crm", url: "https://a" }], mcps: [{ name: "crm", url: "https://b" }] },
  "a token that is no text": {
    mcpServers: [{ name: "crm", url: "https://crm.example/mcp", authorization: ["sk-secret"] }]
  },
  "a header that is no text": {
    mcpServers: [{ name: "crm", url: "https://crm.example/mcp", headers: { "x-api-key": { value: "sk-secret" } } }]
  },
  "a cache marker that is a number": { input: { text: "hi", cache: 5 } },
  "no request": "hi"
}

describe("errors of shorthand", () => {
  for (const [name, input] of Object.entries(cases)) {
    it(name, () => {
      const file = new URL(`${name.replaceAll(" ", "-").replaceAll("'", "")}.txt`, golden)
      const message = `${messageOf(input)}\n`
      if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(file, message)
      assert.strictEqual(message, readFileSync(file, "utf8"))
      assert.notInclude(message, "secret")
    })
  }

  it("every file belongs to a case", () => {
    assert.strictEqual(readdirSync(golden).length, Object.keys(cases).length)
  })
})
