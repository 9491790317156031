import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Response } from "../../../src/canonical/Response.ts"
import { meaning, ResponseFromWire } from "../../../src/protocol/openai-responses/index.ts"

const decode = Schema.decodeUnknownSync(ResponseFromWire)
const encode = Schema.encodeSync(ResponseFromWire) as (response: Response) => { readonly [key: string]: Schema.Json }
const comesBack = (body: { readonly [key: string]: Schema.Json }): Response => {
  const response = decode(body)
  assert.deepStrictEqual(meaning.response(encode(response)), meaning.response(body))
  return response
}

const text = {
  type: "message",
  id: "m",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "hi" }]
}
const refusal = { ...text, content: [{ type: "refusal", refusal: "no" }] }
const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" }

describe("finish reason", () => {
  const cases: ReadonlyArray<readonly [string, { readonly [key: string]: Schema.Json }, string, string]> = [
    ["a text", { status: "completed", output: [text] }, "stop", "completed"],
    ["a pending call", { status: "completed", output: [text, call] }, "tool-calls", "completed"],
    [
      "an answered call",
      { status: "completed", output: [call, { type: "function_call_output", call_id: "c", output: "1" }] },
      "stop",
      "completed"
    ],
    ["a hosted call", { status: "completed", output: [{ type: "web_search_call", id: "w" }] }, "stop", "completed"],
    ["a refusal", { status: "completed", output: [refusal] }, "refusal", "completed"],
    [
      "too long",
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: [] },
      "length",
      "max_output_tokens"
    ],
    [
      "filtered",
      { status: "incomplete", incomplete_details: { reason: "content_filter" }, output: [] },
      "content-filter",
      "content_filter"
    ],
    [
      "steered",
      { status: "incomplete", incomplete_details: { reason: "steered", x: 1 }, output: [] },
      "other",
      "steered"
    ],
    ["no reason", { status: "incomplete", incomplete_details: null, output: [] }, "other", "incomplete"],
    ["failed", { status: "failed", error: { code: "server_error", message: "x" }, output: [] }, "error", "failed"],
    ["queued", { status: "queued", output: [], usage: null }, "other", "queued"],
    ["an odd status", { status: "complete", output: [] }, "other", "complete"],
    ["no status", { output: [text] }, "stop", "completed"],
    [
      "a reason alone",
      { incomplete_details: { reason: "max_output_tokens" }, output: [] },
      "length",
      "max_output_tokens"
    ]
  ]
  for (const [name, body, finishReason, raw] of cases) {
    it(name, () => {
      const response = comesBack(body)
      assert.strictEqual(response.finishReason, finishReason)
      assert.strictEqual(response.rawFinishReason, raw)
    })
  }

  it("is the caller's where it was edited: the raw word then says nothing", () => {
    const response = decode({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: [] })
    const edited = encode({ ...response, finishReason: "content-filter" })
    assert.deepStrictEqual([edited.status, edited.incomplete_details], ["incomplete", { reason: "content_filter" }])
    assert.strictEqual(
      encode({ ...decode({ status: "complete", output: [] }), finishReason: "stop" }).status,
      "completed"
    )
    assert.strictEqual(encode({ items: [], finishReason: "stop", rawFinishReason: "end_turn" }).status, "completed")
  })
})

describe("response", () => {
  it("has every key that the official type asks for, and they say nothing", () => {
    const message = { type: "message", role: "assistant", parts: [{ type: "text", text: "hi" }] } as const
    const body = encode({ items: [message], finishReason: "stop" })
    assert.deepStrictEqual(body, {
      object: "response",
      id: "",
      model: "",
      created_at: 0,
      status: "completed",
      access_programs: null,
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: null,
      parallel_tool_calls: true,
      temperature: null,
      tool_choice: "auto",
      tools: [],
      top_p: null,
      output: [{
        type: "message",
        id: "",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "hi", annotations: [] }]
      }]
    })
    assert.deepStrictEqual(decode(body), { items: [message], finishReason: "stop", rawFinishReason: "completed" })
  })

  it("keeps the request that it echoes", () => {
    const { providerOptions } = comesBack({
      output: [],
      status: "completed",
      instructions: [{ role: "system", content: "x" }],
      tools: [{ type: "web_search" }],
      tool_choice: "required",
      user: null
    })
    assert.deepStrictEqual(providerOptions, {
      "openai-responses": {
        instructions: [{ role: "system", content: "x" }],
        tools: [{ type: "web_search" }],
        tool_choice: "required",
        user: null
      }
    })
  })

  it("is none without its output", () => {
    assert.throws(() => decode({ detail: "Not Found" }), /output/)
  })
})

describe("usage", () => {
  it("counts what the wire counts", () => {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 4, text_tokens: 1 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 15,
      cost: 1
    }
    assert.deepStrictEqual(comesBack({ output: [], usage }).usage, {
      input: 10,
      cacheRead: 0,
      cacheWrite: 4,
      output: 5,
      reasoning: 2,
      providerOptions: { "openai-responses": { input_tokens_details: { text_tokens: 1 }, cost: 1 } }
    })
  })

  it("keeps a total that is not the sum, and writes one that is", () => {
    assert.strictEqual(
      comesBack({ output: [], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 5 } }).usage?.total,
      5
    )
    assert.deepStrictEqual(encode({ items: [], finishReason: "stop", usage: { input: 1, output: 2 } }).usage, {
      input_tokens: 1,
      output_tokens: 2,
      total_tokens: 3
    })
    assert.strictEqual(comesBack({ output: [], usage: null }).usage, undefined)
  })
})
