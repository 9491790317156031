/**
 * Anthropic's Messages API.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { expanded } from "../../codec/index.ts"
import type { Pieces } from "../Protocol.ts"
import { ContentFromWire, InstructionsFromWire } from "./Content.ts"
import { BodyFromWire, ResponseFormatFromWire } from "./Request.ts"
import { McpServersFromWire, ToolChoiceFromWire, ToolsFromWire } from "./Tool.ts"
import { ItemsFromMessages } from "./Turns.ts"

export { name } from "./Content.ts"
export { FailureFromWire } from "./Failure.ts"
export * as meaning from "./Meaning.ts"
export { defaults, RequestFromWire } from "./Request.ts"
export { ResponseFromWire } from "./Response.ts"

/** A request's nameable pieces. A request by itself, as a piece, need not be complete. */
export const pieces = {
  request: BodyFromWire,
  content: ContentFromWire,
  items: ItemsFromMessages,
  instructions: InstructionsFromWire,
  tools: ToolsFromWire,
  toolChoice: ToolChoiceFromWire,
  mcpServers: McpServersFromWire,
  responseFormat: ResponseFormatFromWire
} satisfies Pieces

/**
 * Any spelling that the API accepts outside, every short one written out inside: decode expands, encode compresses.
 *
 * @example
 * Schema.decodeUnknownSync(ExpandedFromWire.items)([{ role: "user", content: "hi" }])
 * // => [{ role: "user", content: [{ type: "text", text: "hi" }] }]
 */
export const ExpandedFromWire = {
  request: expanded(pieces.request),
  content: expanded(pieces.content),
  items: expanded(pieces.items),
  instructions: expanded(pieces.instructions),
  tools: expanded(pieces.tools),
  toolChoice: expanded(pieces.toolChoice),
  mcpServers: expanded(pieces.mcpServers),
  responseFormat: expanded(pieces.responseFormat)
}

/** What of the API is not modelled but kept as it stands, by the list that it is found in. */
export const unmodelled = {
  blocks: ["search_result", "container_upload", "fallback"],
  resultContent: ["search_result", "tool_reference", "browser_state"],
  documentSources: ["content"],
  toolReferences: ["tool_definition"]
} as const
