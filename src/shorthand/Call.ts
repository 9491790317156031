/** Reads tool calls, and what came of them. */
import * as Item from "../canonical/Item.ts"
import type * as Part from "../canonical/Part.ts"
import { isRecord, refuse } from "../codec/index.ts"
import * as Content from "./Content.ts"
import { type Fields, type Form, plain, record, shortest, within } from "./Form.ts"
import { gather } from "./Message.ts"
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

const call = struct(Item.ToolCall, "a tool call", { forms: { arguments: Arguments, cache: Content.cacheForm } })

export const readCall = (object: Fields): Item.ToolCall => {
  const { input, ...rest } = object
  if (!isRecord(input) && !Array.isArray(input)) return call.read(object)
  if (Object.hasOwn(object, "arguments")) throw refuse("Expected either input or arguments, got both")
  return call.read({ ...rest, arguments: within("input", () => Arguments.read(input)) })
}

export const callSpellings = (value: Item.ToolCall): ReadonlyArray<Fields> => {
  const input = restorable(value.arguments)
  return call.spellings(value).flatMap((spelling) => {
    const { arguments: _, ...rest } = spelling
    return input === undefined ? [spelling] : [{ ...rest, input }, spelling]
  })
}

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

export const readResult = (object: Fields): Item.ToolResult => {
  const { role, ...rest } = object
  if (!has(object, ...resultIds) && object.type === "tool-result") return canonicalResult.read(object)
  const written = gather(
    role === "tool" ? rest : object,
    ["output", "content"],
    (key, keys) => key !== "cache" && Content.isOfContent(key, keys)
  )
  return result.read(written)
}

export const resultSpellings = result.spellings
