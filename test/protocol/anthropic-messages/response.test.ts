import type * as Anthropic from "@anthropic-ai/sdk/resources/messages"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Item } from "../../../src/canonical/index.ts"
import * as AnthropicMessages from "../../../src/protocol/anthropic-messages/index.ts"

const decode = Schema.decodeUnknownSync(AnthropicMessages.ResponseFromWire)
const encode = Schema.encodeSync(AnthropicMessages.ResponseFromWire)

const message: Anthropic.Message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "hi", citations: null }],
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: {
    input_tokens: 7,
    cache_read_input_tokens: 9000,
    cache_creation_input_tokens: 1000,
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 20 },
    cache_creation: null,
    inference_geo: null,
    server_tool_use: null,
    service_tier: "standard",
    speed: null
  }
}

describe("a response", () => {
  it("is read with the cache counted as input, and without what says nothing", () =>
    assert.deepStrictEqual(decode(message), {
      id: "msg_1",
      model: "m",
      items: [Item.assistant("hi")],
      finishReason: "stop",
      rawFinishReason: "end_turn",
      usage: {
        input: 10007,
        cacheRead: 9000,
        cacheWrite: 1000,
        output: 50,
        reasoning: 20,
        providerOptions: { "anthropic-messages": { service_tier: "standard" } }
      }
    }))
  it("is written with every key that the official type requires", () =>
    assert.deepStrictEqual<unknown>(encode(decode(message)), message))
  it("of another protocol is a whole one too", () => {
    const body = encode({ items: [Item.assistant("hi")], finishReason: "stop", usage: { input: 3, output: 1 } })
    assert.deepStrictEqual(Object.keys(body).toSorted(), Object.keys(message).toSorted())
    assert.deepStrictEqual(Object.keys(body.usage ?? {}).toSorted(), Object.keys(message.usage).toSorted())
  })
  it("of a host that says little is read", () =>
    assert.deepStrictEqual(decode({ content: [], usage: { input_tokens: 3 } }), {
      items: [],
      finishReason: "other",
      usage: { input: 3, output: 0 }
    }))
})

describe("why it ended", () => {
  const reason = (word: string | null) => decode({ ...message, stop_reason: word }).finishReason
  it("has a word", () =>
    assert.deepStrictEqual(
      [
        "end_turn",
        "stop_sequence",
        "max_tokens",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        "compaction",
        "x_new",
        "__proto__",
        null
      ].map(reason),
      ["stop", "stop", "length", "tool-calls", "pause", "refusal", "context-window", "other", "other", "other", "other"]
    ))
  it("is the provider's own word while it says the same", () => {
    const response = decode({ ...message, stop_reason: "x_new" })
    assert.strictEqual(encode(response).stop_reason, "x_new")
    assert.strictEqual(encode({ ...response, finishReason: "length" }).stop_reason, "max_tokens")
    assert.strictEqual(encode({ ...response, finishReason: "other" }).stop_reason, "x_new")
    assert.strictEqual(encode({ ...response, finishReason: "stop", stopSequence: "END" }).stop_reason, "stop_sequence")
    assert.strictEqual(encode({ items: [], finishReason: "other" }).stop_reason, null)
  })
})

describe("what the provider ran", () => {
  it("is a call and a result", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "web_fetch", input: { url: "u" } },
      { type: "web_fetch_tool_result", tool_use_id: "s", content: { type: "web_fetch_result", url: "u" } },
      { type: "mcp_tool_use", id: "m", name: "find", server_name: "crm", input: {} },
      {
        type: "mcp_tool_result",
        tool_use_id: "m",
        content: [{ type: "text", text: "", citations: null }],
        is_error: false
      }
    ]
    const response = decode({ ...message, content })
    assert.deepStrictEqual<unknown>(response.items, [
      {
        type: "tool-call",
        kind: "server_tool_use",
        providerExecuted: true,
        id: "s",
        name: "web_fetch",
        arguments: `{"url":"u"}`
      },
      {
        type: "tool-result",
        kind: "web_fetch_tool_result",
        providerExecuted: true,
        id: "s",
        output: { type: "json", value: { type: "web_fetch_result", url: "u" } }
      },
      {
        type: "tool-call",
        kind: "mcp_tool_use",
        providerExecuted: true,
        id: "m",
        name: "find",
        server: "crm",
        arguments: "{}"
      },
      {
        type: "tool-result",
        kind: "mcp_tool_result",
        providerExecuted: true,
        id: "m",
        output: [{ type: "text", text: "" }]
      }
    ])
    assert.deepStrictEqual<unknown>(encode(response).content, content)
  })
})
