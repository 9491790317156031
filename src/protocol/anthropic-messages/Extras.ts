/** Reads and writes what only this protocol knows of a node: its bag, where an object lies within another. */
import { type Bag, type Bagged, isRecord } from "../../codec/index.ts"
import { name } from "./Content.ts"

export type Extras = Bag[string]

export const extrasOf = (node: Bagged): Extras => node.providerOptions?.[name] ?? {}

/** The bag of a node, where there is something to put into it. */
export const bagOf = (extras: Extras): Bagged =>
  Object.keys(extras).length === 0 ? {} : { providerOptions: { [name]: extras } }

/** The extras of an object, and under a key those of one that lies in it. */
export const nest = (outer: Extras, key: string, inner: Extras): Extras =>
  Object.keys(inner).length === 0 ? outer : { ...outer, [key]: inner }

/** The way back from {@link nest}. */
export const unnest = (extras: Extras, key: string): readonly [outer: Extras, inner: Extras] => {
  const { [key]: inner, ...outer } = extras
  return isRecord(inner) ? [outer, inner as Extras] : [extras, {}]
}
