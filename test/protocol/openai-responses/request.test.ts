import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Request } from "../../../src/canonical/Request.ts"
import * as OpenAiResponses from "../../../src/protocol/openai-responses/index.ts"

const decode = Schema.decodeUnknownSync(OpenAiResponses.RequestFromWire)
const encode = Schema.encodeSync(OpenAiResponses.RequestFromWire)
const comesBack = (body: { readonly [key: string]: Schema.Json }): Request => {
  const request = decode(body)
  assert.deepStrictEqual(encode(request), body)
  return request
}

describe("request", () => {
  it("carries every field", () => {
    const body = {
      model: "gpt-5",
      instructions: "Be brief.",
      input: "hi",
      tools: [{ type: "function", name: "f", parameters: { type: "object" }, strict: false }],
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
      max_tool_calls: 3,
      text: { format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true }, verbosity: "low" },
      reasoning: { effort: "low", summary: "auto", context: "all_turns" },
      max_output_tokens: 10,
      temperature: 0,
      top_p: 0.5,
      metadata: { a: "b" },
      safety_identifier: "me",
      previous_response_id: "r",
      conversation: "c",
      store: false,
      include: ["reasoning.encrypted_content"],
      background: true,
      truncation: "auto",
      service_tier: "flex",
      stream: true,
      user: null
    }
    const { providerOptions, ...request } = comesBack(body)
    assert.deepStrictEqual(request, {
      model: "gpt-5",
      instructions: [{ type: "text", text: "Be brief." }],
      items: [{ type: "message", role: "user", parts: [{ type: "text", text: "hi" }] }],
      tools: [{ type: "function", name: "f", parameters: { type: "object" }, strict: false }],
      toolChoice: { type: "tool", name: "f" },
      parallelToolCalls: false,
      maxToolCalls: 3,
      responseFormat: { type: "json-schema", name: "n", schema: { type: "object" }, strict: true },
      reasoning: {
        effort: "low",
        summary: "auto",
        providerOptions: { "openai-responses": { context: "all_turns" } }
      },
      maxTokens: 10,
      temperature: 0,
      topP: 0.5,
      metadata: { a: "b" },
      user: "me",
      previousResponseId: "r",
      conversation: "c",
      store: false,
      include: ["reasoning.encrypted_content"],
      background: true,
      truncation: "auto",
      serviceTier: "flex"
    })
    assert.deepStrictEqual(providerOptions, {
      "openai-responses": { text: { verbosity: "low" }, stream: true, user: null }
    })
  })

  it("leaves out what goes without saying", () => {
    assert.deepStrictEqual(encode({ items: [], model: "m", ...OpenAiResponses.defaults }), { model: "m", input: [] })
    comesBack({ model: "m", instructions: "", input: [] })
  })

  it("tells no input from an empty one", () => {
    assert.deepStrictEqual(encode(decode({ model: "m", previous_response_id: "r" })), {
      model: "m",
      previous_response_id: "r",
      input: null
    })
    comesBack({ model: "m", input: [] })
  })

  it("reads a conversation by its id, and keeps what else it says", () => {
    assert.deepStrictEqual(encode(decode({ input: "hi", conversation: { id: "c" } })), {
      input: "hi",
      conversation: "c"
    })
    assert.strictEqual(comesBack({ input: "hi", conversation: { id: "c", x: 1 } }).conversation, "c")
  })

  it("joins instructions of several texts", () => {
    const texts = [{ type: "text", text: "a" }, { type: "text", text: "b" }] as const
    assert.strictEqual(encode({ items: [], instructions: texts }).instructions, "a\n\nb")
  })
})

describe("tools", () => {
  it("of functions always say parameters and strict", () => {
    assert.deepStrictEqual(encode({ items: [], tools: [{ type: "function", name: "f" }] }).tools, [
      { type: "function", name: "f", parameters: null, strict: null }
    ])
    assert.deepStrictEqual(decode({ tools: [{ type: "function", name: "f", strict: null, parameters: null }] }).tools, [
      { type: "function", name: "f" }
    ])
  })

  it("of the provider keep their settings", () => {
    const { tools } = comesBack({
      input: [],
      tools: [
        { type: "web_search", search_context_size: "low", filters: null },
        { type: "namespace", name: "n", description: "d", tools: [] },
        { type: "custom", name: "g", format: { type: "text" } },
        { type: "x_new_tool", a: 1 }
      ]
    })
    assert.deepStrictEqual(tools?.map((tool) => tool.type === "provider" ? tool.kind : tool.type), [
      "web_search",
      "namespace",
      "custom",
      "unmodelled"
    ])
  })

  it("that a person named without saying whose they are, go along as they stand", () => {
    const tool = (type: string) => ({ type: "unmodelled", protocol: "*", raw: { type, max_uses: 1 } }) as const
    assert.deepStrictEqual(encode({ items: [], tools: [tool("web_search"), tool("a_new_tool")] }).tools, [
      { type: "web_search", max_uses: 1 },
      { type: "a_new_tool", max_uses: 1 }
    ])
  })

  it("that a filter names, and no more, are those allowed", () => {
    const node = { type: "mcp", server_label: "crm", server_url: "https://crm.example/mcp" }
    const decoded = decode({ input: [], tools: [{ ...node, allowed_tools: { tool_names: ["a"] } }] })
    assert.deepStrictEqual(decoded.tools, [{ type: "mcp", server: "crm", allowed: ["a"] }])
    assert.deepStrictEqual<unknown>(encode(decoded).tools, [{ ...node, allowed_tools: ["a"] }])
  })

  it("on a server are one node with it", () => {
    const request = comesBack({
      input: [],
      tools: [
        {
          type: "mcp",
          server_label: "crm",
          server_description: "d",
          require_approval: "never",
          allowed_tools: ["find"],
          tunnel_id: "t",
          server_url: "https://mcp.example.com/sse",
          authorization: "tok-123",
          headers: { "X-Tenant": "t1" }
        },
        {
          type: "mcp",
          server_label: "drive",
          allowed_tools: { read_only: true },
          connector_id: "connector_googledrive"
        },
        { type: "mcp", server_label: "crm", allowed_tools: ["other"] },
        { type: "mcp", server_label: "odd", server_url: 7 }
      ]
    })
    assert.deepStrictEqual(request.mcpServers, [
      {
        name: "crm",
        url: "https://mcp.example.com/sse",
        authorization: "tok-123",
        headers: { "X-Tenant": "t1" }
      },
      { name: "drive", connector: "connector_googledrive" }
    ])
    assert.deepStrictEqual(request.tools?.[0], {
      type: "mcp",
      server: "crm",
      description: "d",
      approval: "never",
      allowed: ["find"],
      providerOptions: { "openai-responses": { tunnel_id: "t" } }
    })
    assert.deepStrictEqual(encode({ items: [], tools: [], mcpServers: [{ name: "alone", url: "u" }] }).tools, [])
  })

  it("are chosen by word, by name, or in any way that we do not model", () => {
    const choices = [
      "required",
      "none",
      { type: "function", name: "f" },
      { type: "custom", name: "g" },
      { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
      { type: "mcp", server_label: "crm" },
      "any"
    ]
    const read = choices.map((tool_choice) => comesBack({ input: "hi", tool_choice }).toolChoice?.type)
    assert.deepStrictEqual(read, ["required", "none", "tool", "tool", "allowed", "unmodelled", "unmodelled"])
    assert.deepStrictEqual(encode(decode({ input: "hi", tool_choice: "auto" })), { input: "hi" })
  })
})

describe("ExpandedFromWire", () => {
  const { request } = OpenAiResponses.ExpandedFromWire
  const short = { model: "m", input: "hi", conversation: "c" }
  const long = {
    model: "m",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
    conversation: { id: "c" }
  }

  it("writes out every short spelling, and takes it back", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(request)(short), long)
    assert.deepStrictEqual(Schema.encodeUnknownSync(request)(long), short)
    assert.deepStrictEqual(Schema.encodeUnknownSync(request)({ ...long, store: true, include: [] }), short)
  })

  it("has a piece for each nameable part", () => {
    const { content, instructions, mcpServers, responseFormat, toolChoice } = OpenAiResponses.ExpandedFromWire
    assert.deepStrictEqual(Schema.decodeUnknownSync(content)("hi"), [{ type: "input_text", text: "hi" }])
    assert.strictEqual(Schema.decodeUnknownSync(instructions)("hi"), "hi")
    assert.strictEqual(Schema.decodeUnknownSync(toolChoice)("auto"), "auto")
    const format = { type: "json_object", x: 1 }
    assert.deepStrictEqual(Schema.decodeUnknownSync(responseFormat)(format), format)
    const servers = [{ type: "mcp", server_label: "crm", server_url: "u" }]
    assert.deepStrictEqual(Schema.decodeUnknownSync(mcpServers)(servers), servers)
  })
})
