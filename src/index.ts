/**
 * bellows: expand what a person writes into what each language-model API wants, compress what comes back into typed
 * items. Every transform is one Effect Schema: `decode` goes in, `encode` goes out.
 */
export * from "./canonical/index.ts"
export * from "./loop/index.ts"
export * from "./params/index.ts"
export * from "./pipeline/index.ts"
export * as AnthropicMessages from "./protocol/anthropic-messages/index.ts"
export * as OpenAiResponses from "./protocol/openai-responses/index.ts"
export * as Protocol from "./protocol/Protocol.ts"
export * from "./provider/index.ts"
export * as Shorthand from "./shorthand/index.ts"
