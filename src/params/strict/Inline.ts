/** Decides how far a schema without references may be written out: as far as it stays of a sensible size. */
import { childrenOf, type Node } from "./Node.ts"

/** Where a node stands in what is written out. */
export interface Place {
  readonly level: number
  /** How often its cycle has been gone round. */
  readonly rounds: number
  readonly cycle: number | undefined
}

export const top: Place = { level: 0, rounds: 0, cycle: undefined }

/** The place of a node that stands in one at that place. */
export const below = (node: Node, place: Place): Place => ({
  level: place.level + 1,
  cycle: node.cycle,
  rounds: node.cycle === undefined || node.cycle !== place.cycle ? 0 : place.rounds + (node.name === undefined ? 0 : 1)
})

/** How deep, and how often round a cycle, a schema is written out. */
export interface Extent {
  readonly levels: number
  readonly rounds: number
}

/** From all that anyone needs down to almost nothing. */
const extents: ReadonlyArray<Extent> = [
  ...[2, 1, 0].map((rounds) => ({ levels: 64, rounds })),
  ...[32, 24, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1].map((levels) => ({ levels, rounds: 0 }))
]

/** How many nodes may be written. Gemini refuses large schemas, and names no limit. */
const most = 2000

export const isBeyond = (node: Node, { levels, rounds }: Extent, place: Place): boolean =>
  place.rounds > rounds || place.level > levels && childrenOf(node).length > 0

/** The largest extent that stays within the limit. */
export const extentOf = (root: Node): Extent =>
  extents.find((extent) => sizeOf(root, extent) <= most) ?? extents.at(-1)!

/** How many nodes are written; of what is too large, no more than that. */
const sizeOf = (root: Node, extent: Extent): number => {
  const known = new Map<Node, Map<number, number>>()
  const size = (node: Node, place: Place): number => {
    if (isBeyond(node, extent, place)) return 1
    const at = known.get(node) ?? new Map<number, number>()
    known.set(node, at)
    const key = place.level * 8 + place.rounds
    const before = at.get(key)
    if (before !== undefined) return before
    let sum = 1
    for (const child of childrenOf(node)) {
      if (sum > most) break
      sum += size(child, below(child, place))
    }
    at.set(key, sum)
    return sum
  }
  return size(root, top)
}
