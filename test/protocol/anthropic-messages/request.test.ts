import type * as Beta from "@anthropic-ai/sdk/resources/beta/messages"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Item } from "../../../src/canonical/index.ts"
import * as AnthropicMessages from "../../../src/protocol/anthropic-messages/index.ts"

const decode = Schema.decodeUnknownSync(AnthropicMessages.RequestFromWire)
const encode = Schema.encodeSync(AnthropicMessages.RequestFromWire)
const body = { model: "m", messages: [] }
const request = { model: "m", items: [] }

/** The canonical field of a wire field, and the wire field that is written of it. */
const both = (wire: object, canonical: object) => {
  assert.deepStrictEqual(decode({ ...body, ...wire }), { ...request, ...canonical })
  assert.deepStrictEqual<object>(encode({ ...request, ...canonical }), { ...body, ...wire })
}

describe("fields", () => {
  it("a system text is a string", () =>
    both({ system: "be brief" }, { instructions: [{ type: "text", text: "be brief" }] }))
  it("system messages at the start are instructions, later ones stay", () => {
    const items = [
      Item.user(" "),
      Item.developer("brief"),
      Item.system("kind"),
      Item.user("hi"),
      Item.system("now in French")
    ]
    assert.deepStrictEqual<object>(encode({ ...request, instructions: [{ type: "text", text: "be" }], items }), {
      ...body,
      system: ["be", "brief", "kind"].map((text) => ({ type: "text", text })),
      messages: [{ role: "user", content: "hi" }, { role: "system", content: "now in French" }]
    })
    const call: Item.ToolCall = { ...Item.toolCall("c", "f"), arguments: "{" }
    assert.throws(() => encode({ ...request, items: [...items, call] }), /at \["items"\]\[5\]\["arguments"\]/)
  })
  it("a marked one is not", () =>
    both(
      { system: [{ type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } }] },
      { instructions: [{ type: "text", text: "a", cache: { ttl: "1h" } }] }
    ))
  it("thinking and effort are one", () =>
    both(
      { thinking: { type: "enabled", budget_tokens: 1024, display: "omitted" }, output_config: { effort: "high" } },
      { reasoning: { mode: "enabled", budget: 1024, display: "omitted", effort: "high" } }
    ))
  it("effort alone says nothing of thinking", () =>
    both({ output_config: { effort: "low" } }, { reasoning: { effort: "low" } }))
  it("a budget alone turns thinking on", () =>
    assert.deepStrictEqual<object>(encode({ ...request, reasoning: { budget: 9 } }), {
      ...body,
      thinking: { type: "enabled", budget_tokens: 9 }
    }))
  it("a response format is a schema; what stands beside it stays", () =>
    both(
      { output_config: { format: { type: "json_schema", schema: { type: "object" } }, task_budget: { total: 9 } } },
      {
        responseFormat: { type: "json-schema", schema: { type: "object" } },
        providerOptions: { "anthropic-messages": { output_config: { task_budget: { total: 9 } } } }
      }
    ))
  it("no parallel calls are said by the choice", () => {
    both(
      { tool_choice: { type: "tool", name: "n", disable_parallel_tool_use: true } },
      { toolChoice: { type: "tool", name: "n" }, parallelToolCalls: false }
    )
    const [tools, wireTools] = [[{ type: "function" as const, name: "n", parameters: { type: "object" } }], [{
      name: "n",
      input_schema: { type: "object" }
    }]]
    assert.deepStrictEqual<object>(encode({ ...request, tools, parallelToolCalls: false }), {
      ...body,
      tools: wireTools,
      tool_choice: { type: "auto", disable_parallel_tool_use: true }
    })
    // The API takes no choice where there are no tools.
    assert.deepStrictEqual<object>(encode({ ...request, parallelToolCalls: false }), body)
    assert.deepStrictEqual<object>(encode({ ...request, parallelToolCalls: true }), body)
    assert.deepStrictEqual<object>(encode({ ...request, toolChoice: { type: "none" }, parallelToolCalls: false }), {
      ...body,
      tool_choice: { type: "none" }
    })
  })
  it("a narrowed toolset turns off what was on", () => {
    const toolset = { type: "mcp_toolset", mcp_server_name: "a", configs: { delete_all: { enabled: true } } }
    const [tool] = decode({ ...body, tools: [toolset] }).tools ?? []
    assert.deepStrictEqual<object>(
      encode({ ...request, tools: tool?.type === "mcp" ? [{ ...tool, allowed: ["find"] }] : [] }),
      {
        ...body,
        tools: [{
          ...toolset,
          default_config: { enabled: false },
          configs: { find: { enabled: true }, delete_all: { enabled: false } }
        }]
      }
    )
  })
  it("a server without a URL is left out with its tools", () =>
    assert.deepStrictEqual<object>(
      encode({
        ...request,
        mcpServers: [{ name: "drive", connector: "c" }],
        tools: [{ type: "mcp", server: "drive" }]
      }),
      { ...body, tools: [] }
    ))
  it("a bearer header is the server's token", () =>
    assert.deepStrictEqual<object>(
      encode({
        ...request,
        mcpServers: [{
          name: "crm",
          url: "https://crm.example/mcp",
          headers: { Authorization: "Bearer tok", "X-Tenant": "t" }
        }]
      }),
      {
        ...body,
        mcp_servers: [{ type: "url", name: "crm", url: "https://crm.example/mcp", authorization_token: "tok" }]
      }
    ))
  it("words that only the other API knows are left out", () =>
    assert.deepStrictEqual<object>(encode({ ...request, serviceTier: "flex", reasoning: { effort: "minimal" } }), body))
  it("a document of text is text, whatever kind it is", () => {
    const source = { type: "base64", mediaType: "text/csv", data: "YSxi" } as const
    assert.deepStrictEqual<object>(encode({ ...request, items: [Item.user([{ type: "document", source }])] }), {
      ...body,
      messages: [{
        role: "user",
        content: [{ type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" } }]
      }]
    })
  })
  it("an unknown key of a choice stays when the flag goes", () =>
    both(
      { tool_choice: { type: "any", x: 1, disable_parallel_tool_use: true } },
      {
        toolChoice: { type: "required", providerOptions: { "anthropic-messages": { x: 1 } } },
        parallelToolCalls: false
      }
    ))
  it("an MCP server, and its toolset where some tools are allowed", () =>
    both(
      {
        tools: [{
          type: "mcp_toolset",
          mcp_server_name: "crm",
          default_config: { enabled: false },
          configs: { find: { enabled: true } }
        }],
        mcp_servers: [{ type: "url", name: "crm", url: "https://crm.example/mcp", authorization_token: "tok" }]
      },
      {
        tools: [{ type: "mcp", server: "crm", allowed: ["find"] }],
        mcpServers: [{ name: "crm", url: "https://crm.example/mcp", authorization: "tok" }]
      }
    ))
  it("other settings of a toolset stay as they are", () => {
    const configs = { find: { enabled: true, defer_loading: true } }
    both(
      { tools: [{ type: "mcp_toolset", mcp_server_name: "crm", default_config: { enabled: false }, configs }] },
      {
        tools: [{
          type: "mcp",
          server: "crm",
          providerOptions: { "anthropic-messages": { default_config: { enabled: false }, configs } }
        }]
      }
    )
  })
  it("a tool without parameters has a schema on the wire", () =>
    both(
      { tools: [{ name: "ping", input_schema: { type: "object" } }] },
      { tools: [{ type: "function", name: "ping" }] }
    ))
  it("the provider's own tools keep their settings", () =>
    both(
      { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }] },
      {
        tools: [{
          type: "provider",
          protocol: "anthropic-messages",
          kind: "web_search_20250305",
          name: "web_search",
          providerOptions: { "anthropic-messages": { max_uses: 2 } }
        }]
      }
    ))
  it("a user, a service tier, a cache of the whole, and what is not modelled", () =>
    both(
      { metadata: { user_id: "u", x: 1 }, service_tier: "auto", cache_control: { type: "ephemeral" }, stream: true },
      {
        user: "u",
        serviceTier: "auto",
        cache: {},
        providerOptions: { "anthropic-messages": { metadata: { x: 1 }, stream: true } }
      }
    ))
  it("defaults are left out, absent tokens stay absent", () => {
    const wire = { ...body, max_tokens: 4096, stop_sequences: [], mcp_servers: [], tool_choice: { type: "auto" } }
    assert.deepStrictEqual<object>(encode(decode(wire)), { ...body, max_tokens: 4096 })
    assert.deepStrictEqual<object>(encode(request), body)
  })
  it("a stop sequence of white space is left out", () =>
    assert.deepStrictEqual<object>(encode({ ...request, stop: ["\n", "END"] }), { ...body, stop_sequences: ["END"] }))
})

describe("what cannot be sent", () => {
  it("has a message and a path", () => {
    assert.throws(
      () => encode({ items: [] }),
      `Expected a model: this API has none of its own choosing\n  at ["model"]`
    )
    assert.throws(
      () =>
        encode({ ...request, items: [Item.user("a"), { ...Item.toolCall("c", "n"), arguments: "{\"cmd\":\"ls " }] }),
      `Expected arguments that are a JSON object, got "{\\"cmd\\":\\"ls "\n  at ["items"][1]["arguments"]`
    )
  })
  it("blank arguments can", () =>
    assert.deepStrictEqual<object>(
      encode({ ...request, items: [{ ...Item.toolCall("c", "n"), arguments: " " }] }).messages,
      [
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "n", input: {} }] }
      ]
    ))
})

describe("media", () => {
  const parts = (...parts: Item.Message["parts"]) =>
    encode({ ...request, items: [{ type: "message", role: "user", parts }] }).messages[0]?.content as unknown
  const url = (url: string) => ({ type: "url", url } as const)

  it("the bytes of a data URI go along", () =>
    assert.deepStrictEqual(parts({ type: "image", source: url("data:image/png;base64,AAAA") }), [
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
    ]))
  it("a document of plain text is text", () =>
    assert.deepStrictEqual(
      parts(
        { type: "document", source: url("data:text/plain,Hello%20there"), title: "A" },
        { type: "document", source: { type: "base64", mediaType: "application/pdf", data: "AAAA" } }
      ),
      [
        { type: "document", source: { type: "text", media_type: "text/plain", data: "Hello there" }, title: "A" },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } }
      ]
    ))
  it("any other URL is left as it is", () =>
    assert.deepStrictEqual(parts({ type: "image", source: url("https://example.org/a.PNG?x=.pdf") }), [
      { type: "image", source: { type: "url", url: "https://example.org/a.PNG?x=.pdf" } }
    ]))
})

describe("expanded and compressed", () => {
  const expand = Schema.decodeUnknownSync(AnthropicMessages.ExpandedFromWire.request)
  const compress = Schema.encodeUnknownSync(AnthropicMessages.ExpandedFromWire.request)
  const long = {
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    system: [{ type: "text", text: "s" }]
  }
  const short = { messages: [{ role: "user", content: "hi" }], system: "s" }
  it("every short spelling is written out", () => assert.deepStrictEqual<unknown>(expand(short), long))
  it("every short spelling is taken", () => assert.deepStrictEqual<unknown>(compress(long), short))
})

describe("everything that the official types name", () => {
  const cache_control: Beta.BetaCacheControlEphemeral = { type: "ephemeral", ttl: "1h" }
  const params: Beta.MessageCreateParamsNonStreaming = {
    model: "claude-sonnet-4-5",
    max_tokens: 100,
    system: [{ type: "text", text: "be brief", cache_control }],
    thinking: { type: "adaptive", display: "summarized" },
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    container: { id: "container_1", skills: [{ type: "anthropic", skill_id: "pdf" }] },
    context_management: { edits: [{ type: "clear_thinking_20251015" }] },
    tools: [
      { name: "a", input_schema: { type: "object", properties: {} }, strict: true, defer_loading: true, cache_control },
      { type: "computer_20250124", name: "computer", display_width_px: 9, display_height_px: 9 },
      { type: "mcp_toolset", mcp_server_name: "crm" }
    ],
    mcp_servers: [{ type: "url", name: "crm", url: "u", tool_configuration: { allowed_tools: ["find"] } }],
    messages: [
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c",
            content: [{ type: "tool_reference", tool_name: "a" }],
            is_error: true
          },
          { type: "image", source: { type: "file", file_id: "f" } },
          { type: "document", source: { type: "content", content: "x" }, context: "c", citations: { enabled: true } },
          { type: "search_result", source: "s", title: "t", content: [{ type: "text", text: "x" }] },
          { type: "container_upload", file_id: "f" }
        ]
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "thinking", thinking: "", signature: "s" },
          { type: "redacted_thinking", data: "d" },
          { type: "tool_use", id: "c", name: "a", input: { a: [1] }, caller: { type: "direct" } },
          { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
          { type: "web_search_tool_result", tool_use_id: "s", content: [] },
          {
            type: "code_execution_tool_result",
            tool_use_id: "s",
            content: { type: "code_execution_tool_result_error", error_code: "unavailable" }
          },
          { type: "mcp_tool_use", id: "m", name: "find", server_name: "crm", input: {} },
          { type: "mcp_tool_result", tool_use_id: "m", content: "x", is_error: true },
          { type: "compaction", content: "so far", encrypted_content: "e" },
          {
            type: "mcp_tool_listing",
            mcp_server_name: "crm",
            tools: [{ name: "find", input_schema: { type: "object" } }]
          },
          { type: "fallback", from: { model: "a" }, to: { model: "b" } },
          {
            type: "text",
            text: "It is so.",
            citations: [
              {
                type: "char_location",
                document_index: 0,
                document_title: null,
                cited_text: "so",
                start_char_index: 0,
                end_char_index: 2
              },
              {
                type: "page_location",
                document_index: 0,
                document_title: "t",
                cited_text: "so",
                start_page_number: 1,
                end_page_number: 2
              },
              {
                type: "content_block_location",
                document_index: 0,
                document_title: "t",
                cited_text: "so",
                start_block_index: 0,
                end_block_index: 1
              },
              {
                type: "search_result_location",
                search_result_index: 0,
                source: "s",
                title: null,
                cited_text: "so",
                start_block_index: 0,
                end_block_index: 1
              },
              { type: "web_search_result_location", url: "u", title: "t", cited_text: "so", encrypted_index: "e" }
            ]
          }
        ]
      },
      {
        role: "system",
        clear_at: "next_user_message",
        content: [
          { type: "tool_addition", tool: { type: "tool_reference", name: "a" } },
          {
            type: "tool_addition",
            tool: { type: "tool_definition", definition: { name: "b", input_schema: { type: "object" } } }
          },
          { type: "tool_removal", tool: { type: "mcp_tool_reference", server_name: "crm", name: "find" } },
          { type: "tool_removal", tool: { type: "mcp_toolset_reference", server_name: "crm" }, cache_control },
          { type: "text", text: "as before" }
        ]
      }
    ]
  }
  it("comes back as it is", () => assert.deepStrictEqual<unknown>(encode(decode(params)), params))
  it("is modelled, but for what is listed", () => {
    const raws = JSON.stringify(decode(params)).match(
      /"type":"unmodelled","protocol":"[a-z-]+","raw":\{"type":"[a-z_]+"/g
    )
    const kinds = raws?.map((raw) => raw.slice(raw.lastIndexOf(":") + 2, -1))
    const listed = Object.values(AnthropicMessages.unmodelled).flat<ReadonlyArray<ReadonlyArray<string>>>()
    assert.deepStrictEqual(kinds?.filter((kind) => !listed.includes(kind)), [])
    assert.sameMembers(
      kinds ?? [],
      ["tool_reference", "content", "search_result", "container_upload", "fallback", "tool_definition"]
    )
  })
})
