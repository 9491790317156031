/** llm-bridge: one function between two request bodies. */
import type { Name } from "../protocols.ts"
import { load } from "./load.ts"

type Provider = "anthropic" | "openai-responses"
interface LlmBridge {
  readonly translateBetweenProviders: (from: Provider, to: Provider, body: unknown) => unknown
}
const { translateBetweenProviders } = await load<LlmBridge>("llm-bridge")

export const translate: Readonly<Record<Name, (body: unknown) => unknown>> = {
  "anthropic-messages": (body) => translateBetweenProviders("anthropic", "openai-responses", body),
  "openai-responses": (body) => translateBetweenProviders("openai-responses", "anthropic", body)
}
