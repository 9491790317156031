/** Checks a struct, and copies it under other names on its way in and out: the work that is done most. */
import { compile, quote, type Signs, type Test, type Value } from "./Compile.ts"

export interface Checked extends Test {
  readonly name: string
  readonly optional: boolean
}

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
export interface Read extends Signs {
  /** The constants of the value. */
  readonly marks: ReadonlyArray<Mark>
  /** The constants of the result. */
  readonly constants: Value
  readonly fields: ReadonlyArray<ReadField>
  /** Keys that are read over. */
  readonly dropped: ReadonlyArray<string>
  readonly isJson: (value: unknown) => boolean
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
    }${
      it.dropped.map(readOver).join("")
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

const readOver = (key: string): string => `x=v[${quote(key)}];if(x!==undefined){if(!isJson(x))return malformed;n++}`

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
  const { at, constants, dropped, finish, isJson, isPlain, malformed, marks, unfit } = it
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
    for (const key of dropped) {
      const x = (value as Value)[key]
      if (x === undefined) continue
      if (!isJson(x)) return malformed
      unread--
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
export interface Write extends Omit<Signs, "malformed"> {
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
