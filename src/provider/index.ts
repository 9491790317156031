/** Providers: who serves a protocol where. Each gives `layer`, `layerConfig`, `layerTest`, and itself as data. */
export * as Anthropic from "./Anthropic.ts"
export * as Echo from "./Echo.ts"
export * as Hermes from "./Hermes.ts"
export * as InMemory from "./InMemory.ts"
export * as OpenAi from "./OpenAi.ts"
export * as OpenAiCompatible from "./OpenAiCompatible.ts"
