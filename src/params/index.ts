/** The parameters of tools: as data, and as the schemas of others, in the words that each API takes. */
export * as Params from "./Params.ts"
export * as Strict from "./Strict.ts"
