/** The types of arguments, as params say them. */
import type { Schema } from "effect"
import type { Param, Params, Type } from "./Param.ts"

type Bare = { readonly [key: string]: Schema.Json }

/**
 * What a value of a type is. A literal of params gives it exactly, params that are only known at run time any JSON. `N`
 * is `null` where that stands for what is not there.
 */
export type Value<T extends Type, N = never> =
  | (T extends { readonly nullable: true } ? null : never)
  | (T extends { readonly enum: ReadonlyArray<infer E> } ? E : Plain<T, N>)

type Plain<T extends Type, N> = T["type"] extends infer Name ? Name extends "string" ? string
  : Name extends "integer" | "number" ? number
  : Name extends "boolean" ? boolean
  : Name extends "array"
    ? T extends { readonly items: infer I extends Type } ? ReadonlyArray<Value<I, N>> : ReadonlyArray<Schema.Json>
  : Name extends "object" ?
    T extends { readonly properties: infer P extends ReadonlyArray<Param> } ? Values<P, N> : Bare
  : Name extends "union"
    ? T extends { readonly types: ReadonlyArray<infer S extends Type["type"]> } ? Plain<{ readonly type: S }, N>
    : Schema.Json
  : Schema.Json
  : never

/** Is it there whatever the arguments say? */
type Sure = { readonly required: true } | { readonly default: Schema.Json }

type Values<P extends ReadonlyArray<Param>, N> = string extends P[number]["name"] ? Bare : Flat<
  & { readonly [K in Extract<P[number], Sure> as K["name"]]: Value<K, N> }
  & ([N] extends [never] ? { readonly [K in Exclude<P[number], Sure> as K["name"]]?: Value<K, N> }
    : { readonly [K in Exclude<P[number], Sure> as K["name"]]: Value<K, N> | N })
>
type Flat<A> = { readonly [K in keyof A]: A[K] }

/** The arguments that params describe. What may be left out is absent, or `N` where that stands for it. */
export type Arguments<P extends Params, N = never> = Plain<P, N>
