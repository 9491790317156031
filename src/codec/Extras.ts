/** What a wire object holds beside the fields of its variant: unknown keys, and objects that have no canonical node. */
import { isJson, isRecord, type Plain } from "./Check.ts"
import { at, type Malformed, malformed, type Reading, unfit, type Way } from "./Codec.ts"
import { type Field, same } from "./Field.ts"

export type Json = Readonly<Record<string, unknown>>

/** `__proto__` is a key like any other. */
export const put = (target: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else target[key] = value
}

/** Puts a bag's value where nothing is, and beside what is there; what is there stays. */
export const merge = (out: Record<string, unknown>, key: string, extra: unknown): void => {
  const there = Object.hasOwn(out, key) ? out[key] : undefined
  if (there === undefined) put(out, key, extra)
  else if (isRecord(there) && isRecord(extra)) out[key] = merged(extra, there)
}

export const merged = (under: Json, over: Json): Json => {
  const out: Record<string, unknown> = { ...over }
  for (const key of Object.keys(under)) merge(out, key, under[key])
  return out
}

/** Reads an object's fields into `out`, and gives what else it holds. */
export const readGroup = (
  group: ReadonlyArray<Field>
): (from: unknown, out: Record<string, unknown>) => Json | undefined | Malformed => {
  const fields = new Map(group.map(({ key, name, read }) => [name, { key, read: through(read()) }]))
  return (from, out) => {
    if (from === undefined || from === null) return undefined
    if (!isRecord(from)) return malformed
    const rest: Record<string, unknown> = {}
    for (const key of Object.keys(from)) {
      const field = fields.get(key)
      const child = from[key]
      if (field === undefined) {
        if (!isJson(child)) return malformed
        put(rest, key, child)
      } else if (child !== null) {
        const read = field.read(child)
        if (read === malformed) return malformed
        if (read !== unfit) out[field.key] = read
      }
    }
    return Object.keys(rest).length > 0 ? rest : undefined
  }
}

const through = (read: Reading<unknown> | Plain): Reading<unknown> =>
  typeof read === "function" ? read : (value) => read.check(value) ? value : malformed

/** Writes an object's fields, where any of them is there. */
export const writeGroup = (group: ReadonlyArray<Field>, way: Way): (from: Json) => Json | undefined => {
  const fields = group.map(({ key, name, turn }) => ({ key, name, turn: turn(way) ?? same }))
  return (from) => {
    let out: Record<string, unknown> | undefined
    for (const { key, name, turn } of fields) {
      const child = from[key]
      if (child === undefined) continue
      try {
        const turned = turn(child as never)
        if (turned !== unfit) (out ??= {})[name] = turned
      } catch (error) {
        throw at(error, key)
      }
    }
    return out
  }
}
