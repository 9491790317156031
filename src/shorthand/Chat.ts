/** Reads tool calls as OpenAI's Chat API has them: in a list within the assistant's message. */
import type * as Item from "../canonical/Item.ts"
import { isRecord } from "../codec/index.ts"
import { type Call, readCall } from "./Call.ts"
import type * as Content from "./Content.ts"
import { type Fields, list, record } from "./Form.ts"

interface Called {
  readonly name: string
  readonly arguments: Fields | string
}
type NestedCall =
  & { readonly id: string }
  & (
    | { readonly type?: "function"; readonly function: Called }
    | { readonly type: "custom"; readonly custom: { readonly name: string; readonly input: string } }
  )
  & Content.Others
/** The calls that a message of the assistant holds, as in OpenAI's Chat API. */
export type Calls = ReadonlyArray<NestedCall | Call>

const readNested = (value: unknown): Item.ToolCall => {
  const object = record(value, "a tool call { id, function: { name, arguments } }")
  const { custom, function: called, type, ...rest } = object
  const nested = type === "custom" ? custom : type === undefined || type === "function" ? called : undefined
  return readCall(isRecord(nested) ? { ...rest, ...nested } : object)
}
export const callsForm = list({ read: readNested, write: (value: Item.ToolCall) => value }, "a list of tool calls")
