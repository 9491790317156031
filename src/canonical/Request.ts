/** A request to a language model, free of any provider's spelling. */
import { Schema } from "effect"
import { bag, Unmodelled } from "../codec/index.ts"
import { Items } from "./Item.ts"
import { Cache, Texts } from "./Part.ts"
import { McpServers, ToolChoice, Tools } from "./Tool.ts"

const optional = Schema.optionalKey

/** Any text. */
export const PlainText = Schema.Struct({ type: Schema.Literal("text"), ...bag })
/** Any JSON object. */
export const JsonObject = Schema.Struct({ type: Schema.Literal("json"), ...bag })
/** JSON that a schema describes. */
export const JsonSchema = Schema.Struct({
  type: Schema.Literal("json-schema"),
  name: optional(Schema.String),
  description: optional(Schema.String),
  schema: Schema.Json,
  strict: optional(Schema.Boolean),
  ...bag
})
/** The form that the answer's text shall have. */
export const ResponseFormat = Schema.Union([PlainText, JsonObject, JsonSchema, Unmodelled])
export type ResponseFormat = typeof ResponseFormat.Type

/**
 * How hard and how visibly the model thinks. `effort`, `mode`, `display` and `summary` are the provider's words;
 * `budget` is in tokens.
 */
export const Thinking = Schema.Struct({
  mode: optional(Schema.String),
  effort: optional(Schema.String),
  budget: optional(Schema.Finite),
  display: optional(Schema.String),
  summary: optional(Schema.String),
  ...bag
})
export type Thinking = typeof Thinking.Type

/**
 * `instructions` is the top-level field only: a system message among the items stays there. `cache` marks the whole
 * request. Absent is absent: nothing is filled in here.
 */
export const Request = Schema.Struct({
  model: optional(Schema.String),
  instructions: optional(Texts),
  items: Items,
  tools: optional(Tools),
  toolChoice: optional(ToolChoice),
  parallelToolCalls: optional(Schema.Boolean),
  maxToolCalls: optional(Schema.Finite),
  mcpServers: optional(McpServers),
  responseFormat: optional(ResponseFormat),
  reasoning: optional(Thinking),
  maxTokens: optional(Schema.Finite),
  temperature: optional(Schema.Finite),
  topP: optional(Schema.Finite),
  topK: optional(Schema.Finite),
  stop: optional(Schema.Array(Schema.String)),
  cache: optional(Cache),
  metadata: optional(Schema.Record(Schema.String, Schema.Json)),
  user: optional(Schema.String),
  previousResponseId: optional(Schema.String),
  conversation: optional(Schema.String),
  store: optional(Schema.Boolean),
  include: optional(Schema.Array(Schema.String)),
  background: optional(Schema.Boolean),
  truncation: optional(Schema.String),
  serviceTier: optional(Schema.String),
  ...bag
})
export type Request = typeof Request.Type
