/** Holds each provider to its documentation: where it is, how one is let in, what it reads from the environment. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, type Layer, Redacted } from "effect"
import { HttpClient } from "effect/http"
import * as Client from "../../src/pipeline/Client.ts"
import * as Pipeline from "../../src/pipeline/Pipeline.ts"
import * as Wire from "../../src/pipeline/Wire.ts"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import { betasOf } from "../../src/provider/AnthropicBetas.ts"
import { maxTokensOf } from "../../src/provider/AnthropicModels.ts"
import * as Hermes from "../../src/provider/Hermes.ts"
import * as InMemory from "../../src/provider/InMemory.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"
import * as OpenAiCompatible from "../../src/provider/OpenAiCompatible.ts"

const apiKey = Redacted.make("sk-0123456789")
const input = { model: "claude-sonnet-4-5", input: "hi" }
const completed = { id: "resp_1", object: "response", status: "completed", model: "m", output: [] }

/** What arrives when something is sent. */
const arriving = <E>(
  layer: Layer.Layer<Client.Client, E, HttpClient.HttpClient>,
  environment: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function*() {
    const received: Array<InMemory.Received> = []
    const network = InMemory.layer((request) => {
      received.push(request)
      return { status: 400 }
    })
    yield* Effect.flip(Effect.provide(Client.send(input), layer)).pipe(
      Effect.provide(network),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: environment })))
    )
    return received[0] ?? assert.fail("Nothing was sent")
  })

describe("where", () => {
  it.effect("by default, and elsewhere", () =>
    Effect.gen(function*() {
      const urlOf = (layer: Layer.Layer<Client.Client, never, HttpClient.HttpClient>) =>
        Effect.map(arriving(layer), ({ url }) => url.href)
      assert.strictEqual(yield* urlOf(OpenAi.layer({ apiKey })), "https://api.openai.com/v1/responses")
      assert.strictEqual(yield* urlOf(Anthropic.layer({ apiKey })), "https://api.anthropic.com/v1/messages")
      assert.strictEqual(yield* urlOf(Hermes.layer({ apiKey })), "http://localhost:8642/v1/responses")
      const baseUrl = "https://gateway.example.org/deep/"
      assert.strictEqual(
        yield* urlOf(OpenAiCompatible.layer({ baseUrl })),
        "https://gateway.example.org/deep/responses"
      )
      assert.strictEqual(yield* urlOf(Anthropic.layer({ baseUrl })), "https://gateway.example.org/deep/v1/messages")
    }))
})

describe("layerConfig", () => {
  it.effect("reads the key and the base URL", () =>
    Effect.gen(function*() {
      const openAi = yield* arriving(OpenAi.layerConfig, {
        OPENAI_API_KEY: "sk-env",
        OPENAI_BASE_URL: "http://127.0.0.1:1/v1"
      })
      assert.strictEqual(openAi.url.href, "http://127.0.0.1:1/v1/responses")
      assert.strictEqual(openAi.headers["authorization"], "Bearer sk-env")
      const anthropic = yield* arriving(Anthropic.layerConfig, { ANTHROPIC_API_KEY: "sk-ant", ANTHROPIC_BASE_URL: "" })
      assert.strictEqual(anthropic.url.href, "https://api.anthropic.com/v1/messages")
      assert.strictEqual(anthropic.headers["x-api-key"], "sk-ant")
      const local = yield* arriving(OpenAiCompatible.layerConfig, { OPENAI_BASE_URL: "http://127.0.0.1:2/v1" })
      assert.strictEqual(local.url.href, "http://127.0.0.1:2/v1/responses")
      assert.notProperty(local.headers, "authorization")
      const hermes = yield* arriving(Hermes.layerConfig, { HERMES_API_KEY: "h", HERMES_BASE_URL: "http://127.0.0.1:3" })
      assert.strictEqual(hermes.url.href, "http://127.0.0.1:3/v1/responses")
    }))

  it.effect("names what the environment lacks", () =>
    Effect.gen(function*() {
      const error = yield* Client.send(input).pipe(
        Effect.provide(Anthropic.layerConfig),
        Effect.provide(InMemory.layer(() => ({}))),
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))),
        Effect.flip
      )
      assert.strictEqual(error._tag, "ConfigError")
      assert.include(error.message, "ANTHROPIC_API_KEY")
    }))
})

describe("anthropic", () => {
  it("knows the documented limits of models by their names, with or without a date", () => {
    assert.strictEqual(maxTokensOf("claude-opus-4-1-20250805"), 32_000)
    assert.strictEqual(maxTokensOf("claude-opus-4-20250514"), 32_000)
    assert.strictEqual(maxTokensOf("claude-sonnet-4-0"), 64_000)
    assert.strictEqual(maxTokensOf("claude-3-5-haiku-latest"), 8192)
    for (const unknown of ["claude-opus-4-9", "gpt-5", "constructor", "", undefined]) {
      assert.isUndefined(maxTokensOf(unknown))
    }
  })

  it.effect("requires a limit for a model that it does not know", () =>
    Effect.gen(function*() {
      const layer = Anthropic.layerTest(() => assert.fail("Sent"))
      const send = (model: string) => Effect.flip(Effect.provide(Client.send({ model, input: "hi" }), layer))
      const { message, reason } = yield* send("claude-new-9")
      assert.strictEqual(reason._tag === "InvalidRequest" ? reason.param : undefined, "/maxTokens")
      assert.strictEqual(
        message,
        "The request is not valid (anthropic, at /maxTokens): maxTokens is required: no maximum is known for the model \"claude-new-9\". Correct it and send it again."
      )
    }))

  it("names the betas that a body uses", () => {
    const block = (source: unknown) => [{ role: "user", content: [{ type: "document", source }] }]
    assert.deepStrictEqual(betasOf({ messages: [{ role: "user", content: "hi" }], mcp_servers: null }), [])
    assert.deepStrictEqual(betasOf({ mcp_servers: [{}] }), ["mcp-client-2025-11-20"])
    assert.deepStrictEqual(betasOf({ messages: block({ type: "file", file_id: "f" }) }), ["files-api-2025-04-14"])
    assert.deepStrictEqual(betasOf({ tools: [{ type: "computer_20250124" }, { name: "own" }] }), [
      "computer-use-2025-01-24"
    ])
    assert.deepStrictEqual(betasOf({ container: { skills: [] } }), ["skills-2025-10-02"])
    assert.deepStrictEqual(betasOf("no body"), [])
  })
})

describe("hermes", () => {
  it.effect("sends the session, and a key that makes a request run once", () =>
    Effect.gen(function*() {
      const layer = Hermes.layer({
        apiKey,
        sessionId: "s-1",
        sessionKey: Redacted.make("memory"),
        headers: { "x-own": "1" }
      })
      const once = Wire.withHeaders({ "Idempotency-Key": "order-17" })
      const received: Array<InMemory.Received> = []
      const network = InMemory.layer((request) => {
        received.push(request)
        return { json: completed }
      })
      const response = yield* Client.send(input).pipe(once, Effect.provide(layer), Effect.provide(network))
      assert.strictEqual(response.id, "resp_1")
      const { headers } = received[0]!
      assert.strictEqual(headers["x-hermes-session-id"], "s-1")
      assert.strictEqual(headers["x-hermes-session-key"], "memory")
      assert.strictEqual(headers["idempotency-key"], "order-17")
      assert.strictEqual(headers["x-own"], "1")
    }))

  it.effect("retrieves and removes a response by id", () =>
    Effect.gen(function*() {
      const received: Array<string> = []
      const network = InMemory.layer(({ method, url }) => {
        received.push(`${method} ${url.pathname}`)
        if (url.pathname.endsWith("gone")) return { status: 404, json: { error: "Response not found" } }
        return { json: method === "GET" ? completed : { id: "resp/1", object: "response", deleted: true } }
      })
      const hermes = Hermes.configure({ apiKey })
      yield* Effect.gen(function*() {
        assert.strictEqual((yield* Hermes.retrieve(hermes)("resp/1")).id, "resp_1")
        yield* Hermes.remove(hermes)("resp/1")
        const { message, reason } = yield* Effect.flip(Hermes.retrieve(hermes)("gone"))
        assert.strictEqual(reason._tag, "NotFound")
        assert.include(message, "Response not found")
      }).pipe(Effect.provide(network))
      assert.deepStrictEqual(received, [
        "GET /v1/responses/resp%2F1",
        "DELETE /v1/responses/resp%2F1",
        "GET /v1/responses/gone"
      ])
    }))
})

describe("as data", () => {
  it.effect("a provider is what Pipeline.send takes", () =>
    Effect.gen(function*() {
      const network = InMemory.layer(({ body }) => ({
        json: { ...completed, metadata: { received: JSON.stringify(body) } }
      }))
      const json = yield* Pipeline.send(OpenAi.configure({ apiKey }))({ model: "m", input: "hi" }).pipe(
        Effect.provide(network)
      )
      assert.deepStrictEqual(json, { ...completed, metadata: { received: "{\"model\":\"m\",\"input\":\"hi\"}" } })
    }))
})
