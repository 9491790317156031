/** Reads messages: a role, and content under its own keys or as one. */
import * as Item from "../canonical/Item.ts"
import { refuse } from "../codec/index.ts"
import * as Content from "./Content.ts"
import { expected, oneOf } from "./Expected.ts"
import { type Fields, type Form, within } from "./Form.ts"
import { struct } from "./Struct.ts"

export type Message =
  & { readonly type?: "message"; readonly role?: Item.Role; readonly phase?: string }
  & ({ readonly content: Content.Content } | Content.Keyed & Content.HasContent)
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
  const { cache, ...rest } = gather({ role: "user", ...object }, ["content", "parts"], Content.isOfContent)
  if ((rest.content ?? rest.parts ?? null) === null) {
    within("role", () => Role.read(rest.role))
    throw expected(
      `a message with ${oneOf(["content", ...Content.contentKeys])}`,
      object,
      "an API refuses a message without content"
    )
  }
  const read = message.read(rest)
  return cache === undefined || cache === Content.cacheForm.none
    ? read
    : { ...read, parts: within("cache", () => Content.marked(read.parts, cache)) }
}

/** The object with what stands under content keys, and what belongs to it, as its `content`. */
export const gather = (
  object: Fields,
  explicit: ReadonlyArray<string>,
  isInner: typeof Content.isOfContent
): Fields => {
  const keys = Content.keysIn(object)
  const names = [...explicit.filter((name) => Object.hasOwn(object, name)), ...keys]
  const [first, second] = names
  if (second !== undefined && names.length > keys.length) {
    throw refuse(`Expected either ${first} or ${second}, got both`)
  }
  if (keys.length === 0) return object
  const { inner = [], outer = [] } = Object.groupBy(
    Object.entries(object),
    ([key]) => isInner(key, keys) ? "inner" : "outer"
  )
  return { ...Object.fromEntries(outer), content: Content.form.read(Object.fromEntries(inner)) }
}

export const messageSpellings = (value: Item.Message): ReadonlyArray<Fields> =>
  message.spellings(value).flatMap(({ content, ...rest }) => {
    const keyed = Object.assign(
      {},
      ...Content.pieces(value.parts).map((piece) => typeof piece === "string" ? { text: piece } : piece)
    ) as Fields
    return [{ ...rest, ...keyed }, { ...rest, content }]
  })
