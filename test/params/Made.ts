/** Params, foreign schemas and arguments, made from a number: deep, odd, and the same for the same number. */
import { Arbitrary, Schema } from "effect"
import type { Param, Params, Type } from "../../src/params/Params.ts"

type Json = Schema.Json
type Fields = { readonly [key: string]: Json }

/** A number below `n`, another each time. */
export type Dice = (n: number) => number

export const seeds: Arbitrary.Arbitrary<number> = Arbitrary.schema(Schema.Int)

export const diceOf = (seed: number): Dice => {
  let state = seed | 0
  return (n) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return ((mixed ^ (mixed >>> 15)) >>> 0) % n
  }
}

const one = <A>(dice: Dice, list: ReadonlyArray<A>): A => list[dice(list.length)]!
const maybe = <A extends object>(dice: Dice, make: () => A): A | object => dice(3) === 0 ? make() : {}

const names = [
  "city",
  "a.b",
  "__proto__",
  "constructor",
  "toString",
  "größe",
  "",
  "x y",
  "$ref",
  "type",
  "properties",
  "0"
]
/** An object has names that are indices in front, wherever they were put. */
const namesOf = (dice: Dice, most: number): ReadonlyArray<string> =>
  [...new Set(Array.from({ length: dice(most + 1) }, () => one(dice, names)))].toSorted((a) => a === "0" ? -1 : 0)

// params ------------------------------------------------------------------------------------------------------------

const described = (dice: Dice): Partial<Type> => maybe(dice, () => ({ description: one(dice, ["", "Where", "null"]) }))
const nullable = (dice: Dice): Partial<Type> => maybe(dice, () => ({ nullable: true }))

const keywords: { readonly [type: string]: ReadonlyArray<Fields> } = {
  string: [{ minLength: 1 }, { pattern: "^a" }, { format: "date", title: "T" }, { const: "a" }, {
    allOf: [{ minLength: 1 }]
  }],
  integer: [{ minimum: 1, maximum: 9 }, { multipleOf: 2 }, { not: { const: 0 } }],
  number: [{ exclusiveMinimum: 0 }, { examples: [1, 2] }],
  boolean: [{ title: "T" }],
  array: [{ minItems: 1 }, { uniqueItems: true }, { "x-other": { type: "date" } }],
  object: [{ minProperties: 1 }, { title: "T", "$comment": "c" }, { patternProperties: { "^x": { type: "string" } } }],
  union: [{ title: "T" }, { maxLength: 3 }]
}
const keywordsOf = (dice: Dice, type: string): Partial<Type> =>
  maybe(dice, () => ({ keywords: one(dice, keywords[type]!) }))

const values: { readonly [type: string]: ReadonlyArray<Json> } = {
  string: ["a", "b", "", null],
  integer: [1, 2, 0],
  number: [0.5, 1],
  boolean: [true, false],
  array: [[], ["a"], [1, null]],
  object: [{}, { a: 1 }, { "b": [] }],
  union: ["a", 1, true]
}
const listed = (dice: Dice, type: string): Partial<Type> => ({
  ...maybe(dice, () => ({ enum: [one(dice, values[type]!), one(dice, values[type]!)] })),
  ...maybe(dice, () => ({ default: one(dice, [...values[type]!, null]) }))
})

export interface Making {
  /** Only what a strict schema can say. */
  readonly strict: boolean
}

const verbatim: ReadonlyArray<Fields> = [
  { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }], description: "either" },
  { const: { a: 1 } },
  { enum: ["a", 1, null] },
  { type: ["array", "string"] },
  { type: ["string", "null"], const: "a" }
]

const scalar = (dice: Dice): Type => {
  const type = one(dice, ["string", "integer", "number", "boolean", "union"] as const)
  const types = one(dice, [["string", "integer"], ["boolean", "number", "string"]] as const)
  return {
    type,
    ...(type === "union" ? { types } : {}),
    ...described(dice),
    ...nullable(dice),
    ...listed(dice, type),
    ...keywordsOf(dice, type)
  }
}

const typeOf = (dice: Dice, depth: number, making: Making, isItem = false): Type => {
  const kind = depth === 0 ? 0 : dice(6)
  if (kind === 5 && !making.strict) {
    return { type: "schema", schema: one(dice, isItem ? [...verbatim, { type: "object" }] : verbatim) }
  }
  if (kind < 3) return scalar(dice)
  const type = kind === 3 ? "array" : "object"
  const shape = kind === 3
    ? making.strict || dice(4) > 0
      ? { items: typeOf(dice, depth - 1, making, true) }
      : maybe(
        dice,
        () => ({ keywords: { prefixItems: [{ type: "string" }], items: one<Json>(dice, [false, {}, [{}]]) } })
      )
    : making.strict || isItem || dice(4) > 0
    ? { ...openness(dice, making), properties: properties(dice, depth - 1, making) }
    : maybe(dice, () => ({ additionalProperties: { type: "string" } }))
  return {
    ...described(dice),
    ...nullable(dice),
    ...listed(dice, type),
    ...keywordsOf(dice, type),
    ...shape,
    type
  }
}

const openness = (dice: Dice, { strict }: Making): Partial<Type> =>
  maybe(
    dice,
    () => ({ additionalProperties: strict ? true as const : one(dice, [true as const, {}, { type: "integer" }]) })
  )

const properties = (dice: Dice, depth: number, making: Making): ReadonlyArray<Param> =>
  namesOf(dice, 4).map((name) => ({ name, required: dice(2) === 0, ...typeOf(dice, depth, making) }))

export const params = (seed: number, making: Making = { strict: false }): Params => {
  const dice = diceOf(seed)
  return {
    ...described(dice),
    ...maybe(dice, () => ({ keywords: { $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { d: {} } } })),
    ...openness(dice, making),
    properties: properties(dice, 3, making),
    type: "object"
  }
}

// foreign schemas ---------------------------------------------------------------------------------------------------

/** A schema in spellings that we would not choose. */
export const foreign = (seed: number): Fields => {
  const dice = diceOf(seed)
  const type = (depth: number): Fields => {
    const kind = depth === 0 ? dice(4) : dice(9)
    const inner = kind < 5 ? undefined : type(depth - 1)
    const told = maybe(dice, () => ({ title: "T", default: null })) as Fields
    const kinds: ReadonlyArray<() => Fields> = [
      () => ({ type: ["null", "string"], enum: ["a", "b"] }),
      () => ({ type: ["string", "null"], enum: ["a", null], ...told }),
      () => ({ type: ["integer"], minimum: 0, ...told }),
      () => ({ type: ["string", "integer", "null"] }),
      () => ({ type: ["null", "boolean", "null"] }),
      () => ({ anyOf: [{ type: "null" }, inner ?? {}], ...told }),
      () => ({ type: "array", items: inner ?? {}, ...told }),
      () => ({ type: "array", items: [inner ?? {}] }),
      () => object(namesOf(dice, 3).map((name) => [name, type(depth - 1)]))
    ]
    return kinds[kind]!()
  }
  const object = (entries: ReadonlyArray<readonly [string, Fields]>): Fields => ({
    type: "object",
    ...(entries.length === 0 && dice(2) === 0 ? {} : { properties: Object.fromEntries(entries) }),
    ...(dice(2) === 0 ? { required: entries.filter(() => dice(2) === 0).map(([name]) => name) } : {}),
    ...one<Fields>(dice, [{}, { additionalProperties: true }, { additionalProperties: false }])
  })
  return object(namesOf(dice, 4).map((name) => [name, type(3)]))
}

// arguments ---------------------------------------------------------------------------------------------------------

const likely: ReadonlyArray<Json> = ["a", "b", "", "ab", 1, 0, 2, 0.5, true, null, [], ["a"], {}, { a: 1 }]

/** A value that has a good chance to fit the schema, and some not to. */
export const value = (schema: unknown, dice: Dice, depth = 4): Json => {
  const { anyOf, enum: values, items, properties, type } = (schema ?? {}) as { readonly [key: string]: unknown }
  if (dice(8) === 0 || depth === 0) return one(dice, likely)
  if (Array.isArray(values) && values.length > 0) return one(dice, values as ReadonlyArray<Json>)
  if (Array.isArray(anyOf)) return value(one(dice, anyOf), dice, depth)
  const name: unknown = Array.isArray(type) ? one(dice, type) : type
  switch (name) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).flatMap(([name, schema]) =>
          dice(5) === 0 ? [] : [[name, value(schema, dice, depth - 1)] as const]
        )
      )
    case "array":
      return Array.from({ length: dice(3) }, () => value(Array.isArray(items) ? items[0] : items, dice, depth - 1))
    case "string":
      return one(dice, ["a", "b", "ab", ""])
    case "integer":
      return dice(10)
    case "number":
      return dice(10) / 2
    case "boolean":
      return dice(2) === 0
    default:
      return one(dice, likely)
  }
}

/** Params of which every value can be made: no rules but types, enums and names, and no defaults. */
export const plain = (seed: number): Params => {
  const dice = diceOf(seed)
  const bare = (type: Type): Type => {
    const { default: _, enum: values, items, keywords: __, properties, ...rest } = type
    return {
      ...rest,
      ...(values === undefined || type.type === "array" || type.type === "object" ? {} : { enum: ["a", 1, 2, true] }),
      ...(items === undefined ? {} : { items: bare(items) }),
      ...(properties === undefined ? {} : { properties: properties.map(bareParam) })
    }
  }
  const bareParam = ({ name, required, ...type }: Param): Param => ({ name, required, ...bare(type) })
  return { type: "object", properties: properties(dice, 3, { strict: true }).map(bareParam) }
}

/** A value of such params. */
export const fitting = (type: Type, dice: Dice): Json => {
  if (type.nullable === true && dice(4) === 0) return null
  const names = type.types ?? [type.type]
  const name = one<string>(dice, names)
  if (type.enum !== undefined) return name === "string" ? "a" : name === "boolean" ? true : 2
  switch (name) {
    case "object":
      return Object.fromEntries(
        (type.properties ?? []).flatMap((param) =>
          param.required || dice(2) === 0 ? [[param.name, fitting(param, dice)] as const] : []
        ).filter(([name, value]) =>
          value !== null || type.properties?.find((param) => param.name === name)?.nullable === true
        )
      )
    case "array":
      return Array.from({ length: dice(4) }, () => fitting(type.items!, dice))
    case "boolean":
      return dice(2) === 0
    case "string":
      return one(dice, ["", "a", "Lund"])
    default:
      return dice(10)
  }
}
