/** Tells whether a value is one of the schema itself, before anything was done to it. */
import type { Schema } from "effect"
import { expression } from "../Keywords.ts"
import { Answers, deepest } from "./Answers.ts"
import { within } from "./Bounds.ts"
import { type Entry, isScalar, type Node } from "./Node.ts"
import { isObject, own } from "./Pointer.ts"

type Json = Schema.Json

/** Is the value of this node? What lies too deep, or cannot be checked, counts as right. */
export class Owning {
  readonly #open = new Answers<Node>()
  readonly #closed = new Answers<Node>()

  /** Closely, an object has no key that nothing is said of, and a value may be of several members of a `oneOf`. */
  isOwn(node: Node, value: Json, closely = false, depth = 0): boolean {
    if (depth > deepest) return true
    return (closely ? this.#closed : this.#open).ask(
      node,
      value,
      () => within(node.about.limits, value) && this.#isMadeOf(node, value, closely, depth + 1)
    )
  }

  #isMadeOf({ body }: Node, value: Json, closely: boolean, depth: number): boolean {
    const fits = (node: Node, value: Json) => this.isOwn(node, value, closely, depth)
    switch (body.kind) {
      case "any":
        return true
      case "never":
        return false
      case "scalar":
        return isScalar(body.type, value)
      case "literals":
        return body.values.includes(value)
      case "list":
        return Array.isArray(value) && value.every((item: Json, index) => {
          const at = body.prefix[index] ?? body.rest
          return at !== undefined && fits(at, item)
        })
      case "union":
        return body.exclusive === undefined || closely
          ? body.members.some((member) => fits(member, value))
          : body.members.filter((member) => fits(member, value)).length === 1
      case "object": {
        if (!isObject(value)) return false
        for (const [name, field] of body.fields) {
          const there = own(value, name)
          if (there === undefined ? field.required : !fits(field.node, there)) return false
        }
        return Object.entries(value).every(([key, child]) => {
          if (body.fields.has(key) || body.others === "any") return true
          if (body.others === "unsaid") return !closely || body.fields.size === 0
          const entry = body.others === "closed" ? undefined : entryFor(body.others, key)
          return entry !== undefined && fits(entry.names, key) && fits(entry.node, child as Json)
        })
      }
    }
  }
}

/** The entry that speaks of a key. */
export const entryFor = <E extends Pick<Entry, "pattern">>(entries: ReadonlyArray<E>, key: string): E | undefined =>
  entries.find(({ pattern }) => pattern === undefined || expression(pattern)?.test(key) === true)

/** Is the value of this node, asked once? */
export const isOwn = (node: Node, value: Json): boolean => new Owning().isOwn(node, value)
