/** Talks to a server that others wrote, over the loopback network, in both protocols. */
import type { LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Item from "../../src/canonical/Item.ts"
import * as Response from "../../src/canonical/Response.ts"
import type { Input } from "../../src/pipeline/Pipeline.ts"
import { connect, providers } from "../Mock.ts"

const weather = {
  name: "weather",
  description: "The weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
}

const teach = (mock: LLMock): void => {
  mock.onToolResult("call_1", { content: "Take one." })
  mock.onMessage(/picture/, { content: "A cat.", reasoning: "It has whiskers." })
  mock.onMessage(/umbrella/i, { toolCalls: [{ id: "call_1", name: "weather", arguments: "{\"city\":\"Bergen\"}" }] })
}

for (const served of providers) {
  const [protocol, provider, model] = served
  describe(protocol, () => {
    const connected = connect(served, teach)

    it.live("text and a picture, with what the model thought", () =>
      Effect.gen(function*() {
        const { client, mock } = yield* connected
        const response = yield* client.send({
          model,
          instructions: "Be brief.",
          input: ["What is in this picture?", { image: "https://example.org/cat.png" }]
        })
        assert.strictEqual(Response.text(response), "A cat.")
        assert.strictEqual(Response.reasoning(response), "It has whiskers.")
        assert.strictEqual(response.finishReason, "stop")
        assert.strictEqual(mock.getRequests().at(-1)?.response.status, 200)
      }).pipe(Effect.scoped))

    it.live("a tool call, and its result in the next request", () =>
      Effect.gen(function*() {
        const { client } = yield* connected
        const request: Input = { model, input: "Umbrella today?", tools: [weather] }
        const first = yield* client.prepare(request)
        const response = yield* client.send(first)
        assert.strictEqual(response.finishReason, "tool-calls")
        const [call] = Response.toolCalls(response)
        assert.deepStrictEqual([call?.id, call?.name, call?.arguments], ["call_1", "weather", "{\"city\":\"Bergen\"}"])
        const items = [...first.items, ...response.items, Item.toolResult("call_1", "rain")]
        assert.strictEqual(Response.text(yield* client.send({ ...first, items })), "Take one.")
      }).pipe(Effect.scoped))

    it.live("a failure", () =>
      Effect.gen(function*() {
        const { client, mock } = yield* connected
        mock.nextRequestError(429, { message: "Slow down.", type: "rate_limit_error" })
        const { reason } = yield* Effect.flip(client.send({ model, input: "picture" }))
        assert.strictEqual(reason._tag, "RateLimited")
        assert.strictEqual(reason.status, 429)
        assert.strictEqual(reason.detail, "Slow down.")
        assert.isDefined(reason.retryAfter)
      }).pipe(Effect.scoped))

    it.live("nobody there", () =>
      Effect.gen(function*() {
        const client = yield* provider.make({ baseUrl: "http://127.0.0.1:9" }).pipe(
          Effect.provide(FetchHttpClient.layer)
        )
        const { reason } = yield* Effect.flip(client.send({ model, input: "hi" }))
        assert.strictEqual(reason._tag, "Unreachable")
        assert.isTrue(reason.retryable)
      }))
  })
}
