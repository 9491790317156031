/** Every observed pair of another system's transforms for the Messages API. */
import { describe } from "@effect/vitest"
import { isRecord } from "../../src/codec/index.ts"
import { closed } from "../../src/params/Closed.ts"
import { ExpandedFromWire, pieces } from "../../src/protocol/anthropic-messages/index.ts"
import * as Shorthand from "../../src/shorthand/index.ts"
import { check, type Comparison, compressed, fields, type Json, one, type Table, through, ways } from "./Vectors.ts"

const request = through(Shorthand.Request, pieces.request, ExpandedFromWire.request)
const items = through(Shorthand.Items, pieces.items, ExpandedFromWire.items)
const content = through(Shorthand.Content, pieces.content, ExpandedFromWire.content)
const instructions = through(Shorthand.Instructions, pieces.instructions, ExpandedFromWire.instructions)
const tools = through(Shorthand.Tools, pieces.tools, ExpandedFromWire.tools)
const toolChoice = through(Shorthand.ToolChoice, pieces.toolChoice, ExpandedFromWire.toolChoice)

/** A field of a request: the shorthand's key, and the wire's. */
const field = (key: string, name: string): Comparison => ({
  written: (input) => fields(request.written({ [key]: input }))[name] ?? null,
  wire: (value) => fields(request.wire({ [name]: value, messages: [] }))[name] ?? null
})

/** The schema of a format is closed on its way to the API. */
const format: Comparison = {
  ...field("responseFormat", "output_config"),
  written: (input) => {
    const { schema, ...rest } = fields(ways(Shorthand.ResponseFormat).decode(input))
    const canonical = {
      items: [],
      responseFormat: { ...rest, ...schema === undefined ? undefined : { schema: closed(schema) } }
    }
    return fields(request.wire(ways(pieces.request).encode(canonical))).output_config ?? null
  }
}

/** A result stands in a message of the user, a call in one of the assistant. */
const isBlock = (value: Json): boolean => "tool_use_id" in fields(value) || "input" in fields(value)
const block: Comparison = {
  written: (input) => fields(one(items).written(input)).content ?? null,
  wire: (content) => {
    const role = JSON.stringify(content).includes("tool_use_id") ? "user" : "assistant"
    return fields(one(items).wire({ role, content })).content ?? null
  }
}

/** A source stands in an image, or in a document where it is one. */
const source = (input: Json): Comparison => {
  const media = /(?:pdf|text\/|data:,)/.test(JSON.stringify(input)) ? "document" : "image"
  const inside = (value: Json): Json => fields(value).source ?? value
  return {
    written: (value) => inside(one(content).written({ [media]: value })),
    wire: (value) => inside(one(content).wire({ type: media, source: value }))
  }
}

// the right values ------------------------------------------------------------------------------------------------

const schema = { type: "object", properties: { place: { type: "string" } }, required: ["place"] }
const text = (text: string) => ({ type: "text", text })
const image = { type: "image", source: { type: "url", url: "https://img.example/a.png" } }
const user = (...content: ReadonlyArray<Json>) => ({ role: "user", content })
const crm = { type: "url", name: "crm", url: "u" }
const cached = { cache_control: { type: "ephemeral" } }

const kept = "other keys are kept"
const number = "a number is no content"
const noContent = "the API refuses a message without content"
const plain = "plain text is a text source"

const table: Table = {
  "anthropic-004": {
    right: [{ name: "a", input_schema: { type: "object" } }],
    why: "parameters win over input_schema"
  },
  "anthropic-005": {
    right: [{ name: "ping", description: "d", input_schema: { type: "object" } }],
    why: "the API requires a schema"
  },
  "anthropic-006": { right: [{ name: "tide_table", input_schema: schema }], why: "the API wants the flat form" },
  "anthropic-007": { right: [{ name: "tide_table", input_schema: schema }], why: "the API knows no type function" },
  "anthropic-019": { right: [{ ...crm, authorization_token: "t" }], why: "authorization wins" },
  "anthropic-020": { right: [{ ...crm, tool_configuration: { allowed_tools: ["find"] } }], why: kept },
  "anthropic-021": { right: [{ ...crm, authorization_token: "t" }], why: "OpenAI's names are read" },
  "anthropic-024": { right: { type: "none" }, why: "the API wants an object" },
  "anthropic-025": { right: { type: "any" }, why: "the API wants an object" },
  "anthropic-027": { right: { type: "tool", name: "tide_table", disable_parallel_tool_use: true }, why: kept },
  "anthropic-032": { right: { type: "tool", name: "tide_table" }, why: "it is the API's word for function" },
  "anthropic-036": { right: [user(text("hi"))], why: "the API wants a list" },
  "anthropic-049": { error: "Expected a message with content", why: noContent },
  "anthropic-050": { error: "Expected a message with content", why: noContent },
  "anthropic-051": { right: [], why: "the API refuses empty text, and a message without content" },
  "anthropic-052": { error: "got 5", why: number },
  "anthropic-054": {
    right: [{ role: "system", content: [text("be brief")] }, user(text("hi"))],
    why: "the API takes system messages among the others"
  },
  "anthropic-055": {
    right: [user({ type: "tool_result", tool_use_id: "tu1", content: [text("3")] })],
    why: "a result is a block of the user's"
  },
  "anthropic-056": { right: [{ ...user(text("hi")), name: "ann" }], why: kept },
  "anthropic-057": { right: [{ ...user(text("hi")), name: "ann" }], why: "the key is the message's" },
  "anthropic-066": {
    right: [text("hi"), { ...image, ...cached }],
    why: `${kept}; a marker belongs to the last part, as it marks all before it`
  },
  "anthropic-069": { right: [text("hi"), image], why: "each content key is a part" },
  "anthropic-070": { error: "[\"text\"]", why: "null is no text" },
  "anthropic-071": { error: "got 5", why: number },
  "anthropic-083": { right: [text("hi"), image], why: "each content key is a part" },
  "anthropic-084": { right: image, why: "the type says no more than the key" },
  "anthropic-086": { error: "got 5", why: number },
  "anthropic-089": { right: { type: "text", media_type: "text/plain", data: "Hello there" }, why: plain },
  "anthropic-090": { right: { type: "text", media_type: "text/plain", data: "\0\0\0" }, why: plain },
  "anthropic-091": {
    right: { type: "base64", media_type: "application/pdf", data: "" },
    why: "no bytes are bytes too"
  },
  "anthropic-092": {
    right: { type: "base64", media_type: "image/png", data: "AAAA" },
    why: "a scheme may be in capitals"
  },
  "anthropic-093": { error: "a file id is written { fileId: \"file_abc\" }", why: "it is no URL" },
  "anthropic-096": { error: "with mediaType", why: "the API requires a media type" },
  "anthropic-097": { right: image.source, why: "the API wants a type" },
  "anthropic-098": { right: { type: "file", file_id: "file_1" }, why: "the API wants a type" },
  "anthropic-101": { right: { type: "text", media_type: "text/plain", data: "x" }, why: plain },
  "anthropic-102": { right: { type: "text", media_type: "text/plain", data: "hi" }, why: plain },
  "anthropic-112": { right: user({ ...text("hi"), ...cached }), why: "only a block can be marked" },
  "anthropic-113": {
    right: { role: "assistant", content: [{ ...text("hi"), citations: [{ type: "char_location" }] }] },
    why: "only a block can cite"
  },
  "anthropic-119": { right: { system: [{ ...text("s"), ...cached }] }, why: "only a block can be marked" },
  "anthropic-126": {
    right: { model: "m", max_tokens: 10, messages: [{ role: "assistant", content: "x" }] },
    why: "a container is the response's"
  },
  "anthropic-128": {
    right: { format: { type: "json_schema", schema: { type: "object", additionalProperties: false } } },
    why: "the flat form has a schema too"
  },
  "anthropic-134": {
    right: { type: ["object", "null"], properties: {}, additionalProperties: false },
    why: "an object among several types is one"
  },
  "anthropic-135": {
    right: {
      model: "m",
      messages: [user(text("hi"))],
      system: [text("s")],
      tools: [{ name: "f", input_schema: schema }, { type: "mcp_toolset", mcp_server_name: "crm" }],
      tool_choice: { type: "any" },
      mcp_servers: [crm]
    },
    why: "the API offers no tools of a server without a toolset, which shorthand adds"
  },
  "anthropic-136": {
    right: {
      messages: [],
      tools: ["a", "b"].map((name) => ({ type: "mcp_toolset", mcp_server_name: name })),
      mcp_servers: [{ type: "url", name: "a", url: "u" }, { type: "url", name: "b", url: "w" }]
    },
    why: "both lists are meant"
  }
}

// the functions ---------------------------------------------------------------------------------------------------

describe("vectors of anthropic", () =>
  check("anthropic", table, {
    normalize_tools: () => tools,
    normalize_mcp_servers: () => field("mcpServers", "mcp_servers"),
    normalize_tool_choice: () => toolChoice,
    normalize_messages: () => items,
    normalize_content: () => ({ ...content, absent: [] }),
    normalize_content_item: ({ input }) => one(isBlock(input) ? block : content),
    normalize_source: ({ input }) => source(input),
    parse_data_uri: ({ input }) => source(input),
    normalize_system: () => ({
      ...instructions,
      wire: (value) => instructions.wire(isRecord(value) ? [value] : value)
    }),
    normalize_system_block: () => one(instructions),
    "compress_message_content!": () => {
      const { wire, written } = compressed(ExpandedFromWire.items)
      return { wire, written: (input) => one({ wire, written }).written([input]) }
    },
    compress_content: () => compressed(ExpandedFromWire.request),
    cleanup_serialized_request: ({ input }) => {
      const { wire, written } = compressed(ExpandedFromWire.request)
      return { wire, written: () => written(fields(input).request ?? null) }
    },
    normalize_response_format: () => format,
    inject_additional_properties: () => ({ written: closed, wire: (value) => value }),
    normalize_params: () => request
  }))
