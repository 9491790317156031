/**
 * Holds the two roads of a codec against each other: the code that is derived from its declaration, and Effect's own
 * interpreter of the same schema. They must answer alike to every input, well formed or not.
 */
import { Exit, Inspectable, Schema } from "effect"
import { isRecord } from "../codec/index.ts"
import { pick } from "./Injection.ts"

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
  const paths = pathsOf(value)
  return [
    value,
    ...Array.from({ length: count }, (_, i) => {
      const path = pick(paths, `${seed} path ${i}`)!
      const other = pick(odd, `${seed} value ${i}`)
      return put(value, pick([false, true], `${seed} beside ${i}`)! ? [...path, "x_odd"] : path, other)
    })
  ]
}

type Path = ReadonlyArray<string | number>

const pathsOf = (value: unknown): ReadonlyArray<Path> => {
  const out: Array<Path> = [[]]
  for (const path of out) {
    const node = path.reduce<unknown>((at, key) => (at as Readonly<Record<string | number, unknown>>)[key], value)
    if (Array.isArray(node)) node.forEach((_, index) => out.push([...path, index]))
    else if (isRecord(node)) { for (const key of Object.keys(node)) out.push([...path, key]) }
  }
  return out
}

const put = (value: unknown, [key, ...rest]: Path, other: unknown): unknown => {
  if (key === undefined) return other
  if (Array.isArray(value)) {
    return typeof key === "number" ? value.with(key, put(value[key], rest, other)) : [...value, other]
  }
  return isRecord(value) ? { ...value, [key]: put(value[key], rest, other) } : other
}
