/** Reads a conversation: messages, calls, results and the other items, and the bare content between them. */
import { Schema } from "effect"
import * as Item from "../canonical/Item.ts"
import type * as Part from "../canonical/Part.ts"
import { isRecord } from "../codec/index.ts"
import {
  type Call,
  callSpellings,
  isFree,
  readCall,
  readResult,
  type Result,
  resultIds,
  resultSpellings
} from "./Call.ts"
import * as Content from "./Content.ts"
import { expected, near, oneOf } from "./Expected.ts"
import { type Fields, type Form, record, schema, shortest, within } from "./Form.ts"
import { type Calling, type Message, messageSpellings, readCalling } from "./Message.ts"
import { has, struct, tagged, unmodelled } from "./Struct.ts"
import * as Tools from "./Tools.ts"

export type Entry = Content.Piece | Message | Calling | Result | Call | Item.Item
export type Items = Entry | ReadonlyArray<Entry>

const others = tagged<Exclude<Item.Item, Item.Message | Item.ToolCall | Item.ToolResult>>({
  reasoning: struct(Item.Reasoning, "reasoning", {
    forms: { summary: Content.instructionsForm, content: Content.instructionsForm }
  }),
  "tool-approval-request": struct(Item.ToolApprovalRequest, "a tool approval request"),
  "tool-approval-response": struct(Item.ToolApprovalResponse, "a tool approval response"),
  tools: struct(Item.Tools, "a change of tools", { forms: { tools: Tools.form, cache: Content.cacheForm } }),
  compaction: struct(Item.Compaction, "a compaction", { forms: { cache: Content.cacheForm } }),
  unmodelled
})
const types = Object.keys(Item.Item.cases).filter((type) => type !== "unmodelled")

/** The ids of the calls with free text before an entry: what answers one is known to be of its kind. */
type Free = ReadonlySet<string>

const readOf = (type: Item.Item["type"], object: Fields, free: Free): Item.Items => {
  switch (type) {
    case "message":
      return readCalling(object)
    case "tool-call":
      return [readCall(object)]
    case "tool-result":
      return [readResult(object, free)]
    default:
      return [others.read(type, object)]
  }
}

const what = `text, { ${
  Content.contentKeys.join(" | ")
} }, { role, content }, a tool call { id, name, input } or a tool result { toolCallId, output }`

/** An item is known by its `type`, or else its role, the id of a call that it answers, or what a call has. */
const kindOf = (object: Fields): Item.Item["type"] => {
  const { role, type } = object
  if (type === "message" || type === "tool-call" || type === "tool-result" || others.is(type)) return type
  if (type !== undefined) {
    throw within(
      "type",
      () =>
        expected(
          `an item's type (${oneOf(types)})`,
          type,
          "an item of one API's own form goes through that API's codec"
        )
    )
  }
  if (role === "tool") return "tool-result"
  if (role !== undefined) return "message"
  if (has(object, ...resultIds)) return "tool-result"
  if (has(object, "id") && has(object, "name") && has(object, "input", "arguments")) return "tool-call"
  if (has(object, "content", "toolCalls")) return "message"
  const meant = Object.keys(object).flatMap((key) => near(key, ["role", "content", ...Content.contentKeys]))
  throw expected(what, object, meant.length === 0 ? undefined : `did you mean ${oneOf(meant)}?`)
}

const readItems = (value: unknown, free: Free): Item.Items => {
  const object = record(value, what)
  return readOf(kindOf(object), object, free)
}

/** The content of a message that need not say that it is the user's. */
const bare = (item: Item.Item): ReadonlyArray<unknown> | undefined => {
  if (
    item.type !== "message" || item.role !== "user" || item.phase !== undefined || item.providerOptions !== undefined
  ) return undefined
  const pieces = Content.pieces(item.parts)
  return pieces.length > 0 && pieces.every(isPiece) ? pieces : undefined
}

/** Is this content without a role? */
const isPiece = (value: unknown): boolean =>
  typeof value === "string" ||
  isRecord(value) && value.role === undefined && !has(value, ...resultIds) && Content.isPiece(value)

const readEntry = (value: unknown, free: Free): Item.Items =>
  isPiece(value) ? [Item.user(Content.form.read(value))] : readItems(value, free)

/** Neighbouring pieces without a role are one message of the user. */
const read = (value: unknown): Item.Items => {
  if (!Array.isArray(value)) return readEntry(value, new Set())
  const items: Array<Item.Item> = []
  const free = new Set<string>()
  let run: Array<Part.Part> | undefined
  for (const [index, entry] of value.entries()) {
    within(index, () => {
      if (!isPiece(entry)) {
        run = undefined
        for (const item of readItems(entry, free)) {
          items.push(item)
          if (isFree(item)) free.add(item.id)
        }
        return
      }
      if (run === undefined) items.push({ type: "message", role: "user", parts: run = [] })
      run.push(...Content.form.read(entry))
    })
  }
  return items
}

const writeItem = (item: Item.Item, free: Free): unknown =>
  shortest<Item.Items>([item], (value) => readEntry(value, free), spellings(item))

const spellings = (item: Item.Item): ReadonlyArray<Fields> => {
  switch (item.type) {
    case "message":
      return messageSpellings(item)
    case "tool-call":
      return callSpellings(item)
    case "tool-result":
      return resultSpellings(item)
    default:
      return others.spellings(item)
  }
}

const write = (items: Item.Items): unknown => {
  const entries: Array<unknown> = []
  const free = new Set<string>()
  let afterBare = false
  for (const item of items) {
    const pieces: ReadonlyArray<unknown> | undefined = afterBare ? undefined : bare(item)
    afterBare = pieces !== undefined
    entries.push(...pieces ?? [writeItem(item, free)])
    if (isFree(item)) free.add(item.id)
  }
  return entries.length === 1 ? entries[0] : entries
}

export const form: Form<Item.Items> = { read, write }

/** The items that come back whole: all but tools whose parameters are no JSON Schema. */
export const carries = Schema.Array(Schema.Union([
  ...Item.Item.members.filter((member) => member !== Item.Tools),
  Schema.Struct({ ...Item.Tools.fields, tools: Tools.carries })
]))

/** The id of the call that an entry answers, if it is a result. */
export const answers = (entry: unknown): string | undefined => {
  if (!isRecord(entry) || isPiece(entry) || kindOf(entry) !== "tool-result") return undefined
  return readResult(entry).id
}

/**
 * A conversation: text is a message of the user; `{ role, text }` and `{ role, content }` with other keys beside them are
 * messages; `{ id, name, input }` is a tool call, one with free text if its input is a text, `{ toolCallId, output }` (or
 * `{ role: "tool", … }`) a tool result; `tool_calls` in a message of the assistant stand behind it; any canonical item;
 * and lists of all these. In a list, content without a role is the user's, neighbouring pieces of it are one message, and
 * a result is of the kind of the call that it answers. Fails with the path of what is none of these.
 *
 * @example `decode(["look", { image: "https://a.example/b.png" }, { role: "assistant", text: "A cat." }])  // two messages`
 */
export const Items: Schema.Codec<Item.Items, Items> = schema<Items>()(Item.Items, form, carries)
