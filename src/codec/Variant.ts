/** Variants: a canonical struct under the names, constants and forms it has on one wire, with its unknown keys kept. */
import { Schema, type SchemaAST } from "effect"
import { isJson, isPlain, isRecord } from "./Check.ts"
import { make, malformed, type Reading, signs, type Turn, turns, unfit, type Way } from "./Codec.ts"
import { type Json, merge, merged, put, readGroup, writeGroup } from "./Extras.ts"
import { type Field, fieldsOf, propertiesOf } from "./Field.ts"
import {
  anyProtocol,
  type Bagged,
  type Constants,
  Implied,
  type Spelling,
  type Struct as StructOf
} from "./Spelling.ts"
import * as Struct from "./Struct.ts"

/** The field of every canonical struct that holds what only one protocol knows, by protocol. */
export const bag = {
  providerOptions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json)))
}

/** How a canonical struct is spelt on one wire. */
export interface Declaration {
  readonly constants: Constants
  readonly spellings: { readonly [key: string]: Spelling<unknown> | undefined }
  /** Canonical constants: set on the way in, asked for on the way out (`undefined`: asked to be absent). */
  readonly pins: Readonly<Record<string, unknown>>
  /** Wire keys that say nothing: read over on the way in, never written. */
  readonly dropped: ReadonlyArray<string>
}

/** A canonical struct as one wire object. */
export const variant = <A extends Bagged, I>(
  protocol: string,
  canonical: StructOf<A>,
  it: Declaration
): Schema.Codec<A, I> => {
  const fields = fieldsOf(canonical, it.spellings)
  const top = fields.filter(({ under }) => under === undefined)
  const groups = [...Map.groupBy(fields.filter(({ under }) => under !== undefined), ({ under }) => under!)]

  const wireFields: Record<string, Schema.Constraint> = {}
  for (const [key, constant] of Object.entries(it.constants)) {
    wireFields[key] = constant instanceof Implied
      ? Schema.optionalKey(Schema.Literal(constant.value))
      : Schema.Literal(constant)
  }
  for (const { name, required, wire } of top) wireFields[name] = wireKey(required, wire)
  for (const [name, group] of groups) {
    wireFields[name] = wireKey(
      false,
      open(Object.fromEntries(group.map((field) => [field.name, wireKey(false, field.wire)])))
    )
  }
  const known = new Set(Object.keys(wireFields))
  const dropped = new Set(it.dropped)

  const own: Record<string, unknown> = Object.fromEntries(
    Object.entries(it.pins).filter(([, pin]) => pin !== undefined)
  )
  for (const { name, type } of propertiesOf(canonical)) {
    if (type._tag === "Literal" && type.context?.isOptional !== true && !(name in it.spellings)) {
      own[name] = type.literal
    }
  }

  const copyIn = (): Reading<A> => {
    const inners = groups.map(([name, group]) => ({ name, read: readGroup(group) }))
    return Struct.read({
      marks: Object.entries(it.constants).map(([key, constant]) =>
        constant instanceof Implied
          ? { key, value: constant.value, required: false }
          : { key, value: constant, required: true }
      ),
      constants: own,
      fields: top.map(({ key, name, optional, read, required }) => ({
        from: name,
        to: key,
        optional,
        required,
        read: read()
      })),
      finish: (from: Json, out: Record<string, unknown>) => {
        const rest: Record<string, unknown> = {}
        for (const { name, read } of inners) {
          const inner = read(from[name], out)
          if (inner === malformed) return false
          if (inner !== undefined) rest[name] = inner
        }
        for (const key of Object.keys(from)) {
          const child = from[key]
          if (child === undefined) return false
          if (known.has(key)) continue
          if (!isJson(child)) return false
          if (!dropped.has(key)) put(rest, key, child)
        }
        if (Object.keys(rest).length > 0) out.providerOptions = { [protocol]: rest }
        return true
      },
      dropped: it.dropped,
      isJson,
      isPlain,
      ...signs
    }) as Reading<A>
  }
  const copyOut = (way: Way): Turn<A, I> => {
    const constants: Record<string, unknown> = {}
    for (const [key, constant] of Object.entries(it.constants)) {
      if (!(constant instanceof Implied)) constants[key] = constant
      else if (way !== "encode" && constant.written) constants[key] = constant.value
    }
    const fixed = new Set(Object.keys(it.constants))
    const flat = Struct.write({
      constants,
      pins: it.pins,
      fields: top.map(({ always, key, missing = always, name, needed, neutral, optional, turn }) => ({
        from: key,
        to: name,
        optional: optional && !needed,
        otherwise: missing === undefined && way === "complete" ? neutral : missing,
        turn: turn(way)
      })),
      last: "providerOptions",
      finish: ({ providerOptions }: Bagged, out: Record<string, unknown>) => {
        for (const rest of [providerOptions?.[protocol], providerOptions?.[anyProtocol]]) {
          if (rest !== undefined) {
            for (const key of Object.keys(rest)) if (!fixed.has(key)) merge(out, key, rest[key])
          }
        }
      },
      ...signs
    })
    if (groups.length === 0) return flat as Turn<A, I>
    const inners = groups.map(([name, group]) => ({ name, write: writeGroup(group, way) }))
    return (value) => {
      const out = flat(value as never) as Record<string, unknown> | typeof unfit
      if (out === unfit) return unfit
      for (const { name, write } of inners) {
        const inner = write(value as Json)
        if (inner !== undefined) out[name] = isRecord(out[name]) ? merged(out[name], inner) : inner
      }
      return out as I
    }
  }

  return make<A, I>({
    wire: open(wireFields).ast,
    canonical: canonical.ast,
    carried: carriedOf(protocol, own, fields).ast,
    marks: {
      wire: Object.fromEntries(
        Object.entries(it.constants).map(([key, c]) => [key, c instanceof Implied ? c.value : c])
      ),
      canonical: { ...own, ...it.pins },
      tagless: typeof it.constants.type !== "string"
    },
    turns: turns(copyIn, copyOut)
  })
}

// wire ------------------------------------------------------------------------------------------------------------

const wireKey = (required: boolean, wire: Schema.Constraint): Schema.Constraint =>
  required ? wire : Schema.optionalKey(Schema.NullOr(wire))

/** A struct that keeps its other keys, with any JSON. */
const open = (fields: Readonly<Record<string, Schema.Constraint>>): Schema.Constraint => {
  const names = new Set(Object.keys(fields))
  const unknown = Schema.String.check(Schema.makeFilter((key: string) => !names.has(key)))
  return Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(unknown, Schema.Json)])
}

// what is carried -------------------------------------------------------------------------------------------------

const extras = Schema.Struct({
  x_unknown: Schema.Json,
  "ключ": Schema.optionalKey(Schema.Json),
  "a b": Schema.optionalKey(Schema.Json)
})

const carriedOf = (protocol: string, own: Json, fields: ReadonlyArray<Field>): Schema.Constraint =>
  Schema.Struct({
    ...Object.fromEntries(
      Object.entries(own).map(([key, value]) => [key, Schema.Literal(value as SchemaAST.LiteralValue)])
    ),
    ...Object.fromEntries(fields.map(({ carried, key, missing, needed, optional }) => [
      key,
      optional && needed !== true && missing === undefined ? Schema.optionalKey(carried) : carried
    ])),
    providerOptions: Schema.optionalKey(Schema.Struct({ [protocol]: extras }))
  })
