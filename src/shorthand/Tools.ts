/** Reads tools, in the forms of the APIs and in a common one, and how the model is to choose among them. */
import { Schema } from "effect"
import * as Tool from "../canonical/Tool.ts"
import { anyProtocol, isRecord, type Unmodelled } from "../codec/index.ts"
import type { Cache, Others } from "./Content.ts"
import { cacheForm as cache } from "./Content.ts"
import { expected, oneOf } from "./Expected.ts"
import { type Fields, type Form, list, record, schema, shortest, within } from "./Form.ts"
import * as JsonSchema from "./JsonSchema.ts"
import { has, struct, tagged, unmodelled } from "./Struct.ts"

/** A function by name, with its parameters as JSON Schema or Effect Schema. */
interface Function {
  readonly name: string
  readonly description?: string | null
  readonly parameters?: JsonSchema.JsonSchema | null
  readonly inputSchema?: JsonSchema.JsonSchema | null
  readonly input_schema?: JsonSchema.JsonSchema | null
  readonly strict?: boolean | null
  readonly cache?: Cache
}
export type OneTool =
  | Tool.Tool
  | { readonly type?: "function" | "custom" } & Function & Others
  | { readonly type: "function"; readonly function: Partial<Function>; readonly name?: string } & Others
  | { readonly type: "custom"; readonly name: string; readonly format?: Schema.Json } & Others
  | { readonly type: string } & Others
export type Tools = ReadonlyArray<OneTool>

const functionTool = struct(Tool.FunctionTool, "a tool", {
  names: { parameters: ["parameters", "inputSchema"] },
  forms: { cache, parameters: JsonSchema.form }
})
const typed = tagged<Tool.Tool>({
  function: functionTool,
  custom: struct(Tool.CustomTool, "a custom tool", { forms: { cache } }),
  mcp: struct(Tool.McpTool, "the tools of an MCP server", { forms: { cache } }),
  provider: struct(Tool.ProviderTool, "a tool of the provider", { forms: { cache } }),
  reference: struct(Tool.ToolReference, "a reference to a tool", { forms: { cache } }),
  unmodelled
})

const read = (value: unknown): Tool.Tool => {
  const object = record(value, "a tool { name, description, parameters }")
  const { type = "function" } = object
  if (typeof type !== "string") {
    throw within("type", () => expected("a tool's type", type))
  }
  if (!typed.is(type)) return readHosted(object)
  if (type === "custom" && has(object, "parameters", "inputSchema")) return functionTool.read(object)
  if (type === "mcp" && has(object, "serverLabel", "serverUrl")) {
    throw expected(
      "{ type: \"mcp\", server }",
      object,
      "a connection to a server is written in mcpServers, which adds its tools"
    )
  }
  return typed.read(type, type === "function" ? flat(object) : object)
}

/** The nested form, `{ type, function: { … } }`, flattened; beside a name the key means nothing, and is kept as any other. */
const flat = (object: Fields): Fields => {
  const { function: nested, ...rest } = object
  return isRecord(nested) && !Object.hasOwn(object, "name") ? { ...nested, ...rest } : object
}

/** A tool of some provider: nobody says whose, so it goes as it stands to whichever protocol the request is encoded to. */
const readHosted = (object: Fields): Unmodelled =>
  unmodelled.read({ type: "unmodelled", protocol: anyProtocol, raw: object })

const write = (tool: Tool.Tool): unknown => {
  const own = typed.spellings(tool)
  return shortest(tool, read, tool.type === "unmodelled" ? [tool.raw, ...own] : own)
}

export const form: Form<ReadonlyArray<Tool.Tool>> = list({ read, write }, "a list of tools")

/** The tools that come back whole: those whose parameters are a JSON Schema. */
export const carries = Schema.Array(Schema.Union([
  Schema.Struct({ ...Tool.FunctionTool.fields, parameters: Schema.optionalKey(JsonSchema.carries) }),
  ...Tool.Tool.members.slice(1)
]))

/**
 * Tools: `{ name, description, parameters }` with a JSON Schema or an Effect Schema (also as `inputSchema` or
 * `input_schema`), OpenAI's flat and nested forms, Anthropic's form, hosted tools by their `type`, and canonical tools.
 * Other keys go along to whichever API the tool is sent to. Fails with the path of a tool without a name.
 *
 * @example `Schema.decodeSync(Tools)([{ name: "weather", parameters: Schema.Struct({ city: Schema.String }) }, { type: "web_search" }])`
 */
export const Tools: Schema.Codec<ReadonlyArray<Tool.Tool>, Tools> = schema<Tools>()(Tool.Tools, form, carries)

// choice ----------------------------------------------------------------------------------------------------------

export type ToolChoice =
  | "auto"
  | "required"
  | "any"
  | "none"
  | Tool.ToolChoice
  | { readonly type?: "function" | "tool" | "custom"; readonly name: string } & Others
  | { readonly type: "function"; readonly function: { readonly name: string } } & Others
  | { readonly type: "auto" | "required" | "any" | "none" } & Others
  | { readonly type: "allowed_tools"; readonly mode: "auto" | "required"; readonly tools: ReadonlyArray<Schema.Json> }
    & Others

const words: { readonly [word: string]: "auto" | "required" | "none" } = {
  auto: "auto",
  required: "required",
  any: "required",
  none: "none"
}
const choices = tagged<Tool.ToolChoice>({
  auto: struct(Tool.Auto, "a tool choice"),
  required: struct(Tool.Required, "a tool choice"),
  none: struct(Tool.None, "a tool choice"),
  tool: struct(Tool.OneTool, "the choice of one tool"),
  allowed: struct(Tool.AllowedTools, "a choice of allowed tools"),
  unmodelled
})

const types: { readonly [type: string]: Tool.ToolChoice["type"] } = {
  ...words,
  tool: "tool",
  function: "tool",
  custom: "tool",
  allowed: "allowed",
  allowed_tools: "allowed",
  unmodelled: "unmodelled"
}
const what = `${oneOf(Object.keys(words).map((word) => JSON.stringify(word)))}, or { name }`

const readChoice = (value: unknown): Tool.ToolChoice => {
  if (typeof value === "string") {
    const word = Object.hasOwn(words, value) ? words[value] : undefined
    if (word === undefined) throw expected(what, value, "one tool is chosen by { name }")
    return { type: word }
  }
  const object = record(value, what)
  const { type = Object.hasOwn(object, "name") ? "tool" : undefined } = object
  if (type === undefined) throw expected(what, object)
  if (typeof type !== "string" || !Object.hasOwn(types, type)) {
    throw within("type", () => expected(oneOf(Object.keys(types)), type))
  }
  if (type === "custom") return choices.read("tool", { ...object, kind: "custom" })
  return choices.read(types[type]!, type === "function" ? flat(object) : object)
}

const writeChoice = (choice: Tool.ToolChoice): unknown => {
  const own = choices.spellings(choice)
  return shortest(choice, readChoice, Object.hasOwn(words, choice.type) ? [choice.type, ...own] : own)
}

export const choiceForm: Form<Tool.ToolChoice> = { read: readChoice, write: writeChoice }

/**
 * How the model chooses: `"auto"`, `"required"` (or `"any"`), `"none"`, `{ name }`, or either API's object. Other keys go
 * along to whichever API the choice is sent to.
 *
 * @example `Schema.decodeSync(ToolChoice)({ name: "weather" })  // => { type: "tool", name: "weather" }`
 */
export const ToolChoice: Schema.Codec<Tool.ToolChoice, ToolChoice> = schema<ToolChoice>()(Tool.ToolChoice, choiceForm)
