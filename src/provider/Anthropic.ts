/**
 * Anthropic, by its Messages API. The environment gives `ANTHROPIC_API_KEY` and, if need be, `ANTHROPIC_BASE_URL`
 * (without `/v1`).
 *
 * The API requires a limit on the answer: where a request has none, it gets the model's documented maximum. The version
 * asked for is 2023-06-01, which takes all that the codec carries; version 2026-10-21 refuses `temperature`, `topP` and
 * `topK`, and is asked for with `headers: { "anthropic-version": "2026-10-21" }`.
 *
 * @see https://docs.claude.com/en/api/messages
 *
 * @example `Client.send({ model: "claude-sonnet-4-5", input: "hi" }).pipe(Effect.provide(Anthropic.layerConfig))`
 */
import { Effect } from "effect"
import type { Request } from "../canonical/Request.ts"
import { closed } from "../params/Closed.ts"
import { LlmError } from "../pipeline/LlmError.ts"
import { configure as settle, type Options as AnyOptions, type Provider } from "../pipeline/Provider.ts"
import { InvalidRequest } from "../pipeline/Reason.ts"
import * as AnthropicMessages from "../protocol/anthropic-messages/index.ts"
import { betasOf } from "./AnthropicBetas.ts"
import { maxTokensOf } from "./AnthropicModels.ts"
import { deploy, environment } from "./Deployment.ts"

/** Betas that a body does not tell of: those that it does are named without asking. */
export interface Options extends AnyOptions {
  readonly betas?: ReadonlyArray<string>
}

const named = (betas: ReadonlyArray<string>): { readonly [name: string]: string } =>
  betas.length === 0 ? {} : { "anthropic-beta": [...new Set(betas)].join(",") }

/** The API asks for `additionalProperties: false` in every object of an answer's schema. */
const withClosedFormat = (request: Request): Request =>
  request.responseFormat?.type === "json-schema"
    ? { ...request, responseFormat: { ...request.responseFormat, schema: closed(request.responseFormat.schema) } }
    : request

const withMaxTokens = (request: Request): Effect.Effect<Request, LlmError> => {
  if (request.maxTokens !== undefined) return Effect.succeed(request)
  const maxTokens = maxTokensOf(request.model)
  return maxTokens === undefined ? Effect.fail(unlimited(request)) : Effect.succeed({ ...request, maxTokens })
}

const unlimited = ({ model }: Request): LlmError =>
  new LlmError({
    reason: new InvalidRequest({
      provider: "anthropic",
      protocol: AnthropicMessages.name,
      param: "/maxTokens",
      detail: `maxTokens is required: no maximum is known for ${
        model === undefined ? "a request without a model" : `the model "${model}"`
      }`
    })
  })

export const provider: Provider = {
  name: "anthropic",
  protocol: AnthropicMessages,
  baseUrl: "https://api.anthropic.com",
  path: "/v1/messages",
  headers: { "anthropic-version": "2023-06-01" },
  auth: (key) => ["x-api-key", key],
  headersFor: (wire) => named(betasOf(wire)),
  defaults: (request) => withMaxTokens(withClosedFormat(request))
}

export const { configure, layer, layerConfig, layerTest, make } = deploy(
  environment("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
  ({ betas = [], ...options }: Options) => ({
    ...settle(provider, options),
    headersFor: (wire) => named([...betas, ...betasOf(wire)])
  })
)
