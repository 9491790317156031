/** The pipeline: expand, encode, send, decode; the client that is made of them; what can go wrong. */
export * as Client from "./Client.ts"
export * as Failures from "./Failures.ts"
export { LlmError } from "./LlmError.ts"
export * as Pipeline from "./Pipeline.ts"
export { configure, type HeaderValues, type Options, type Provider } from "./Provider.ts"
export * as Reason from "./Reason.ts"
export * as Wire from "./Wire.ts"
