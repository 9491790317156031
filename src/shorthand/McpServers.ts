/** Reads connections to MCP servers, each of which also offers the server's tools. */
import { Schema } from "effect"
import * as Tool from "../canonical/Tool.ts"
import { refuse, sampled } from "../codec/index.ts"
import type { Others } from "./Content.ts"
import { expected } from "./Expected.ts"
import { type Form, list, record, schema, shortest, within } from "./Form.ts"
import { camel, struct, unmodelled } from "./Struct.ts"

type Name = { readonly name: string } | { readonly server_label: string }
type Address =
  | { readonly url: string }
  | { readonly server_url: string }
  | { readonly connectorId: string }
  | { readonly connector_id: string }
  | { readonly connector: string }

/** `tools: false` connects a server without offering its tools. */
export type McpServer =
  | Name & Address & {
    readonly type?: "url" | "mcp"
    readonly authorization?: string | null
    readonly authorization_token?: string | null
    readonly headers?: { readonly [name: string]: string } | null
    readonly allowedTools?: ReadonlyArray<string>
    readonly allowed_tools?: ReadonlyArray<string>
    readonly approval?: Schema.Json
    readonly require_approval?: Schema.Json
    readonly description?: string
    readonly server_description?: string
    readonly tools?: false
  } & Others
  | Server
export type McpServers = ReadonlyArray<McpServer>

/** What servers add to a request. */
export const Connected = Schema.Struct({ mcpServers: Tool.McpServers, tools: Tool.Tools })
export type Connected = typeof Connected.Type
type Server = typeof Tool.McpServers.Type[number]

const server = struct(Tool.McpServer, "an MCP server", {
  names: {
    name: ["name", "serverLabel"],
    url: ["url", "serverUrl"],
    connector: ["connector", "connectorId"],
    authorization: ["authorization", "authorizationToken"]
  }
})
const tool = struct(Tool.McpTool, "the tools of an MCP server", {
  names: {
    allowed: ["allowedTools"],
    approval: ["approval", "requireApproval"],
    description: ["description", "serverDescription"]
  }
})
const ofTool = ["allowedTools", "approval", "requireApproval", "description", "serverDescription"]

/** A server, and the tools that it offers, if it does. */
interface Offer {
  readonly server: Server
  readonly tool?: Tool.McpTool
}

const readOffer = (value: unknown): Offer => {
  const { tools, type, ...object } = record(value, "an MCP server { name, url }")
  if (type === "unmodelled") return { server: unmodelled.read({ ...object, type }) }
  if (type !== undefined && type !== "url" && type !== "mcp") {
    throw within("type", () => expected("\"url\" or \"mcp\"", type))
  }
  if (tools !== undefined && tools !== false) {
    throw within("tools", () => expected("false", tools, "name some of its tools in allowedTools"))
  }
  const { inner = [], outer = [] } = Object.groupBy(
    Object.entries(object),
    ([key]) => ofTool.includes(camel(key)) ? "inner" : "outer"
  )
  const own = server.read(Object.fromEntries(outer))
  if (own.url === undefined && own.connector === undefined) {
    throw expected("an MCP server with url or connectorId", object)
  }
  return tools === false
    ? { server: own }
    : { server: own, tool: tool.read({ ...Object.fromEntries(inner), server: own.name }) }
}

const writeOffer = (offer: Offer): unknown => {
  if ("raw" in offer.server) return offer.server
  const { server: _, ...said } = offer.tool === undefined
    ? { server: "", tools: false }
    : tool.spellings(offer.tool)[0]!
  return shortest(offer, readOffer, server.spellings(offer.server).map((spelling) => ({ ...spelling, ...said })))
}

const offers: Form<ReadonlyArray<Offer>> = list({ read: readOffer, write: writeOffer }, "a list of MCP servers")

// requests --------------------------------------------------------------------------------------------------------

type Tools = ReadonlyArray<Tool.Tool>

const nameOf = (server: Server): ReadonlyArray<string> => "raw" in server ? [] : [server.name]

const twiceIn = (servers: ReadonlyArray<Server>): string | undefined => {
  const names = servers.flatMap(nameOf)
  return names.find((name, index) => names.indexOf(name) !== index)
}

const heldBy = (tools: Tools): ReadonlySet<string> =>
  new Set(tools.flatMap((tool) => tool.type === "mcp" ? [tool.server] : []))

/** Reads servers written beside these tools: each server adds its own, unless they are there. */
const readBeside = (tools: Tools, written: ReadonlyArray<Offer>): Connected => {
  const twice = twiceIn(written.map(({ server }) => server))
  if (twice !== undefined) throw refuse(`Expected servers with different names, got ${JSON.stringify(twice)} twice`)
  const held = heldBy(tools)
  const both = written.find(({ tool }) => tool !== undefined && held.has(tool.server) && Object.keys(tool).length > 2)
    ?.tool
  if (both !== undefined) {
    throw refuse(
      `Expected what is said of the tools of ${JSON.stringify(both.server)} in tools or in mcpServers, got both`
    )
  }
  return {
    mcpServers: written.map(({ server }) => server),
    tools: [...tools, ...written.flatMap(({ tool }) => tool === undefined || held.has(tool.server) ? [] : [tool])]
  }
}

/** The servers with the tools that they add, and the tools that remain: as few as may be. */
const writeBeside = (
  { mcpServers, tools }: Connected
): { readonly written: ReadonlyArray<Offer>; readonly tools: Tools } => {
  for (let kept = tools.length;; kept--) {
    const last = tools[kept - 1]
    const isAdded = last?.type === "mcp" && last.cache === undefined && last.providerOptions === undefined
    const shorter = isAdded ? offersOf(mcpServers, tools, kept - 1) : undefined
    if (shorter === undefined) return { written: offersOf(mcpServers, tools, kept)!, tools: tools.slice(0, kept) }
  }
}

/** What the servers offer when all but the first of the tools are theirs; nothing, if they would add others. */
const offersOf = (servers: ReadonlyArray<Server>, tools: Tools, kept: number): ReadonlyArray<Offer> | undefined => {
  const held = heldBy(tools.slice(0, kept))
  const added = tools.slice(kept).values()
  let next = added.next()
  const written = servers.map((server): Offer => {
    const [name] = nameOf(server)
    if (name === undefined) return { server }
    if (held.has(name)) return { server, tool: { type: "mcp", server: name } }
    const { value } = next
    if (value?.type !== "mcp" || value.server !== name) return { server }
    next = added.next()
    return { server, tool: value }
  })
  return next.done === true ? written : undefined
}

/** A request's servers and tools, as they are written. */
export const beside = {
  read: (tools: Tools, lists: ReadonlyArray<readonly [key: string, servers: unknown]>): Connected =>
    readBeside(tools, lists.flatMap(([key, servers]) => within(key, () => offers.read(servers)))),
  write: (connected: Connected): { readonly mcpServers: unknown; readonly tools: Tools } => {
    const { tools, written } = writeBeside(connected)
    return { mcpServers: offers.write(written), tools }
  }
}

const form: Form<Connected> = {
  read: (value) => readBeside([], offers.read(value)),
  write: (connected) => {
    const { mcpServers, tools } = beside.write(connected)
    if (tools.length > 0) throw refuse("Expected only the tools that the servers add, got others", "tools")
    return mcpServers
  }
}

const { allowed, approval, description } = Tool.McpTool.fields
const Entry = Schema.Struct({
  server: Schema.Union([
    Schema.Struct({ ...Tool.McpServer.fields, url: Schema.String }),
    Schema.Struct({ ...Tool.McpServer.fields, connector: Schema.String })
  ]),
  tool: Schema.optionalKey(Schema.Struct({ allowed, approval, description }))
})

/** Servers come back whole if they have an address, and names of their own. */
export const areWhole = (servers: ReadonlyArray<Server>): boolean =>
  twiceIn(servers) === undefined &&
  servers.every((server) => "raw" in server || server.url !== undefined || server.connector !== undefined)

const Whole = Connected.check(
  Schema.makeFilter((it) => areWhole(it.mcpServers) && writeBeside(it).tools.length === 0)
)

/** Servers with the tools that they add, and nothing else. */
export const carries: Schema.Codec<Connected> = sampled(Whole, Schema.Array(Entry), (entries) => {
  const distinct = [...new Map(entries.map((entry) => [entry.server.name, entry])).values()]
  return {
    mcpServers: distinct.map(({ server }) => server),
    tools: distinct.flatMap(({ server, tool }) =>
      tool === undefined ? [] : [{ type: "mcp" as const, server: server.name, ...tool }]
    )
  }
})

/**
 * MCP servers: `[{ name, url, authorization?, headers?, allowedTools?, approval? }]`, a `connectorId` in place of the URL,
 * and either API's names. Inside: the connections, and the tool that each adds to the request. `tools: false` adds none.
 *
 * @example `Schema.decodeSync(McpServers)([{ name: "crm", url: "https://crm.example/mcp" }])
 *   // => { mcpServers: [{ name: "crm", url: "https://crm.example/mcp" }], tools: [{ type: "mcp", server: "crm" }] }`
 */
export const McpServers: Schema.Codec<Connected, McpServers> = schema<McpServers>()(Connected, form, carries)
