/** Lists, spellings, vocabularies and plain pairs of functions: the words codecs are written in, beside variants. */
import { Schema, SchemaGetter } from "effect"
import * as Check from "./Check.ts"
import {
  firstFit,
  isFit,
  isOfKit,
  lazy,
  make,
  malformed,
  type Part,
  type Plain,
  plain,
  type Reading,
  readingOf,
  Refusal,
  sidesOf,
  signs,
  type Turn,
  turnOf,
  turns,
  type Unfit,
  unfit,
  unrefused,
  type Way
} from "./Codec.ts"
import * as Straight from "./Straight.ts"

/**
 * A pair of functions, for what is not a declaration. Both see well-formed values only, and must give such.
 *
 * `carries` names the values that come back whole, where that is not all of them. `locate` says where in the value a
 * path through the middle form lies, for functions that move things about.
 */
export const transform = <A, M, I>(from: Part<M, I>, to: Plain<A>, by: {
  readonly decode: (value: M) => A | Unfit | Refusal
  readonly encode: (value: A) => M | Unfit | Refusal
  readonly carries?: Plain<A>
  readonly locate?: (middle: M, path: ReadonlyArray<PropertyKey>, value: A) => ReadonlyArray<PropertyKey>
}): Schema.Codec<A, I> => {
  const sides = sidesOf(from)
  const encode = accept(by.encode)
  return make<A, I>({
    wire: sides.wire,
    canonical: to.ast,
    carried: (by.carries ?? to).ast,
    marks: sides.marks,
    turns: turns(
      () => Straight.chain(readingOf(sides), accept(by.decode), signs) as Reading<A>,
      (way) => located(encode, turnOf(sides, way), by.locate)
    )
  })
}

const accept = <X, Y>(turn: (value: X) => Y | Unfit | Refusal): Turn<X, Y> => (value) => {
  const out = turn(value)
  if (out instanceof Refusal) throw out
  return out
}

const located = <A, M, I>(
  first: Turn<A, M>,
  second: Turn<M, I>,
  locate: ((middle: M, path: ReadonlyArray<PropertyKey>, value: A) => ReadonlyArray<PropertyKey>) | undefined
): Turn<A, I> =>
  locate === undefined ? Straight.chain(first, second, signs) : (value) => {
    const middle = first(value)
    if (middle === unfit) return unfit
    try {
      return second(middle)
    } catch (error) {
      if (error instanceof Refusal) error.path = locate(middle, error.path.toReversed(), value).toReversed()
      throw error
    }
  }

/** A schema of these values that is sampled by sampling another and mapping it. */
export const sampled = <A, B>(schema: Plain<A>, from: Plain<B>, f: (value: B) => A): Schema.Codec<A> =>
  Schema.declare<A>((value): value is A => Check.isJson(value) && Check.of(schema.ast)(value), {
    toCodecArbitrary: () =>
      Schema.link<A>()(from as Schema.Codec<B>, {
        decode: SchemaGetter.transform(f),
        encode: SchemaGetter.forbidden(() => "Only sampled")
      })
  }) as Schema.Codec<A>

/** Two closed vocabularies, word by word: `words({ any: "required", auto: "auto" })`. */
export const words = <const T extends Readonly<Record<string, string>>>(
  table: T
): Schema.Codec<T[keyof T], keyof T & string> => {
  const back = Object.fromEntries(Object.entries(table).map(([wire, word]) => [word, wire]))
  const canonical = Schema.Literals(Object.values(table)).ast
  return make<T[keyof T], keyof T & string>({
    wire: Schema.Literals(Object.keys(table)).ast,
    canonical,
    carried: canonical,
    turns: turns(
      () => (word) => typeof word === "string" && Object.hasOwn(table, word) ? table[word as keyof T] : malformed,
      () => (word) => back[word] as keyof T & string
    )
  })
}

/** A word we only pass on: the known ones complete in an editor, any other is as good. */
export const word = <const W extends string>(..._known: ReadonlyArray<W>): Schema.Codec<W | (string & {})> =>
  Schema.String as Schema.Codec<W | (string & {})>

/** The same, but for words that only others know. */
export const wordBut = (...foreign: ReadonlyArray<string>): Schema.Codec<string> => {
  const others = new Set(foreign)
  const isOurs = (word: string): boolean => !others.has(word)
  return transform(Schema.String, Schema.String, {
    decode: (word) => word,
    encode: (word) => isOurs(word) ? word : unfit,
    carries: Schema.String.check(Schema.makeFilter(isOurs))
  })
}

/** A list. What cannot be carried is left out on the wire. */
export const list = <A, I>(item: Part<A, I>): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const sides = sidesOf(item)
  const from = Schema.Array(plain<I>(sides.wire))
  if (sides.turns === undefined) return from as unknown as Schema.Codec<ReadonlyArray<A>, ReadonlyArray<I>>
  return make({
    wire: from.ast,
    canonical: Schema.Array(plain<A>(sides.canonical)).ast,
    carried: Schema.Array(plain<A>(sides.carried)).ast,
    turns: turns(
      () => Straight.each(readingOf(sides), signs) as Reading<ReadonlyArray<A>>,
      (way) => Straight.each(turnOf(sides, way), signs) as Turn<ReadonlyArray<A>, ReadonlyArray<I>>
    )
  })
}

/** The same list, but where none of its members can be carried, neither is it. */
export const listOfSome = <A, I>(item: Part<A, I>): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const all = list(item)
  const sides = sidesOf(all)
  if (sides.turns === undefined) return all
  return make({
    ...sides,
    turns: turns(() => readingOf(sides), (way) => {
      const turn = turnOf(sides, way)
      return (values) => {
        const out = turn(values)
        return out !== unfit && out.length === 0 && values.length > 0 ? unfit : out
      }
    })
  })
}

/** Several spellings of one thing. The first that fits is taken, both ways: put the shortest first. */
export const either = <A, const P extends ReadonlyArray<Part<A>>>(
  to: Plain<A>,
  ...spellings: P
): Schema.Codec<A, P[number]["Encoded"]> => {
  const members = spellings.map((spelling) => sidesOf(spelling))
  return make<A, P[number]["Encoded"]>({
    wire: Schema.Union(members.map((member) => plain<unknown>(member.wire))).ast,
    canonical: to.ast,
    carried: Schema.Union(members.map((member) => plain<unknown>(member.carried))).ast,
    turns: turns(
      () => Straight.first(members.map((member) => readingOf(member)), signs) as Reading<A>,
      (way) => firstFit(members, way, to.ast) as Turn<A, P[number]["Encoded"]>
    )
  })
}

/**
 * A short spelling of some values of a codec. It is a matter of the wire alone: `expand` gives the long wire form, and
 * `compress` the short one exactly when nothing would be lost by it.
 */
export const shorthand = <A, I, S>(long: Part<A, I>, short: Plain<S>, by: {
  readonly expand: (value: S) => NoInfer<I>
  readonly compress: (value: NoInfer<I>) => S | Unfit
}): Schema.Codec<A, S | I> => {
  const sides = sidesOf(long)
  return make<A, S | I>({
    wire: Schema.Union([plain(short.ast), plain(sides.wire)]).ast,
    canonical: sides.canonical,
    carried: sides.carried,
    turns: turns(
      () => Straight.where(Check.plain(short.ast), by.expand, readingOf(sides)) as Reading<A>,
      (way) => {
        const turn = turnOf(sides, way)
        return way !== "encode" ? turn : (value) => {
          const out = turn(value)
          if (out === unfit) return unfit
          const compressed = by.compress(out)
          return compressed === unfit ? out : compressed
        }
      }
    )
  })
}

/** The text of a wire list that is one object of this type with a text and nothing else. */
export const onlyText = (values: ReadonlyArray<{ readonly type?: string }>, type: string): string | Unfit => {
  const [value] = values
  if (values.length !== 1 || value?.type !== type || !("text" in value) || typeof value.text !== "string") return unfit
  for (const key in value) if (key !== "type" && key !== "text") return unfit
  return value.text
}

/** Names another codec, for codecs that contain themselves. */
export const suspend = <A, I>(codec: () => Schema.Codec<A, I>): Schema.Codec<A, I> =>
  make<A, I>({
    wire: Schema.suspend(() => plain<I>(sidesOf(codec()).wire)).ast,
    canonical: Schema.suspend(() => plain<A>(sidesOf(codec()).canonical)).ast,
    carried: Schema.suspend(() => plain<A>(sidesOf(codec()).carried)).ast,
    turns: turns(
      () => lazy(() => readingOf(sidesOf(codec()))),
      (way) => lazy(() => turnOf(sidesOf(codec()), way))
    )
  })

/** Decodes at once, without the interpreter's door: for what is decoded many thousand times. */
export const parsed = <A, I>(codec: Schema.Codec<A, I>): (json: unknown) => A => {
  const read = lazy(() => readingOf(sidesOf(codec)))
  const explain = Schema.decodeUnknownSync(codec)
  return (json) => {
    const out = unrefused(read, json)
    return isFit(out) ? out : explain(json)
  }
}

/** The same codec, writing every key that a whole response has. */
export const complete = <A, I>(codec: Schema.Codec<A, I>): Schema.Codec<A, I> => {
  const sides = sidesOf(codec)
  return make<A, I>({ ...sides, turns: turns(() => readingOf(sides), () => turnOf(sides, "complete")) })
}

/** Any spelling on the outside, every short one written out on the inside: decode expands, encode compresses. */
export const expanded = <A, I>(codec: Schema.Codec<A, I>): Schema.Codec<I, I> => {
  const sides = sidesOf(codec)
  const { wire } = sides
  const through = (way: Way) => Straight.chain(readingOf(sides), turnOf(sides, way), signs)
  return make<I, I>({
    wire,
    canonical: wire,
    carried: wire,
    turns: turns(() => through("expand"), () => through("encode") as Turn<I, I>)
  })
}

/**
 * From one wire to another through the form that both have in common: decode goes from the first to the second, encode
 * back. What is read is written at once, without a second check. What the other wire has no place for is lost.
 *
 * @example
 * const ResponsesFromMessages = translation(AnthropicMessages.RequestFromWire, OpenAiResponses.RequestFromWire)
 * Schema.decodeUnknownSync(ResponsesFromMessages)({ model: "m", messages: [{ role: "user", content: "hi" }] })
 * // => { model: "m", input: "hi" }
 */
export const translation = <A, I, J>(from: Schema.Codec<A, I>, to: Schema.Codec<A, J>): Schema.Codec<J, I> => {
  const [source, target] = [sidesOf(from), sidesOf(to)]
  return make<J, I>({
    wire: source.wire,
    canonical: target.wire,
    carried: target.wire,
    turns: turns(
      () => Straight.chain(readingOf(source), turnOf(target, "encode"), signs) as Reading<J>,
      (way) => Straight.chain(readingOf(target), turnOf(source, way), signs) as Turn<J, I>
    )
  })
}

/** The inner values that a codec carries whole, as a schema: what its laws are checked on. Of a foreign codec, all. */
export const carried = <A, I>(codec: Schema.Codec<A, I>): Schema.Codec<A> =>
  isOfKit(codec) ? plain<A>(sidesOf(codec).carried) : Schema.toType(codec)
