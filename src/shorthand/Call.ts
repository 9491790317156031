/** Reads tool calls, and what came of them. */
import * as Item from "../canonical/Item.ts"
import type * as Part from "../canonical/Part.ts"
import { isRecord, refuse } from "../codec/index.ts"
import * as Content from "./Content.ts"
import { type Fields, type Form, plain, record, shortest, within } from "./Form.ts"
import { gather } from "./Gather.ts"
import { has, struct } from "./Struct.ts"

type Output = Content.Content | Item.JsonOutput
type ResultId =
  | { readonly toolCallId: string }
  | { readonly tool_call_id: string }
  | { readonly tool_use_id: string }
  | { readonly call_id: string }
export type Result =
  & ResultId
  & {
    readonly role?: "tool"
    readonly content?: Output
    readonly output?: Output
    readonly isError?: boolean
    readonly is_error?: boolean
  }
  & Content.Others

/** `input` is an object of arguments, or the free text of a custom tool; `arguments` an object, or JSON text as it was sent. */
export type Call =
  & { readonly id: string; readonly name: string }
  & ({ readonly input: Fields | string } | { readonly arguments: Fields | string })
  & Content.Others

/** Arguments keep their text: an object is written as JSON, a text stays as it is. */
const Arguments: Form<string> = {
  read: (value) => {
    if (typeof value === "string") return value
    return JSON.stringify(
      isRecord(value) || Array.isArray(value)
        ? json.read(value)
        : record(value, "an object of arguments or their JSON text")
    )
  },
  write: (text) => text
}
const json = plain(Item.JsonOutput.fields.value)

/** The wire's words for a call with free text, and for what came of it: they go without saying. */
const freeCall = "custom_tool_call"
const freeResult = "custom_tool_call_output"

/** Is it a call with free text? What answers it is then of that kind too. */
export const isFree = (item: Item.Item): item is Item.ToolCall => item.type === "tool-call" && item.kind === freeCall

const call = struct(Item.ToolCall, "a tool call", { forms: { arguments: Arguments, cache: Content.cacheForm } })

export const readCall = (object: Fields): Item.ToolCall => {
  const { input, ...rest } = object
  if (typeof input === "string" && object.type === undefined) return call.read({ kind: freeCall, ...object })
  if (!isRecord(input) && !Array.isArray(input)) return call.read(object)
  if (Object.hasOwn(object, "arguments")) throw refuse("Expected either input or arguments, got both")
  return call.read({ ...rest, arguments: within("input", () => Arguments.read(input)) })
}

export const callSpellings = (value: Item.ToolCall): ReadonlyArray<Fields> => {
  const input = restorable(value.arguments)
  return call.spellings(value).flatMap((spelling) => {
    const { arguments: _, ...rest } = spelling
    const asInput = input === undefined ? [] : [{ ...rest, input }]
    return [...asInput, ...withoutKind(spelling, freeCall), spelling]
  })
}

const withoutKind = ({ kind, ...rest }: Fields, implied: string): ReadonlyArray<Fields> =>
  kind === implied ? [rest] : []

/** The arguments as an object, where that has just this JSON text. */
const restorable = (text: string | undefined): Fields | undefined => {
  if (text === undefined || !text.startsWith("{")) return undefined
  try {
    const input: unknown = JSON.parse(text)
    return isRecord(input) && JSON.stringify(input) === text ? input : undefined
  } catch {
    // A text that is no JSON stays a text.
    return undefined
  }
}

// results ---------------------------------------------------------------------------------------------------------

const jsonOutput = struct(Item.JsonOutput, "a JSON output")
const readOutput = (value: unknown): Part.Parts | Item.JsonOutput =>
  isRecord(value) && value.type === "json" ? jsonOutput.read(value) : Content.form.read(value)
const Output: Form<Part.Parts | Item.JsonOutput> = {
  read: readOutput,
  write: (output) =>
    shortest(output, readOutput, "length" in output ? [Content.form.write(output)] : jsonOutput.spellings(output))
}

/** What an object is known by as a result: the id of the call. */
export const resultIds = ["toolCallId", "toolUseId", "callId"]
const resultForms = { output: Output, cache: Content.cacheForm }
/** A result that a person writes, and the canonical one, where `id` is the call's. */
const result = struct(Item.ToolResult, "a tool result", {
  names: { id: resultIds, output: ["output", "content"] },
  forms: resultForms
})
const canonicalResult = struct(Item.ToolResult, "a tool result", { forms: resultForms })

/** Reads a result that may answer one of the calls with free text, by their ids. */
export const readResult = (object: Fields, free: ReadonlySet<string> = new Set()): Item.ToolResult => {
  if (!has(object, ...resultIds) && object.type === "tool-result") return canonicalResult.read(object)
  // The call has said the tool's name.
  const { name: _, ...rest } = object
  const { role, ...unvoiced } = rest
  const read = result.read(gather(
    role === "tool" ? unvoiced : rest,
    ["output", "content"],
    (key, keys) => !Content.isCache(key) && Content.isOfContent(key, keys)
  ))
  return free.has(read.id) && read.kind === undefined ? { ...read, kind: freeResult } : read
}

export const resultSpellings = (value: Item.ToolResult): ReadonlyArray<Fields> => [
  ...result.spellings(value).flatMap((spelling) => [...withoutKind(spelling, freeResult), spelling]),
  ...canonicalResult.spellings(value)
]
