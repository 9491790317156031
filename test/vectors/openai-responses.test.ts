/** Every observed pair of another system's transforms for the Responses API. */
import { describe } from "@effect/vitest"
import { Schema } from "effect"
import { isRecord } from "../../src/codec/index.ts"
import { OpenAiResponses } from "../../src/protocol/openai-responses/index.ts"
import * as Shorthand from "../../src/shorthand/index.ts"
import { check, type Comparison, compressed, fields, type Json, one, type Table, through, ways } from "./Vectors.ts"

const { ExpandedFromWire, pieces } = OpenAiResponses
const request = through(Shorthand.Request, pieces.request, ExpandedFromWire.request)
const items = through(Shorthand.Items, pieces.items, ExpandedFromWire.items)
const content = through(Shorthand.Content, pieces.content, ExpandedFromWire.content)

/** A field of a request: the shorthand's key, and the wire's. */
const field = (key: string, name: string): Comparison => ({
  written: (input) => fields(request.written({ [key]: input }))[name] ?? null,
  wire: (value) => fields(request.wire({ [name]: value }))[name] ?? null
})

const mcpServers = through(Shorthand.McpServers, pieces.mcpServers, ExpandedFromWire.mcpServers)
const toolChoice = through(Shorthand.ToolChoice, pieces.toolChoice, ExpandedFromWire.toolChoice)

/** A message where there is a role or a call, else a part of one. */
const isItem = (value: Json): boolean => isRecord(value) && ("role" in value || "call_id" in value)

// the right values ------------------------------------------------------------------------------------------------

const schema = { type: "object", properties: { place: { type: "string" } }, required: ["place"] }
const text = (text: string) => ({ type: "input_text", text })
const image = { type: "input_image", image_url: "https://img.example/a.png" }
const user = (...content: ReadonlyArray<Json>) => ({ type: "message", role: "user", content })
const mcp = { type: "mcp", server_label: "crm", server_url: "https://crm.example/mcp" }
const spot = { type: "json_schema", name: "spot", schema }

const kept = "other keys are kept"
const noSchema = "the API requires a schema"

const table: Table = {
  "openai_responses-006": {
    right: [{ type: "function", name: "ping" }],
    why: "parameters and strict are sent as null"
  },
  "openai_responses-007": {
    right: [{ type: "function", name: "ping", parameters: schema, strict: true }],
    why: "strict is kept"
  },
  "openai_responses-010": {
    right: [{ type: "function", name: "tide_table", parameters: schema, strict: false }],
    why: "false is a value"
  },
  "openai_responses-012": {
    right: [{ type: "function", name: "tide_table", parameters: schema }],
    why: "the API calls it parameters"
  },
  "openai_responses-013": { right: [{ type: "function", name: "a", function: { name: "b" } }], why: kept },
  "openai_responses-017": { error: "Expected a tool with name, got { parameters }", why: "the API requires a name" },
  "openai_responses-028": {
    right: [{ ...mcp, allowed_tools: ["find"], require_approval: "never", headers: { x: "y" } }],
    why: "the API has a place for each"
  },
  "openai_responses-029": { right: [{ ...mcp, authorization: "tok_1" }], why: "a token is a token under either name" },
  "openai_responses-030": {
    right: [{ type: "mcp", server_label: "drive", connector_id: "connector_googledrive" }],
    why: "a connector stands in for the URL"
  },
  "openai_responses-031": { error: "Expected an MCP server with name", why: "the API requires a label" },
  "openai_responses-036": { right: "required", why: "it is the API's word for any" },
  "openai_responses-039": { right: { type: "function", name: "tide_table", extra: 1 }, why: kept },
  "openai_responses-040": { right: { type: "function", name: "tide_table" }, why: "the API wants the flat form" },
  "openai_responses-043": { right: { type: "function", name: "tide_table" }, why: "it is the API's word for tool" },
  "openai_responses-054": {
    right: [{ role: "user", content: [text("calm seas")], id: "msg_1", status: "completed" }],
    why: `${kept}; the content of a message with an id is a list`
  },
  "openai_responses-055": { right: "x", why: "it is the shortest spelling" },
  "openai_responses-063": { right: { format: { ...spot, strict: false } }, why: "false is a value" },
  "openai_responses-065": { right: { format: { ...spot, strict: false } }, why: "what stands outside wins, false too" },
  "openai_responses-066": { right: { format: { ...spot, name: "response" } }, why: "the API requires a name" },
  "openai_responses-067": { right: { format: { ...spot, description: "a spot" } }, why: "the API takes a description" },
  "openai_responses-068": { error: "Expected a JSON Schema format with schema", why: noSchema },
  "openai_responses-070": { right: { format: { type: "json_object", extra: 1 } }, why: kept },
  "openai_responses-072": { right: { format: { type: "grammar", syntax: "lark" } }, why: kept },
  "openai_responses-076": { error: "a JSON Schema format holds its schema", why: noSchema },
  "openai_responses-078": { right: { format: { type: "json_object" } }, why: "keys are text" },
  "openai_responses-083": { error: "Expected either content or text, got both", why: "neither may be dropped" },
  "openai_responses-084": { right: user(text("look"), image), why: "each content key is a part" },
  "openai_responses-085": { right: user(text("a"), image), why: "parts are shorthand too" },
  "openai_responses-088": { right: { ...image, detail: "low" }, why: "the API takes a detail" },
  "openai_responses-089": { right: [text("look"), image], why: "each content key is a part" },
  "openai_responses-092": {
    right: { type: "input_file", file_data: "data:text/csv;base64,AAAA", filename: "rows.csv" },
    why: "the API chooses a parser by the file's name"
  },
  "openai_responses-093": { right: { type: "input_file", file_id: "file_1" }, why: "the API takes a file's id" },
  "openai_responses-094": { right: text("hi"), why: "content is no message" },
  "openai_responses-095": { right: { ...text("hi"), lang: "en" }, why: kept },
  "openai_responses-097": {
    right: { type: "output_text", text: "hi", annotations: [] },
    why: "what the assistant said stays what it is"
  },
  "openai_responses-100": { error: "Expected text or {", why: "a number is no content" },
  "openai_responses-101": { error: "got null", why: "null is no content" },
  "openai_responses-102": { right: user(text("x")), why: "keys are text" },
  "openai_responses-106": { error: "Expected text, {", why: "a number is no input" },
  "openai_responses-109": { right: [user(image)], why: "the API wants parts inside a message" },
  "openai_responses-112": { right: [user(text("one"), text("two"))], why: "neighbours without a role are one message" },
  "openai_responses-115": { right: [user(text("look"), image)], why: "the API wants typed parts" },
  "openai_responses-116": {
    right: [user({ ...text("look"), id: "p" }, image)],
    why: `${kept}, as 095 says of the same case`
  },
  "openai_responses-117": { right: [user(image)], why: "the API wants parts inside a message" },
  "openai_responses-122": {
    right: [text("a"), image],
    why: "parts of the API's own form, at the top of its input, are left as they are"
  },
  "openai_responses-123": { error: "[1]", why: "null is no item" }
}

// the functions ---------------------------------------------------------------------------------------------------

/** The format alone is what the API has under `text`. */
const format = field("responseFormat", "text")

/** Which piece an input is: content of its own form, or what the API takes as input. */
const isContent = (input: Json): boolean =>
  Array.isArray(input) && input.some((entry) => fields(entry).type === "input_text")

/** A list with bare text is shorthand: its shortest spelling is a matter of shorthand, not of the wire. */
const isWritten = (input: Json): boolean => Array.isArray(input) && input.some((entry) => typeof entry === "string")
const { decode, encode } = ways(Shorthand.Items)

describe("vectors of openai_responses", () =>
  check("openai_responses", table, {
    normalize_tools: () => field("tools", "tools"),
    normalize_mcp_servers: () => mcpServers,
    normalize_tool_choice: () => toolChoice,
    normalize_response_format: () => ({
      ...format,
      wire: (value) => format.wire("type" in fields(value) ? { format: value } : value)
    }),
    normalize_input: () => items,
    normalize_message: ({ input }) => {
      const { context, value = input } = fields(input)
      const piece = one(context === "input" || isItem(value) ? items : content)
      return { ...piece, written: () => piece.written(value) }
    },
    simplify_input: ({ input }) =>
      isWritten(input)
        ? { written: (input) => encode(decode(input)), wire: (value) => value }
        : compressed(isContent(input) ? ExpandedFromWire.content : ExpandedFromWire.items),
    cleanup_serialized_request: ({ input }) => {
      const { wire, written } = compressed(ExpandedFromWire.request)
      return { wire, written: () => written(fields(input).request ?? null) }
    },
    gem_to_hash: () => compressed(Schema.Json)
  }))
