/** Reads what a list is made of: `prefixItems` and `items`, or the older `items` and `additionalItems`. */
import type { Schema } from "effect"
import type { Body, Node } from "./Node.ts"
import type { Piece, Place } from "./Pieces.ts"
import { below, own } from "./Pointer.ts"
import type { Build } from "./Read.ts"

type Json = Schema.Json

interface Part {
  readonly prefix: ReadonlyArray<Place>
  readonly rest: Place | undefined
}

export const listBody = (pieces: ReadonlyArray<Piece>, pointer: string, build: Build): Body => {
  const parts = pieces.map(partOf)
  const length = Math.max(...parts.map(({ prefix }) => prefix.length))
  const nodeOf = (places: ReadonlyArray<Place>, at: string): Node =>
    build(places.length === 0 ? [{ schema: true, pointer: at }] : places)
  const prefix = Array.from({ length }, (_, index) =>
    nodeOf(
      parts.flatMap((part) => [part.prefix[index] ?? part.rest].filter((place) => place !== undefined)),
      below(pointer, "prefixItems", index)
    ))
  const rests = parts.flatMap(({ rest }) => rest === undefined ? [] : [rest])
  // A tuple that says nothing of further items means to have none.
  if (rests.length === 0 && length > 0) return { kind: "list", prefix }
  const rest = nodeOf(rests, below(pointer, "items"))
  return rest.body.kind === "never" ? { kind: "list", prefix } : { kind: "list", prefix, rest }
}

const partOf = ({ pointer, schema }: Piece): Part => {
  const place = (keyword: string): Place | undefined => {
    const child = own(schema, keyword)
    return child === undefined ? undefined : { schema: child, pointer: below(pointer, keyword) }
  }
  const listed = (keyword: string, list: ReadonlyArray<Json>): ReadonlyArray<Place> =>
    list.map((child, index) => ({ schema: child, pointer: below(pointer, keyword, index) }))
  const items = own(schema, "items")
  const prefix = own(schema, "prefixItems")
  if (Array.isArray(items)) return { prefix: listed("items", items), rest: place("additionalItems") }
  return {
    prefix: Array.isArray(prefix) ? listed("prefixItems", prefix) : [],
    rest: place("items") ?? place("unevaluatedItems")
  }
}
