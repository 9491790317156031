/**
 * Any server that speaks OpenAI's Responses API: a router, a proxy, a model on this machine. The key is optional. The
 * environment gives `OPENAI_BASE_URL` (with `/v1`) and, if need be, `OPENAI_API_KEY`.
 *
 * @example `OpenAiCompatible.layer({ baseUrl: "http://localhost:11434/v1" })`
 */
import { Config, Redacted } from "effect"
import { configure as settle, type Options, type Provider } from "../pipeline/Provider.ts"
import * as OpenAiResponses from "../protocol/openai-responses/index.ts"
import { bearer, deploy } from "./Deployment.ts"

/** The base URL is where llama.cpp's server listens unless told otherwise. */
export const provider: Provider = {
  name: "openai-compatible",
  protocol: OpenAiResponses,
  baseUrl: "http://localhost:8080/v1",
  path: "/responses",
  auth: bearer,
  // Ids of calls are of any length: some servers keep a model's proof in them.
  limits: { toolName: OpenAiResponses.limits.toolName }
}

const environment = Config.map(
  Config.all({
    baseUrl: Config.NonEmptyString("OPENAI_BASE_URL"),
    apiKey: Config.Redacted("OPENAI_API_KEY").pipe(Config.withDefault(Redacted.make("")))
  }),
  ({ apiKey, baseUrl }) => ({ baseUrl, ...(Redacted.value(apiKey) === "" ? {} : { apiKey }) })
)

export { remove, retrieve } from "./StoredResponses.ts"

export const { configure, layer, layerConfig, layerTest, make } = deploy(
  environment,
  (options: Options) => settle(provider, options)
)
