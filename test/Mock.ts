/** A server that others wrote, on the loopback network, and the clients of it in both protocols. */
import { LLMock } from "@copilotkit/aimock"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Anthropic from "../src/provider/Anthropic.ts"
import * as OpenAi from "../src/provider/OpenAi.ts"

export const providers = [
  ["openai-responses", OpenAi, "gpt-5", "/v1"],
  ["anthropic-messages", Anthropic, "claude-sonnet-4-5", ""]
] as const

/** A server that answers as it is taught, until the scope ends, and the provider's client of it. */
export const connect = (
  [, provider, , suffix]: (typeof providers)[number],
  teach: (mock: LLMock) => void
) =>
  Effect.gen(function*() {
    const mock = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const mock = new LLMock({ port: 0 })
        teach(mock)
        await mock.start()
        return mock
      }),
      (mock) => Effect.promise(() => mock.stop())
    )
    const options = { apiKey: Redacted.make("mock-key"), baseUrl: mock.url + suffix, timeout: "10 seconds" as const }
    return { mock, client: yield* provider.make(options).pipe(Effect.provide(FetchHttpClient.layer)) }
  })
