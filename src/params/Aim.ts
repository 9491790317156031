/** For whom a schema is written, and how much strictness matters. */
import { memoize } from "effect/Function"
import type { Strictness, Target } from "./Fitted.ts"

export interface Aim<T extends Target | undefined = Target | undefined> {
  readonly target: T
  readonly strict: Strictness
}

/** What is made of an object for each aim, made once: an object that was seen before is known by its identity. */
export const aimed = <A extends object, O extends object, T extends Target | undefined = Target | undefined>(
  make: (aim: Aim<T>) => (value: A) => O
): (aim: Aim<T>) => (value: A) => O => {
  const known = new Map<string, (value: A) => O>()
  return (aim) => {
    const key = `${aim.target ?? "none"} ${aim.strict}`
    const before = known.get(key)
    if (before !== undefined) return before
    const made = memoize(make(aim))
    known.set(key, made)
    return made
  }
}
