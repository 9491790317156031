/**
 * Spells tools, the servers they live on, and how the model is to choose among them.
 *
 * https://platform.openai.com/docs/api-reference/responses/create#responses_create-tools
 */
import { Option, Schema } from "effect"
import * as Tool from "../../canonical/Tool.ts"
import { as, bag, carried, either, list, remembered, sampled, transform, unfit } from "../../codec/index.ts"
import { type Extras, extrasOf, name as protocol, open, variant, withExtras } from "./Extras.ts"
import { SomeJson } from "./Json.ts"

// tools -----------------------------------------------------------------------------------------------------------

/** The API asks for both keys; without `strict` it decides for itself. */
const ToolFromFunction = variant(Tool.FunctionTool, { type: "function" }, {
  name: "name",
  description: "description",
  parameters: as("parameters", SomeJson, { always: null }),
  strict: as("strict", Schema.Boolean, { always: null }),
  deferLoading: "defer_loading"
})

const ToolFromCustom = variant(Tool.CustomTool, { type: "custom" }, {
  name: "name",
  description: "description",
  format: SomeJson,
  deferLoading: "defer_loading"
})

const mcp = {
  server: "server_label",
  description: "server_description",
  approval: as("require_approval", SomeJson)
} as const
const Names = Schema.Array(Schema.String)
const Filter = Schema.Struct({ names: Names, ...bag })
/** Names by themselves, or as the only thing that a filter says. */
const AllowedFromWire = either(
  Names,
  Names,
  transform(variant(Filter, {}, { names: "tool_names" }), Names, {
    decode: ({ names, providerOptions }) => providerOptions === undefined ? names : unfit,
    encode: (names) => ({ names })
  })
)
const ToolFromMcp = variant(Tool.McpTool, { type: "mcp" }, { ...mcp, allowed: as("allowed_tools", AllowedFromWire) })
/** `allowed_tools` is a filter, which stays as it is. */
const ToolFromFilteredMcp = variant(Tool.McpTool, { type: "mcp" }, mcp)

/** The tools that the provider defines. Their settings are kept as they are. */
export const providerTools = [
  "apply_patch",
  "code_interpreter",
  "computer",
  "computer_use_preview",
  "file_search",
  "image_generation",
  "local_shell",
  "namespace",
  "programmatic_tool_calling",
  "shell",
  "tool_search",
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11"
] as const
const ToolsFromProvider = providerTools.map((kind) =>
  variant(Tool.ProviderTool, { type: kind }, {}, { protocol, kind, name: undefined })
)

export const ToolFromWire = open(
  Tool.Tool,
  ToolFromFunction,
  ToolFromCustom,
  ToolFromMcp,
  ToolFromFilteredMcp,
  ...ToolsFromProvider
)

export const ToolsFromWire = remembered(list(ToolFromWire), { isSeam: () => true })

/** A tool as an MCP server lists it. */
export const ToolFromListed = open(
  Tool.Tool,
  variant(Tool.FunctionTool, {}, { name: "name", description: "description", parameters: as("input_schema", SomeJson) })
)

// servers ---------------------------------------------------------------------------------------------------------

/** Tools with the servers that some of them live on: on the wire a server is known by its tools alone. */
export const Toolbox = Schema.Struct({ tools: Tool.Tools, mcpServers: Schema.optionalKey(Tool.McpServers) })
export type Toolbox = typeof Toolbox.Type

const { name: _name, ...connection } = Tool.McpServer.fields
const Connection = Schema.Struct(connection)
const ConnectionFromWire = variant(Connection, {}, {
  url: "server_url",
  connector: "connector_id",
  authorization: "authorization",
  headers: "headers"
})
const readConnection = Schema.decodeUnknownOption(ConnectionFromWire)
const writeConnection = Schema.encodeSync(ConnectionFromWire)

/** Takes the connections out of the tools' keys. Keys of another form stay where they are. */
const connect = (tools: Toolbox["tools"]): Toolbox => {
  const servers = new Map<string, Tool.McpServer>()
  const seen = new Set<string>()
  const bare = tools.map((tool) => {
    if (tool.type !== "mcp" || seen.has(tool.server)) return tool
    seen.add(tool.server)
    const read = Option.getOrUndefined(readConnection(extrasOf(tool)))
    if (read === undefined) return tool
    const connection = withExtras(read, {})
    if (Object.keys(connection).length === 0) return tool
    servers.set(tool.server, { name: tool.server, ...connection })
    return withExtras(tool, extrasOf(read))
  })
  return servers.size === 0 ? { tools } : { tools: bare, mcpServers: [...servers.values()] }
}

const disconnect = ({ mcpServers, tools }: Toolbox): Toolbox["tools"] => {
  if (mcpServers === undefined) return tools
  const servers = new Map(mcpServers.flatMap((server) => "name" in server ? [[server.name, server]] : []))
  return tools.map((tool) => {
    const server = tool.type === "mcp" ? servers.get(tool.server) : undefined
    if (tool.type !== "mcp" || server === undefined) return tool
    servers.delete(tool.server)
    return withExtras(tool, { ...extrasOf(tool), ...writeConnection(server) as Extras })
  })
}

/** The connection of a server stands in the first of its tools. A server without a tool has no place. */
export const ToolboxFromTools = transform(ToolsFromWire, Toolbox, {
  decode: connect,
  encode: disconnect,
  carries: sampled(
    Toolbox,
    Schema.Struct({ tools: carried(ToolsFromWire), connection: carried(ConnectionFromWire) }),
    ({ connection, tools }) =>
      connect(disconnect({
        tools,
        mcpServers: tools.flatMap((tool) => tool.type === "mcp" ? [{ ...connection, name: tool.server }] : [])
      }))
  )
})

// choice ----------------------------------------------------------------------------------------------------------

const Word = Schema.Literals(["auto", "required", "none"])
const ChoiceFromWord = transform(Word, Tool.ToolChoice, {
  decode: (type): (typeof Tool.ToolChoice)["Type"] => ({ type }),
  encode: (choice) =>
    choice.type === "auto" || choice.type === "required" || choice.type === "none" ? choice.type : unfit,
  carries: Schema.Struct({ type: Word })
})

const ChoiceFromObject = open(
  Tool.ToolChoice,
  variant(Tool.OneTool, { type: "function" }, { name: "name" }, { kind: undefined }),
  variant(Tool.OneTool, { type: "custom" }, { name: "name" }, { kind: "custom" }),
  variant(Tool.AllowedTools, { type: "allowed_tools" }, { mode: "mode", tools: "tools" })
)

export const ToolChoiceFromWire = either(Tool.ToolChoice, ChoiceFromWord, ChoiceFromObject)
