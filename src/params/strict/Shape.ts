/** The forms that a schema and its values take for one API: what is written, and how values go there and back. */
import type { Schema } from "effect"
import type { Limit, Node, Scalar } from "./Node.ts"

type Json = Schema.Json

/** A property as the API is told of it. */
export interface FieldShape {
  readonly shape: Shape
  /** It may be absent in the tool's own arguments. */
  readonly optional: boolean
  /** It is always there in what the model writes, */
  readonly always: boolean
  /** and then `null`, which its own shape does not take, says that it is absent. */
  nulled: boolean
  /** What stands for it where it is absent. */
  readonly fallback?: Json
}

export interface EntryShape {
  readonly names: Shape
  readonly pattern?: string
  readonly shape: Shape
}

/** Keys that are not named: there are none, any, such as are kept as they are, or such as are listed under a key. */
export type OtherKeys =
  | { readonly how: "none" | "open" }
  | { readonly how: "kept"; readonly entries: ReadonlyArray<EntryShape> }
  | { readonly how: "listed"; readonly key: string; readonly list: Shape }

export type Form =
  /** Any value, as it is. */
  | { readonly kind: "any" }
  /** Any object, as it is. */
  | { readonly kind: "free" }
  /** Any value, as its JSON text. */
  | { readonly kind: "text" }
  | { readonly kind: "scalar"; readonly type: Scalar }
  /** One of these: the tool's own value, and what is written for it. */
  | { readonly kind: "literals"; readonly type: Scalar; readonly values: ReadonlyArray<readonly [Json, Json]> }
  | { readonly kind: "list"; readonly prefix: ReadonlyArray<Shape>; readonly rest?: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, FieldShape>; readonly others: OtherKeys }
  /** An object of any keys, as the list of its entries. */
  | { readonly kind: "entries"; readonly entries: ReadonlyArray<EntryShape> }
  | { readonly kind: "union"; readonly members: ReadonlyArray<Shape> }
  /** An object with this one key. */
  | { readonly kind: "wrapped"; readonly key: string; readonly shape: Shape }

export interface Shape {
  readonly node: Node
  form: Form
  /** Bounds that the API takes. */
  limits: ReadonlyArray<Limit>
  /** What it is told in words instead. */
  readonly words: Array<string>
}

/** The keys of an entry. */
export const entryKeys = { name: "key", value: "value" } as const

export const make = (node: Node, form: Form = { kind: "any" }): Shape => ({ node, form, limits: [], words: [] })

/** The shapes that a shape is made of. */
export const childrenOf = ({ form }: Shape): ReadonlyArray<Shape> => {
  switch (form.kind) {
    case "list":
      return form.rest === undefined ? form.prefix : [...form.prefix, form.rest]
    case "object": {
      const fields = [...form.fields.values()].map(({ shape }) => shape)
      if (form.others.how === "kept") return [...fields, ...form.others.entries.flatMap(within)]
      return form.others.how === "listed" ? [...fields, form.others.list] : fields
    }
    case "entries":
      return form.entries.flatMap(within)
    case "union":
      return form.members
    case "wrapped":
      return [form.shape]
    case "any":
    case "free":
    case "text":
    case "scalar":
    case "literals":
      return []
  }
}

const within = ({ names, shape }: EntryShape): ReadonlyArray<Shape> => [names, shape]

/** All shapes that can be reached from one, itself first, and from how many places each is. */
export const reachable = (root: Shape): ReadonlyMap<Shape, number> => {
  const found = new Map<Shape, number>([[root, 1]])
  const todo = [root]
  for (let shape = todo.pop(); shape !== undefined; shape = todo.pop()) {
    for (const child of childrenOf(shape)) {
      const times = found.get(child)
      found.set(child, (times ?? 0) + 1)
      if (times === undefined) todo.push(child)
    }
  }
  return found
}
