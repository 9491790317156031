/** Reads and writes canonical structs under the names that a person may use, and keeps what other keys stand beside them. */
import { Schema, SchemaAST } from "effect"
import { anyProtocol, bag, type Bagged, type Plain, type Refusal, refuse, Unmodelled } from "../codec/index.ts"
import { expected, isSecret, near, oneOf } from "./Expected.ts"
import { type Fields, type Form, plain, record, shortest, within } from "./Form.ts"

export interface StructForm<A> extends Form<A> {
  /** Is a field written under this name? */
  readonly knows: (name: string) => boolean
  /** All spellings, shortest first: without its tag and with it, other keys beside the fields or in their bag. */
  readonly spellings: (value: A) => ReadonlyArray<Fields>
}

export interface Spellings<A> {
  /** The names a field may be written under, where that is not its own alone. The first that is there is read. */
  readonly names?: { readonly [K in keyof A]?: ReadonlyArray<string> }
  /** The forms of fields that are not written as they stand. */
  readonly forms?: { readonly [K in keyof A]?: Form<Exclude<A[K], undefined>> }
  /** An unknown key, and a field under two names, is an error. */
  readonly closed?: true
}

/**
 * A canonical struct under the names and in the forms that a person may write. Names may be in snake case. Other keys
 * are kept in the bag that goes along to any protocol.
 */
export const struct = <A extends Bagged>(
  canonical: Plain<A> & { readonly fields: Schema.Struct.Fields },
  what: string,
  { closed, forms = {}, names = {} }: Spellings<A> = {}
): StructForm<A> => {
  const given = (canonical.ast as SchemaAST.Objects).propertySignatures.map((field) => ({
    ...field,
    name: String(field.name)
  }))
  const tags = Object.fromEntries(
    given.flatMap(({ name, type }) => name === "type" && type._tag === "Literal" ? [[name, type.literal]] : [])
  )
  const fields = given.filter(({ name }) => !Object.hasOwn(tags, name) && name !== "providerOptions").map(
    ({ name, type }) => {
      const key = name as keyof A
      const present = SchemaAST.toType(type)
      return {
        key: name,
        optional: type.context?.isOptional === true,
        nullable: Schema.is(Schema.make<Schema.Schema<unknown>>(present))(null),
        names: names[key] ?? (name === "cache" ? cacheNames : [name]),
        form: (forms[key] ?? plain(Schema.make<Schema.Codec<unknown>>(present), isSecret(name))) as Form<unknown>
      }
    }
  )
  /** The field that a name means, and how it ranks among the field's names. */
  const places = new Map(fields.flatMap(({ key, names }) => names.map((name, rank) => [name, { key, rank }] as const)))

  const read = (value: unknown): A => {
    const object = record(value, what)
    const there: { [key: string]: { readonly name: string; readonly rank: number } } = {}
    const others: Array<readonly [string, Schema.Json]> = []
    for (const name of Object.keys(object)) {
      if (name === "providerOptions" || Object.hasOwn(tags, name)) continue
      const place = places.get(camel(name))
      if (place !== undefined) {
        const { key } = place
        const rank = places.has(name) ? place.rank : place.rank + 0.5
        const other = there[key]
        if (other === undefined || rank < other.rank) there[key] = { name, rank }
        if (closed && other !== undefined) throw refuse(`Expected either ${other.name} or ${name}, got both`)
      } else if (closed) {
        throw within(name, () => unknownKey(name, [...places.keys(), "providerOptions"]))
      } else {
        others.push([name, within(name, () => (isSecret(name) ? secretJson : json).read(object[name]))])
      }
    }
    const out: Record<string, unknown> = { ...tags }
    for (const { form, key, names, nullable, optional } of fields) {
      const name = there[key]?.name
      const child = name === undefined ? undefined : object[name]
      if (optional && (child === undefined || child === form.none || child === null && !nullable)) continue
      if (name === undefined) throw expected(`${what} with ${oneOf(names.slice(0, 2))}`, object)
      out[key] = within(name, () => form.read(child))
    }
    const options = optionsOf(object.providerOptions, others)
    if (options !== undefined) out.providerOptions = options
    // Every field has been read by its form, so the whole is what the struct asks for.
    return out as A
  }

  const spellings = (value: A): ReadonlyArray<Fields> => {
    const own = fields.flatMap(({ form, key, names }) => {
      const child = value[key as keyof A]
      return child === undefined ? [] : [[names[0]!, form.write(child)] as const]
    })
    const { [anyProtocol]: others = {}, ...rest } = value.providerOptions ?? {}
    const boxed = value.providerOptions === undefined ? [] : [["providerOptions", value.providerOptions] as const]
    const beside = [
      ...Object.entries(others),
      ...(Object.keys(rest).length > 0 ? [["providerOptions", rest] as const] : [])
    ]
    const untagged = Object.keys(others).length > 0 && closed !== true
      ? [[...own, ...beside], [...own, ...boxed]]
      : [[...own, ...boxed]]
    const tagged = Object.keys(tags).length > 0 ? untagged.map((entries) => [...Object.entries(tags), ...entries]) : []
    return [...untagged, ...tagged].map((entries) => Object.fromEntries<unknown>(entries))
  }

  return {
    read,
    spellings,
    knows: (name) => places.has(camel(name)),
    write: (value) => shortest(value, read, spellings(value))
  }
}

/** A cache marker has Anthropic's name too. */
export const cacheNames: ReadonlyArray<string> = ["cache", "cacheControl"]

/** What is canonical alone, and written as it stands. */
export const unmodelled: StructForm<Unmodelled> = {
  ...plain(Unmodelled),
  knows: () => false,
  spellings: (value) => [{ ...value }]
}

/** The structs of a union, by their tag. */
export const tagged = <A extends { readonly type: string }>(
  structs: { readonly [K in A["type"]]: StructForm<Extract<A, { readonly type: K }>> }
) => ({
  types: Object.keys(structs),
  is: (type: unknown): type is A["type"] => typeof type === "string" && Object.hasOwn(structs, type),
  read: (type: A["type"], value: unknown): A => structs[type].read(value),
  spellings: (value: A): ReadonlyArray<Fields> => {
    const struct: { readonly spellings: (value: never) => ReadonlyArray<Fields> } = structs[value.type as A["type"]]
    // The struct is the one of the value's own tag.
    return struct.spellings(value as never)
  }
})

/** The name in camel case: `tool_call_id` is `toolCallId`. */
export const camel = (name: string): string =>
  name.includes("_") ? name.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name

/** Is any of these names there, in either case? */
export const has = (object: Fields, ...names: ReadonlyArray<string>): boolean =>
  Object.keys(object).some((key) => names.includes(camel(key)))

const json = plain(Schema.Json)
const secretJson = plain(Schema.Json, true)

const unknownKey = (key: string, names: ReadonlyArray<string>): Refusal => {
  const meant = near(camel(key), names)
  return refuse(
    `Expected a known key, got ${JSON.stringify(key)} (${
      meant.length > 0 ? `did you mean ${oneOf(meant)}?` : `known are ${names.join(", ")}`
    }; what only one API knows goes into providerOptions)`
  )
}

const Bags = plain(bag.providerOptions.schema)

/** Providers whose name a person may take for their protocol's. */
const protocols = { anthropic: "anthropic-messages", openai: "openai-responses" }

/** The options, or a refusal: those under a provider's name would go nowhere. */
const ofProtocols = (options: NonNullable<Bagged["providerOptions"]>): Bagged["providerOptions"] => {
  for (const [provider, protocol] of Object.entries(protocols)) {
    if (!Object.hasOwn(options, provider)) continue
    throw within(
      provider,
      () => refuse(`Expected the name of a protocol, got ${JSON.stringify(provider)} (did you mean "${protocol}"?)`)
    )
  }
  return options
}

const optionsOf = (
  written: unknown,
  others: ReadonlyArray<readonly [string, Schema.Json]>
): Bagged["providerOptions"] => {
  const options = written === undefined || written === null
    ? undefined
    : within("providerOptions", () => ofProtocols(Bags.read(written)))
  if (others.length === 0) return options
  return { ...options, [anyProtocol]: { ...options?.[anyProtocol], ...Object.fromEntries(others) } }
}
