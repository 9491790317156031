/**
 * Declares a codec between a wire form and a canonical form once, and derives all of it from the declaration.
 *
 * A codec is a plain Effect schema: `wire -> one transformation -> canonical`, where both sides are plain schemas and
 * the transformation is made of a *reading* and *turns*. The interpreter therefore says what is wrong with a wire value
 * in wire terms and with a canonical value in canonical terms. The fast road says nothing of it, and visits every value
 * once: a reading takes anything, and is at once the check and the turn; a turn outward takes what {@link Check} found
 * well formed. Both are installed on the codec's AST and on its flip, so every use of the schema takes them.
 *
 * Laws: the roads agree on every input; `decode(encode(i)) = i` for every `i` that is carried; `encode . decode` is
 * idempotent; unknown wire keys, tags and members survive `encode . decode`.
 */
import { Effect, Schema, SchemaAST, SchemaGetter, SchemaIssue, SchemaParser } from "effect"
import * as SchemaCompiler from "effect/schema/SchemaCompiler"
import * as Check from "./Check.ts"

/** The answer of a turn to a value that is well formed but has no place on the other side. Lists leave it out. */
export const unfit: unique symbol = Symbol("bellows/unfit")
export type Unfit = typeof unfit

/** The answer of a reading to a value that has not the form of its side: the interpreter says why. */
export const malformed: unique symbol = Symbol("bellows/malformed")
export type Malformed = typeof malformed

/** The answer of a turn to a value that must not be passed on; it becomes an issue with this message and a path. */
export class Refusal {
  readonly message: string
  /** From the inside out. */
  path: Array<PropertyKey>
  constructor(message: string, path: ReadonlyArray<PropertyKey>) {
    this.message = message
    this.path = path.toReversed()
  }
}
/** @example `refuse("Expected a name", "tools", 3)` */
export const refuse = (message: string, ...path: ReadonlyArray<PropertyKey>): Refusal => new Refusal(message, path)

/** A schema whose two sides are the same. */
export type Plain<A> = Schema.ConstraintCodec<A, A>
/** A schema of this kit, or a plain one. */
export type Part<A, I = unknown> = Schema.ConstraintCodec<A, I>
/** One way through a codec, from a well-formed value. */
export type Turn<A, B> = (value: A) => B | Unfit
/** The way in, from anything at all. */
export type Reading<A> = (value: unknown) => A | Unfit | Malformed

/**
 * How far a value is spelt out on its way to the wire: `encode` takes the shortest spelling, `expand` writes out every
 * short one, `complete` also writes the keys that a response always has.
 */
export type Way = "encode" | "expand" | "complete"
/** All ways through a codec, each made on first use: what a program never takes costs it nothing. */
export type Turns<A, I> = { readonly decode: () => Reading<A> } & { readonly [W in Way]: () => Turn<A, I> }

/** What the kit knows of a codec. */
export interface Sides<A, I> {
  readonly wire: SchemaAST.AST
  readonly canonical: SchemaAST.AST
  /** The canonical values that come back whole, as a schema that can be sampled. */
  readonly carried: SchemaAST.AST
  /** Absent when the two sides are the same: the value itself is passed on. */
  readonly turns: Turns<A, I> | undefined
  /** What a variant is known by. */
  readonly marks?: Marks | undefined
}
/** The constants that tell a variant from others of its union. */
export interface Marks {
  readonly wire: Readonly<Record<string, string>>
  readonly canonical: Readonly<Record<string, unknown>>
  /** May the tag be left out? */
  readonly tagless: boolean
}

// The kit looks codecs up by AST, whatever their types: this is the one place where types are set aside.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnySides = Sides<any, any>
const known = new WeakMap<SchemaAST.AST, AnySides>()

/** Was it made by this kit? */
export const isOfKit = (part: Schema.Constraint): boolean => known.has(part.ast)

/** The sides of a codec of this kit, or of a plain schema, whose two sides are the same. */
export const sidesOf = <A, I>(part: Part<A, I>): Sides<A, I> => {
  const sides = known.get(part.ast)
  if (sides !== undefined) return sides
  if (SchemaAST.toType(part.ast) !== part.ast) {
    throw new Error(
      "A part of a codec is either plain or a codec of this kit; annotate its sides, not the codec itself"
    )
  }
  if (hasStruct(part.ast)) {
    throw new Error("A plain struct would lose its unknown keys on the wire: spell it as a variant")
  }
  return { wire: part.ast, canonical: part.ast, carried: part.ast, turns: undefined }
}

const hasStruct = (ast: SchemaAST.AST): boolean => {
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.length > 0 || ast.indexSignatures.some(({ type }) => hasStruct(type))
    case "Arrays":
      return ast.rest.some(hasStruct) || ast.elements.some(hasStruct)
    case "Union":
      return ast.types.some(hasStruct)
    default:
      return false
  }
}

/** The schema of an AST whose two sides are the same. */
export const plain = <A>(ast: SchemaAST.AST): Schema.Codec<A> => Schema.make<Schema.Codec<A>>(ast)

/** A codec's turns from a recipe for the way in, and one for each way out. */
export const turns = <A, I>(decode: () => Reading<A>, outward: (way: Way) => Turn<A, I>): Turns<A, I> => ({
  decode: once(decode),
  encode: once(() => outward("encode")),
  expand: once(() => outward("expand")),
  complete: once(() => outward("complete"))
})

/** A turn or a reading that is made on first use, for codecs that contain themselves. */
export const lazy = <A, B>(make: () => (value: A) => B): (value: A) => B => {
  const made = once(make)
  return (value) => made()(value)
}

const once = <A>(make: () => A): () => A => {
  let made: A | undefined
  return () => made ??= make()
}

/** The schema of two sides and the turns between them, with its fast roads installed. */
export const make = <A, I>(it: Sides<A, I> & { readonly turns: Turns<A, I> }): Schema.Codec<A, I> => {
  const { decode, encode } = it.turns
  const schema = plain<I>(it.wire).pipe(
    Schema.decodeTo(plain<A>(it.canonical), { decode: getter(decode), encode: getter(encode) })
  )
  known.set(schema.ast, it)
  const twin = schema.annotate({})
  install(schema.ast, decode, SchemaParser.decodeUnknownEffect(twin))
  install(
    SchemaAST.flip(schema.ast),
    once(() => {
      const [isCanonical, write] = [Check.of(it.canonical), encode()]
      return (value) => isCanonical(value) ? write(value as A) : malformed
    }),
    SchemaParser.encodeUnknownEffect(twin)
  )
  return schema
}

const getter = <A, B>(turn: () => (value: A) => B | Unfit | Malformed): SchemaGetter.Getter<B, A> =>
  SchemaGetter.transformEffect((value: A, options) => {
    try {
      const out = turn()(value)
      if (isFit(out)) return Effect.succeed(out)
      return Effect.fail(
        new SchemaIssue.InvalidValue({ message: "Expected a value the other side can carry" }, value, options)
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const issue = new SchemaIssue.InvalidValue({ message: error.message }, undefined, options)
      return Effect.fail(error.path.length === 0 ? issue : new SchemaIssue.Pointer(error.path.toReversed(), issue))
    }
  })

/** Is it a value, and no word for the lack of one? */
export const isFit = <A>(out: A | Unfit | Malformed): out is A => out !== unfit && out !== malformed

const install = <B>(ast: SchemaAST.AST, read: () => Reading<B>, interpreted: SchemaCompiler.DecodeEffect): void => {
  SchemaCompiler.set(ast, {
    decode: (input, options) => {
      if (options.onExcessProperty === "error") return SchemaCompiler.invalid
      const out = unrefused(read(), input)
      return isFit(out) ? out : SchemaCompiler.invalid
    },
    decodeEffect: (input, options) =>
      input === SchemaCompiler.missing ? Effect.succeed(input) : interpreted(input, options)
  })
}

/** What a reading gives; one that refuses finds the value unfit. */
export const unrefused = <B>(read: Reading<B>, value: unknown): B | Unfit | Malformed => {
  try {
    return read(value)
  } catch (error) {
    if (error instanceof Refusal) return unfit
    throw error
  }
}

/** Puts a key in front of the path of a refusal that passes by. */
export const at = (error: unknown, key: PropertyKey): unknown => {
  if (error instanceof Refusal) error.path.push(key)
  return error
}

/** Does the work under a key, which then stands in the path of a refusal, be it thrown or given back. */
export const within = <A>(key: PropertyKey, work: () => A | Refusal): A => {
  try {
    const out = work()
    if (out instanceof Refusal) throw out
    return out
  } catch (error) {
    throw at(error, key)
  }
}

/** The words of the kit that generated code speaks. */
export const signs = { unfit, malformed, at }

/** The way in of a side. */
export const readingOf = <A, I>(sides: Sides<A, I>): Reading<A> => {
  if (sides.turns !== undefined) return sides.turns.decode()
  const isWire = Check.of(sides.wire)
  return (value) => isWire(value) ? value as A : malformed
}

/** The value's turn through a side, or the value itself where both sides are the same. */
export const turnOf = <A, I>(sides: Sides<A, I>, way: Way): Turn<A, I> =>
  sides.turns?.[way]() ?? ((value) => value as unknown as I)

/** The first member that takes the value and finds it fit; the value is known to be well formed `of` something. */
export const firstFit = (members: ReadonlyArray<AnySides>, way: Way, of: SchemaAST.AST): Turn<unknown, unknown> => {
  const tries = members.map((member) => ({
    accepts: Check.within(of, member.canonical),
    turn: turnOf(member, way)
  }))
  return (value) => {
    for (const { accepts, turn } of tries) {
      if (!accepts(value)) continue
      const out = turn(value)
      if (out !== unfit) return out
    }
    return unfit
  }
}
