/** Takes a schema apart into the pieces that all hold of a value: itself, what it refers to, and its `allOf`. */
import type { Schema } from "effect"
import { tooDeep } from "./Clip.ts"
import { below, isObject, own } from "./Pointer.ts"
import type { Follow, Found } from "./Refs.ts"
import { speaking } from "./Words.ts"

type Json = Schema.Json

/** A schema, as it stands in a document. */
export interface Place {
  readonly schema: Json
  readonly pointer: string
}

/** One schema object; of its keywords those count that hold no other piece. */
export interface Piece {
  readonly schema: Schema.JsonObject
  readonly pointer: string
}

export interface Pieces {
  readonly pieces: ReadonlyArray<Piece>
  /** `false` is among them: no value fits. */
  readonly never: boolean
  /** Why a piece could not be read. */
  readonly broken: ReadonlyArray<string>
}

const references = ["$ref", "$dynamicRef", "$recursiveRef"]

/** All the pieces, those that stand in the schema before those that it refers to. */
export const piecesOf = (places: ReadonlyArray<Place>, follow: Follow): Pieces => {
  const pieces: Array<Piece> = []
  const broken: Array<string> = []
  const seen = new Set<Schema.JsonObject>()
  let never = false
  const todo = places.toReversed()
  for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
    const { pointer, schema } = place
    if (schema === false) never = true
    else if (schema !== true && !isObject(schema)) {
      broken.push(schema === tooDeep ? `it is ${tooDeep}` : "it is no schema")
    } else if (schema !== true && !seen.has(schema)) {
      seen.add(schema)
      pieces.push({ schema, pointer })
      const { found, lost } = heldBy({ schema, pointer }, follow)
      broken.push(...lost)
      for (const each of found.toReversed()) todo.push(each)
    }
  }
  return { pieces, never, broken }
}

const heldBy = ({ pointer, schema }: Piece, follow: Follow) => {
  const found: Array<Place> = []
  const lost: Array<string> = []
  for (const key of references) {
    const reference = own(schema, key)
    if (typeof reference !== "string") continue
    const target = follow(reference)
    if (target === undefined) lost.push(`the reference ${reference} leads nowhere in this schema`)
    else found.push(target)
  }
  const all = own(schema, "allOf")
  if (Array.isArray(all)) {
    all.forEach((member: Json, index) => found.push({ schema: member, pointer: below(pointer, "allOf", index) }))
  }
  return { found, lost }
}

/** What a schema stands for that is nothing but a reference. */
export const referred = (place: Place, follow: Follow): Found | undefined => {
  const seen = new Set<Json>()
  let found: Found | undefined
  let schema = place.schema
  while (isObject(schema) && !seen.has(schema)) {
    seen.add(schema)
    const said = Object.keys(schema).filter((key) => speaking.has(key))
    const all = own(schema, "allOf")
    const reference = own(schema, "$ref")
    if (said.length !== 1) break
    if (typeof reference === "string") {
      const next = follow(reference)
      if (next === undefined) break
      found = next
      schema = next.schema
    } else if (Array.isArray(all) && all.length === 1) {
      schema = all[0]
    } else break
  }
  return found
}
