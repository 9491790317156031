/**
 * Declares a codec between a wire form and a canonical form once, and derives all of it from the declaration.
 *
 * A codec is a plain Effect schema: `wire -> one transformation -> canonical`, where both sides are plain schemas and
 * the transformation is made of *turns*, total functions between well-formed values. The interpreter therefore says
 * what is wrong with a wire value in wire terms and with a canonical value in canonical terms. The fast road is the
 * same turn behind {@link Check}: `check(wire) ? decode(wire) : invalid`, and the like for encode. It is installed on
 * the codec's AST and on its flip, so every reading of the schema takes it.
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

/**
 * How far a value is spelt out on its way to the wire: `encode` takes the shortest spelling, `expand` writes out every
 * short one, `complete` also writes the keys that a response always has.
 */
export type Way = "encode" | "expand" | "complete"
/** All ways through a codec. */
export type Turns<A, I> = { readonly decode: Turn<I, A> } & { readonly [W in Way]: Turn<A, I> }

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

/** The three outward turns of a codec, from a recipe for each; the longer spellings are made on first use. */
export const outward = <A, I>(recipe: (way: Way) => Turn<A, I>): { readonly [W in Way]: Turn<A, I> } => ({
  encode: recipe("encode"),
  expand: lazy(() => recipe("expand")),
  complete: lazy(() => recipe("complete"))
})

/** A turn that is made on first use. */
export const lazy = <A, B>(make: () => Turn<A, B>): Turn<A, B> => {
  let turn: Turn<A, B> | undefined
  return (value) => (turn ??= make())(value)
}

/** The schema of two sides and the turns between them, with its fast roads installed. */
export const make = <A, I>(it: Sides<A, I> & { readonly turns: Turns<A, I> }): Schema.Codec<A, I> => {
  const { decode, encode } = it.turns
  const schema = plain<I>(it.wire).pipe(
    Schema.decodeTo(plain<A>(it.canonical), { decode: getter(decode), encode: getter(encode) })
  )
  known.set(schema.ast, it)
  const twin = schema.annotate({})
  install(schema.ast, it.wire, decode, SchemaParser.decodeUnknownEffect(twin))
  install(SchemaAST.flip(schema.ast), it.canonical, encode, SchemaParser.encodeUnknownEffect(twin))
  return schema
}

const getter = <A, B>(turn: Turn<A, B>): SchemaGetter.Getter<B, A> =>
  SchemaGetter.transformEffect((value: A, options) => {
    try {
      const out = turn(value)
      if (out !== unfit) return Effect.succeed(out)
      return Effect.fail(
        new SchemaIssue.InvalidValue({ message: "Expected a value the other side can carry" }, value, options)
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const issue = new SchemaIssue.InvalidValue({ message: error.message }, undefined, options)
      return Effect.fail(error.path.length === 0 ? issue : new SchemaIssue.Pointer(error.path.toReversed(), issue))
    }
  })

const install = <A, B>(
  ast: SchemaAST.AST,
  from: SchemaAST.AST,
  turn: Turn<A, B>,
  interpreted: SchemaCompiler.DecodeEffect
): void => {
  let shape: Check.Check | undefined
  SchemaCompiler.set(ast, {
    decode: (input, options) => {
      if (options.onExcessProperty === "error" || !Check.isJson(input) || !(shape ??= Check.of(from))(input)) {
        return SchemaCompiler.invalid
      }
      const out = unrefused(turn, input as A)
      return out === unfit ? SchemaCompiler.invalid : out
    },
    decodeEffect: (input, options) =>
      input === SchemaCompiler.missing ? Effect.succeed(input) : interpreted(input, options)
  })
}

/** The turn of a value; one that is refused is unfit. */
export const unrefused = <A, B>(turn: Turn<A, B>, value: A): B | Unfit => {
  try {
    return turn(value)
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

/** The value's turn through a side, or the value itself where both sides are the same. */
export const turnOf = (sides: AnySides, way: "decode" | Way): Turn<unknown, unknown> =>
  sides.turns?.[way] ?? ((value) => value)

/** The first member that takes the value and finds it fit; the value is known to be well formed `of` something. */
export const firstFit = (
  members: ReadonlyArray<AnySides>,
  way: "decode" | Way,
  of: SchemaAST.AST
): Turn<unknown, unknown> => {
  const tries = members.map((member) => {
    const side = way === "decode" ? member.wire : member.canonical
    return { accepts: side === of ? () => true : Check.lazy(side), turn: turnOf(member, way) }
  })
  return (value) => {
    for (const { accepts, turn } of tries) {
      if (!accepts(value)) continue
      const out = turn(value)
      if (out !== unfit) return out
    }
    return unfit
  }
}
