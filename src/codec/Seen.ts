/**
 * Lists that were seen before, by the identity of what they hold.
 *
 * A conversation grows by a few items a turn. A list that begins with the same objects as one before it is not looked
 * at from its beginning again. Values are immutable here: one that is changed in place is still the one that was seen.
 */
import { Predicate, type Schema, type SchemaAST } from "effect"

/** Makes nothing: a class that extends it puts its private fields into what it is given. */
const Given = function(value: object) {
  return value
} as unknown as new(value: object) => object

/** What is known of lists, by the first of their members. */
export interface Seen<T> {
  readonly get: (list: ReadonlyArray<unknown>) => T | undefined
  readonly set: (list: ReadonlyArray<unknown>, known: T) => void
}

/**
 * What is known of lists that begin with a member, in a private field of that: it lives as long as that, and nobody sees
 * it. A `WeakMap` does the same, but the collector pays more for each of its keys than a short list costs to write. A frozen
 * member takes no field: lists that begin with one are looked at each time.
 */
export const seen = <T>(): Seen<T> =>
  class Stamp extends Given {
    #known: T | undefined
    static get([first]: ReadonlyArray<unknown>): T | undefined {
      return Predicate.isObject(first) && #known in first ? first.#known : undefined
    }
    static set([first]: ReadonlyArray<unknown>, known: T): void {
      if (!Predicate.isObject(first)) return
      if (#known in first) first.#known = known
      else if (Object.isExtensible(first)) new Stamp(first).#known = known
    }
  }

/** Is it the same list, and sure to hold what it held? Only a frozen one is; into others something may have been put. */
export const isStill = (before: unknown, list: ReadonlyArray<unknown>): boolean =>
  before === list && Object.isFrozen(list)

/** How many members two lists have in common, from the first on. */
export const common = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): number => {
  const length = Math.min(a.length, b.length)
  let n = 0
  while (n < length && a[n] === b[n]) n++
  return n
}

/** The list, with what others have from `start` on in place of its own, where that is anything. */
export const continueWith = <A>(list: Array<A>, others: ReadonlyArray<A>, start: number, end = others.length): void => {
  if (start >= end) return
  if (list.length > start) list.length = start
  for (let i = start; i < end; i++) list.push(others[i]!)
}

const key = "bellows/seen"

/** The same list schema; its members are checked once. */
export const once = <S extends Schema.Top>(list: S): S["Rebuild"] => list.annotate({ [key]: true })

export const isOnce = (ast: SchemaAST.AST): boolean => ast.annotations?.[key] === true

/** Is it a list whose members all pass? Those that did before are taken to do so still. */
export const every = (check: (value: unknown) => boolean): (value: unknown) => boolean => {
  const Passed = seen<{ readonly members: Array<unknown>; whole: unknown }>()
  return (value) => {
    if (!Array.isArray(value)) return false
    const passed = Passed.get(value)
    if (passed !== undefined && isStill(passed.whole, value)) return true
    const known = passed === undefined ? 0 : common(passed.members, value)
    for (let i = known; i < value.length; i++) if (!check(value[i])) return false
    if (passed === undefined) Passed.set(value, { members: value.slice(), whole: value })
    else {
      continueWith(passed.members, value, known)
      passed.whole = value
    }
    return true
  }
}
