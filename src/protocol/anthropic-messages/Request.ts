/**
 * Spells a request's body.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { Schema } from "effect"
import type { Items } from "../../canonical/Item.ts"
import type { Part, Texts } from "../../canonical/Part.ts"
import { JsonSchema, Request, ResponseFormat, Thinking } from "../../canonical/Request.ts"
import { as, carried, list, refuse, sampled, transform, word, wordBut } from "../../codec/index.ts"
import { CacheFromWire, InstructionsFromWire, isBlank, name, open, variant } from "./Content.ts"
import { McpServersFromWire, SchemaFromWire, ToolChoiceFromWire, ToolsFromWire } from "./Tool.ts"
import { ItemsFromMessages } from "./Turns.ts"

// fields ----------------------------------------------------------------------------------------------------------

/** `{ type: "json_schema", schema }`. The API has no place for a name, and is always strict. */
export const ResponseFormatFromWire = open(
  ResponseFormat,
  variant(JsonSchema, { type: "json_schema" }, { schema: SchemaFromWire })
)

/** `{ type: "enabled" | "adaptive" | "disabled", budget_tokens, display }` */
const ThinkingFromWire = variant(Thinking, {}, {
  mode: as("type", word("enabled", "adaptive", "between_tools", "disabled"), { needed: true }),
  budget: "budget_tokens",
  display: "display"
})

/** The API refuses a stop sequence that is nothing but white space. */
const StopFromWire = transform(list(Schema.String), Schema.Array(Schema.String), {
  decode: (stop) => stop,
  encode: (stop) => stop.filter((sequence) => sequence.trim() !== ""),
  carries: Schema.Array(Schema.String.check(Schema.isPattern(/\S/)))
})

// body ------------------------------------------------------------------------------------------------------------

/** A request as the wire has it: the effort stands apart from the thinking, the parallel calls with the choice. */
const Draft = Schema.Struct({ ...Request.fields, effort: Schema.optionalKey(Schema.String) })
type Draft = typeof Draft.Type

const DraftFromWire = variant(Draft, {}, {
  model: "model",
  instructions: as("system", InstructionsFromWire, { default: [] }),
  items: as("messages", ItemsFromMessages),
  tools: ToolsFromWire,
  toolChoice: as("tool_choice", ToolChoiceFromWire, { default: { type: "auto" } }),
  mcpServers: as("mcp_servers", McpServersFromWire, { default: [] }),
  responseFormat: as("format", ResponseFormatFromWire, { under: "output_config" }),
  effort: as("effort", wordBut("none", "minimal"), { under: "output_config" }),
  reasoning: as("thinking", ThinkingFromWire),
  maxTokens: "max_tokens",
  temperature: "temperature",
  topP: "top_p",
  topK: "top_k",
  stop: as("stop_sequences", StopFromWire, { default: [] }),
  cache: as("cache_control", CacheFromWire),
  user: as("user_id", Schema.String, { under: "metadata" }),
  serviceTier: as("service_tier", wordBut("default", "fast", "flex", "priority", "scale"))
})

const toRequest = ({ effort, ...draft }: Draft): Request =>
  parallel(effort === undefined ? draft : { ...draft, reasoning: { ...draft.reasoning, effort } })

const ofRequest = (request: Request): Draft => {
  const draft = serial(reachable(led(request)))
  if (draft.reasoning === undefined) return draft
  const { reasoning: { effort, ...thinking }, ...rest } = draft
  const mode = thinking.mode ?? (thinking.budget === undefined ? undefined : "enabled")
  return {
    ...rest,
    ...effort === undefined ? {} : { effort },
    ...mode === undefined ? {} : { reasoning: { ...thinking, mode } }
  }
}

// servers ---------------------------------------------------------------------------------------------------------

/** A server that has no URL has no place here, and neither have its tools. */
const reachable = (request: Request): Request => {
  const { mcpServers, tools } = request
  if (mcpServers === undefined) return request
  const lost = new Set(
    mcpServers.flatMap((server) => "name" in server && server.url === undefined ? [server.name] : [])
  )
  return tools === undefined || lost.size === 0
    ? request
    : { ...request, tools: tools.filter((tool) => tool.type !== "mcp" || !lost.has(tool.server)) }
}

// leading messages ------------------------------------------------------------------------------------------------

/** The API takes a system message only after another's: at the start of a conversation it is one of the instructions. */
const led = (request: Request): Request => {
  const start = lengthOfLead(request.items)
  if (start === 0) return request
  const { instructions = [], items } = request
  const texts = items.slice(0, start).flatMap((item) => item.type === "message" ? item.parts.filter(isInstruction) : [])
  return { ...request, instructions: [...instructions, ...texts], items: items.slice(start) }
}

/** How many items there are up to the last system message with nothing but blanks and its like before it. */
const lengthOfLead = (items: Items): number => {
  let length = 0
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!
    if (item.type !== "message" || item.providerOptions?.[name] !== undefined) break
    const isSystem = item.role === "system" || item.role === "developer"
    if (isSystem && item.parts.every(isInstruction)) length = index + 1
    else if (!item.parts.every(isBlank)) break
  }
  return length
}

const isInstruction = (part: Part): part is Texts[number] => part.type === "text" || part.type === "unmodelled"

// parallel calls --------------------------------------------------------------------------------------------------

const flag = "disable_parallel_tool_use"

/** Lifts the flag out of the choice's bag. */
const parallel = (request: Request): Request => {
  const choice = request.toolChoice
  if (choice === undefined || choice.type === "unmodelled" || choice.type === "none") return request
  if (choice.providerOptions === undefined) return request
  const { [flag]: disabled, ...own } = choice.providerOptions[name] ?? {}
  if (typeof disabled !== "boolean") return request
  const { providerOptions, ...bare } = choice
  const toolChoice = Object.keys(own).length === 0
    ? bare
    : { ...bare, providerOptions: { ...providerOptions, [name]: own } }
  return { ...request, toolChoice, parallelToolCalls: !disabled }
}

/** Writes the flag where calls shall not be parallel: by themselves they are. */
const serial = (request: Request): Request => {
  if (request.parallelToolCalls === undefined) return request
  const { parallelToolCalls, ...rest } = request
  const { toolChoice, tools = [] } = rest
  // The API takes a choice only where there is one.
  if (parallelToolCalls || toolChoice === undefined && tools.length === 0) return rest
  const choice = toolChoice ?? { type: "auto" }
  if (choice.type !== "auto" && choice.type !== "required" && choice.type !== "tool") return rest
  const own = { ...choice.providerOptions?.[name], [flag]: true }
  return { ...rest, toolChoice: { ...choice, providerOptions: { ...choice.providerOptions, [name]: own } } }
}

// codecs ----------------------------------------------------------------------------------------------------------

/** Values to try: requests as they come from the wire, some of which want no parallel calls. */
const samples = Schema.Struct({
  draft: carried(DraftFromWire),
  parallel: Schema.optionalKey(Schema.Literal(false))
})

/** A body, complete or not. */
export const BodyFromWire = transform(DraftFromWire, Request, {
  decode: toRequest,
  encode: ofRequest,
  carries: sampled(
    Request,
    samples,
    ({ draft, parallel }) =>
      toRequest(ofRequest({ ...toRequest(draft), ...parallel === undefined ? {} : { parallelToolCalls: parallel } }))
  ),
  locate: (_, path, { items }) =>
    path[0] === "items" && path.length > 1 ? path.with(1, Number(path[1]) + lengthOfLead(items)) : path
})

/**
 * A request's body: `{ model, max_tokens, system, messages, tools, … }` and the canonical request.
 *
 * Encode refuses a request without a model, and a call whose arguments are no JSON object. Absent `maxTokens` stay
 * absent.
 *
 * @example
 * Schema.encodeSync(RequestFromWire)({ model: "claude-sonnet-4-5", items: [Item.user("hi")], maxTokens: 100 })
 * // => { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "hi" }], max_tokens: 100 }
 */
export const RequestFromWire = transform(BodyFromWire, Request, {
  decode: (request) => request,
  encode: (request) =>
    request.model === undefined
      ? refuse("Expected a model: this API has none of its own choosing", "model")
      : request,
  carries: sampled(
    Request,
    Schema.Struct({ model: Schema.String, request: carried(BodyFromWire) }),
    ({ model, request }) => ({
      ...request,
      model: request.model ?? model
    })
  )
})

/** What a request means where it says nothing. */
export const defaults: Partial<Request> = {
  stop: [],
  mcpServers: [],
  toolChoice: { type: "auto" },
  parallelToolCalls: true,
  responseFormat: { type: "text" }
}
