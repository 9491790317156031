/** Reads messages: a role, and content under its own keys or as one. */
import * as Item from "../canonical/Item.ts"
import { refuse } from "../codec/index.ts"
import { type Calls, callsForm } from "./Chat.ts"
import * as Content from "./Content.ts"
import { expected, oneOf } from "./Expected.ts"
import { type Fields, type Form, within } from "./Form.ts"
import { gather } from "./Gather.ts"
import { camel, struct } from "./Struct.ts"

export type Message =
  & { readonly type?: "message"; readonly role?: Item.Role; readonly phase?: string }
  & ({ readonly content: Content.Content } | Content.Keyed & Content.HasContent)
  & Content.Others

/** The assistant's, with calls beside it; a message without content is none. */
export type Calling =
  & { readonly role: "assistant"; readonly content?: Content.Content | null }
  & ({ readonly tool_calls: Calls } | { readonly toolCalls: Calls })
  & Content.Others

const roles = ["system", "developer", "user", "assistant"] as const

const Role: Form<Item.Role> = {
  read: (value) => {
    const role = roles.find((role) => role === value)
    if (role === undefined) throw expected(`a role (${oneOf([...roles, "tool"])})`, value)
    return role
  },
  write: (role) => role
}

const message = struct(Item.Message, "a message", {
  names: { parts: ["content", "parts"] },
  forms: { role: Role, parts: Content.form }
})

export const readMessage = (object: Fields): Item.Message => {
  const gathered = gather({ role: "user", ...object }, ["content", "parts"], Content.isOfContent)
  const { markers = [], others = [] } = Object.groupBy(
    Object.entries(gathered),
    ([key]) => Content.isCache(key) ? "markers" : "others"
  )
  const rest: Fields = Object.fromEntries(others)
  if ((rest.content ?? rest.parts ?? null) === null) {
    within("role", () => Role.read(rest.role))
    throw expected(
      `a message with ${oneOf(["content", ...Content.contentKeys])}`,
      object,
      "an API refuses a message without content"
    )
  }
  const read = message.read(rest)
  const [marker] = markers.filter(([, cache]) => cache !== null && cache !== Content.cacheForm.none)
  if (marker === undefined) return read
  const [key, cache] = marker
  return { ...read, parts: within(key, () => Content.marked(read.parts, cache)) }
}

/** A message of the assistant that may hold calls, which stand behind it: without content there are only these. */
export const readCalling = (object: Fields): ReadonlyArray<Item.Message | Item.ToolCall> => {
  const { held = [], rest = [] } = Object.groupBy(
    Object.entries(object),
    ([key]) => camel(key) === "toolCalls" ? "held" : "rest"
  )
  const calls = held.flatMap(([key, list]) => list === null ? [] : within(key, () => readCalls(list, object.role)))
  const message: Fields = Object.fromEntries(rest)
  return calls.length > 0 && isSilent(message) ? calls : [readMessage(message), ...calls]
}

/** Does the message say nothing? Chat has `null` or an empty text for that. */
const isSilent = (message: Fields): boolean => {
  const content = message.content ?? message.parts ?? ""
  return Content.keysIn(message).length === 0 && (content === "" || Array.isArray(content) && content.length === 0)
}

const readCalls = (list: unknown, role: unknown): ReadonlyArray<Item.ToolCall> => {
  if (role !== "assistant") throw refuse("Expected tool calls in a message of the assistant alone")
  return callsForm.read(list)
}

export const messageSpellings = (value: Item.Message): ReadonlyArray<Fields> =>
  message.spellings(value).flatMap(({ content, ...rest }) => {
    const keyed = Object.assign(
      {},
      ...Content.pieces(value.parts).map((piece) => typeof piece === "string" ? { text: piece } : piece)
    ) as Fields
    return [{ ...rest, ...keyed }, { ...rest, content }]
  })
