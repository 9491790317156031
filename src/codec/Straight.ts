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

let serial = 0
const compile = <F>(source: string, scope: Readonly<Record<string, unknown>>, loop: () => F): F =>
  mayCompile()
    ? new Function(...Object.keys(scope), `"use strict";${source}//${serial++}`)(...Object.values(scope)) as F
    : loop()

const quote = (key: string): string => JSON.stringify(key)

/** A check, and the same as a JavaScript expression on `x` where it is a short one. */
export interface Test {
  readonly check: (value: unknown) => boolean
  readonly code: string | undefined
}
export interface Checked extends Test {
  readonly name: string
  readonly optional: boolean
}

type Value = Readonly<Record<string, unknown>>

/** Is the value an object whose fields hold? Other keys are not looked at; `undefined` under a known one does not hold. */
export const check = (fields: ReadonlyArray<Checked>): (value: unknown) => boolean => {
  const optional = fields.filter(({ optional }) => optional).map(({ name }) => name)
  const isSettled = (value: object): boolean =>
    optional.every((name) => (value as Value)[name] !== undefined || !(name in value))
  return compile<(value: unknown) => boolean>(
    `return v=>{if(typeof v!=="object"||v===null||Array.isArray(v))return false;let x,n=${
      fields.length - optional.length
    };${
      fields.map(({ code, name, optional }, i) => {
        const test = code ?? `c${i}(x)`
        return `x=v[${quote(name)}];${
          optional ? `if(x!==undefined){if(!(${test}))return false;n++}` : `if(x===undefined||!(${test}))return false;`
        }`
      }).join("")
    }for(const _ in v)n--;return n===0||isSettled(v)}`,
    { isSettled, ...Object.fromEntries(fields.map(({ check }, i) => [`c${i}`, check])) },
    () => (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false
      for (const { check, name, optional } of fields) {
        const x = (value as Value)[name]
        if (x === undefined ? !optional || name in value : !check(x)) return false
      }
      return true
    }
  )
}

// reading ---------------------------------------------------------------------------------------------------------

export interface ReadField {
  readonly from: string
  readonly to: string
  /** Must the value have it? Where it need not, `null` is absence too. */
  readonly required: boolean
  /** May the result lack it? */
  readonly optional: boolean
  /** The way in, or the test of a value that is the same on both sides. */
  readonly read: ((value: unknown) => unknown) | Test
}
export interface Mark {
  readonly key: string
  readonly value: string
  readonly required: boolean
}
interface Words {
  readonly unfit: symbol
  readonly malformed: symbol
  readonly at: (error: unknown, key: PropertyKey) => unknown
}
export interface Read extends Words {
  /** The constants of the value. */
  readonly marks: ReadonlyArray<Mark>
  /** The constants of the result. */
  readonly constants: Value
  readonly fields: ReadonlyArray<ReadField>
  readonly isPlain: (value: object) => boolean
  /** Called where keys are left that nothing read; it says whether they are well formed. */
  readonly finish: (value: never, out: never) => boolean
}

/** Checks a struct and copies its fields under other names, in one go. */
export const read = (it: Read): (value: unknown) => unknown =>
  compile(
    `return v=>{if(typeof v!=="object"||v===null||!isPlain(v))return malformed;let x,k,u=false,n=${
      it.marks.filter(({ required }) => required).length + it.fields.filter(({ required }) => required).length
    };${
      it.marks.map(({ key, required, value }) =>
        required
          ? `if(v[${quote(key)}]!==${quote(value)})return malformed;`
          : `x=v[${quote(key)}];if(x!==undefined){if(x!==${quote(value)})return malformed;n++}`
      ).join("")
    }let ${["_", ...it.fields.map((_, i) => `f${i}`)].join(",")};try{${
      it.fields.map(readField).join("")
    }}catch(e){throw at(e,k)}${
      literal(
        it.constants,
        it.fields.map(({ optional, required, to }, i) => ({ to, value: `f${i}`, sure: required && !optional }))
      )
    }for(const _ in v)n--;if(n!==0&&!finish(v,o))return malformed;return u?unfit:o}`,
    { ...it, ...Object.fromEntries(it.fields.map(({ read }, i) => [`r${i}`, functionOf(read)])) },
    () => readLoop(it)
  )

const functionOf = (read: ReadField["read"]) => typeof read === "function" ? read : read.check

const readField = ({ from, optional, read, required }: ReadField, i: number): string => {
  const through = typeof read === "function"
    ? `k=${quote(from)};x=r${i}(x);if(x===malformed)return x;if(x!==unfit)f${i}=x${optional ? "" : ";else u=true"};`
    : `if(!(${read.code ?? `r${i}(x)`}))return malformed;f${i}=x;`
  const absent = optional ? "" : "else u=true;"
  return `x=v[${quote(from)}];${
    required
      ? `if(x===undefined)return malformed;${through}`
      : `if(x!==undefined){n++;if(x!==null){${through}}${absent}}${absent}`
  }`
}

/** An object literal as far as its keys are certain, and then what it may have besides: fixed shapes, in their order. */
const literal = (
  constants: Value,
  fields: ReadonlyArray<{ readonly to: string; readonly value: string; readonly sure: boolean }>
): string => {
  const first = fields.findIndex(({ sure, to }) => !sure || to in constants)
  const [now, later] = first < 0 ? [fields, []] : [fields.slice(0, first), fields.slice(first)]
  return `const o={${
    [
      ...Object.keys(constants).map((key) => `${quote(key)}:constants[${quote(key)}]`),
      ...now.map(({ to, value }) => `${quote(to)}:${value}`)
    ].join(",")
  }};${
    later.map(({ sure, to, value }) => `${sure ? "" : `if(${value}!==undefined)`}o[${quote(to)}]=${value};`).join("")
  }`
}

const readLoop = (it: Read): (value: unknown) => unknown => {
  const { at, constants, finish, isPlain, malformed, marks, unfit } = it
  const fields = it.fields.map(({ read, ...field }) => ({
    ...field,
    turns: typeof read === "function",
    read: functionOf(read)
  }))
  return (value) => {
    if (typeof value !== "object" || value === null || !isPlain(value)) return malformed
    let unread = 0
    for (const _ in value) unread++
    for (const { key, required, value: mark } of marks) {
      const x = (value as Value)[key]
      if (x === undefined && !required) continue
      if (x !== mark) return malformed
      unread--
    }
    const out: Record<string, unknown> = { ...constants }
    let isUnfit = false
    for (const { from, optional, read, required, to, turns } of fields) {
      let x = (value as Value)[from]
      if (x === undefined && required) return malformed
      if (x !== undefined) unread--
      if (x === undefined || x === null && !required) {
        if (!optional) isUnfit = true
        continue
      }
      if (turns) {
        try {
          x = read(x)
        } catch (error) {
          throw at(error, from)
        }
        if (x === malformed) return malformed
        if (x !== unfit) out[to] = x
        else if (!optional) isUnfit = true
      } else if (read(x)) out[to] = x
      else return malformed
    }
    if (unread !== 0 && !finish(value as never, out as never)) return malformed
    return isUnfit ? unfit : out
  }
}

// writing ---------------------------------------------------------------------------------------------------------

export interface WriteField {
  readonly from: string
  readonly to: string
  /** What an absent value means: nothing, or that the whole is unfit. `null` for an optional one is absence. */
  readonly optional: boolean
  /** What is written where there is nothing to write. */
  readonly otherwise: unknown
  readonly turn: ((value: never) => unknown) | undefined
}
export interface Write extends Omit<Words, "malformed"> {
  /** The constants of the result. */
  readonly constants: Value
  /** Keys of the value that must have this value, or it is unfit. */
  readonly pins: Value
  readonly fields: ReadonlyArray<WriteField>
  /** The key that is the last word on the result, and what it says. */
  readonly last: string
  readonly finish: (value: never, out: never) => void
}

/** Copies a struct that is well formed under other names, each field through its turn. */
export const write = (it: Write): (value: never) => unknown =>
  compile(
    `return v=>{${
      Object.keys(it.pins).map((key) => `if(v[${quote(key)}]!==pins[${quote(key)}])return unfit;`).join("")
    }let x,k,${["_", ...it.fields.map((_, i) => `f${i}`)].join(",")};try{${
      it.fields.map(writeField).join("")
    }}catch(e){throw at(e,k)}${
      literal(
        it.constants,
        it.fields.map(({ optional, otherwise, to }, i) => ({
          to,
          value: `f${i}`,
          sure: !optional || otherwise !== undefined
        }))
      )
    }if(v[${quote(it.last)}]!==undefined)finish(v,o);return o}`,
    {
      ...it,
      ...Object.fromEntries(it.fields.flatMap(({ otherwise, turn }, i) => [[`t${i}`, turn], [`o${i}`, otherwise]]))
    },
    () => writeLoop(it)
  )

const writeField = ({ from, optional, otherwise, turn }: WriteField, i: number): string => {
  const through = turn === undefined
    ? `f${i}=x`
    : `k=${quote(from)};x=t${i}(x);if(x!==unfit)f${i}=x${optional ? "" : ";else return unfit"}`
  return `${otherwise === undefined ? "" : `f${i}=o${i};`}x=v[${quote(from)}];${
    optional ? `if(x!==undefined&&x!==null){${through}}` : `if(x===undefined)return unfit;${through};`
  }`
}

const writeLoop = ({ at, constants, fields, finish, last, pins, unfit }: Write): (value: never) => unknown => {
  const pinned = Object.keys(pins)
  return (value: Value) => {
    for (const key of pinned) if (value[key] !== pins[key]) return unfit
    const out: Record<string, unknown> = { ...constants }
    for (const { from, optional, otherwise, to, turn } of fields) {
      if (otherwise !== undefined) out[to] = otherwise
      let x = value[from]
      if (x === undefined || x === null && optional) {
        if (!optional) return unfit
        continue
      }
      if (turn !== undefined) {
        try {
          x = turn(x as never)
        } catch (error) {
          throw at(error, from)
        }
      }
      if (x !== unfit) out[to] = x
      else if (!optional) return unfit
    }
    if (value[last] !== undefined) finish(value as never, out as never)
    return out
  }
}

// choice and lists ------------------------------------------------------------------------------------------------

/** The function for the value's tag. */
export const byTag = <R>(
  tag: string,
  cases: ReadonlyMap<unknown, (value: never) => R>,
  otherwise: (value: never) => R
): (value: unknown) => R =>
  compile<(value: unknown) => R>(
    `return v=>{if(typeof v!=="object"||v===null)return otherwise(v);switch(v[${quote(tag)}]){${
      [...cases.keys()].map((key, i) => `case ${key === undefined ? "void 0" : JSON.stringify(key)}:return c${i}(v);`)
        .join("")
    }default:return otherwise(v)}}`,
    { otherwise, ...Object.fromEntries([...cases.values()].map((f, i) => [`c${i}`, f])) },
    () => (value) =>
      typeof value === "object" && value !== null
        ? (cases.get((value as Value)[tag]) ?? otherwise)(value as never)
        : otherwise(value as never)
  )

/** What the first reading gives that finds the value fit; else, whether one of them found it well formed. */
export const first = (
  reads: ReadonlyArray<(value: unknown) => unknown>,
  { malformed, unfit }: Omit<Words, "at">
): (value: unknown) => unknown =>
  reads.length === 1 ? reads[0]! : compile(
    `return v=>{let x,no=malformed;${
      reads.map((_, i) => `x=r${i}(v);if(x===unfit)no=x;else if(x!==malformed)return x;`).join("")
    }return no}`,
    { unfit, malformed, ...Object.fromEntries(reads.map((read, i) => [`r${i}`, read])) },
    () => (value) => {
      let none = malformed
      for (const read of reads) {
        const x = read(value)
        if (x === unfit) none = unfit
        else if (x !== malformed) return x
      }
      return none
    }
  )

/** What a reading gives, or another where that finds it not fit. */
export const orElse = (
  read: (value: unknown) => unknown,
  other: (value: unknown) => unknown,
  { malformed, unfit }: Omit<Words, "at">
): (value: unknown) => unknown =>
  compile(
    "return v=>{const x=read(v);return x===unfit||x===malformed?other(v):x}",
    { read, other, unfit, malformed },
    () => (value) => {
      const x = read(value)
      return x === unfit || x === malformed ? other(value) : x
    }
  )

/** Reads a value as it is, or as something else where that test holds. */
export const where = (
  { check, code = "check(x)" }: Test,
  as: (value: never) => unknown,
  read: (value: unknown) => unknown
): (value: unknown) => unknown =>
  compile(
    `return x=>read(${code}?as(x):x)`,
    { check, as, read },
    () => (value) => read(check(value) ? as(value as never) : value)
  )

/** One after the other. */
export const chain = <A, B>(
  before: (value: A) => unknown,
  after: (value: never) => B,
  { malformed, unfit }: Omit<Words, "at">
): (value: A) => B =>
  compile<(value: A) => B>(
    "return v=>{const x=before(v);return x===unfit||x===malformed?x:after(x)}",
    { before, after, unfit, malformed },
    () => (value) => {
      const x = before(value)
      return (x === unfit || x === malformed ? x : after(x as never)) as B
    }
  )

export const every = (check: (value: unknown) => boolean): (value: unknown) => boolean =>
  compile<(value: unknown) => boolean>(
    "return v=>{if(!Array.isArray(v))return false;for(let i=0;i<v.length;i++)if(!check(v[i]))return false;return true}",
    { check },
    () => (value) => Array.isArray(value) && value.every(check)
  )

/**
 * Reads or turns the elements, and leaves out those that do not fit. One that is malformed makes the list so. Most lists
 * have one element, and a literal takes no more room than it needs.
 */
export const each = (
  turn: (value: never) => unknown,
  { at, malformed, unfit }: Words
): (values: unknown) => unknown =>
  compile<(values: unknown) => unknown>(
    "return v=>{if(!Array.isArray(v))return malformed;let o,i=0;try{if(v.length===1){const x=turn(v[0]);return x===malformed?x:x===unfit?[]:[x]}o=[];for(;i<v.length;i++){const x=turn(v[i]);if(x===malformed)return x;if(x!==unfit)o.push(x)}}catch(e){throw at(e,i)}return o}",
    { turn, unfit, malformed, at },
    () => (values) => {
      if (!Array.isArray(values)) return malformed
      const out: Array<unknown> = []
      let index = 0
      try {
        for (; index < values.length; index++) {
          const x = turn(values[index] as never)
          if (x === malformed) return x
          if (x !== unfit) out.push(x)
        }
      } catch (error) {
        throw at(error, index)
      }
      return out
    }
  )
