/** Reads and writes the keys of a node that only this protocol knows. */
import type { Schema } from "effect"
import { type Bagged, protocol } from "../../codec/index.ts"

export const name = "openai-responses"
export const { open, variant } = protocol(name)

export interface Extras {
  readonly [key: string]: Schema.Json
}
const none: Extras = {}

export const extrasOf = (node: Bagged): Extras => node.providerOptions?.[name] ?? none

/** The node with exactly these keys beside its own; without any it has no trace of them. */
export const withExtras = <A extends Bagged>(node: A, extras: Extras): A => {
  const { providerOptions, ...rest } = node
  const { [name]: _, ...others } = providerOptions ?? {}
  const bag = Object.keys(extras).length === 0 ? others : { ...others, [name]: extras }
  return (Object.keys(bag).length === 0 ? rest : { ...rest, providerOptions: bag }) as A
}
