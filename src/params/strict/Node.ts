/** What a foreign schema says, told in one vocabulary whatever its draft: the form that everything else works on. */
import type { Schema } from "effect"

type Json = Schema.Json

export type Scalar = "string" | "number" | "integer" | "boolean" | "null"

/** A keyword that bounds values beyond their kind, with its place in the schema. */
export interface Limit {
  readonly keyword: string
  readonly value: Json
  readonly pointer: string
}

/** What a schema says of every value alike. */
export interface About {
  readonly title?: string
  readonly description?: string
  /** What a model may like to know, and nobody checks. */
  readonly notes: ReadonlyArray<string>
  readonly limits: ReadonlyArray<Limit>
}

/** A property that an object names. */
export interface Field {
  readonly node: Node
  readonly required: boolean
  /** What stands for it where it is absent. */
  readonly fallback?: Json
}

/** Properties that an object does not name, by what is known of their names. */
export interface Entry {
  readonly names: Node
  /** The keys it speaks of; all others where it is absent. */
  readonly pattern?: string
  readonly node: Node
}

/** Other keys: nothing is said of them, none may be, all may be, or such as these. */
export type Others = "unsaid" | "closed" | "any" | ReadonlyArray<Entry>

export type Body =
  /** Any value; `why` where nobody meant that. */
  | { readonly kind: "any"; readonly why?: string }
  | { readonly kind: "never" }
  | { readonly kind: "scalar"; readonly type: Scalar }
  | { readonly kind: "literals"; readonly type: Scalar; readonly values: ReadonlyArray<Json> }
  /** The first items each by its own schema, then `rest`; no more where that is absent. */
  | { readonly kind: "list"; readonly prefix: ReadonlyArray<Node>; readonly rest?: Node }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field>; readonly others: Others }
  /** `exclusive` is the place of a `oneOf`. */
  | { readonly kind: "union"; readonly members: ReadonlyArray<Node>; readonly exclusive?: string }

/** A place in the schema and what it says. Nodes form a graph: a recursive schema is a cycle. */
export interface Node {
  readonly pointer: string
  /** The name it has, or needs, as a definition. */
  name?: string
  about: About
  body: Body
  /** Nodes of one cycle have the same number; those of none have none. */
  cycle?: number
}

export const plain: About = { notes: [], limits: [] }

export const make = (pointer: string, body: Body = { kind: "any" }, about: About = plain): Node => ({
  pointer,
  about,
  body
})

/** The nodes that a node is made of. */
export const childrenOf = ({ body }: Node): ReadonlyArray<Node> => {
  switch (body.kind) {
    case "any":
    case "never":
    case "scalar":
    case "literals":
      return []
    case "list":
      return body.rest === undefined ? body.prefix : [...body.prefix, body.rest]
    case "union":
      return body.members
    case "object": {
      const fields = [...body.fields.values()].map(({ node }) => node)
      return typeof body.others === "string"
        ? fields
        : [...fields, ...body.others.flatMap(({ names, node }) => [names, node])]
    }
  }
}

/** What kind of JSON value it is. */
export const kindOf = (value: Json): "null" | "boolean" | "number" | "string" | "list" | "object" =>
  value === null
    ? "null"
    : Array.isArray(value)
    ? "list"
    : typeof value === "object"
    ? "object"
    : typeof value as "boolean" | "number" | "string"

/** Is the value of that type? */
export const isScalar = (type: Scalar, value: Json): boolean =>
  type === "integer" ? Number.isInteger(value) : kindOf(value) === type

/** Marks the nodes that stand in a cycle, each cycle with a number of its own. (Tarjan's algorithm, without recursion.) */
export const markCycles = (root: Node): void => {
  interface Visit {
    readonly node: Node
    readonly children: ReadonlyArray<Node>
    next: number
    readonly index: number
    low: number
    open: boolean
  }
  const visits = new Map<Node, Visit>()
  const open: Array<Visit> = []
  const enter = (node: Node): Visit => {
    const visit = { node, children: childrenOf(node), next: 0, index: visits.size, low: visits.size, open: true }
    visits.set(node, visit)
    open.push(visit)
    return visit
  }
  const path = [enter(root)]
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const child = visit.children[visit.next++]
    if (child !== undefined) {
      const known = visits.get(child)
      if (known === undefined) path.push(enter(child))
      else if (known.open) visit.low = Math.min(visit.low, known.index)
      continue
    }
    path.pop()
    const parent = path.at(-1)
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low)
    if (visit.low !== visit.index) continue
    const members = open.splice(open.lastIndexOf(visit))
    for (const member of members) member.open = false
    if (members.length === 1 && !visit.children.includes(visit.node)) continue
    for (const member of members) member.node.cycle = visit.index
  }
}
