/** Variants: a canonical struct under the names, constants and forms it has on one wire, with its unknown keys kept. */
import { Equal, Schema, type SchemaAST } from "effect"
import { isRecord } from "./Check.ts"
import { at, make, outward, type Part, plain, sidesOf, type Turn, unfit, type Way } from "./Codec.ts"
import { type Bagged, type Constants, Implied, type Options, type Spelling, type Struct } from "./Spelling.ts"
import * as Straight from "./Straight.ts"

/** The bag of what goes along to whichever protocol the value is encoded to: other keys that a person wrote. */
export const anyProtocol = "*"

/** The field of every canonical struct that holds what only one protocol knows, by protocol. */
export const bag = {
  providerOptions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json)))
}

export interface Declaration {
  readonly constants: Constants
  readonly spellings: { readonly [key: string]: Spelling<unknown> | undefined }
  /** Canonical constants: set on the way in, asked for on the way out (`undefined`: asked to be absent). */
  readonly pins: Readonly<Record<string, unknown>>
  /** Wire keys that say nothing: read over on the way in, never written. */
  readonly dropped: ReadonlyArray<string>
}

export const variant = <A extends Bagged, I>(protocol: string, canonical: Struct<A>, it: Declaration): Schema.Codec<A, I> => {
  const fields = fieldsOf(canonical, it.spellings)
  const top = fields.filter(({ under }) => under === undefined)
  const groups = [...Map.groupBy(fields.filter(({ under }) => under !== undefined), ({ under }) => under!)]

  const wireFields: Record<string, Schema.Constraint> = {}
  for (const [key, constant] of Object.entries(it.constants)) {
    wireFields[key] = constant instanceof Implied ? Schema.optionalKey(Schema.Literal(constant.value)) : Schema.Literal(constant)
  }
  for (const { name, required, wire } of top) wireFields[name] = wireKey(required, wire)
  for (const [name, group] of groups) {
    wireFields[name] = wireKey(false, open(Object.fromEntries(group.map((field) => [field.name, wireKey(false, field.wire)]))))
  }
  const names = new Set([...Object.keys(wireFields), ...it.dropped])

  const own: Record<string, unknown> = Object.fromEntries(Object.entries(it.pins).filter(([, pin]) => pin !== undefined))
  for (const { name, type } of propertiesOf(canonical)) {
    if (type._tag === "Literal" && type.context?.isOptional !== true && !(name in it.spellings)) own[name] = type.literal
  }

  const copyIn = copy({
    constants: own,
    pins: {},
    passed: [...Object.keys(it.constants), ...it.dropped],
    fields: top.map(({ decode, key, name, optional }) => ({ from: name, to: key, optional, turn: decode })),
    when: { unread: true },
    finish: (from: Json, out: Record<string, unknown>) => {
      const rest: Record<string, unknown> = {}
      for (const [name, group] of groups) {
        const inner = readGroup(group, from[name] as Json | null | undefined, out)
        if (inner !== undefined) rest[name] = inner
      }
      for (const key of Object.keys(from)) if (!names.has(key)) put(rest, key, from[key])
      if (Object.keys(rest).length > 0) out.providerOptions = { [protocol]: rest }
    }
  })
  const copyOut = (way: Way): Turn<A, I> => {
    const constants: Record<string, unknown> = {}
    for (const [key, constant] of Object.entries(it.constants)) {
      if (!(constant instanceof Implied)) constants[key] = constant
      else if (way !== "encode") constants[key] = constant.value
    }
    for (const { always, name, neutral } of top) {
      const written = always ?? (way === "complete" ? neutral : undefined)
      if (written !== undefined) constants[name] = written
    }
    const fixed = new Set(Object.keys(it.constants))
    const flat = copy({
      constants,
      pins: it.pins,
      passed: [],
      fields: top.map(({ key, name, needed, optional, turn }) => ({
        from: key,
        to: name,
        optional: optional && !needed,
        turn: turn(way)
      })),
      when: { key: "providerOptions" },
      finish: ({ providerOptions }: Bagged, out: Record<string, unknown>) => {
        for (const rest of [providerOptions?.[protocol], providerOptions?.[anyProtocol]]) {
          if (rest !== undefined) for (const key of Object.keys(rest)) if (!fixed.has(key)) merge(out, key, rest[key])
        }
      }
    })
    if (groups.length === 0) return flat as Turn<A, I>
    return (value) => {
      const out = flat(value as never) as Record<string, unknown> | typeof unfit
      if (out === unfit) return unfit
      for (const [name, group] of groups) {
        const inner = writeGroup(group, way, value as Json)
        if (Object.keys(inner).length > 0) out[name] = isRecord(out[name]) ? merged(out[name], inner) : inner
      }
      return out as I
    }
  }

  return make<A, I>({
    wire: open(wireFields).ast,
    canonical: canonical.ast,
    carried: carriedOf(protocol, own, fields).ast,
    marks: {
      wire: Object.fromEntries(Object.entries(it.constants).map(([key, c]) => [key, c instanceof Implied ? c.value : c])),
      canonical: { ...own, ...it.pins },
      tagless: typeof it.constants.type !== "string"
    },
    turns: { decode: copyIn as Turn<I, A>, ...outward(copyOut) }
  })
}

type Json = Readonly<Record<string, unknown>>

// fields ----------------------------------------------------------------------------------------------------------

interface Field extends Options {
  readonly key: string
  readonly name: string
  /** May the canonical struct lack it? */
  readonly optional: boolean
  /** Must the wire object have it? */
  readonly required: boolean
  readonly wire: Schema.Constraint
  readonly carried: Schema.Constraint
  readonly decode: Turn<never, unknown> | undefined
  readonly turn: (way: Way) => Turn<never, unknown> | undefined
}

const propertiesOf = (struct: Schema.Constraint) =>
  (struct.ast as SchemaAST.Objects).propertySignatures.map(({ name, type }) => ({ name: name as string, type }))

const fieldsOf = <A>(canonical: Struct<A>, spellings: Declaration["spellings"]): ReadonlyArray<Field> => {
  const typeOf = new Map(propertiesOf(canonical).map(({ name, type }) => [name, type]))
  return Object.entries(spellings).flatMap(([key, spelling]) => {
    if (spelling === undefined) return []
    const form = typeof spelling === "object" && "as" in spelling ? spelling : undefined
    const codec = form?.codec ?? (typeof spelling === "string" ? present(canonical.fields[key]!) : spelling as Part<unknown>)
    const options = form?.options ?? {}
    const { carried, turns, wire } = sidesOf(codec as Part<unknown>)
    const optional = typeOf.get(key)!.context?.isOptional === true
    const absent = options.always ?? options.neutral
    return [{
      ...options,
      key,
      name: typeof spelling === "string" ? spelling : form?.as ?? key,
      optional,
      required: options.needed === true || !optional && absent === undefined,
      wire: plain<unknown>(wire),
      carried: plain<unknown>(carried),
      decode: absent === undefined || !optional ? turns?.decode : except(absent, turns?.decode),
      turn: (way) =>
        options.default === undefined || way !== "encode" ? turns?.[way] : butNot(turns?.encode, options.default)
    }]
  })
}

/** Reads a wire value as absent, another through its turn. */
const except = (absent: unknown, turn: Turn<never, unknown> = same): Turn<never, unknown> => (value) =>
  isEqual(value, absent) ? unfit : turn(value)

/** Leaves out a wire value that says no more than its absence. */
const butNot = (turn: Turn<never, unknown> = same, absent: unknown): Turn<never, unknown> => (value) => {
  const out = turn(value)
  return isEqual(out, absent) ? unfit : out
}

const same = (value: unknown): unknown => value
const isEqual = (a: unknown, b: unknown): boolean => a === b || typeof a === "object" && a !== null && Equal.equals(a, b)

/** The schema of an optional field's value. */
const present = (field: Schema.Constraint): Schema.Constraint =>
  field.ast.context?.isOptional === true && "schema" in field && Schema.isSchema(field.schema) ? field.schema : field

// wire ------------------------------------------------------------------------------------------------------------

const wireKey = (required: boolean, wire: Schema.Constraint): Schema.Constraint =>
  required ? wire : Schema.optionalKey(Schema.NullOr(wire))

/** A struct that keeps its other keys, with any JSON. */
const open = (fields: Readonly<Record<string, Schema.Constraint>>): Schema.Constraint => {
  const names = new Set(Object.keys(fields))
  const unknown = Schema.String.check(Schema.makeFilter((key: string) => !names.has(key)))
  return Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(unknown, Schema.Json)])
}

/** `__proto__` is a key like any other. */
const put = (target: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  else target[key] = value
}

/** Puts a bag's value where nothing is, and beside what is there; what is there stays. */
const merge = (out: Record<string, unknown>, key: string, extra: unknown): void => {
  const there = Object.hasOwn(out, key) ? out[key] : undefined
  if (there === undefined) put(out, key, extra)
  else if (isRecord(there) && isRecord(extra)) out[key] = merged(extra, there)
}

const merged = (under: Json, over: Json): Json => {
  const out: Record<string, unknown> = { ...over }
  for (const key of Object.keys(under)) merge(out, key, under[key])
  return out
}

const readGroup = (group: ReadonlyArray<Field>, from: Json | null | undefined, out: Record<string, unknown>): Json | undefined => {
  if (from === undefined || from === null) return undefined
  const rest: Record<string, unknown> = {}
  for (const key of Object.keys(from)) {
    const field = group.find(({ name }) => name === key)
    const child = from[key]
    if (field === undefined) put(rest, key, child)
    else if (child !== null) {
      const turned = (field.decode ?? same)(child as never)
      if (turned !== unfit) out[field.key] = turned
    }
  }
  return Object.keys(rest).length > 0 ? rest : undefined
}

const writeGroup = (group: ReadonlyArray<Field>, way: Way, from: Json): Json => {
  const out: Record<string, unknown> = {}
  for (const { key, name, turn } of group) {
    const child = from[key]
    if (child === undefined) continue
    try {
      const turned = (turn(way) ?? same)(child as never)
      if (turned !== unfit) out[name] = turned
    } catch (error) {
      throw at(error, key)
    }
  }
  return out
}

// what is carried -------------------------------------------------------------------------------------------------

const extras = Schema.Struct({
  x_unknown: Schema.optionalKey(Schema.Json),
  "ключ": Schema.optionalKey(Schema.Json),
  "a b": Schema.optionalKey(Schema.Json)
})

const carriedOf = (protocol: string, own: Json, fields: ReadonlyArray<Field>): Schema.Constraint =>
  Schema.Struct({
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, Schema.Literal(value as SchemaAST.LiteralValue)])),
    ...Object.fromEntries(fields.map(({ carried, key, needed, optional }) => [
      key,
      optional && needed !== true ? Schema.optionalKey(carried) : carried
    ])),
    providerOptions: Schema.optionalKey(Schema.Struct({ [protocol]: extras }))
  })

/** Copies a struct under other names: straight code, or the loop that does the same. */
const copy = (it: Omit<Straight.Copy, "unfit" | "at">): (value: never) => unknown => Straight.copy({ ...it, unfit, at })
