/** Makes schemas of all the vocabulary that tools are described in, and values for them, from a seed. */
import type { Schema } from "effect"
import { isRecord } from "../../../src/codec/index.ts"

type Json = Schema.Json
type Written = Schema.JsonObject

/** Choices that a seed decides. */
export class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed | 0
  }
  /** A whole number from 0 up to, without, the bound. */
  below(bound: number): number {
    this.#state = this.#state + 0x6d2b79f5 | 0
    let mixed = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) % bound
  }
  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0
  }
  of<A>(list: ReadonlyArray<A>): A {
    return list[this.below(list.length)]!
  }
  some<A>(list: ReadonlyArray<A>, most: number): ReadonlyArray<A> {
    return Array.from({ length: this.below(most + 1) }, () => this.of(list)).filter((item, at, all) =>
      all.indexOf(item) === at
    )
  }
  times<A>(least: number, most: number, make: (index: number) => A): ReadonlyArray<A> {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => make(index))
  }
}

/** A schema, and what makes values of it. `depth` is how much deeper a value may go. */
interface Sample {
  readonly schema: Json
  readonly value: (dice: Dice, depth: number) => Json
}

const words = ["", "a", "b", "key", "value", "null", "1", "true", "{}", "long enough to be a sentence", "é👩‍👩‍👧"]
const names = [
  "a",
  "b",
  "c",
  "key",
  "value",
  "constructor",
  "hasOwnProperty",
  "a/b",
  "~t",
  " ",
  "$ref",
  "type",
  "properties",
  "x y"
]
const texts: { readonly [pattern: string]: ReadonlyArray<string> } = {
  "^[a-c]+$": ["a", "abc", "cab"],
  "^x-": ["x-", "x-1", "x-constructor"],
  "^(?!no)": ["yes", "a"],
  "\\bword\\b": ["a word", "word"]
}
const formats: { readonly [format: string]: ReadonlyArray<string> } = {
  date: ["2026-01-31"],
  "date-time": ["2026-01-31T10:00:00Z"],
  email: ["a@example.org"],
  uri: ["https://example.org/"],
  uuid: ["8f14e45f-ceea-467f-9b0c-3d4a5a4b6c7d"]
}

const string = (dice: Dice): Sample =>
  dice.of<() => Sample>([
    () => ({ schema: { type: "string" }, value: (dice) => dice.of(words) }),
    () => ({ schema: { type: "string", minLength: 1, maxLength: 4 }, value: (dice) => dice.of(["a", "1", "null"]) }),
    () => {
      const pattern = dice.of(Object.keys(texts))
      return { schema: { type: "string", pattern }, value: (dice) => dice.of(texts[pattern]!) }
    },
    () => {
      const format = dice.of(Object.keys(formats))
      return { schema: { type: "string", format }, value: (dice) => dice.of(formats[format]!) }
    }
  ])()

const number = (dice: Dice): Sample =>
  dice.of<() => Sample>([
    () => ({ schema: { type: "number" }, value: (dice) => dice.of([0, -1.5, 1e21, 7]) }),
    () => ({ schema: { type: "integer" }, value: (dice) => dice.below(100) - 50 }),
    () => ({ schema: { type: "integer", exclusiveMinimum: 0, maximum: 10 }, value: (dice) => 1 + dice.below(10) }),
    () => ({ schema: { type: "number", minimum: 0.5, exclusiveMaximum: 2 }, value: (dice) => dice.of([0.5, 1, 1.99]) }),
    () => ({ schema: { type: "integer", multipleOf: 5 }, value: (dice) => 5 * dice.below(9) })
  ])()

const literals = (dice: Dice): Sample => {
  const values = dice.of<ReadonlyArray<Json>>([
    ["x", "y", ""],
    [1, 2, 3],
    [1.5],
    ["a", null],
    [true],
    ["1", 1, null, false],
    [{ kind: "k", n: 1 }],
    [[1, "a"], "a"]
  ])
  const type = values.every((value) => typeof value === "string") && dice.once(2) ? { type: "string" } : {}
  const [only] = values
  const schema: Written = values.length === 1 && dice.once(2) ? { const: only! } : { ...type, enum: values }
  return { schema, value: (dice) => dice.of(values) }
}

const leaf = (dice: Dice): Sample =>
  dice.of([
    string,
    string,
    number,
    literals,
    (): Sample => ({ schema: { type: "boolean" }, value: (dice) => dice.once(2) }),
    (): Sample => ({ schema: { type: "null" }, value: () => null })
  ])(dice)

/** What a schema requires that requires itself. */
class Endless extends Error {}

/** The value, where it has an end. */
const ending = (make: () => Json): ReadonlyArray<Json> => {
  try {
    return [make()]
  } catch (error) {
    if (error instanceof Endless) return []
    throw error
  }
}

/** Schemas of one document: they share definitions, and may be of an older draft. */
class Document {
  readonly definitions = new Map<string, Sample>()
  readonly fallbacks = new Set<string>()
  readonly #dice: Dice
  readonly old: boolean

  constructor(dice: Dice) {
    this.#dice = dice
    this.old = dice.once(4)
  }

  any(depth: number): Sample {
    const dice = this.#dice
    if (depth <= 0) return this.#told(leaf(dice))
    return this.#told(
      dice.of<() => Sample>([
        () => leaf(dice),
        () => leaf(dice),
        () => this.object(depth),
        () => this.object(depth),
        () => this.#list(depth),
        () => this.#tuple(depth),
        () => this.#map(depth),
        () => this.#union(depth),
        () => this.#union(depth),
        () => this.#types(),
        () => this.#all(depth),
        () => this.#reference(depth),
        () => this.#reference(depth),
        () => this.#anything(),
        () => this.#conditioned(depth)
      ])()
    )
  }

  /** With what tells a reader something, and narrows nothing. */
  #told(sample: Sample): Sample {
    if (!isRecord(sample.schema) || Object.hasOwn(sample.schema, "$ref") && this.old || !this.#dice.once(4)) {
      return sample
    }
    return { ...sample, schema: { ...sample.schema as Written, description: "what it is", title: "T", examples: [1] } }
  }

  object(depth: number): Sample {
    const dice = this.#dice
    const fields = dice.some(names, 4).map((name) => ({ name, sample: this.any(depth - 1), required: dice.once(2) }))
    const extra = fields.length > 0 && dice.once(6) ? this.any(depth - 1) : undefined
    const open = dice.once(8)
    const properties = fields.map(({ name, sample }) => [name, this.#withFallback(sample)] as const)
    const required = fields.filter(({ required }) => required).map(({ name }) => name)
    return {
      schema: {
        type: "object",
        properties: Object.fromEntries(properties),
        ...required.length > 0 || dice.once(2) ? { required } : {},
        ...extra !== undefined
          ? { additionalProperties: extra.schema }
          : open
          ? { additionalProperties: true }
          : dice.once(3)
          ? { additionalProperties: false }
          : {}
      },
      value: (dice, depth) => {
        const there = fields.filter(({ required }) => required || depth > 0 && dice.once(2))
        const others = extra !== undefined && depth > 0 && dice.once(2)
          ? [["other one", extra.value(dice, depth - 1)] as const]
          : []
        return Object.fromEntries([
          ...there.map(({ name, sample }) => [name, sample.value(dice, depth - 1)] as const),
          ...others
        ])
      }
    }
  }

  #withFallback({ schema, value }: Sample): Json {
    if (!isRecord(schema) || Object.hasOwn(schema, "$ref") || !this.#dice.once(4)) return schema
    const [fallback] = ending(() => value(this.#dice, 1))
    if (fallback === undefined) return schema
    this.fallbacks.add(JSON.stringify(fallback))
    return { ...schema as Written, default: fallback }
  }

  #list(depth: number): Sample {
    const item = this.any(depth - 1)
    const least = this.#dice.below(3)
    return {
      schema: { type: "array", items: item.schema, ...least > 0 ? { minItems: least, maxItems: least + 2 } : {} },
      value: (dice, depth) => dice.times(least, least + (depth > 0 ? 2 : 0), () => item.value(dice, depth - 1))
    }
  }

  #tuple(depth: number): Sample {
    const items = this.#dice.times(1, 3, () => this.any(depth - 1))
    const schemas = items.map(({ schema }) => schema)
    return {
      schema: this.old
        ? { type: "array", items: schemas, additionalItems: false, minItems: items.length }
        : { type: "array", prefixItems: schemas, items: false, minItems: items.length },
      value: (dice, depth) => items.map(({ value }) => value(dice, depth - 1))
    }
  }

  #map(depth: number): Sample {
    const item = this.any(depth - 1)
    const keyed = this.#dice.of<{ readonly keys: ReadonlyArray<string>; readonly schema: Written }>([
      { keys: names, schema: { additionalProperties: item.schema } },
      { keys: ["x-1", "x-key"], schema: { patternProperties: { "^x-": item.schema }, additionalProperties: false } },
      { keys: ["a", "b"], schema: { additionalProperties: item.schema, propertyNames: { enum: ["a", "b"] } } }
    ])
    return {
      schema: { type: "object", ...keyed.schema },
      value: (dice, depth) =>
        Object.fromEntries(depth > 0 ? dice.some(keyed.keys, 3).map((key) => [key, item.value(dice, depth - 1)]) : [])
    }
  }

  #union(depth: number): Sample {
    const members = this.#dice.times(
      1,
      3,
      (index) => this.#dice.once(3) ? this.#tagged(`k${index}`, depth) : this.any(depth - 1)
    )
    const keyword = this.#dice.once(3) ? "oneOf" : "anyOf"
    return {
      schema: { [keyword]: members.map(({ schema }) => schema) },
      value: (dice, depth) => (depth > 0 ? dice.of(members) : members[0]!).value(dice, depth - 1)
    }
  }

  #tagged(kind: string, depth: number): Sample {
    const { schema, value } = this.object(depth)
    const { properties, ...rest } = schema as Written
    const required = Array.isArray(rest.required) ? rest.required : []
    return {
      schema: {
        ...rest,
        properties: { kind: { const: kind }, ...properties as Written },
        required: ["kind", ...required]
      },
      value: (dice, depth) => ({ kind, ...value(dice, depth) as Written })
    }
  }

  #types(): Sample {
    return {
      schema: { type: ["string", "integer", "null"], maxLength: 20 },
      value: (dice) => dice.of<Json>(["a", "", 3, null])
    }
  }

  #all(depth: number): Sample {
    const first = this.#tagged("k", depth)
    return {
      schema: { allOf: [first.schema, { properties: { extra: { type: "boolean" } } }], description: "both" },
      value: first.value
    }
  }

  #reference(depth: number): Sample {
    const dice = this.#dice
    const name = dice.of(["One", "Two", "Tree", "odd name/~%"])
    if (!this.definitions.has(name)) {
      const value = (dice: Dice, depth: number): Json => this.definitions.get(name)!.value(dice, depth)
      this.definitions.set(name, { schema: true, value })
      const inner = this.object(depth - 1)
      const kids = { type: "array", items: { $ref: this.#pointerTo(name) } }
      const { properties, ...rest } = inner.schema as Written
      this.definitions.set(
        name,
        name === "Tree"
          ? {
            schema: { ...rest, properties: { ...properties as Written, kids } },
            value: (dice, depth) => ({
              ...inner.value(dice, depth) as Written,
              ...depth > 0 && dice.once(2) ? { kids: dice.times(0, 2, () => value(dice, depth - 2)) } : {}
            })
          }
          : inner
      )
    }
    const beside = !this.old && dice.once(3) ? { description: "a reference" } : {}
    return {
      schema: { $ref: this.#pointerTo(name), ...beside },
      value: (dice, depth) => {
        if (depth < -6) throw new Endless()
        return this.definitions.get(name)!.value(dice, depth - 1)
      }
    }
  }

  #pointerTo(name: string): string {
    const key = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))
    return `#/${this.old ? "definitions" : "$defs"}/${key}`
  }

  #anything(): Sample {
    return this.#dice.once(3)
      ? {
        schema: this.#dice.of<Json>([{}, true, { type: "object" }, { type: "object", additionalProperties: true }]),
        value: (dice) => dice.of<Json>([{}, { a: [1, null] }, { key: "k", value: 1 }])
      }
      : string(this.#dice)
  }

  #conditioned(depth: number): Sample {
    const { schema, value } = this.object(depth)
    const condition = this.#dice.of<Written>([
      { not: { required: ["never there"] } },
      { anyOf: [{ required: ["a"] }, { not: { required: ["a"] } }] },
      { minProperties: 0, maxProperties: 20 },
      { if: { required: ["a"] }, else: { minProperties: 0 } }
    ])
    return { schema: { ...schema as Written, ...condition }, value }
  }
}

export interface Sampled {
  readonly schema: Json
  /** Values of the schema. */
  readonly values: ReadonlyArray<Json>
  /** The defaults that it names, as JSON. */
  readonly fallbacks: ReadonlySet<string>
}

/** Does it mean a tool without arguments, where it is all that is said of one? */
const isSilent = (schema: Json): boolean => {
  if (!isRecord(schema)) return true
  const { description: _, examples: __, properties, title: ___, type, ...rest } = schema as Written
  const members = rest.anyOf ?? rest.oneOf
  if (Array.isArray(members) && members.length === 1) return isSilent(members[0])
  const named = isRecord(properties) ? Object.keys(properties).length : 0
  return named === 0 && (type === undefined || type === "object") &&
    Object.keys(rest).every((key) => key === "required")
}

/** A tool's schema, with arguments for it. */
export const sampled = (seed: number): Sampled => {
  const dice = new Dice(seed)
  const document = new Document(dice)
  const any = dice.once(6) ? document.any(3) : document.object(3)
  const root = isSilent(any.schema) ? string(dice) : any
  const definitions = [...document.definitions].map(([name, { schema }]) => [name, schema] as const)
  const schema: Json = isRecord(root.schema)
    ? {
      ...document.old ? { $schema: "http://json-schema.org/draft-07/schema#" } : {},
      ...root.schema as Written,
      ...definitions.length === 0 ? {} : { [document.old ? "definitions" : "$defs"]: Object.fromEntries(definitions) }
    }
    : root.schema
  return {
    schema,
    values: Array.from({ length: 5 }, (_, index) => ending(() => root.value(dice, index))).flat()
      // Where a tool may be called with no arguments at all, it is not called with null.
      .filter((value) => value !== null),
    fallbacks: document.fallbacks
  }
}

/** A value for a schema in the words that strict modes take; none where it did not end. */
export const written = (root: Json, dice: Dice): ReadonlyArray<Json> => {
  const make = (schema: Json, depth: number): Json => {
    if (depth < -6) throw new Endless()
    if (!isRecord(schema)) return dice.of<Json>(["a", 1, null, {}])
    const node = schema as Written
    if (typeof node.$ref === "string") {
      const at = node.$ref.slice(1).split("/").slice(1)
      return make(at.reduce<Json>((value, key) => (value as Written)[key]!, root), depth - 1)
    }
    if (Array.isArray(node.enum)) return dice.of(node.enum as ReadonlyArray<Json>)
    if (Array.isArray(node.anyOf)) {
      const plain = node.anyOf.filter((member) => isRecord(member) && member.type === "null")
      return make(depth < 0 && plain.length > 0 ? plain[0]! : dice.of(node.anyOf as ReadonlyArray<Json>), depth - 1)
    }
    switch (node.type) {
      case "null":
        return null
      case "boolean":
        return dice.once(2)
      case "integer":
      case "number": {
        const least = Number(node.minimum ?? node.exclusiveMinimum ?? 0)
        const step = Number(node.multipleOf ?? 1)
        const first = node.exclusiveMinimum !== undefined && least >= Number(node.minimum ?? -Infinity)
          ? least + step
          : least
        return node.multipleOf === undefined ? first : Math.ceil(first / step) * step
      }
      case "string":
        return dice.of(
          typeof node.pattern === "string"
            ? texts[node.pattern] ?? ["a"]
            : typeof node.format === "string"
            ? formats[node.format] ?? ["a"]
            : words.filter((word) => word.length >= Number(node.minLength ?? 0))
        )
      case "array": {
        const least = Number(node.minItems ?? 0)
        const most = Math.min(Number(node.maxItems ?? Infinity), least + (depth > 0 ? 2 : 0))
        return dice.times(least, most, () => make(node.items ?? true, depth - 1))
      }
      default: {
        const required = Array.isArray(node.required) ? node.required : []
        return Object.fromEntries(
          Object.entries((node.properties ?? {}) as Written).filter(([name]) =>
            required.includes(name) || depth > 0 && dice.once(2)
          ).map(([name, child]) => [name, make(child, depth - 1)])
        )
      }
    }
  }
  return ending(() => make(root, 5))
}
