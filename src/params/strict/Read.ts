/** Reads a foreign schema, of any draft from 4 to 2020-12, of OpenAPI or in Gemini's words, into nodes. */
import type { Schema } from "effect"
import { clipped } from "./Clip.ts"
import { aboutOf, impliedKinds, kindsOf, limitsOf, literalsOf } from "./Fold.ts"
import { type Body, type Limit, make, markCycles, type Node } from "./Node.ts"
import { type Piece, type Pieces, piecesOf, type Place, referred } from "./Pieces.ts"
import { isObject, keysOf } from "./Pointer.ts"
import { listBody } from "./ReadList.ts"
import { literalNodes } from "./ReadLiterals.ts"
import { objectBody } from "./ReadObject.ts"
import { chosenUnion, membersOf } from "./ReadUnion.ts"
import { type Follow, refsOf } from "./Refs.ts"
import { anyBounds, bounds, type Kind } from "./Words.ts"

type Json = Schema.Json

/** Makes the node of what all of these schemas say together. */
export type Build = (places: ReadonlyArray<Place>) => Node

/** How deep nodes are nested before they become definitions of their own. */
const deepest = 100

/** What a schema says. A recursive schema becomes a cycle of nodes. */
export const read = (schema: Json): Node => {
  const document = clipped(schema)
  const reader = new Reader(isObject(document) ? refsOf(document) : () => undefined)
  const root = reader.build([{ schema: document, pointer: "" }], 0)
  reader.finish()
  markCycles(root)
  return root
}

class Reader {
  readonly #follow: Follow
  readonly #known = new Map<string, Node>()
  readonly #numbers = new Map<Schema.JsonObject, number>()
  readonly #reading = new Set<Node>()
  readonly #todo: Array<() => void> = []

  constructor(follow: Follow) {
    this.#follow = follow
  }

  build(places: ReadonlyArray<Place>, depth: number): Node {
    const found = places.length === 1 ? referred(places[0]!, this.#follow) : undefined
    const pointer = (found ?? places[0])?.pointer ?? ""
    const parts = piecesOf(found === undefined ? places : [found], this.#follow)
    if (parts.never) return make(pointer, { kind: "never" })
    if (parts.pieces.length === 0) return make(pointer, anything(parts))
    const key = `${parts.pieces.map(({ schema }) => this.#numberOf(schema)).join()} ${parts.broken.join()}`
    const before = this.#known.get(key)
    const node = before ?? make(pointer)
    if (before !== undefined && this.#reading.has(before)) node.name ??= nameOf(pointer)
    if (found !== undefined) node.name ??= found.name
    if (before !== undefined) return before
    this.#known.set(key, node)
    if (found === undefined && depth < deepest) this.#fill(node, parts, depth)
    else {
      node.name ??= nameOf(pointer)
      this.#todo.push(() => this.#fill(node, parts, 0))
    }
    return node
  }

  /** Reads what has been put off, so that a long chain of references needs no deep stack. */
  finish(): void {
    for (let fill = this.#todo.pop(); fill !== undefined; fill = this.#todo.pop()) fill()
  }

  #numberOf(schema: Schema.JsonObject): number {
    const known = this.#numbers.get(schema)
    if (known !== undefined) return known
    this.#numbers.set(schema, this.#numbers.size)
    return this.#numbers.size - 1
  }

  #fill(node: Node, parts: Pieces, depth: number): void {
    this.#reading.add(node)
    const build: Build = (places) => this.build(places, depth + 1)
    const { pieces } = parts
    const { chosen, conditions } = chosenUnion(pieces)
    const limits = [...limitsOf(pieces, anyBounds), ...conditions]
    if (parts.broken.length > 0) {
      node.about = aboutOf(pieces, limits)
      node.body = anything(parts)
    } else if (chosen !== undefined) {
      node.about = aboutOf(pieces, limits)
      const members = membersOf(chosen, pieces, build, this.#follow)
      const exclusive = chosen.keyword === "oneOf" && members.length > 1 ? { exclusive: chosen.pointer } : {}
      const nullable = pieces.some(({ schema }) => schema.nullable === true && !Object.hasOwn(schema, "type"))
      collapse(node, nullable ? [...members, make(node.pointer, { kind: "scalar", type: "null" })] : members, exclusive)
    } else this.#fillPlain(node, pieces, limits, build)
    this.#reading.delete(node)
  }

  #fillPlain(node: Node, pieces: ReadonlyArray<Piece>, limits: ReadonlyArray<Limit>, build: Build): void {
    const kinds = kindsOf(pieces)
    const literals = literalsOf(pieces)
    if (literals !== undefined) {
      node.about = aboutOf(pieces, limits)
      return collapse(node, literalNodes(node.pointer, literals, kinds, pieces))
    }
    const all = kinds ?? impliedKinds(pieces)
    if (all === undefined) {
      node.about = aboutOf(pieces, limits)
      node.body = { kind: "any" }
      return
    }
    const bodies = all.map((kind): readonly [Kind, Body] => [kind, bodyOf(kind, pieces, node.pointer, build)])
    if (bodies.length === 1) {
      const [kind, body] = bodies[0]!
      const isMap = body.kind === "object" && body.fields.size === 0 && Array.isArray(body.others)
      // What is said of a map's keys is in its entries.
      const keywords = isMap ? bounds[kind].filter((keyword) => keyword !== "propertyNames") : bounds[kind]
      node.about = aboutOf(pieces, [...limitsOf(pieces, keywords), ...limits])
      node.body = body
      return
    }
    node.about = aboutOf(pieces, limits)
    collapse(
      node,
      bodies.map(([kind, body]) => make(node.pointer, body, { notes: [], limits: limitsOf(pieces, bounds[kind]) }))
    )
  }
}

/** A union of one is that one; a union of none fits no value. */
const collapse = (
  node: Node,
  members: ReadonlyArray<Node>,
  exclusive: { readonly exclusive?: string } = {}
): void => {
  const fitting = members.filter(({ body }) => body.kind !== "never")
  const [first] = fitting
  if (first === undefined) node.body = { kind: "never" }
  else if (fitting.length > 1 || first.name !== undefined) node.body = { kind: "union", members: fitting, ...exclusive }
  else {
    node.body = first.body
    node.about = {
      ...first.about,
      ...node.about,
      notes: [...node.about.notes, ...first.about.notes],
      limits: [...first.about.limits, ...node.about.limits]
    }
  }
}

const anything = ({ broken }: Pieces): Body => {
  const [why] = broken
  return why === undefined ? { kind: "any" } : { kind: "any", why }
}

const bodyOf = (kind: Kind, pieces: ReadonlyArray<Piece>, pointer: string, build: Build): Body =>
  kind === "object"
    ? objectBody(pieces, pointer, build)
    : kind === "array"
    ? listBody(pieces, pointer, build)
    : { kind: "scalar", type: kind }

const nameOf = (pointer: string): string =>
  keysOf(pointer).findLast((key) => !/^\d+$/.test(key) && key !== "items") ?? "root"
