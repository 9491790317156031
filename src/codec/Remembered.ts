/** Lists that are written on from where they were written before. */
import type { Schema } from "effect"
import { make, readingOf, Refusal, sidesOf, type Turn, turnOf, turns, unfit } from "./Codec.ts"
import { common, continueWith, isStill, seen } from "./Seen.ts"

/** Where a list may be cut, so that its pieces are written as they are in the whole. */
export interface Seams<A> {
  /** Is what stands before this index written as if nothing followed? The index may be that of the end. */
  readonly isSeam: (list: ReadonlyArray<A>, index: number) => boolean
  /** Does anything in the piece belong to what stands far from it? Then the list is written as one. */
  readonly reaches?: (piece: ReadonlyArray<A>) => boolean
}

/** What was written of a list up to a seam. It is our own, and grows. */
interface Written<A, I> {
  readonly list: Array<A>
  readonly wires: Array<I>
  /** The last list, and what became of it. */
  whole: ReadonlyArray<A>
  out: ReadonlyArray<I>
}

/**
 * The same list. What it begins with is not written anew where a list before it began with the same objects: a
 * conversation that grows by a turn costs that turn.
 */
export const remembered = <A, I>(
  codec: Schema.Codec<ReadonlyArray<A>, ReadonlyArray<I>>,
  { isSeam, reaches = () => false }: Seams<A>
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const sides = sidesOf(codec)
  return make({
    ...sides,
    turns: turns(() => readingOf(sides), (way) => {
      const turn = turnOf(sides, way)
      return way === "encode" ? continued(turn, isSeam, reaches) : turn
    })
  })
}

const continued = <A, I>(
  turn: Turn<ReadonlyArray<A>, ReadonlyArray<I>>,
  isSeam: Seams<A>["isSeam"],
  reaches: (piece: ReadonlyArray<A>) => boolean
): Turn<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const Known = seen<Written<A, I>>()
  return (list) => {
    const known = Known.get(list)
    if (known !== undefined && isStill(known.whole, list)) return known.out
    const end = known?.list.length ?? 0
    const before = known !== undefined && common(known.list, list) === end && isSeam(list, end) ? known : undefined
    const start = before === undefined ? 0 : end
    if (start < list.length && reaches(from(list, start))) return turn(list)
    let cut = list.length
    while (cut > start && !isSeam(list, cut)) cut--
    try {
      const done = cut === start ? [] : turn(from(list, start, cut))
      const rest = cut === list.length ? [] : turn(from(list, cut))
      if (done === unfit || rest === unfit) return turn(list)
      if (before === undefined) {
        const out = rest.length === 0 ? done : done.concat(rest)
        if (cut > 0) Known.set(list, { list: list.slice(0, cut), wires: done.slice(), whole: list, out })
        return out
      }
      continueWith(before.list, list, start, cut)
      for (const wire of done) before.wires.push(wire)
      before.whole = list
      return before.out = before.wires.concat(rest)
    } catch (error) {
      // Only in the whole does a refusal know its place.
      if (error instanceof Refusal) return turn(list)
      throw error
    }
  }
}

const from = <A>(list: ReadonlyArray<A>, start: number, end = list.length): ReadonlyArray<A> =>
  start === 0 && end === list.length ? list : list.slice(start, end)
