/** The fields of a variant: where each stands on either side, and its turns. */
import { Schema, type SchemaAST } from "effect"
import * as Check from "./Check.ts"
import { type Part, plain, type Reading, readingOf, sidesOf, type Turn, unfit, type Way } from "./Codec.ts"
import type { Options, Spelling, Struct } from "./Spelling.ts"

export interface Field extends Options {
  readonly key: string
  readonly name: string
  /** May the canonical struct lack it? */
  readonly optional: boolean
  /** Must the wire object have it? */
  readonly required: boolean
  readonly wire: Schema.Constraint
  readonly carried: Schema.Constraint
  /** The way in; a value that is the same on both sides is only checked. */
  readonly read: () => Reading<unknown> | Check.Plain
  readonly turn: (way: Way) => Turn<never, unknown> | undefined
}

export const propertiesOf = (struct: Schema.Constraint) =>
  (struct.ast as SchemaAST.Objects).propertySignatures.map(({ name, type }) => ({ name: name as string, type }))

export const fieldsOf = <A>(
  canonical: Struct<A>,
  spellings: { readonly [key: string]: Spelling<unknown> | undefined }
): ReadonlyArray<Field> => {
  const typeOf = new Map(propertiesOf(canonical).map(({ name, type }) => [name, type]))
  return Object.entries(spellings).flatMap(([key, spelling]) => {
    if (spelling === undefined) return []
    const form = typeof spelling === "object" && "as" in spelling ? spelling : undefined
    const codec = form?.codec ??
      (typeof spelling === "string" ? present(canonical.fields[key]!) : spelling as Part<unknown>)
    const options = form?.options ?? {}
    const sides = sidesOf(codec as Part<unknown>)
    const { carried, turns, wire } = sides
    const optional = typeOf.get(key)!.context?.isOptional === true
    const absent = options.always === undefined ? options.neutral : options.always
    return [{
      ...options,
      key,
      name: typeof spelling === "string" ? spelling : form?.as ?? key,
      optional,
      required: options.needed === true || options.missing !== undefined || !optional && absent === undefined,
      wire: plain<unknown>(wire),
      carried: plain<unknown>(carried),
      read: () =>
        absent !== undefined && optional ? except(absent, readingOf(sides)) : turns?.decode() ?? Check.plain(wire),
      turn: (way) =>
        way === "encode" && options.default !== undefined
          ? butNot(turns?.[way](), options.default)
          : way !== "complete" && options.neutral !== undefined
          ? butNot(turns?.[way](), options.neutral)
          : turns?.[way]()
    }]
  })
}

/** Reads a wire value as absent, others as they are. */
const except = (absent: unknown, read: Reading<unknown>): Reading<unknown> => {
  const isAbsent = equals(absent)
  return (value) => isAbsent(value) ? unfit : read(value)
}

/** Leaves out a wire value that says no more than its absence. */
const butNot = (turn: Turn<never, unknown> = same, absent: unknown): Turn<never, unknown> => {
  const isAbsent = equals(absent)
  return (value) => {
    const out = turn(value)
    return isAbsent(out) ? unfit : out
  }
}

export const same = (value: unknown): unknown => value

/** Is it this JSON? It looks no further than that goes, which is not far. */
const equals = (wanted: unknown): Check.Check => {
  if (typeof wanted !== "object" || wanted === null) return (value) => value === wanted
  if (Array.isArray(wanted)) {
    const members = wanted.map(equals)
    return (value) =>
      Array.isArray(value) && value.length === members.length && members.every((isMember, i) => isMember(value[i]))
  }
  const fields = Object.entries(wanted).map(([key, child]) => [key, equals(child)] as const)
  return (value) =>
    Check.isRecord(value) && fields.every(([key, isChild]) => Object.hasOwn(value, key) && isChild(value[key])) &&
    Object.keys(value).length === fields.length
}

/** The schema of an optional field's value. */
const present = (field: Schema.Constraint): Schema.Constraint =>
  field.ast.context?.isOptional === true && "schema" in field && Schema.isSchema(field.schema) ? field.schema : field
