/** Tools that a request offers, the servers they may live on, and how the model is to choose among them. */
import { Schema } from "effect"
import { bag, once, Unmodelled } from "../codec/index.ts"
import { marked } from "./Part.ts"

const optional = Schema.optionalKey

/** A tool that the caller runs. `parameters` is a JSON Schema; an absent `strict` is the provider's own default. */
export const FunctionTool = Schema.Struct({
  type: Schema.Literal("function"),
  name: Schema.String,
  description: optional(Schema.String),
  parameters: optional(Schema.Json),
  strict: optional(Schema.Boolean),
  deferLoading: optional(Schema.Boolean),
  ...marked
})
export type FunctionTool = typeof FunctionTool.Type

/** A tool that the caller runs on free text; `format` may constrain it, as text or a grammar. */
export const CustomTool = Schema.Struct({
  type: Schema.Literal("custom"),
  name: Schema.String,
  description: optional(Schema.String),
  format: optional(Schema.Json),
  deferLoading: optional(Schema.Boolean),
  ...marked
})
export type CustomTool = typeof CustomTool.Type

/** The tools of one of the request's `mcpServers`, by its name. An absent `allowed` is all of them. */
export const McpTool = Schema.Struct({
  type: Schema.Literal("mcp"),
  server: Schema.String,
  description: optional(Schema.String),
  allowed: optional(Schema.Array(Schema.String)),
  approval: optional(Schema.Json),
  ...marked
})
export type McpTool = typeof McpTool.Type

/** A tool that the provider defines, by its own word for it; its settings are in the protocol's bag. */
export const ProviderTool = Schema.Struct({
  type: Schema.Literal("provider"),
  protocol: Schema.String,
  kind: Schema.String,
  name: optional(Schema.String),
  ...marked
})
export type ProviderTool = typeof ProviderTool.Type

/** A tool that is defined elsewhere, by its name. */
export const ToolReference = Schema.Struct({ type: Schema.Literal("reference"), name: Schema.String, ...marked })
export type ToolReference = typeof ToolReference.Type

/** A tool that a request offers, told apart by `type`. */
export const Tool = Schema.Union([FunctionTool, CustomTool, McpTool, ProviderTool, ToolReference, Unmodelled])
export type Tool = typeof Tool.Type
/** The tools of a request, in their order. */
export const Tools = once(Schema.Array(Tool))

/** A connection to an MCP server: a URL, or a connector that the provider keeps. `authorization` is the bare token. */
export const McpServer = Schema.Struct({
  name: Schema.String,
  url: optional(Schema.String),
  connector: optional(Schema.String),
  authorization: optional(Schema.String),
  headers: optional(Schema.Record(Schema.String, Schema.String)),
  ...bag
})
export type McpServer = typeof McpServer.Type
/** The servers of a request. */
export const McpServers = Schema.Array(Schema.Union([McpServer, Unmodelled]))

// choice ----------------------------------------------------------------------------------------------------------

/** The model decides. */
export const Auto = Schema.Struct({ type: Schema.Literal("auto"), ...bag })
/** The model has to call a tool. */
export const Required = Schema.Struct({ type: Schema.Literal("required"), ...bag })
/** The model may not call one. */
export const None = Schema.Struct({ type: Schema.Literal("none"), ...bag })
/** One tool by name; `kind` where it is not a plain function. */
export const OneTool = Schema.Struct({
  type: Schema.Literal("tool"),
  name: Schema.String,
  kind: optional(Schema.Literal("custom")),
  ...bag
})
/** Only some of the request's tools. */
export const AllowedTools = Schema.Struct({
  type: Schema.Literal("allowed"),
  mode: Schema.Literals(["auto", "required"]),
  tools: Schema.Array(Schema.Json),
  ...bag
})
/** How the model is to choose among the tools, told apart by `type`. */
export const ToolChoice = Schema.Union([Auto, Required, None, OneTool, AllowedTools, Unmodelled])
export type ToolChoice = typeof ToolChoice.Type
