/** Items: the flat, ordered pieces of a conversation. `[...request.items, ...response.items, result]` is the next one. */
import { Schema } from "effect"
import { bag, isRecord, once, Unmodelled } from "../codec/index.ts"
import { marked, Part, Parts, text, textOf, Texts } from "./Part.ts"
import { Tool } from "./Tool.ts"

export { Unmodelled }

const optional = Schema.optionalKey

/** Who speaks. `developer` is OpenAI's word for instructions that stand above the user's. */
export const Role = Schema.Literals(["system", "developer", "user", "assistant"])
export type Role = typeof Role.Type

/** What one role says. `phase` is the provider's word for what the message is to the turn, such as `commentary`. */
export const Message = Schema.Struct({
  type: Schema.Literal("message"),
  role: Role,
  parts: Parts,
  phase: optional(Schema.String),
  ...bag
})
export type Message = typeof Message.Type

/**
 * What the model thought, by the protocol that made it. `summary` and `content` are two lists where absent is not `[]`;
 * `proof` is the protocol's opaque token (a signature, encrypted or redacted content).
 */
export const Reasoning = Schema.Struct({
  type: Schema.Literal("reasoning"),
  protocol: Schema.String,
  summary: optional(Texts),
  content: optional(Texts),
  proof: optional(Schema.String),
  ...bag
})
export type Reasoning = typeof Reasoning.Type

/**
 * The model calls a tool. `arguments` is the JSON text as sent (blank means `{}`), `input` the free text of a custom
 * tool. `kind` is the wire's own word where it is not a plain function; `providerExecuted` says that the provider
 * answers it.
 */
export const ToolCall = Schema.Struct({
  type: Schema.Literal("tool-call"),
  id: Schema.String,
  name: Schema.String,
  arguments: optional(Schema.String),
  input: optional(Schema.String),
  kind: optional(Schema.String),
  server: optional(Schema.String),
  providerExecuted: optional(Schema.Literal(true)),
  ...marked
})
export type ToolCall = typeof ToolCall.Type

/** An output that is not content but data. */
export const JsonOutput = Schema.Struct({ type: Schema.Literal("json"), value: Schema.Json, ...bag })
export type JsonOutput = typeof JsonOutput.Type

/** What came of a call, by the call's `id`. */
export const ToolResult = Schema.Struct({
  type: Schema.Literal("tool-result"),
  id: Schema.String,
  output: optional(Schema.Union([Parts, JsonOutput])),
  isError: optional(Schema.Boolean),
  kind: optional(Schema.String),
  providerExecuted: optional(Schema.Literal(true)),
  ...marked
})
export type ToolResult = typeof ToolResult.Type

/** The provider asks whether it may run a tool. */
export const ToolApprovalRequest = Schema.Struct({
  type: Schema.Literal("tool-approval-request"),
  id: Schema.String,
  name: Schema.String,
  arguments: Schema.String,
  server: optional(Schema.String),
  ...bag
})
export type ToolApprovalRequest = typeof ToolApprovalRequest.Type

/** The answer to a request of that `id`. */
export const ToolApprovalResponse = Schema.Struct({
  type: Schema.Literal("tool-approval-response"),
  id: Schema.String,
  approve: Schema.Boolean,
  reason: optional(Schema.String),
  ...bag
})
export type ToolApprovalResponse = typeof ToolApprovalResponse.Type

/** Tools added or removed in the midst of a conversation, or listed by a server. */
export const Tools = Schema.Struct({
  type: Schema.Literal("tools"),
  action: Schema.Literals(["added", "removed", "listed"]),
  role: optional(Role),
  server: optional(Schema.String),
  tools: Schema.Array(Tool),
  ...marked
})
export type Tools = typeof Tools.Type

/** What stands for a stretch of the conversation that was left out, by the protocol that made it. */
export const Compaction = Schema.Struct({
  type: Schema.Literal("compaction"),
  protocol: Schema.String,
  text: optional(Schema.String),
  proof: optional(Schema.String),
  ...marked
})
export type Compaction = typeof Compaction.Type

/** One piece of a conversation, told apart by `type`. */
export const Item = Schema.Union([
  Message,
  Reasoning,
  ToolCall,
  ToolResult,
  ToolApprovalRequest,
  ToolApprovalResponse,
  Tools,
  Compaction,
  Unmodelled
]).pipe(Schema.toTaggedUnion("type"))
export type Item = typeof Item.Type
/** A conversation, in its order. Items are immutable: what was sent once is known by its identity. */
export const Items = once(Schema.Array(Item))
export type Items = typeof Items.Type

/** Exhaustive choice by an item's kind: `Item.match(item, { message: …, reasoning: …, "tool-call": …, … })`. */
export const match = Item.match

// constructors ----------------------------------------------------------------------------------------------------

type Content = string | Part | ReadonlyArray<Part>

const partsOf = (content: Content): Parts =>
  typeof content === "string" ? [text(content)] : "type" in content ? [content] : content

const message = (role: Role) => (content: Content): Message => ({ type: "message", role, parts: partsOf(content) })

/** @example `Item.user("hi")  // => { type: "message", role: "user", parts: [{ type: "text", text: "hi" }] }` */
export const user: (content: Content) => Message = message("user")
/** @example `Item.assistant("Hello!")` */
export const assistant: (content: Content) => Message = message("assistant")
/** @example `Item.system("Be brief.")` */
export const system: (content: Content) => Message = message("system")
/** @example `Item.developer("Be brief.")` */
export const developer: (content: Content) => Message = message("developer")

/** A call with arguments that are encoded as JSON. */
export const toolCall = (id: string, name: string, args: Schema.Json = {}): ToolCall => ({
  type: "tool-call",
  id,
  name,
  arguments: JSON.stringify(args)
})

/** What came of a call: `Item.toolResult(call.id, "21 °C")`. */
export const toolResult = (id: string, output: Content, options?: { readonly isError?: boolean }): ToolResult => ({
  type: "tool-result",
  id,
  output: partsOf(output),
  ...options
})

// readers ---------------------------------------------------------------------------------------------------------

/**
 * An item's text: the text parts of a message, or of a tool result, joined; `undefined` for a kind that has none, and for
 * a result that is data.
 */
export const textIn = (item: Item): string | undefined => {
  switch (item.type) {
    case "message":
      return textOf(item.parts)
    case "tool-result":
      return item.output === undefined || "length" in item.output
        ? (item.output ?? []).map(textual).join("")
        : undefined
    default:
      return undefined
  }
}

/** A tool may give text in parts that no API documents. */
const textual = (part: Part): string => {
  if (part.type === "text") return part.text
  if (part.type !== "unmodelled" || !isRecord(part.raw)) return ""
  return typeof part.raw.text === "string" ? part.raw.text : ""
}
