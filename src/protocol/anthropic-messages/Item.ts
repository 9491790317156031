/**
 * Spells items as blocks: calls and their results, thoughts, compactions, changes of tools. Which blocks stand in a
 * turn of which role is said here; how items become turns, in `Turns.ts`.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { Schema } from "effect"
import * as Arguments from "../../canonical/Arguments.ts"
import * as I from "../../canonical/Item.ts"
import { paragraphsOf, Part, Texts } from "../../canonical/Part.ts"
import { as, carried, isRecord, sampled, transform, unfit } from "../../codec/index.ts"
import {
  cache,
  ContentFromWire,
  DocumentFromWire,
  ImageFromWire,
  name,
  open,
  spoken,
  TextFromWire,
  variant
} from "./Content.ts"
import { ListedToolsFromWire, OneToolFromWire } from "./Tool.ts"

// calls -----------------------------------------------------------------------------------------------------------

/**
 * The arguments are the input's JSON text, and blank ones are none; a number beyond double precision in them is lost on
 * the wire, which holds parsed JSON.
 */
const ArgumentsFromInput = transform(Schema.Record(Schema.String, Schema.Json), Schema.String, {
  decode: (input) => JSON.stringify(input),
  encode: (text) => {
    const input = Arguments.read(text)
    return isRecord(input) ? input : Arguments.refused("a JSON object", text)
  },
  carries: sampled(Schema.String, Schema.Record(Schema.String, Schema.Json), Arguments.sample)
})
const input = as("input", ArgumentsFromInput, { missing: {} })

/** `{ type: "tool_use", id, name, input }` */
export const ToolCallFromToolUse = variant(
  I.ToolCall,
  { type: "tool_use" },
  { id: "id", name: "name", arguments: input, cache },
  { input: undefined, kind: undefined, providerExecuted: undefined }
)
/** The provider runs one of its own tools: `{ type: "server_tool_use", id, name, input }`. */
export const ToolCallFromServerToolUse = variant(
  I.ToolCall,
  { type: "server_tool_use" },
  { id: "id", name: "name", arguments: input, cache },
  { input: undefined, kind: "server_tool_use", providerExecuted: true }
)
/** The provider runs a tool of an MCP server: `{ type: "mcp_tool_use", id, name, server_name, input }`. */
export const ToolCallFromMcpToolUse = variant(
  I.ToolCall,
  { type: "mcp_tool_use" },
  { id: "id", name: "name", server: as("server_name", Schema.String, { needed: true }), arguments: input, cache },
  { input: undefined, kind: "mcp_tool_use", providerExecuted: true }
)

// results ---------------------------------------------------------------------------------------------------------

const Output = I.ToolResult.fields.output.schema

const isData = (output: typeof Output.Type): output is I.JsonOutput => "type" in output && output.type === "json"

/** Data is written as its JSON text. */
const partsOf = (output: typeof Output.Type) =>
  isData(output) ? [{ type: "text" as const, text: JSON.stringify(output.value) }] : output

/** Without blank texts, which the API refuses. */
const SpokenFromWire = transform(ContentFromWire, Output, {
  decode: (parts) => parts,
  encode: (output) => spoken(partsOf(output)),
  carries: sampled(Output, carried(ContentFromWire), spoken)
})
const PartsFromWire = transform(ContentFromWire, Output, {
  decode: (parts) => parts,
  encode: partsOf,
  carries: carried(ContentFromWire)
})

/** What the provider's tools answer is an object or a list. */
const Data = Schema.Union([Schema.Record(Schema.String, Schema.Json), Schema.Array(Schema.Json)])
const isDatum = Schema.is(Data)

const DataFromWire = transform(Data, Output, {
  decode: (value) => ({ type: "json" as const, value }),
  encode: (output) => isData(output) && isDatum(output.value) ? output.value : unfit,
  carries: Schema.Struct({ type: Schema.Literal("json"), value: Data })
})

/** `false` goes without saying. */
const ErrorFromWire = transform(Schema.Boolean, Schema.Boolean, {
  decode: (isError) => isError || unfit,
  encode: (isError) => isError || unfit,
  carries: Schema.Literal(true)
})

/** `{ type: "tool_result", tool_use_id, content, is_error }` */
export const ToolResultFromToolResult = variant(I.ToolResult, { type: "tool_result" }, {
  id: "tool_use_id",
  output: as("content", SpokenFromWire, { default: [] }),
  isError: as("is_error", ErrorFromWire),
  cache
}, { kind: undefined, providerExecuted: undefined })

/** What the provider's own tools answer, by its words for it; the content is kept as data. */
export const providerResults = [
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "advisor_tool_result"
] as const

const providerResult = <const K extends string>(kind: K) =>
  variant(I.ToolResult, { type: kind }, {
    id: "tool_use_id",
    output: as("content", DataFromWire, { needed: true }),
    cache
  }, { kind, providerExecuted: true })

/** `{ type: "mcp_tool_result", tool_use_id, content, is_error }` */
export const ToolResultFromMcpToolResult = variant(I.ToolResult, { type: "mcp_tool_result" }, {
  id: "tool_use_id",
  output: as("content", PartsFromWire),
  isError: as("is_error", ErrorFromWire, { neutral: false }),
  cache
}, { kind: "mcp_tool_result", providerExecuted: true })

// thoughts --------------------------------------------------------------------------------------------------------

const thought = (text: string): Texts => text === "" ? [] : [{ type: "text", text }]

const TextsFromThinking = transform(Schema.String, Texts, {
  decode: thought,
  encode: (texts) => paragraphsOf(texts) ?? "",
  carries: sampled(Texts, Schema.String, thought)
})

/** `{ type: "thinking", thinking, signature }` */
export const ReasoningFromThinking = variant(I.Reasoning, { type: "thinking" }, {
  content: as("thinking", TextsFromThinking, { needed: true }),
  proof: as("signature", Schema.String, { neutral: "" })
}, { protocol: name })

/** A thought that may not be read: `{ type: "redacted_thinking", data }`. */
export const ReasoningFromRedactedThinking = variant(I.Reasoning, { type: "redacted_thinking" }, {
  proof: as("data", Schema.String, { needed: true })
}, { protocol: name, content: undefined })

/** What stands for a stretch of the conversation that was left out: `{ type: "compaction", content }`. */
export const CompactionFromWire = variant(I.Compaction, { type: "compaction" }, {
  text: as("content", Schema.String, { neutral: null }),
  proof: as("encrypted_content", Schema.String, { neutral: null }),
  cache
}, { protocol: name })

// tools -----------------------------------------------------------------------------------------------------------

/** `{ type: "tool_addition", tool: { type: "tool_reference", name } }` */
export const ToolsFromToolAddition = variant(I.Tools, { type: "tool_addition" }, {
  tools: as("tool", OneToolFromWire),
  cache
}, { action: "added" })

/** `{ type: "tool_removal", tool: { type: "tool_reference", name } }` */
export const ToolsFromToolRemoval = variant(I.Tools, { type: "tool_removal" }, {
  tools: as("tool", OneToolFromWire),
  cache
}, { action: "removed" })

/** `{ type: "mcp_tool_listing", mcp_server_name, tools }` */
export const ToolsFromMcpToolListing = variant(I.Tools, { type: "mcp_tool_listing" }, {
  server: as("mcp_server_name", Schema.String, { needed: true }),
  tools: ListedToolsFromWire
}, { action: "listed" })

// blocks by role --------------------------------------------------------------------------------------------------

/** Parts and the items that are no messages, side by side: what a turn holds. */
export const Block = Schema.Union([
  ...Part.members,
  I.Reasoning,
  I.ToolCall,
  I.ToolResult,
  I.ToolApprovalRequest,
  I.ToolApprovalResponse,
  I.Tools,
  I.Compaction
])
export type Block = typeof Block.Type

export const UserBlockFromWire = open(Block, TextFromWire, ImageFromWire, DocumentFromWire, ToolResultFromToolResult)

export const AssistantBlockFromWire = open(
  Block,
  TextFromWire,
  ReasoningFromThinking,
  ReasoningFromRedactedThinking,
  ToolCallFromToolUse,
  ToolCallFromServerToolUse,
  ToolCallFromMcpToolUse,
  ...providerResults.map((kind) => providerResult(kind)),
  ToolResultFromMcpToolResult,
  CompactionFromWire,
  ToolsFromMcpToolListing
)

export const SystemBlockFromWire = open(Block, TextFromWire, ToolsFromToolAddition, ToolsFromToolRemoval)
