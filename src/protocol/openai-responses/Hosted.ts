/**
 * Folds the calls that the provider answers itself: one wire item holds the call and, once it has one, its result.
 *
 * https://platform.openai.com/docs/api-reference/responses/object#responses/object-output
 */
import { Schema } from "effect"
import { type Item, Items, type ToolCall, type ToolResult } from "../../canonical/Item.ts"
import { textOf } from "../../canonical/Part.ts"
import { as, bag } from "../../codec/index.ts"
import { variant } from "./Extras.ts"
import { ArgumentsFromJson, argumentsUnder, SomeJson } from "./Json.ts"

const optional = Schema.optionalKey

/** A call and its result in one. */
export const Hosted = Schema.Struct({
  type: Schema.Literal("hosted"),
  id: Schema.String,
  name: Schema.String,
  kind: Schema.String,
  arguments: optional(Schema.String),
  server: optional(Schema.String),
  result: optional(Schema.Json),
  isError: optional(Schema.Literal(true)),
  ...bag
})
export type Hosted = typeof Hosted.Type

export const HostedFromWebSearch = variant(Hosted, { type: "web_search_call" }, {
  id: "id",
  arguments: as("action", ArgumentsFromJson),
  result: as("results", SomeJson)
}, { kind: "web_search_call", name: "web_search" })

export const HostedFromFileSearch = variant(Hosted, { type: "file_search_call" }, {
  id: "id",
  arguments: as("queries", argumentsUnder("queries")),
  result: as("results", SomeJson)
}, { kind: "file_search_call", name: "file_search" })

export const HostedFromCodeInterpreter = variant(Hosted, { type: "code_interpreter_call" }, {
  id: "id",
  arguments: as("code", argumentsUnder("code")),
  result: as("outputs", SomeJson)
}, { kind: "code_interpreter_call", name: "code_interpreter" })

/** A call that failed has an `error` in place of its result. */
export const HostedFromImageGenerationError = variant(Hosted, { type: "image_generation_call" }, {
  id: "id",
  result: as("error", SomeJson, { needed: true })
}, { kind: "image_generation_call", name: "image_generation", isError: true })

export const HostedFromImageGeneration = variant(Hosted, { type: "image_generation_call" }, {
  id: "id",
  result: SomeJson
}, { kind: "image_generation_call", name: "image_generation", isError: undefined })

export const HostedFromMcpError = variant(Hosted, { type: "mcp_call" }, {
  id: "id",
  name: "name",
  server: "server_label",
  arguments: "arguments",
  result: as("error", SomeJson, { needed: true })
}, { kind: "mcp_call", isError: true })

export const HostedFromMcp = variant(Hosted, { type: "mcp_call" }, {
  id: "id",
  name: "name",
  server: "server_label",
  arguments: "arguments",
  result: as("output", SomeJson)
}, { kind: "mcp_call", isError: undefined })

const kinds: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call"
])

// call and result apart -------------------------------------------------------------------------------------------

/** A call, and directly after it its result where there is one. */
export const unfold = (entries: ReadonlyArray<Item | Hosted>): Items =>
  entries.some(({ type }) => type === "hosted")
    ? entries.flatMap((entry) => entry.type === "hosted" ? apart(entry) : [entry])
    : entries as Items

const apart = ({ isError, result, ...call }: Hosted): Items => {
  const { id, kind } = call
  const made: ToolCall = { ...call, type: "tool-call", providerExecuted: true }
  return result === undefined || result === null ? [made] : [made, {
    type: "tool-result",
    id,
    output: { type: "json", value: result },
    ...(isError === undefined ? {} : { isError }),
    kind,
    providerExecuted: true
  }]
}

// and together ----------------------------------------------------------------------------------------------------

/** A call may be followed by its result. */
export const isSeam = (items: Items, index: number): boolean => index > 0 && !isCall(items[index - 1]!)

/** Is there a result that does not stand right behind its call? */
export const hasStray = (items: Items): boolean =>
  items.some((item, index) => isResult(item) && (index === 0 || !isPair(items[index - 1]!, item)))

/** Each call with its result, wherever among the items that stands. A result without its call has no place. */
export const fold = (items: Items): ReadonlyArray<Item | Hosted> => {
  if (!items.some(isHosted)) return items
  const adjacent = (index: number): ToolResult | undefined => {
    const [item, next] = [items[index], items[index + 1]]
    return item !== undefined && next !== undefined && isResult(next) && isPair(item, next) ? next : undefined
  }
  // Ids may repeat: a result belongs to the call right before it, and only else to the first that has none.
  const taken = new Set(items.map((_, index) => adjacent(index)))
  const others = Map.groupBy(items.filter(isResult).filter((result) => !taken.has(result)), key)
  return places(items).map((index) => {
    const item = items[index]!
    return isCall(item) ? together(item, adjacent(index) ?? others.get(key(item))?.shift()) : item
  })
}

/** Where among the items each wire item stands. */
export const places = (items: Items): ReadonlyArray<number> =>
  items.flatMap((item, index) => isResult(item) ? [] : [index])

const together = (
  { arguments: text, id, kind, name, providerOptions, server }: ToolCall,
  result?: ToolResult
): Hosted => ({
  type: "hosted",
  id,
  name,
  kind: kind!,
  ...(text === undefined ? {} : { arguments: text }),
  ...(server === undefined ? {} : { server }),
  ...(result?.output === undefined ? {} : { result: dataIn(result.output) }),
  ...(result?.isError === true ? { isError: true } : {}),
  ...(providerOptions === undefined ? {} : { providerOptions })
})

/** An edited result may be content: its text is what the provider can be told. */
const dataIn = (output: ToolResult["output"] & {}): Schema.Json => "value" in output ? output.value : textOf(output)

const key = ({ id, kind }: ToolCall | ToolResult): string => `${kind} ${id}`
const isPair = (item: Item, result: ToolResult): boolean => isCall(item) && key(item) === key(result)
const isHosted = (item: Item): item is ToolCall | ToolResult =>
  (item.type === "tool-call" || item.type === "tool-result") && item.kind !== undefined && kinds.has(item.kind)
const isCall = (item: Item): item is ToolCall => item.type === "tool-call" && isHosted(item)
const isResult = (item: Item): item is ToolResult => item.type === "tool-result" && isHosted(item)
