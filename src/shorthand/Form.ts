/**
 * Reads and writes what a person may write: the words that shorthands are declared in.
 *
 * A form reads any of its spellings, or throws a refusal with a path, and writes a spelling as short as may be. What is
 * shortest is never argued: a spelling is taken only if reading it gives the same value back.
 */
import { Equal, Schema, SchemaIssue } from "effect"
import * as Check from "../codec/Check.ts"
import { Refusal, refuse, within } from "../codec/Codec.ts"
import { isJson, isRecord, type Plain, transform } from "../codec/index.ts"
import { expected, hidden, isSecret, shown } from "./Expected.ts"

export { within } from "../codec/Codec.ts"

export interface Form<A> {
  /** A value that says no more than that there is none. */
  readonly none?: unknown
  readonly read: (value: unknown) => A
  readonly write: (value: A) => unknown
}

export type Fields = Readonly<Record<string, unknown>>

/** A form as an Effect Schema: decode reads, encode writes. `W` is the type of all that may be written. */
export const schema = <W>() => <A>(to: Plain<A>, form: Form<A>, carries: Plain<A> = to): Schema.Codec<A, W> => {
  // Much is written as it stands: keys that the canonical form does not know must not come along.
  const known = Schema.decodeUnknownSync(to)
  // What a person writes is held to its type by the compiler alone: the form takes anything.
  return transform(Schema.Unknown as Schema.Codec<unknown> as Schema.Codec<W>, to, {
    decode: (value) => form.read(isJson(value) ? value : settled(value)),
    encode: (value) => form.write(known(value)) as W,
    carries
  })
}

/** The object, or a refusal. */
export const record = (value: unknown, what: string, hint?: string): Fields => {
  if (!isPlainRecord(value)) throw expected(what, value, hint)
  return value
}

export const list = <A>(item: Form<A>, what: string): Form<ReadonlyArray<A>> => ({
  read: (value) => {
    if (!Array.isArray(value)) throw expected(what, value)
    return value.map((child, index) => within(index, () => item.read(child)))
  },
  write: (values) => values.map(item.write)
})

/** A value that is written as it stands: one that fits the schema. */
export const plain = <A>(schema: Plain<A>, secret = false): Form<A> => {
  const hasShape = Check.of(schema.ast)
  const fits = (value: unknown): value is A => isJson(value) && hasShape(value)
  const check = Schema.decodeUnknownResult(schema as Schema.Codec<A>)
  return {
    read: (value) => {
      if (fits(value)) return value
      const result = check(value)
      if (result._tag === "Success") return result.success
      const { message, path = [] } = SchemaIssue.makeFormatterStandardSchemaV1()(result.failure.issue).issues[0]!
      const keys = path.map((segment) => typeof segment === "object" ? segment.key : segment)
      const got = keys.reduce<unknown>(
        (value, key) => isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined,
        value
      )
      const show = secret || keys.some((key) => isSecret(String(key))) ? hidden : shown
      throw refuse(`${message === "Missing key" ? "Expected a value" : message}, got ${show(got)}`, ...keys)
    },
    write: (value) => value
  }
}

/** The first spelling that reads back as the value, or else the last. */
export const shortest = <A>(value: A, read: (spelling: unknown) => A, spellings: ReadonlyArray<unknown>): unknown =>
  spellings.find((spelling, index) => index === spellings.length - 1 || readsAs(value, read, spelling))

const readsAs = <A>(value: A, read: (spelling: unknown) => A, spelling: unknown): boolean => {
  try {
    return Equal.equals(read(spelling), value)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const isPlainRecord = (value: unknown): value is Fields => {
  if (!isRecord(value) || Schema.isSchema(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The value without keys that are `undefined`: to a person they are absent. */
const settled = (value: unknown, depth = 0): unknown => {
  if (depth > deepest) {
    throw refuse(`Expected data nested at most ${deepest} levels deep, got more, or data that holds itself`)
  }
  if (Array.isArray(value)) return value.map((child) => settled(child, depth + 1))
  if (!isPlainRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => child === undefined ? [] : [[key, settled(child, depth + 1)]])
  )
}
const deepest = 1000
