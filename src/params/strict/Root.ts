/** Makes an object of what a tool's schema is, as every API wants one: an object it is, or stands in. */
import { make, type Node } from "./Node.ts"

/** The key of the argument that stands for arguments that are no plain object. */
export const wrapper = "value"

export interface Root {
  readonly node: Node
  /** The arguments stand under a key of an object. */
  readonly wrapped: boolean
}

/**
 * The object that the arguments are. A schema that says nothing means a tool without arguments; `null` is no argument;
 * a union, a list or a scalar is put under a key.
 */
export const rootOf = (node: Node): Root => {
  const { body } = node
  switch (body.kind) {
    case "object":
      return body.fields.size === 0 && body.others === "unsaid"
        ? { node: closed(node), wrapped: false }
        : { node, wrapped: false }
    case "any":
      return { node: body.why === undefined ? closed(node) : node, wrapped: body.why !== undefined }
    case "union": {
      const members = body.members.filter(({ body }) => body.kind !== "scalar" || body.type !== "null")
      const [first] = members
      if (members.length === 1 && first !== undefined && first !== node) return rootOf(first)
      return { node, wrapped: true }
    }
    case "never":
    case "scalar":
    case "literals":
    case "list":
      return { node, wrapped: true }
  }
}

const closed = ({ about, pointer }: Node): Node =>
  make(pointer, { kind: "object", fields: new Map(), others: "closed" }, about)
