/** Reads `anyOf` and `oneOf`: what stands beside them holds of each member too. */
import type { Schema } from "effect"
import { memoize } from "effect/Function"
import { kindsOf } from "./Fold.ts"
import type { Limit, Node } from "./Node.ts"
import { type Piece, piecesOf, type Place } from "./Pieces.ts"
import { below, isObject, own } from "./Pointer.ts"
import type { Build } from "./Read.ts"
import type { Follow } from "./Refs.ts"
import { anyBounds, narrowing, structural, unions } from "./Words.ts"

type Json = Schema.Json

interface Union {
  readonly keyword: "anyOf" | "oneOf"
  readonly members: ReadonlyArray<Json>
  readonly pointer: string
}

/**
 * The union that the pieces are told apart by, and those that are no more than conditions on them: such as only say
 * what is required, and any after the first.
 */
export const chosenUnion = (
  pieces: ReadonlyArray<Piece>
): { readonly chosen: Union | undefined; readonly conditions: ReadonlyArray<Limit> } => {
  const found = pieces.flatMap(({ pointer, schema }) =>
    unions.flatMap((keyword): ReadonlyArray<Union> => {
      const members = own(schema, keyword)
      return Array.isArray(members) && members.length > 0
        ? [{ keyword, members, pointer: below(pointer, keyword) }]
        : []
    })
  )
  const chosen = found.find(({ members }) => members.some(isStructural))
  const conditions = found.filter((union) => union !== chosen)
  return {
    chosen,
    conditions: conditions.map(({ keyword, members, pointer }) => ({ keyword, value: members, pointer }))
  }
}

const isStructural = (member: Json): boolean =>
  typeof member === "boolean" || isObject(member) && Object.keys(member).some((key) => structural.has(key))

/** The members, each with what stands beside the union. */
export const membersOf = (
  { members, pointer }: Union,
  pieces: ReadonlyArray<Piece>,
  build: Build,
  follow: Follow
): ReadonlyArray<Node> => {
  const beside = pieces.map((piece) => ({ ...piece, schema: bare(piece.schema) }))
  const narrows = beside.filter(({ schema }) => keysThatNarrow(schema).length > 0)
  const kinds = narrows.every(({ schema }) => keysThatNarrow(schema).join() === "type") ? kindsOf(narrows) : undefined
  return members.map((member, index) => {
    const place: Place = { schema: member, pointer: below(pointer, index) }
    const said = kindsOf(piecesOf([place], follow).pieces)
    // Where the type is all that is said beside, a member that says as much may stay what it is.
    const alone = narrows.length === 0 ||
      kinds !== undefined && said !== undefined && said.every((kind) => kinds.includes(kind))
    return build(alone ? [place] : [place, ...narrows])
  })
}

const keysThatNarrow = (schema: Schema.JsonObject): ReadonlyArray<string> =>
  Object.keys(schema).filter((key) => narrowing.has(key))

/** What the union has already said, or a piece of its own says. */
const said = new Set([...unions, ...anyBounds, "allOf", "$ref", "title", "description", "examples", "example"])

/** The schema without what is said already. One and the same at every call. */
const bare = memoize((schema: Schema.JsonObject): Schema.JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !said.has(key)))
)
