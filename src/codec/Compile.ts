/**
 * Makes functions of JavaScript text: each has code of its own, so the engine sees fixed property names and few shapes.
 *
 * Where code may not be made at run time (a strict content security policy) a loop does the same work.
 */

let allowed: boolean | undefined
const mayCompile = (): boolean => {
  try {
    return allowed ??= new Function("return true")() as boolean
  } catch {
    return allowed = false
  }
}

/** Keeps to the loops from here on: for measuring and for tests. */
export const forbid = (): void => void (allowed = false)

// The engine lets functions of equal text share what it learns of them: a number at the end makes each its own.
let serial = 0
export const compile = <F>(source: string, scope: Readonly<Record<string, unknown>>, loop: () => F): F =>
  mayCompile()
    ? new Function(...Object.keys(scope), `"use strict";${source}//${serial++}`)(...Object.values(scope)) as F
    : loop()

export const quote = (key: string): string => JSON.stringify(key)

/** A check, and the same as a JavaScript expression on `x` where it is a short one. */
export interface Test {
  readonly check: (value: unknown) => boolean
  readonly code: string | undefined
}

export type Value = Readonly<Record<string, unknown>>

/** The words of the kit that generated code speaks. */
export interface Signs {
  readonly unfit: symbol
  readonly malformed: symbol
  readonly at: (error: unknown, key: PropertyKey) => unknown
}
