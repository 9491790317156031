/**
 * Spells the request body.
 *
 * https://platform.openai.com/docs/api-reference/responses/create
 */
import { Schema } from "effect"
import * as Part from "../../canonical/Part.ts"
import * as Canonical from "../../canonical/Request.ts"
import {
  as,
  bag,
  carried,
  isRecord,
  list,
  sampled,
  shorthand,
  transform,
  unfit,
  word,
  wordBut
} from "../../codec/index.ts"
import { type Extras, extrasOf, open, variant, withExtras } from "./Extras.ts"
import { ItemsFromInput } from "./Item.ts"
import { Toolbox, ToolboxFromTools, ToolChoiceFromWire } from "./Tool.ts"

const optional = Schema.optionalKey

// fields ----------------------------------------------------------------------------------------------------------

/** Several texts become one. */
export const InstructionsFromString = transform(Schema.String, Part.Texts, {
  decode: (text): Part.Texts => [{ type: "text", text }],
  encode: (texts) => Part.paragraphsOf(texts) ?? unfit,
  carries: sampled(Part.Texts, Schema.String, (text) => [{ type: "text" as const, text }])
})

export const ResponseFormatFromWire = open(
  Canonical.ResponseFormat,
  variant(Canonical.PlainText, { type: "text" }, {}),
  variant(Canonical.JsonObject, { type: "json_object" }, {}),
  variant(Canonical.JsonSchema, { type: "json_schema" }, {
    name: as("name", Schema.String, { always: "response" }),
    description: "description",
    schema: "schema",
    strict: "strict"
  })
)

const ThinkingFromReasoning = variant(Canonical.Thinking, {}, {
  effort: as("effort", word("none", "minimal", "low", "medium", "high", "xhigh")),
  summary: as("summary", word("auto", "concise", "detailed"))
})

/** A conversation by its id; its other keys, if any, are the request's. */
const Conversation = Schema.Struct({ id: Schema.String, ...bag })
const ConversationFromWire = shorthand(variant(Conversation, {}, { id: "id" }), Schema.String, {
  expand: (id) => ({ id }),
  compress: (conversation) => Object.keys(conversation).length === 1 ? conversation.id : unfit
})

// request ---------------------------------------------------------------------------------------------------------

/** A request as the wire cuts it: tools and servers are one, a conversation is an object (a thread), there may be no input. */
const { conversation: _conversation, items, mcpServers: _mcpServers, tools: _tools, ...same } = Canonical.Request.fields
const Draft = Schema.Struct({
  ...same,
  items: optional(items),
  toolbox: optional(Toolbox),
  thread: optional(Conversation)
})
type Draft = typeof Draft.Type

const DraftFromWire = variant(Draft, {}, {
  model: "model",
  instructions: InstructionsFromString,
  items: as("input", ItemsFromInput),
  toolbox: as("tools", ToolboxFromTools),
  toolChoice: as("tool_choice", ToolChoiceFromWire, { default: "auto" }),
  parallelToolCalls: as("parallel_tool_calls", Schema.Boolean, { default: true }),
  maxToolCalls: "max_tool_calls",
  responseFormat: as("format", ResponseFormatFromWire, { under: "text" }),
  reasoning: ThinkingFromReasoning,
  maxTokens: "max_output_tokens",
  temperature: as("temperature", Schema.Finite, { default: 1 }),
  topP: as("top_p", Schema.Finite, { default: 1 }),
  metadata: "metadata",
  user: "safety_identifier",
  previousResponseId: "previous_response_id",
  thread: as("conversation", ConversationFromWire),
  store: as("store", Schema.Boolean, { default: true }),
  include: as("include", list(Schema.String), { default: [] }),
  background: as("background", Schema.Boolean, { default: false }),
  truncation: as("truncation", word("auto", "disabled"), { default: "disabled" }),
  serviceTier: as("service_tier", wordBut("standard_only"), { default: "auto" })
})

/** No input is not an empty one: that there was none is kept as `input: null`. */
const assembled = ({ items, thread, toolbox, ...draft }: Draft): Canonical.Request => {
  const request: Canonical.Request = {
    ...draft,
    items: items ?? [],
    ...toolbox,
    ...(thread === undefined ? {} : { conversation: thread.id })
  }
  const beside = thread === undefined ? {} : extrasOf(thread)
  if (items !== undefined && Object.keys(beside).length === 0) return request
  return withExtras(request, {
    ...extrasOf(request),
    ...(items === undefined ? { input: null } : {}),
    ...(Object.keys(beside).length === 0 ? {} : { conversation: beside })
  })
}

/** What is not in the draft's fields is not written: the keys of the request need not be taken out. */
const draft = (request: Canonical.Request): Draft => {
  const { conversation: id, items, mcpServers, tools } = request
  const { conversation: beside, input } = extrasOf(request)
  const draft: Draft = {
    ...request,
    ...(tools === undefined ? {} : { toolbox: mcpServers === undefined ? { tools } : { tools, mcpServers } }),
    ...(id === undefined
      ? {}
      : { thread: withExtras<typeof Conversation.Type>({ id }, isRecord(beside) ? beside as Extras : {}) })
  }
  if (items.length > 0 || input !== null) return draft
  const { items: _, ...without } = draft
  return without
}

/**
 * A request body, either way.
 *
 * @example `Schema.encodeSync(RequestFromWire)({ model: "m", items: [Item.user("hi")] })  // => { model: "m", input: "hi" }`
 */
export const RequestFromWire = transform(DraftFromWire, Canonical.Request, {
  decode: assembled,
  encode: draft,
  carries: sampled(Canonical.Request, carried(DraftFromWire), assembled),
  locate: (_, [key, ...path]) => key === undefined || key === "toolbox" ? path : [key, ...path]
})
export type RequestWire = typeof RequestFromWire.Encoded

/** What a field says when it says nothing: the API's documented defaults, in canonical words. */
export const defaults: Partial<Canonical.Request> = {
  toolChoice: { type: "auto" },
  parallelToolCalls: true,
  temperature: 1,
  topP: 1,
  store: true,
  include: [],
  background: false,
  truncation: "disabled",
  serviceTier: "auto"
}
