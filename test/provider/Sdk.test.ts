/** What we send is what the official SDKs send for the same content, field by field. */
import AnthropicSdk from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import OpenAiSdk from "openai"
import * as Client from "../../src/pipeline/Client.ts"
import type { Input } from "../../src/pipeline/Pipeline.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import type * as InMemory from "../../src/provider/InMemory.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"

const key = "sk-test-0123456789"
const options = { apiKey: Redacted.make(key) }

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** What an SDK sends, by a `fetch` that keeps it and fails. */
const bySdk = async (ask: (fetch: typeof globalThis.fetch) => Promise<unknown>): Promise<Sent> => {
  const sent: Array<Sent> = []
  await ask(async (url, init) => {
    const request = new Request(url, init)
    const headers = Object.fromEntries(request.headers)
    sent.push({ method: request.method, url: request.url, headers, body: await request.json() })
    return Response.json({ error: { message: "enough", type: "invalid_request_error" } }, { status: 400 })
  }).catch(() => undefined)
  return sent[0] ?? assert.fail("The SDK sent nothing")
}

/** What a client sends. */
const byUs = (layerTest: (handler: InMemory.Handler) => Layer.Layer<Client.Client>, input: Input) =>
  Effect.gen(function*() {
    const sent: Array<Sent> = []
    const layer = layerTest(({ body, headers, method, url }) => {
      sent.push({ method, url: url.href, headers, body })
      return { status: 400 }
    })
    yield* Effect.ignore(Effect.provide(Client.send(input), layer))
    return sent[0] ?? assert.fail("The client sent nothing")
  })

const picture = "https://example.org/cat.png"
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const

/** `version` and `auth` are compared apart. */
const mattering = ["content-type", "accept"]
const compare = (ours: Sent, theirs: Sent) => {
  assert.deepStrictEqual(ours.body, theirs.body)
  assert.strictEqual(ours.method, theirs.method)
  assert.strictEqual(ours.url, theirs.url)
  for (const name of mattering) assert.strictEqual(ours.headers[name], theirs.headers[name], name)
}

describe("openai", () => {
  const contents: ReadonlyArray<readonly [string, Input, OpenAiSdk.Responses.ResponseCreateParamsNonStreaming]> = [
    ["a text", { model: "gpt-5", input: "hi" }, { model: "gpt-5", input: "hi" }],
    [
      "a picture, with settings",
      {
        model: "gpt-5",
        instructions: "Be brief.",
        input: ["What is this?", { image: picture, detail: "high" }],
        maxTokens: 99,
        reasoning: "low"
      },
      {
        model: "gpt-5",
        instructions: "Be brief.",
        input: [{
          role: "user",
          content: [{ type: "input_text", text: "What is this?" }, {
            type: "input_image",
            image_url: picture,
            detail: "high"
          }]
        }],
        max_output_tokens: 99,
        reasoning: { effort: "low" }
      }
    ],
    [
      "a conversation with a tool",
      {
        model: "gpt-5",
        input: [
          "Umbrella?",
          { id: "call_1", name: "weather", arguments: "{\"city\":\"Bergen\"}" },
          { toolCallId: "call_1", output: "rain" }
        ],
        tools: [{ name: "weather", description: "The weather.", parameters: schema, strict: false }],
        toolChoice: { name: "weather" }
      },
      {
        model: "gpt-5",
        input: [
          { role: "user", content: "Umbrella?" },
          { type: "function_call", call_id: "call_1", name: "weather", arguments: "{\"city\":\"Bergen\"}" },
          { type: "function_call_output", call_id: "call_1", output: "rain" }
        ],
        tools: [{ type: "function", name: "weather", description: "The weather.", parameters: schema, strict: false }],
        tool_choice: { type: "function", name: "weather" }
      }
    ],
    [
      "a form for the answer",
      { model: "gpt-5", input: "Where?", responseFormat: { type: "json_schema", name: "place", schema, strict: true } },
      {
        model: "gpt-5",
        input: "Where?",
        text: { format: { type: "json_schema", name: "place", schema, strict: true } }
      }
    ]
  ]
  for (const [name, input, params] of contents) {
    it.effect(name, () =>
      Effect.gen(function*() {
        const theirs = yield* Effect.promise(() =>
          bySdk((fetch) => new OpenAiSdk({ apiKey: key, fetch, maxRetries: 0 }).responses.create(params))
        )
        const ours = yield* byUs((handler) => OpenAi.layerTest(handler, options), input)
        compare(ours, theirs)
        assert.strictEqual(ours.headers.authorization, theirs.headers.authorization)
      }))
  }
})

describe("anthropic", () => {
  const contents: ReadonlyArray<readonly [string, Input, AnthropicSdk.MessageCreateParamsNonStreaming]> = [
    [
      "a text, with the model's documented limit",
      { model: "claude-3-5-haiku-latest", input: "hi" },
      { model: "claude-3-5-haiku-latest", max_tokens: 8192, messages: [{ role: "user", content: "hi" }] }
    ],
    [
      "a picture, with settings",
      {
        model: "claude-opus-4-8",
        instructions: "Be brief.",
        input: ["What is this?", { image: picture }],
        maxTokens: 99,
        reasoning: "low",
        stop: "END"
      },
      {
        model: "claude-opus-4-8",
        system: "Be brief.",
        messages: [{
          role: "user",
          content: [{ type: "text", text: "What is this?" }, { type: "image", source: { type: "url", url: picture } }]
        }],
        max_tokens: 99,
        output_config: { effort: "low" },
        stop_sequences: ["END"]
      }
    ],
    [
      "a conversation with a tool",
      {
        model: "claude-opus-4-8",
        maxTokens: 99,
        input: [
          "Umbrella?",
          { id: "toolu_1", name: "weather", arguments: "{\"city\":\"Bergen\"}" },
          { toolCallId: "toolu_1", output: "rain" }
        ],
        tools: [{ name: "weather", description: "The weather.", parameters: schema }],
        toolChoice: "required"
      },
      {
        model: "claude-opus-4-8",
        max_tokens: 99,
        messages: [
          { role: "user", content: "Umbrella?" },
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bergen" } }]
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "rain" }] }
        ],
        tools: [{
          name: "weather",
          description: "The weather.",
          input_schema: { ...schema, required: [...schema.required] }
        }],
        tool_choice: { type: "any" }
      }
    ]
  ]
  for (const [name, input, params] of contents) {
    it.effect(name, () =>
      Effect.gen(function*() {
        const theirs = yield* Effect.promise(() =>
          bySdk((fetch) => new AnthropicSdk({ apiKey: key, fetch, maxRetries: 0 }).messages.create(params))
        )
        const ours = yield* byUs((handler) => Anthropic.layerTest(handler, options), input)
        compare(ours, theirs)
      }))
  }

  it.effect("betas: those that the body uses, and those that were asked for", () =>
    Effect.gen(function*() {
      const input: Input = {
        model: "claude-opus-4-8",
        maxTokens: 9,
        input: "hi",
        mcpServers: [{ name: "crm", url: "https://example.org/mcp" }]
      }
      const betas = ["mcp-client-2025-11-20", "context-1m-2025-08-07"]
      const theirs = yield* Effect.promise(() =>
        bySdk((fetch) =>
          new AnthropicSdk({ apiKey: key, fetch, maxRetries: 0 }).beta.messages.create({
            model: "claude-opus-4-8",
            max_tokens: 9,
            messages: [{ role: "user", content: "hi" }],
            mcp_servers: [{ type: "url", name: "crm", url: "https://example.org/mcp" }],
            tools: [{ type: "mcp_toolset", mcp_server_name: "crm" }],
            betas
          })
        )
      )
      const ours = yield* byUs(
        (handler) => Anthropic.layerTest(handler, { ...options, betas: ["context-1m-2025-08-07"] }),
        input
      )
      assert.deepStrictEqual(ours.body, theirs.body)
      assert.sameMembers(ours.headers["anthropic-beta"]!.split(","), theirs.headers["anthropic-beta"]!.split(","))
    }))

  // The SDK sends a newer version of the API and the key as a bearer token; the older header and version are what
  // every host of this protocol knows.
  it.effect("the key and the version", () =>
    Effect.gen(function*() {
      const { headers } = yield* byUs((handler) => Anthropic.layerTest(handler, options), {
        model: "m",
        maxTokens: 1,
        input: "hi"
      })
      assert.strictEqual(headers["x-api-key"], key)
      assert.strictEqual(headers["anthropic-version"], "2023-06-01")
    }))
})
