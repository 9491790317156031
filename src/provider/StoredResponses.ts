/** Gets and removes responses that a provider has kept, by id. */
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { Response } from "../canonical/Response.ts"
import { call } from "../pipeline/Http.ts"
import type { LlmError } from "../pipeline/LlmError.ts"
import { decode } from "../pipeline/Pipeline.ts"
import type { Provider } from "../pipeline/Provider.ts"

/**
 * A response that the provider has kept.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/get
 *
 * @example `OpenAi.retrieve(OpenAi.configure({ apiKey }))("resp_123")`
 */
export const retrieve =
  (provider: Provider) => (id: string): Effect.Effect<Response, LlmError, HttpClient.HttpClient> =>
    Effect.flatMap(
      call(provider, { method: "GET", path: pathOf(provider, id) }),
      decode(provider.protocol, provider.name)
    )

/**
 * Removes a response that the provider has kept.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/delete
 */
export const remove = (provider: Provider) => (id: string): Effect.Effect<void, LlmError, HttpClient.HttpClient> =>
  Effect.asVoid(call(provider, { method: "DELETE", path: pathOf(provider, id) }))

const pathOf = ({ path }: Provider, id: string): string => `${path}/${encodeURIComponent(id)}`
