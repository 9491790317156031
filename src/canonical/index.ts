/** The canonical form: the one in the middle. Plain data, free of any provider. */
export * as Failure from "./Failure.ts"
export * as FinishReason from "./FinishReason.ts"
export * as Item from "./Item.ts"
export * as Part from "./Part.ts"
export * as Request from "./Request.ts"
export * as Response from "./Response.ts"
export * as Tool from "./Tool.ts"
export * as Usage from "./Usage.ts"
