/**
 * Hermes Agent, by its OpenAI-compatible API. The environment gives `HERMES_API_KEY` and, if need be,
 * `HERMES_BASE_URL` (without `/v1`).
 *
 * A request that must not run twice is sent with a header of its own:
 * `Client.send(request).pipe(Wire.withHeaders({ "idempotency-key": "order-17" }))`.
 *
 * @example `Hermes.layer({ apiKey, sessionId: "support-42" })`
 */
import type { Redacted } from "effect"
import { configure as settle, type Options as AnyOptions, type Provider } from "../pipeline/Provider.ts"
import * as OpenAiResponses from "../protocol/openai-responses/index.ts"
import { bearer, deploy, environment } from "./Deployment.ts"

export { completion } from "../protocol/openai-chat/Chunks.ts"
export * as Runs from "./HermesRuns.ts"
export { remove, retrieve } from "./StoredResponses.ts"

export interface Options extends AnyOptions {
  /** The session that the conversation belongs to. */
  readonly sessionId?: string
  /** Whose long-term memory is used. */
  readonly sessionKey?: string | Redacted.Redacted
}

export const provider: Provider = {
  name: "hermes",
  protocol: OpenAiResponses,
  baseUrl: "http://localhost:8642",
  path: "/v1/responses",
  auth: bearer,
  // Ids of calls are of any length: some servers keep a model's proof in them.
  limits: { toolName: OpenAiResponses.limits.toolName }
}

export const { configure, layer, layerConfig, layerTest, make } = deploy(
  environment("HERMES_API_KEY", "HERMES_BASE_URL"),
  ({ headers, sessionId, sessionKey, ...options }: Options) =>
    settle(provider, {
      ...options,
      headers: {
        ...(sessionId === undefined ? {} : { "x-hermes-session-id": sessionId }),
        ...(sessionKey === undefined ? {} : { "x-hermes-session-key": sessionKey }),
        ...headers
      }
    })
)
