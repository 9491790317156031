/** Reads listed values (`enum`, `const`): those of one kind together, objects and lists as what they are made of. */
import type { Schema } from "effect"
import { within } from "./Bounds.ts"
import { limitsOf } from "./Fold.ts"
import { isScalar, kindOf, make, type Node, type Scalar } from "./Node.ts"
import type { Piece } from "./Pieces.ts"
import { isObject } from "./Pointer.ts"
import { bounds, type Kind } from "./Words.ts"

type Json = Schema.Json

/** A node for each kind of the values that the pieces allow; `null` comes last. */
export const literalNodes = (
  pointer: string,
  values: ReadonlyArray<Json>,
  kinds: ReadonlyArray<Kind> | undefined,
  pieces: ReadonlyArray<Piece>
): ReadonlyArray<Node> => {
  const groups = new Map<Scalar, Array<Json>>()
  const composed: Array<Node> = []
  const numbers = limitsOf(pieces, bounds.number)
  const limits = { string: limitsOf(pieces, bounds.string), number: numbers, integer: numbers, boolean: [], null: [] }
  for (const value of values) {
    const kind = kindIn(kinds, value)
    if (kind === undefined) continue
    if (kind === "array" || kind === "object") composed.push(literal(pointer, value))
    else if (within(limits[kind], value)) {
      const group = groups.get(kind)
      if (group === undefined) groups.set(kind, [value])
      else group.push(value)
    }
  }
  const listed = [...groups].map(([type, values]) =>
    type === "null" ? make(pointer, { kind: "scalar", type }) : make(pointer, { kind: "literals", type, values })
  )
  const isNull = ({ body }: Node) => body.kind === "scalar"
  return [...listed.filter((node) => !isNull(node)), ...composed, ...listed.filter(isNull)]
}

const kindIn = (kinds: ReadonlyArray<Kind> | undefined, value: Json): Kind | undefined => {
  const kind = kindOf(value)
  if (kind === "list" || kind === "object") {
    const name = kind === "list" ? "array" : kind
    return kinds === undefined || kinds.includes(name) ? name : undefined
  }
  if (kind !== "number") return kinds === undefined || kinds.includes(kind) ? kind : undefined
  if (kinds === undefined) return "number"
  return kinds.includes("number")
    ? "number"
    : kinds.includes("integer") && isScalar("integer", value)
    ? "integer"
    : undefined
}

/** The one value that it is, said as a schema. */
const literal = (pointer: string, value: Json): Node => {
  if (Array.isArray(value)) {
    const prefix = value.map((item: Json) => literal(pointer, item))
    const limits = ["minItems", "maxItems"].map((keyword) => ({ keyword, value: value.length, pointer }))
    return make(pointer, { kind: "list", prefix }, { notes: [], limits })
  }
  if (isObject(value)) {
    const fields = Object.entries(value).map(([key, child]) =>
      [key, { node: literal(pointer, child as Json), required: true }] as const
    )
    return make(pointer, { kind: "object", fields: new Map(fields), others: "closed" })
  }
  const type = kindOf(value) as Scalar
  return make(pointer, type === "null" ? { kind: "scalar", type } : { kind: "literals", type, values: [value] })
}
