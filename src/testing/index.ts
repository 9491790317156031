/** Laws, arbitraries and doubles, for your tests as for ours. */
export * as Arbitraries from "./Arbitraries.ts"
export { LawBroken, laws, type Options, type Runs } from "./Laws.ts"
export * as Recorded from "./Recorded.ts"
export * as RecordedStream from "./RecordedStream.ts"
export * as Scripted from "./Scripted.ts"
