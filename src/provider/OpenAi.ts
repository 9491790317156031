/**
 * OpenAI, by its Responses API. The environment gives `OPENAI_API_KEY` and, if need be, `OPENAI_BASE_URL` (with `/v1`).
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 *
 * @example `Client.send({ model: "gpt-5", input: "hi" }).pipe(Effect.provide(OpenAi.layerConfig))`
 */
import { configure as settle, type Options, type Provider } from "../pipeline/Provider.ts"
import * as OpenAiResponses from "../protocol/openai-responses/index.ts"
import { bearer, deploy, environment } from "./Deployment.ts"

export const provider: Provider = {
  name: "openai",
  protocol: OpenAiResponses,
  baseUrl: "https://api.openai.com/v1",
  path: "/responses",
  auth: bearer
}

export { remove, retrieve } from "./StoredResponses.ts"

export const { configure, layer, layerConfig, layerTest, make } = deploy(
  environment("OPENAI_API_KEY", "OPENAI_BASE_URL"),
  (options: Options) => settle(provider, options)
)
