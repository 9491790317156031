/**
 * Holds the two roads of a codec against each other: the code that is derived from its declaration, and Effect's own
 * interpreter of the same schema. They must answer alike to every input, well formed or not.
 */
import { Exit, Inspectable, Schema } from "effect"
import { isRecord } from "../codec/index.ts"
import { modify, pick, places } from "./Injection.ts"

export type Way = "decode" | "encode"

/** What the roads of a codec answer to a value where they do not answer alike, in words. */
export const parting = <A, I>(codec: Schema.Codec<A, I>): (way: Way, value: unknown) => string | undefined => {
  // A schema with other annotations is another schema: nothing is installed on it.
  const interpreted = codec.annotate({})
  const ways = {
    decode: [Schema.decodeUnknownExit(codec), Schema.decodeUnknownExit(interpreted)],
    encode: [Schema.encodeUnknownExit(codec), Schema.encodeUnknownExit(interpreted)]
  } as const
  return (way, value) => {
    const [fast, slow] = ways[way].map((road): Exit.Exit<unknown, Schema.SchemaError> => road(value))
    return isSame(fast!, slow!) ? undefined : `${way}\nderived: ${said(fast!)}\ninterpreted: ${said(slow!)}`
  }
}

const isSame = (a: Exit.Exit<unknown, unknown>, b: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(a) && Exit.isSuccess(b) ? isEqual(a.value, b.value) : said(a) === said(b)

const isEqual = Schema.toEquivalence(Schema.Unknown)

const said = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isSuccess(exit) ? Inspectable.toStringUnknown(exit.value, 0) : String(exit.cause)

class Odd {
  readonly type = "text"
  readonly text = "of a class"
}
const odd: ReadonlyArray<unknown> = [
  undefined,
  null,
  5,
  Number.NaN,
  true,
  "text",
  "",
  [],
  ["text"],
  [null],
  {},
  { type: "text" },
  { x_unknown: [undefined] },
  Object.create(null),
  new Odd(),
  new Date(0),
  () => 1,
  1n,
  Symbol.iterator
]

/** The value, and it with something odd at a place, or with something odd beside it: `count` of them, as the seed decides. */
export const spoilt = (value: unknown, count: number, seed: string): ReadonlyArray<unknown> => {
  const json = value as Schema.Json
  const paths = places(json, "any")
  return [
    value,
    ...Array.from({ length: count }, (_, i) => {
      const other = pick(odd, `${seed} value ${i}`) as Schema.Json
      const isBeside = pick([false, true], `${seed} beside ${i}`)!
      return modify(json, pick(paths, `${seed} path ${i}`)!, (node) => isBeside ? beside(node, other) : other)
    })
  ]
}

const beside = (node: Schema.Json, other: Schema.Json): Schema.Json =>
  Array.isArray(node) ? [...node, other] : isRecord(node) ? { ...node, x_odd: other } : other
