/** Fills in what some hosts leave out when they open a block. */
import { Result, type Schema } from "effect"
import { isRecord } from "../../codec/index.ts"

type Json = Schema.Json

/** The event as the API would have it: a block has a text, a thought or an input from the start, and an input is no text. */
export const lenient = (wire: Json): Json => {
  if (!isRecord(wire) || wire.type !== "content_block_start" || !isRecord(wire.content_block)) return wire
  const block = wire.content_block
  switch (block.type) {
    case "text":
      return { ...wire, content_block: { ...block, text: block.text ?? "" } } as Json
    case "thinking":
      return { ...wire, content_block: { ...block, thinking: block.thinking ?? "" } } as Json
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return isRecord(block.input)
        ? wire as Json
        : { ...wire, content_block: { ...block, input: inputOf(block.input) } } as Json
    default:
      return wire as Json
  }
}

/** The input that a text spells: none without any. One that is no JSON stays as it is, and so does its block. */
export const inputOf = (text: unknown): unknown => {
  if (text === undefined || text === null || typeof text === "string" && text.trim() === "") return {}
  return Result.getOrElse(Result.try((): unknown => JSON.parse(String(text))), () => text)
}
