/** Reads a whole request. */
import { Schema } from "effect"
import * as Item from "../canonical/Item.ts"
import * as Canonical from "../canonical/Request.ts"
import { type Bag, type Refusal, refuse, sampled } from "../codec/index.ts"
import * as Content from "./Content.ts"
import { type Fields, type Form, plain, record, schema, shortest } from "./Form.ts"
import * as Format from "./Format.ts"
import * as Items from "./Items.ts"
import * as McpServers from "./McpServers.ts"
import { camel, struct } from "./Struct.ts"
import * as Tools from "./Tools.ts"

/** The canonical fields, where they have no form of their own below. */
type Written = Omit<Canonical.Request, keyof Forms>
interface Forms {
  readonly input: Items.Items
  readonly messages: Items.Items
  readonly items: Items.Items
  readonly instructions: Content.Instructions
  readonly system: Content.Instructions
  readonly tools: Tools.Tools
  readonly toolChoice: Tools.ToolChoice
  readonly mcpServers: McpServers.McpServers
  readonly mcps: McpServers.McpServers
  readonly responseFormat: Format.ResponseFormat
  readonly reasoning: string | Canonical.Thinking
  readonly stop: string | ReadonlyArray<string>
  readonly cache: Content.Cache
  readonly cacheControl: Content.Cache | null
  readonly providerOptions: Bag
}
type Known = Written & Forms
/** `maxTokens` is `max_tokens`. */
type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : Name
/** Every key may also be written in snake case. */
export type Request =
  & { readonly [K in keyof Known]?: Known[K] | undefined }
  & { readonly [K in Exclude<keyof Known, "providerOptions"> as Snake<K>]?: Known[K] | undefined }

const thinking = struct(Canonical.Thinking, "reasoning { effort, budget }")
const readThinking = (value: unknown): Canonical.Thinking =>
  typeof value === "string"
    ? { effort: value }
    : thinking.read(record(value, "an effort such as \"high\", or { effort, budget }"))
const reasoning: Form<Canonical.Thinking> = {
  read: readThinking,
  write: (value) => shortest(value, readThinking, [value.effort, ...thinking.spellings(value)])
}

const texts = plain(Canonical.Request.fields.stop.schema)
const stop: Form<ReadonlyArray<string>> = {
  read: (value) => typeof value === "string" ? [value] : texts.read(value),
  write: (values) => values.length === 1 ? values[0] : values
}

const itemKeys = ["input", "messages", "items"]
const serverKeys = ["mcpServers", "mcps"]
const request = struct(Canonical.Request, "a request { model, input }", {
  closed: true,
  names: { items: itemKeys, instructions: ["instructions", "system"], mcpServers: serverKeys },
  forms: {
    items: Items.form,
    instructions: Content.instructionsForm,
    tools: Tools.form,
    toolChoice: Tools.choiceForm,
    responseFormat: Format.form,
    reasoning,
    stop,
    cache: Content.cacheForm
  }
})

const read = (value: unknown): Canonical.Request => {
  const object = record(value, "a request { model, input }", "input alone is read by Items")
  const { servers = [], rest = [] } = Object.groupBy(
    Object.entries(object),
    ([key]) => serverKeys.includes(camel(key)) ? "servers" : "rest"
  )
  const withInput = itemKeys.some((key) => Object.hasOwn(object, key)) ? rest : [...rest, ["input", []] as const]
  const own = withServers(request.read(Object.fromEntries(withInput)), servers.filter(([, list]) => list !== null))
  const orphan = orphanIn(own)
  if (orphan !== undefined) throw orphaned(orphan, object)
  return own
}

const withServers = (
  request: Canonical.Request,
  servers: ReadonlyArray<readonly [string, unknown]>
): Canonical.Request => {
  if (servers.length === 0) return request
  const { mcpServers, tools } = McpServers.beside.read(request.tools ?? [], servers)
  return { ...request, mcpServers, ...tools.length > 0 ? { tools } : undefined }
}

/** The id of a result whose call is nowhere; it may lie in an earlier response. */
const orphanIn = ({ conversation, items, previousResponseId }: Canonical.Request): string | undefined => {
  if (previousResponseId !== undefined || conversation !== undefined) return undefined
  const calls = new Set(items.flatMap((item) => item.type === "tool-call" ? [item.id] : []))
  return items.flatMap((item) => item.type === "tool-result" ? [item.id] : []).find((id) => !calls.has(id))
}

const orphaned = (id: string, object: Fields): Refusal => {
  const key = itemKeys.find((key) => Object.hasOwn(object, key)) ?? "input"
  const entries = object[key]
  const index = Array.isArray(entries) ? entries.findIndex((entry) => Items.answers(entry) === id) : -1
  return refuse(
    `Expected a tool call with the id ${
      JSON.stringify(id)
    } for this result, got none (a call of an earlier response needs previousResponseId or conversation)`,
    key,
    ...index < 0 ? [] : [index]
  )
}

const write = (value: Canonical.Request): unknown => {
  const { mcpServers, tools, ...rest } = value
  const split = mcpServers === undefined ? undefined : McpServers.beside.write({ mcpServers, tools: tools ?? [] })
  const kept = split === undefined || split.tools.length > 0 || tools?.length === 0 ? split?.tools ?? tools : undefined
  const { input, ...written } = request.spellings({ ...rest, ...kept === undefined ? undefined : { tools: kept } })[0]!
  return {
    ...written,
    ...rest.items.length > 0 ? { input } : undefined,
    ...split === undefined ? undefined : { mcpServers: split.mcpServers }
  }
}

const Sample = Schema.Struct({
  ...Canonical.Request.fields,
  items: Items.carries,
  tools: Schema.optionalKey(Tools.carries),
  responseFormat: Schema.optionalKey(Format.carries),
  mcpServers: Schema.optionalKey(McpServers.carries)
})

const Whole = Canonical.Request.check(
  Schema.makeFilter((it) => orphanIn(it) === undefined && McpServers.areWhole(it.mcpServers ?? []))
)

/** The requests that come back whole: every result has its call, every server a name of its own and an address. */
const carries: Schema.Codec<Canonical.Request> = sampled(Whole, Sample, ({ mcpServers, tools, ...rest }) => {
  const calls = rest.items.flatMap((item): Item.Items =>
    item.type === "tool-result" ? [Item.toolCall(item.id, "f"), item] : [item]
  )
  const all = [...tools ?? [], ...mcpServers?.tools ?? []]
  return {
    ...rest,
    items: calls,
    ...tools === undefined && all.length === 0 ? undefined : { tools: all },
    ...mcpServers === undefined ? undefined : { mcpServers: mcpServers.mcpServers }
  }
})

/**
 * A request: every canonical field by its name (or in snake case), with `input` (or `messages`), `instructions` (or
 * `system`), `tools`, `toolChoice`, `responseFormat` and `mcpServers` (or `mcps`) in their shorthands, `reasoning: "high"`,
 * `stop: "END"`, `cache: true`. What only one API knows goes into `providerOptions`, by protocol. Fails with a path on
 * what is none of these: an unknown key, a number for text, a tool result without its call.
 *
 * @example `Schema.decodeSync(Request)({ model: "m", input: "hi" })`
 */
export const Request: Schema.Codec<Canonical.Request, Request> = schema<Request>()(
  Canonical.Request,
  { read, write },
  carries
)
