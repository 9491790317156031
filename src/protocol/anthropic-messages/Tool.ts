/**
 * Spells tools, the choice among them, MCP servers and the changes of tools within a conversation.
 *
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
import { Equal, Schema } from "effect"
import { marked, Unmodelled } from "../../canonical/Part.ts"
import * as T from "../../canonical/Tool.ts"
import { as, carried, implied, isRecord, list, remembered, sampled, transform, unfit } from "../../codec/index.ts"
import { cache, name, open, variant } from "./Content.ts"

const optional = Schema.optionalKey

// tools -----------------------------------------------------------------------------------------------------------

const JsonObject = Schema.Record(Schema.String, Schema.Json)

/** A JSON Schema that is an object; the API takes no other. */
export const SchemaFromWire = transform(JsonObject, Schema.Json, {
  decode: (schema): Schema.Json => schema,
  encode: (schema) => isRecord(schema) ? schema as typeof JsonObject.Type : unfit,
  carries: JsonObject
})

/** A tool that the caller runs: `{ name, description, input_schema, strict }`. The API wants a schema for each. */
const FunctionFromWire = variant(T.FunctionTool, { type: implied("custom", { written: false }) }, {
  name: "name",
  description: "description",
  parameters: as("input_schema", SchemaFromWire, { always: { type: "object" } }),
  strict: "strict",
  deferLoading: "defer_loading",
  cache
})

/** The API's own tools, by its words for them. Their settings stay as they are, in the tool's bag. */
export const providerTools = [
  "advisor_20260301",
  "bash_20241022",
  "bash_20250124",
  "browser_toolset_20260801",
  "code_execution_20250522",
  "code_execution_20250825",
  "code_execution_20260120",
  "code_execution_20260521",
  "computer_20241022",
  "computer_20250124",
  "computer_20251124",
  "computer_toolset_20260801",
  "memory_20250818",
  "text_editor_20241022",
  "text_editor_20250124",
  "text_editor_20250429",
  "text_editor_20250728",
  "tool_search_tool_bm25",
  "tool_search_tool_bm25_20251119",
  "tool_search_tool_regex",
  "tool_search_tool_regex_20251119",
  "web_fetch_20250910",
  "web_fetch_20260209",
  "web_fetch_20260309",
  "web_fetch_20260318",
  "web_search_20250305",
  "web_search_20260209",
  "web_search_20260318"
] as const

const providerTool = <const K extends string>(kind: K) =>
  variant(T.ProviderTool, { type: kind }, { name: "name", cache }, { protocol: name, kind })

// MCP -------------------------------------------------------------------------------------------------------------

/** The tools of a server, and which of them are on. */
const Toolset = Schema.Struct({
  type: Schema.Literal("mcp"),
  server: Schema.String,
  standard: optional(JsonObject),
  single: optional(JsonObject),
  ...marked
})
type Toolset = typeof Toolset.Type

const on = { enabled: true }
const off = { enabled: false }

/** All off but some, that is what `allowed` says; any other settings stay in the bag. */
const toMcpTool = ({ single, standard, ...tool }: Toolset): T.McpTool => {
  if (single === undefined && standard === undefined) return tool
  if (
    single !== undefined && Equal.equals(standard, off) && Object.values(single).every((it) => Equal.equals(it, on))
  ) {
    return { ...tool, allowed: Object.keys(single) }
  }
  const settings = {
    ...(standard === undefined ? {} : { default_config: standard }),
    ...(single === undefined ? {} : { configs: single })
  }
  return {
    ...tool,
    providerOptions: { ...tool.providerOptions, [name]: { ...tool.providerOptions?.[name], ...settings } }
  }
}

/** What is not allowed is off, whatever was said of it before. */
const ofMcpTool = ({ allowed, ...tool }: T.McpTool): Toolset => {
  if (allowed === undefined) return tool
  const configs = tool.providerOptions?.[name]?.configs
  const others = isRecord(configs) ? Object.keys(configs).filter((key) => !allowed.includes(key)) : []
  const single = [...allowed.map((tool) => [tool, on] as const), ...others.map((tool) => [tool, off] as const)]
  return { ...tool, standard: off, single: Object.fromEntries(single) }
}

const ToolsetFromWire = variant(Toolset, { type: "mcp_toolset" }, {
  server: "mcp_server_name",
  standard: "default_config",
  single: "configs",
  cache
})
/** Toolsets to try: any, and those of which some tools are allowed. */
const Toolsets = Schema.Struct({ toolset: carried(ToolsetFromWire), allowed: optional(Schema.Array(Schema.String)) })

/** `{ type: "mcp_toolset", mcp_server_name, default_config, configs }` */
const McpToolFromWire = transform(ToolsetFromWire, T.McpTool, {
  decode: toMcpTool,
  encode: ofMcpTool,
  carries: sampled(
    T.McpTool,
    Toolsets,
    ({ allowed, toolset }) =>
      allowed === undefined
        ? toMcpTool(toolset)
        : toMcpTool(ofMcpTool({ type: "mcp", server: toolset.server, allowed }))
  )
})

/** A connection: `{ type: "url", name, url, authorization_token }`. Headers and connectors have no place here. */
const McpServerFromWire = open(
  Schema.Union([T.McpServer, Unmodelled]),
  variant(T.McpServer, { type: "url" }, {
    name: "name",
    url: as("url", Schema.String, { needed: true }),
    authorization: "authorization_token"
  })
)

/** A token may have been given as a header. */
const withToken = (server: McpServer): McpServer => {
  if ("raw" in server || server.authorization !== undefined) return server
  const header = Object.entries(server.headers ?? {}).find(([key]) => key.toLowerCase() === "authorization")?.[1]
  const token = /^bearer +(.+)$/i.exec(header ?? "")?.[1]
  return token === undefined ? server : { ...server, authorization: token }
}
type McpServer = (typeof T.McpServers)["Type"][number]

export const McpServersFromWire = list(transform(McpServerFromWire, Schema.Union([T.McpServer, Unmodelled]), {
  decode: (server) => server,
  encode: withToken,
  carries: carried(McpServerFromWire)
}))

/** One of a request's tools. */
export const ToolFromWire = open(
  T.Tool,
  FunctionFromWire,
  McpToolFromWire,
  ...providerTools.map((kind) => providerTool(kind))
)

export const ToolsFromWire = remembered(list(ToolFromWire), { isSeam: () => true })

// choice ----------------------------------------------------------------------------------------------------------

/** `{ type: "auto" | "any" | "none" }` or `{ type: "tool", name }`; `disable_parallel_tool_use` stays in the bag. */
export const ToolChoiceFromWire = open(
  T.ToolChoice,
  variant(T.Auto, { type: "auto" }, {}),
  variant(T.Required, { type: "any" }, {}),
  variant(T.None, { type: "none" }, {}),
  variant(T.OneTool, { type: "tool" }, { name: "name" }, { kind: undefined })
)

// changes ---------------------------------------------------------------------------------------------------------

const OneName = transform(Schema.String, Schema.Array(Schema.String), {
  decode: (name) => [name],
  encode: ([name, ...more]) => name === undefined || more.length > 0 ? unfit : name,
  carries: Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(1))
})

/** Which tool is meant: one of the request's by name, one of a server's, or all of a server's. */
const ReferenceFromWire = open(
  T.Tool,
  variant(T.ToolReference, { type: "tool_reference" }, { name: "name" }),
  variant(T.McpTool, { type: "mcp_tool_reference" }, {
    server: "server_name",
    allowed: as("name", OneName, { needed: true })
  }),
  variant(T.McpTool, { type: "mcp_toolset_reference" }, { server: "server_name" }, { allowed: undefined })
)

/** The one tool of a change. */
export const OneToolFromWire = transform(ReferenceFromWire, T.Tools, {
  decode: (tool) => [tool],
  encode: ([tool, ...more]) => tool === undefined || more.length > 0 ? unfit : tool,
  carries: sampled(T.Tools, carried(ReferenceFromWire), (tool) => [tool])
})

/** The tools that a server listed. */
export const ListedToolsFromWire = list(open(
  T.Tool,
  variant(T.FunctionTool, {}, {
    name: "name",
    description: "description",
    parameters: as("input_schema", SchemaFromWire)
  })
))
