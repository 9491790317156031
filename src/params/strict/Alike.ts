/** Finds members of a union that may not be known again by their values, and gives them a key of their own. */
import type { Schema } from "effect"
import { kindOf, type Node, type Scalar } from "./Node.ts"
import { isOwn } from "./Own.ts"
import { childrenOf, make, reachable, type Shape } from "./Shape.ts"

type Json = Schema.Json

/** What matters of a node, or of a shape, for telling its values from those of another. */
type View<T> =
  | { readonly kind: "any" }
  | { readonly kind: "scalar"; readonly type: Scalar }
  | { readonly kind: "literals"; readonly values: ReadonlyArray<Json> }
  | { readonly kind: "list" }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Key<T>>; readonly closed: boolean }
  | { readonly kind: "union"; readonly members: ReadonlyArray<T> }

interface Key<T> {
  readonly at: T
  readonly always: boolean
  readonly nullable: boolean
}

/** May a value be one of both? Where it is not certain, yes. */
const overlap = <T>(view: (of: T) => View<T>) =>
  remembering<T>((atA, atB, ask) => {
    const a = view(atA)
    const b = view(atB)
    if (a.kind === "union") return a.members.some((member) => ask(member, atB))
    if (b.kind === "union") return b.members.some((member) => ask(atA, member))
    if (a.kind === "any" || b.kind === "any") return true
    if (a.kind === "literals" && b.kind === "literals") return a.values.some((value) => b.values.includes(value))
    if (a.kind === "object" && b.kind === "object") return !isApart(a, b, ask) && !isApart(b, a, ask)
    if (a.kind === "list" || b.kind === "list" || a.kind === "object" || b.kind === "object") return a.kind === b.kind
    return typesOf(a).some((type) => typesOf(b).includes(type))
  })

const typesOf = (of: View<never> & { readonly kind: "scalar" | "literals" }): ReadonlyArray<string> =>
  of.kind === "scalar" ? [of.type === "integer" ? "number" : of.type] : of.values.map((value) => kindOf(value))

type Keys<T> = View<T> & { readonly kind: "object" }

/** Has every value of the first a key that none of the second has, or has otherwise? */
const isApart = <T>(a: Keys<T>, b: Keys<T>, ask: (a: T, b: T) => boolean): boolean =>
  [...a.fields].some(([name, key]) => {
    if (!key.always) return false
    const other = b.fields.get(name)
    if (other === undefined) return b.closed
    return !(key.nullable && other.nullable) && !ask(key.at, other.at)
  })

const ofNode = ({ body }: Node): View<Node> => {
  switch (body.kind) {
    case "any":
    case "never":
      return { kind: "any" }
    case "list":
      return { kind: "list" }
    case "object": {
      const fields = [...body.fields].map(([name, { node, required }]) =>
        [name, { at: node, always: required, nullable: false }] as const
      )
      return { kind: "object", fields: new Map(fields), closed: body.others === "closed" }
    }
    case "scalar":
    case "literals":
    case "union":
      return body
  }
}

const ofShape = ({ form }: Shape): View<Shape> => {
  switch (form.kind) {
    case "any":
      return form
    case "free":
      return { kind: "object", fields: new Map(), closed: false }
    case "text":
      return { kind: "scalar", type: "string" }
    case "literals":
      return { kind: "literals", values: form.values.map(([, fitted]) => fitted) }
    case "list":
    case "entries":
      return { kind: "list" }
    case "wrapped":
      return {
        kind: "object",
        fields: new Map([[form.key, { at: form.shape, always: true, nullable: false }]]),
        closed: true
      }
    case "object": {
      const fields = new Map<string, Key<Shape>>()
      for (const [name, { always, nulled, shape }] of form.fields) {
        fields.set(name, { at: shape, always, nullable: nulled || isOwn(shape.node, null) })
      }
      if (form.others.how === "listed") {
        fields.set(form.others.key, { at: form.others.list, always: true, nullable: false })
      }
      return { kind: "object", fields, closed: form.others.how === "none" || form.others.how === "listed" }
    }
    case "scalar":
    case "union":
      return form
  }
}

/** How many members are compared, each with each. */
const most = 200

/** Is no value one of two of these? */
export const areApart = (members: ReadonlyArray<Node>): boolean => {
  if (members.length > most) return false
  const overlaps = overlap(ofNode)
  return members.every((member, index) => members.slice(0, index).every((before) => !overlaps(before, member)))
}

/** Gives each member a key of its own that is turned otherwise than one before it, and may be taken for it. */
export const tellApart = (root: Shape, unions: ReadonlyArray<Shape>): void => {
  const turned = turnedIn(root)
  const overlaps = overlap(ofShape)
  const isAlike = alike(turned, overlaps)
  let count = 0
  for (const union of unions) {
    if (union.form.kind !== "union" || !turned.has(union)) continue
    const members: Array<Shape> = []
    for (const member of union.form.members) {
      const taken = members.some((before) => !isAlike(before, member) && overlaps(before, member))
      // No two have the same key, so that what stands in another union is not taken for it.
      members.push(taken ? make(member.node, { kind: "wrapped", key: `option${++count}`, shape: member }) : member)
    }
    union.form = { kind: "union", members }
  }
}

/** Shapes whose values are not what they are in the tool's own arguments, or hold such. */
const turnedIn = (root: Shape): ReadonlySet<Shape> => {
  const parents = new Map<Shape, Array<Shape>>()
  const todo: Array<Shape> = []
  for (const shape of reachable(root).keys()) {
    for (const child of childrenOf(shape)) parents.set(child, [...parents.get(child) ?? [], shape])
    if (turns(shape)) todo.push(shape)
  }
  const turned = new Set(todo)
  for (let shape = todo.pop(); shape !== undefined; shape = todo.pop()) {
    for (const parent of parents.get(shape) ?? []) {
      if (turned.has(parent)) continue
      turned.add(parent)
      todo.push(parent)
    }
  }
  return turned
}

const turns = ({ form }: Shape): boolean =>
  form.kind === "entries" || form.kind === "text" || form.kind === "wrapped" ||
  form.kind === "literals" && form.values.some(([own, fitted]) => own !== fitted) ||
  form.kind === "object" && (form.others.how === "listed" || [...form.fields.values()].some(({ nulled }) => nulled))

/** Is a value that is one of both turned into the same? Where it is not certain, no. */
const alike = (turned: ReadonlySet<Shape>, overlaps: (a: Shape, b: Shape) => boolean) =>
  remembering<Shape>((a, b, ask) => {
    if (!turned.has(a) && !turned.has(b)) return true
    if (a.form.kind === "object" && b.form.kind === "object") {
      const others = b.form.fields
      return a.form.others.how !== "listed" && b.form.others.how !== "listed" && a.form.fields.size === others.size &&
        [...a.form.fields].every(([name, { nulled, shape }]) => {
          const other = others.get(name)
          return other !== undefined && other.nulled === nulled && ask(shape, other.shape)
        })
    }
    if (a.form.kind !== "list" || b.form.kind !== "list") return false
    const [one, two] = [a.form.rest, b.form.rest]
    // Of two lists whose items differ, only the empty one is both.
    return a.form.prefix.length + b.form.prefix.length === 0 && one !== undefined && two !== undefined &&
      (ask(one, two) || !overlaps(one, two))
  })

/** Asks of each pair once. A question inside itself is answered by yes. */
const remembering = <T>(answer: (a: T, b: T, ask: (a: T, b: T) => boolean) => boolean) => {
  const asked = new Map<T, Map<T, boolean>>()
  const ask = (a: T, b: T): boolean => {
    if (a === b) return true
    const of = asked.get(a) ?? new Map<T, boolean>()
    asked.set(a, of)
    const before = of.get(b)
    if (before !== undefined) return before
    of.set(b, true)
    const given = answer(a, b, ask)
    of.set(b, given)
    return given
  }
  return ask
}
