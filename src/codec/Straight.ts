/**
 * Writes straight-line JavaScript for the two things done most: checking a struct and copying it under other names.
 *
 * Each struct gets code of its own, so the engine sees fixed property names and few shapes. Where code may not be made
 * at run time (a strict content security policy) a loop does the same work.
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

const compile = <F>(source: string, scope: Readonly<Record<string, unknown>>, loop: () => F): F =>
  mayCompile()
    ? new Function(...Object.keys(scope), `"use strict";${source}`)(...Object.values(scope)) as F
    : loop()

const quote = (key: string): string => JSON.stringify(key)

export interface Read {
  readonly name: string
  readonly optional: boolean
  readonly check: (value: unknown) => boolean
  /** The same check as a JavaScript expression on `x`, where it is a short one. */
  readonly code: string | undefined
}

type Value = Readonly<Record<string, unknown>>

/** Is the value an object whose fields hold? Other keys are not looked at. */
export const check = (fields: ReadonlyArray<Read>): (value: unknown) => boolean =>
  compile(
    `return v=>{if(typeof v!=="object"||v===null||Array.isArray(v))return false;let x;${
      fields.map(({ code, name, optional }, i) => {
        const test = code ?? `c${i}(x)`
        return `x=v[${quote(name)}];if(${
          optional ? `x!==undefined&&!(${test})` : `x===undefined||!(${test})`
        })return false;`
      }).join("")
    }return true}`,
    Object.fromEntries(fields.map(({ check }, i) => [`c${i}`, check])),
    () => (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false
      for (const { check, name, optional } of fields) {
        const x = (value as Value)[name]
        if (x === undefined ? !optional : !check(x)) return false
      }
      return true
    }
  )

export interface Field {
  readonly from: string
  readonly to: string
  /** What an absent value means: nothing, or that the whole is unfit. */
  readonly optional: boolean
  readonly turn: ((value: never) => unknown) | undefined
}
export interface Copy {
  /** Values of the result that stand unless a field says otherwise. */
  readonly constants: Value
  /** Keys of the value that must have this value, or it is unfit. */
  readonly pins: Value
  /** Keys of the value that are known and not copied. */
  readonly passed: ReadonlyArray<string>
  readonly fields: ReadonlyArray<Field>
  readonly unfit: symbol
  readonly at: (error: unknown, key: string) => unknown
  /** The last word on the result. */
  readonly finish: (value: never, out: never) => void
  /** When finish is called: if keys were left that nothing read, or if this key is there. */
  readonly when: { readonly unread: true } | { readonly key: string }
}

/** Copies a struct's fields under other names, each through its turn. `null` for an optional field is absence. */
export const copy = (it: Copy): (value: never) => unknown =>
  compile(
    `return v=>{${
      Object.keys(it.pins).map((key) => `if(v[${quote(key)}]!==pins[${quote(key)}])return unfit;`).join("")
    }let x,k,n=0;const o={${
      Object.keys(it.constants).map((key) => `${quote(key)}:constants[${quote(key)}]`).join(",")
    }};try{${
      it.fields.map(({ from, optional, to, turn }, i) => {
        const out = `o[${quote(to)}]`
        const put = turn === undefined
          ? `${out}=x`
          : `k=${quote(from)};x=t${i}(x);if(x!==unfit)${out}=x${optional ? "" : ";else return unfit"}`
        return optional
          ? `x=v[${quote(from)}];if(x!==undefined){n++;if(x!==null){${put}}}`
          : `x=v[${quote(from)}];if(x===undefined)return unfit;n++;${put}`
      }).join(";")
    }}catch(e){throw at(e,k)};${
      "unread" in it.when
        ? `${
          it.passed.map((key) => `if(v[${quote(key)}]!==undefined)n++;`).join("")
        }for(const _ in v)n--;if(n!==0)finish(v,o)`
        : `if(v[${quote(it.when.key)}]!==undefined)finish(v,o)`
    };return o}`,
    { ...it, ...Object.fromEntries(it.fields.map(({ turn }, i) => [`t${i}`, turn])) },
    () => loop(it)
  )

const loop = ({ at, constants, fields, finish, passed, pins, unfit, when }: Copy): (value: never) => unknown => {
  const pinned = Object.entries(pins)
  return (value: Value) => {
    for (const [key, pin] of pinned) if (value[key] !== pin) return unfit
    const out: Record<string, unknown> = { ...constants }
    let unread = 0
    for (const _ in value) unread++
    for (const key of passed) if (value[key] !== undefined) unread--
    for (const { from, optional, to, turn } of fields) {
      const child = value[from]
      if (child === undefined) {
        if (!optional) return unfit
        continue
      }
      unread--
      if (child === null && optional) continue
      try {
        const turned = turn === undefined ? child : turn(child as never)
        if (turned !== unfit) out[to] = turned
        else if (!optional) return unfit
      } catch (error) {
        throw at(error, from)
      }
    }
    if ("unread" in when ? unread !== 0 : value[when.key] !== undefined) finish(value as never, out as never)
    return out
  }
}

/** The function for the value's tag. The value is an object. */
export const byTag = <R>(
  tag: string,
  cases: ReadonlyMap<unknown, (value: never) => R>,
  otherwise: (value: never) => R
): (value: unknown) => R =>
  compile<(value: unknown) => R>(
    `return v=>{switch(v[${quote(tag)}]){${
      [...cases.keys()].map((key, i) => `case ${key === undefined ? "void 0" : JSON.stringify(key)}:return c${i}(v);`)
        .join("")
    }default:return otherwise(v)}}`,
    { otherwise, ...Object.fromEntries([...cases.values()].map((f, i) => [`c${i}`, f])) },
    () => (value) => (cases.get((value as Value)[tag]) ?? otherwise)(value as never)
  )

export const every = (check: (value: unknown) => boolean): (value: unknown) => boolean =>
  compile<(value: unknown) => boolean>(
    "return v=>{if(!Array.isArray(v))return false;for(let i=0;i<v.length;i++)if(!check(v[i]))return false;return true}",
    { check },
    () => (value) => Array.isArray(value) && value.every(check)
  )

/** Turns the elements that fit. */
export const each = (
  turn: (value: never) => unknown,
  unfit: symbol,
  at: (error: unknown, key: number) => unknown
): (values: ReadonlyArray<unknown>) => ReadonlyArray<unknown> =>
  compile<(values: ReadonlyArray<unknown>) => ReadonlyArray<unknown>>(
    "return v=>{const o=[];let i=0;try{for(;i<v.length;i++){const x=turn(v[i]);if(x!==unfit)o.push(x)}}catch(e){throw at(e,i)}return o}",
    { turn, unfit, at },
    () => (values) =>
      values.map((value, index) => {
        try {
          return turn(value as never)
        } catch (error) {
          throw at(error, index)
        }
      }).filter((value) => value !== unfit)
  )
