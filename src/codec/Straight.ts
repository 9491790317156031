/** Joins functions by generated code: choices between them, one after the other, and for each of a list. */
import { compile, quote, type Signs, type Test, type Value } from "./Compile.ts"

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
  { malformed, unfit }: Omit<Signs, "at">
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
  { malformed, unfit }: Omit<Signs, "at">
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
  { malformed, unfit }: Omit<Signs, "at">
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
  { at, malformed, unfit }: Signs
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
