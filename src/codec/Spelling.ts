/** How the fields of a canonical struct are spelt on one wire, and the wire type that follows from it. */
import type { Schema } from "effect"
import type { Part, Plain } from "./Codec.ts"

/**
 * A wire constant that may be left out, and is left out by us unless all is written out: `{ type: implied("message") }`.
 * One that is not `written` is only read: for a word that the API takes and that says nothing.
 */
export class Implied<const T> {
  readonly value: T
  readonly written: boolean
  constructor(value: T, written: boolean) {
    this.value = value
    this.written = written
  }
}
/** @example `variant(Message, { type: implied("message"), role: "user" }, …)` */
export const implied = <const T extends string>(value: T, options?: { readonly written: false }): Implied<T> =>
  new Implied(value, options?.written ?? true)

/** What else there is to say of a field's spelling. */
export interface Options {
  /** The wire object that the field stands in, where that has no canonical node of its own. */
  readonly under?: string
  /** A canonical value without the field does not fit this variant. */
  readonly needed?: true
  /** The API's documented default: left out by compress. */
  readonly default?: Schema.Json
  /** Written where the field is absent: the wire always has the key. */
  readonly missing?: Schema.Json
  /** The same, but also read as absent, and on the way in the key may be absent too. */
  readonly always?: Schema.Json
  /** The same as `always`, in complete bodies (responses) only. */
  readonly neutral?: Schema.Json
}

/** The field under another name on the wire, in another form. */
export interface As<out N extends string, out C, out O> {
  readonly as: N
  readonly codec: C
  readonly options: O
}
/** @example `{ source: as("image_url", SourceFromUrl) }` */
export const as = <const N extends string, const C extends Schema.Constraint, const O extends Options = {}>(
  name: N,
  codec: C,
  options?: O
): As<N, C, O> => ({ as: name, codec, options: options ?? {} as O })

/** A field's spelling: its wire name when only the name differs, a codec when only the form does, or both. */
export type Spelling<T> = string | Part<T> | As<string, Part<T>, Options>

/** The wire's own words in an object: its tag, and what goes without saying. */
export type Constants = { readonly [key: string]: string | Implied<string> }

/** Stands for whichever protocol a value is encoded to: what a person wrote for it goes along. */
export const anyProtocol = "*"

/** Every canonical struct has it: what only one protocol knows, by protocol. */
export interface Bag {
  readonly [protocol: string]: { readonly [key: string]: Schema.Json }
}
export interface Bagged {
  readonly providerOptions?: Bag
}
export type Struct<A> = Plain<A> & { readonly fields: Schema.Struct.Fields }

// types -----------------------------------------------------------------------------------------------------------

type Simplify<T> = { [K in keyof T]: T[K] } & {}
export type Value<A, K extends keyof A> = Exclude<A[K], undefined>
type Optional<A> = { [K in keyof A]-?: {} extends Pick<A, K> ? K : never }[keyof A]
type IsUnion<T, U = T> = [T] extends [never] ? false : T extends unknown ? [U] extends [T] ? false : true : false
type IsWord<T> = [T] extends [string] ? (string extends T ? false : IsUnion<T> extends true ? false : true) : false
type Mute<A> = "providerOptions" | { [K in keyof A]-?: IsWord<A[K]> extends true ? K : never }[keyof A]
type Spoken<A, P> = Exclude<keyof A, Mute<A> | keyof P>

/** Every field of the struct is spelt, but its tag, its pinned fields and its bag. Optional ones need not be. */
export type Spellings<A, P> =
  & { readonly [K in Exclude<Spoken<A, P>, Optional<A>>]: Spelling<Value<A, K>> }
  & { readonly [K in Extract<Spoken<A, P>, Optional<A>>]?: Spelling<Value<A, K>> }

/** Codecs are covariant: one that knows only some of the field's values would type-check, and fail on encode. */
export type Whole<T, F> = F extends string ? F
  : F extends { readonly Type: infer U } | As<string, { readonly Type: infer U }, Options> ? [T] extends [U] ? F : never
  : never

type NameOf<K, F> = F extends string ? F : F extends As<infer N, unknown, Options> ? N : K
type FormOf<T, F> = F extends string ? T
  : F extends As<string, { readonly Encoded: infer E }, Options> ? E
  : F extends { readonly Encoded: infer E } ? E
  : never
type OptionsOf<F> = F extends As<string, unknown, infer O> ? O : {}
type GroupOf<F> = OptionsOf<F> extends { readonly under: infer G extends string } ? G : never

/** The keys of F that are spelt at the top of the wire object, and must be there (`R` true) or need not. */
type Keys<A, F, R> = {
  [K in keyof F & keyof A]: [GroupOf<F[K]>] extends [never]
    ? (K extends Optional<A> ? OptionsOf<F[K]> extends { readonly needed: true } | { readonly missing: unknown } ? true
      : false
      : OptionsOf<F[K]> extends { readonly always: unknown } | { readonly neutral: unknown } ? false
      : true) extends R ? K : never
    : never
}[keyof F & keyof A]

type Group<A, F, G> = {
  readonly [K in keyof F & keyof A as G extends GroupOf<F[K]> ? NameOf<K, F[K]> & string : never]?:
    | FormOf<Value<A, K>, F[K]>
    | null
}

/** The wire type that follows from a declaration. */
export type Wire<A, C, F> = Simplify<
  & { readonly [K in keyof C as C[K] extends string ? K : never]: C[K] }
  & { readonly [K in keyof C as C[K] extends string ? never : K]?: C[K] extends Implied<infer T> ? T : never }
  & { readonly [K in Keys<A, F, true> as NameOf<K, F[K]> & string]: FormOf<Value<A, K>, F[K]> }
  & { readonly [K in Keys<A, F, false> as NameOf<K, F[K]> & string]?: FormOf<Value<A, K>, F[K]> | null }
  & { readonly [G in { [K in keyof F]: GroupOf<F[K]> }[keyof F]]?: Simplify<Group<A, F, G>> | null }
>
