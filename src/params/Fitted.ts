/** What a tool's schema becomes where it is sent, with the road back for the arguments that come. */
import type { Schema } from "effect"

/** Whose rules for schemas apply. */
export type Target = "openai" | "anthropic" | "gemini"

/**
 * How much strictness matters: `prefer` it, and fall back to the plain schema with a loss; `require` it, and fail where
 * it cannot be; `off`.
 */
export type Strictness = "prefer" | "require" | "off"

/** A place in the tool's own schema, as a JSON Pointer, of which the schema that is sent says less. */
export interface SchemaLoss {
  readonly pointer: string
  readonly why: string
}

/** A schema as a target takes it. */
export interface Fitted {
  /** The schema to send. */
  readonly schema: Schema.Json
  /** May the tool be marked as strict? Then the model's arguments are sure to be of `schema`. */
  readonly strict: boolean
  /** What `schema` no longer says (it is in a description, where the model can read it), or why it is not strict. */
  readonly losses: ReadonlyArray<SchemaLoss>
  /** Arguments of the tool's own schema, as `schema` has them. */
  readonly apply: (args: Schema.Json) => Schema.Json
  /** Arguments that a model wrote for `schema`, as the tool's own schema has them. */
  readonly undo: (args: Schema.Json) => Schema.Json
}
