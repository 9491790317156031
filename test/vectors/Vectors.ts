/**
 * Holds input and output pairs, observed in other software, against what we make of the same input.
 *
 * `normalize`: shorthand -> canonical -> wire -> every short spelling written out, compared with the observed output
 * written out the same way. `compress`: the observed input with every short spelling taken, compared with the output.
 * Where the other software is wrong (its note says `quirk:`), the right value stands in a table, with the reason.
 */
import { assert, it } from "@effect/vitest"
import { Equal, Schema } from "effect"
import { readFileSync } from "node:fs"
import { isRecord } from "../../src/codec/index.ts"

export type Json = Schema.Json
type Fields = { readonly [key: string]: Json }

export interface Vector {
  readonly id: string
  readonly function: string
  readonly input: Json
  readonly output: Json
  readonly note: string
}

/** What is right in place of an observed output: a value, or an error whose message has these words. */
export type Right = { readonly why: string } & ({ readonly right: Json } | { readonly error: string })
export type Table = { readonly [id: string]: Right }

/** A person's input, and the API's own spelling of the same, each written out. */
export interface Comparison {
  readonly written: (input: Json) => Json
  readonly wire: (value: Json) => Json
  /** What an absent input means, where that is not nothing. */
  readonly absent?: Json
}

export const fields = (value: Json): Fields => isRecord(value) ? value as Fields : {}

/** A codec's two ways, synchronous, on JSON. */
export const ways = (codec: Schema.Codec<unknown, unknown>) => ({
  decode: Schema.decodeUnknownSync(codec) as (value: unknown) => Json,
  encode: Schema.encodeUnknownSync(codec) as (value: unknown) => Json
})

/** Shorthand to canonical to wire to expanded wire; or wire alone. */
export const through = <A>(
  shorthand: Schema.Codec<A, unknown>,
  wire: Schema.Codec<A, unknown>,
  expanded: Schema.Codec<unknown, unknown>
): Comparison => {
  const expand = ways(expanded).decode
  return { written: (input) => expand(ways(wire).encode(ways(shorthand).decode(input))), wire: expand }
}

/** The element of a list of one, or else the list. */
export const one = ({ wire, written }: Comparison): Comparison => {
  const only = (list: Json): Json => Array.isArray(list) && list.length === 1 ? list[0] ?? null : list
  return { written: (input) => only(written(input)), wire: (value) => only(wire([value])) }
}

/** Compress: the shortest wire for the input, compared with the output as it stands. */
export const compressed = (codec: Schema.Codec<unknown, unknown>): Comparison => ({
  written: ways(codec).encode,
  wire: (value) => value
})

/**
 * What is made of a line: an absent piece is absent. What shorthand refuses goes in as wire if it is of the API's own
 * form: if it names its type, says nothing, or is left unchanged by the other software. What the wire refuses too, and
 * the other software leaves unchanged, is left to the caller here as well; what it makes nothing of is refused.
 */
const observed = ({ input, output }: Vector, { absent = null, wire, written }: Comparison): Json => {
  if (input === null) return absent
  const got = attempt(() => written(input))
  if ("value" in got) return got.value
  if (output === null) return null
  const isUnchanged = Equal.equals(output, input) || Equal.equals(output, [input])
  if (!isTyped(input) && !isEmpty(input) && !isUnchanged) throw new Error(got.error)
  const own = attempt(() => wire(input))
  if ("error" in own && !isUnchanged) throw new Error(got.error)
  return "value" in own ? own.value : input
}

const isEmpty = (input: Json): boolean => isRecord(input) && Object.keys(input).length === 0

/** Does an object of the input name its type, as the wire does? */
const isTyped = (input: Json): boolean =>
  Array.isArray(input)
    ? input.some(isTyped)
    : isRecord(input) && (typeof input.type === "string" || Object.values(input as Fields).some(isTyped))

/** Without keys that are `null`: those are absent. */
const settled = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(settled)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value as Fields).filter(([, child]) => child !== null).map(([key, child]) => [key, settled(child)])
  )
}

const attempt = (work: () => Json): { readonly value: Json } | { readonly error: string } => {
  try {
    return { value: work() }
  } catch (error) {
    return { error: String(error) }
  }
}

/** A test for each line of the file, and one that no line is left over: each `quirk:` has its right value. */
export const check = (
  file: string,
  table: Table,
  comparisons: { readonly [name: string]: (vector: Vector) => Comparison }
): void => {
  const text = readFileSync(new URL(`../fixtures/vectors/${file}.jsonl`, import.meta.url), "utf8")
  const vectors = text.trimEnd().split("\n").map((line) => JSON.parse(line) as Vector)
  for (const vector of vectors) {
    it(`${vector.id} ${vector.function}: ${vector.note}`, () => {
      const comparison = comparisons[vector.function]!(vector)
      const right = table[vector.id]
      const got = attempt(() =>
        right === undefined || "right" in right ? observed(vector, comparison) : comparison.written(vector.input)
      )
      if (right !== undefined && "error" in right) return assert.include("error" in got ? got.error : "", right.error)
      const { output } = vector
      const theirs = attempt(() => output === null ? null : comparison.wire(output))
      const expected = right === undefined ? "value" in theirs ? theirs.value : output : right.right
      assert.deepStrictEqual("value" in got ? settled(got.value) : got, settled(expected))
    })
  }
  it("every line is compared, and every quirk has its right value", () => {
    assert.deepStrictEqual(vectors.filter((vector) => !Object.hasOwn(comparisons, vector.function)), [])
    const quirks = vectors.filter(({ note }) => note.includes("quirk:")).map(({ id }) => id)
    assert.deepStrictEqual(quirks.filter((id) => !Object.hasOwn(table, id)), [])
    const ids = new Set(vectors.map(({ id }) => id))
    assert.deepStrictEqual(Object.keys(table).filter((id) => !ids.has(id)), [])
  })
}
