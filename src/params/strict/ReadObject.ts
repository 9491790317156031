/** Reads what an object is made of, from all the pieces that speak of it. */
import type { Schema } from "effect"
import { expression } from "../Keywords.ts"
import type { Body, Entry, Field, Node, Others } from "./Node.ts"
import type { Piece, Place } from "./Pieces.ts"
import { below, isObject, own } from "./Pointer.ts"
import type { Build } from "./Read.ts"
import { speaking } from "./Words.ts"

type Json = Schema.Json

export const objectBody = (pieces: ReadonlyArray<Piece>, pointer: string, build: Build): Body => {
  const parts = pieces.map(partOf)
  const required = new Set(parts.flatMap((part) => part.required))
  const names = new Set([...parts.flatMap(({ properties }) => [...properties.keys()]), ...required])
  const fields = new Map<string, Field>()
  for (const name of names) {
    const places = parts.map((part) => placesFor(part, name))
    if (places.some((place) => place === undefined)) {
      // No value can have what one piece requires and another forbids.
      if (required.has(name)) return { kind: "never" }
      continue
    }
    const all = places.flatMap((place) => place ?? [])
    const node = build(all.length === 0 ? [{ schema: true, pointer: below(pointer, "properties", name) }] : all)
    if (node.body.kind !== "never") fields.set(name, { node, required: required.has(name), ...fallbackOf(all) })
    else if (required.has(name)) return { kind: "never" }
  }
  return { kind: "object", fields, others: othersOf(parts, build) }
}

/** What one piece says of an object. */
interface Part {
  readonly properties: ReadonlyMap<string, Place>
  readonly patterns: ReadonlyArray<{ readonly pattern: string; readonly place: Place }>
  readonly required: ReadonlyArray<string>
  readonly rest: Place | undefined
  readonly names: Place | undefined
}

const partOf = ({ pointer, schema }: Piece): Part => {
  const placesIn = (keyword: string): ReadonlyArray<readonly [string, Place]> => {
    const named = own(schema, keyword)
    return isObject(named)
      ? Object.entries(named).map(([name, child]) => [name, { schema: child, pointer: below(pointer, keyword, name) }])
      : []
  }
  const placeOf = (...keywords: ReadonlyArray<string>): Place | undefined =>
    keywords.flatMap((keyword): ReadonlyArray<Place> => {
      const child = own(schema, keyword)
      return child === undefined ? [] : [{ schema: child, pointer: below(pointer, keyword) }]
    })[0]
  const required = own(schema, "required")
  return {
    properties: new Map(placesIn("properties")),
    patterns: placesIn("patternProperties").map(([pattern, place]) => ({ pattern, place })),
    required: Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [],
    rest: placeOf("additionalProperties", "unevaluatedProperties"),
    names: placeOf("propertyNames")
  }
}

/** What a piece says of a property of that name; nothing where it forbids one. */
const placesFor = ({ patterns, properties, rest }: Part, name: string): ReadonlyArray<Place> | undefined => {
  const said = [
    ...[properties.get(name)].filter((place) => place !== undefined),
    ...patterns.flatMap(({ pattern, place }) => expression(pattern)?.test(name) === true ? [place] : [])
  ]
  if (said.length > 0 || rest === undefined || saysNothing(rest.schema)) return said
  return rest.schema === false ? undefined : [rest]
}

const saysNothing = (schema: Json): boolean =>
  schema === true || isObject(schema) && !Object.keys(schema).some((key) => speaking.has(key))

const fallbackOf = (places: ReadonlyArray<Place>): Pick<Field, "fallback"> => {
  for (const { schema } of places) {
    const fallback = isObject(schema) ? own(schema, "default") : undefined
    if (fallback !== undefined) return { fallback }
  }
  return {}
}

const othersOf = (parts: ReadonlyArray<Part>, build: Build): Others => {
  const stated = parts.filter(({ patterns, rest }) => rest !== undefined || patterns.length > 0)
  if (stated.length === 0) return "unsaid"
  const patterned = stated.flatMap(({ patterns }) => patterns)
  const rests = stated.flatMap(({ rest }) => rest === undefined ? [] : [rest])
  const closed = rests.some(({ schema }) => schema === false)
  const speaks = rests.filter(({ schema }) => schema !== false && !saysNothing(schema))
  if (patterned.length === 0 && closed) return "closed"
  if (patterned.length === 0 && speaks.length === 0) return "any"
  const keys = parts.flatMap(({ names }) => names === undefined || saysNothing(names.schema) ? [] : [names])
  const namesBy = (place: Place): Node => build([{ ...place, schema: { type: "string" } }, ...keys])
  const entries = patterned.map(({ pattern, place }): Entry => ({
    names: build([{ schema: { type: "string", pattern }, pointer: place.pointer }, ...keys]),
    pattern,
    node: build([place])
  }))
  const rest = closed || speaks.length === 0 ? [] : [{ names: namesBy(speaks[0]!), node: build(speaks) }]
  return [...entries, ...rest].filter(({ names, node }) => node.body.kind !== "never" && names.body.kind !== "never")
}
