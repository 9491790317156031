/** Folds what several pieces of a schema say of the same value into one: its kinds, its literals, its bounds. */
import { Equal, type Schema } from "effect"
import type { About, Limit } from "./Node.ts"
import type { Piece } from "./Pieces.ts"
import { below, own } from "./Pointer.ts"
import { bounds, type Kind, kinds, makings } from "./Words.ts"

type Json = Schema.Json

/** The kinds that the pieces allow; nothing where they say nothing of kinds. */
export const kindsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Kind> | undefined => {
  let allowed: ReadonlyArray<Kind> | undefined
  for (const { schema } of pieces) {
    const stated = statedKinds(schema)
    if (stated === undefined) continue
    allowed = allowed === undefined ? stated : both(allowed, stated)
  }
  return allowed
}

const statedKinds = (schema: Schema.JsonObject): ReadonlyArray<Kind> | undefined => {
  const type = own(schema, "type")
  const names: ReadonlyArray<Json> = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const stated = kinds.filter((kind) => names.some((name) => kindCalled(name) === kind))
  if (stated.length === 0) return undefined
  const one = stated.includes("number") ? stated.filter((kind) => kind !== "integer") : stated
  return schema.nullable === true && !one.includes("null") ? [...one, "null"] : one
}

/** Gemini's names of kinds, by the numbers that they have in its protocol buffers. */
const numbered = ["", "string", "number", "integer", "boolean", "array", "object", "null"]

const kindCalled = (name: Json): string | undefined =>
  typeof name === "number" ? numbered[name] : typeof name === "string" ? name.toLowerCase() : undefined

const both = (a: ReadonlyArray<Kind>, b: ReadonlyArray<Kind>): ReadonlyArray<Kind> =>
  a.flatMap((kind): ReadonlyArray<Kind> =>
    b.includes(kind)
      ? [kind]
      : kind === "number" && b.includes("integer") || kind === "integer" && b.includes("number")
      ? ["integer"]
      : []
  )

/** The kinds that the keywords of the pieces speak of, where no type is said. */
export const impliedKinds = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Kind> | undefined => {
  const implied = kinds.filter((kind) =>
    kind !== "integer" &&
    pieces.some(({ schema }) =>
      [...bounds[kind], ...makings[kind] ?? []].some((keyword) =>
        Object.hasOwn(schema, keyword) && (keyword !== "format" || kind === "string")
      )
    )
  )
  if (implied.length === 0) return undefined
  return pieces.some(({ schema }) => schema.nullable === true) ? [...implied, "null"] : implied
}

/** The values that the pieces list, where they list any. */
export const literalsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Json> | undefined => {
  let values: ReadonlyArray<Json> | undefined
  for (const { schema } of pieces) {
    for (const list of [own(schema, "enum"), Object.hasOwn(schema, "const") ? [schema.const!] : undefined]) {
      // An empty list would forbid everything, and nobody means that.
      if (!Array.isArray(list) || list.length === 0) continue
      const nullable = schema.nullable === true && !list.includes(null) && Object.hasOwn(schema, "type")
      const listed: ReadonlyArray<Json> = nullable ? [...list, null] : list
      values = values === undefined
        ? [...new Set(listed)]
        : values.filter((value) => listed.some((other) => Equal.equals(value, other)))
    }
  }
  return values
}

/** Of which several the tightest counts. */
const tightest: { readonly [keyword: string]: (a: number, b: number) => number } = {
  minLength: Math.max,
  maxLength: Math.min,
  minimum: Math.max,
  maximum: Math.min,
  exclusiveMinimum: Math.max,
  exclusiveMaximum: Math.min,
  minItems: Math.max,
  maxItems: Math.min,
  minProperties: Math.max,
  maxProperties: Math.min
}

/** Values of a keyword that say nothing. */
const empty: { readonly [keyword: string]: ReadonlyArray<Json> } = {
  minLength: [0],
  minItems: [0],
  minProperties: [0],
  uniqueItems: [false],
  propertyNames: [true, {}, { type: "string" }]
}

/** The bounds that the pieces set by these keywords. */
export const limitsOf = (pieces: ReadonlyArray<Piece>, keywords: ReadonlyArray<string>): ReadonlyArray<Limit> =>
  keywords.flatMap((keyword) => {
    const stated = pieces.flatMap(({ pointer, schema }): ReadonlyArray<Limit> => {
      const value = valueOf(schema, keyword)
      return value === undefined || empty[keyword]?.some((nothing) => Equal.equals(nothing, value)) === true
        ? []
        : [{ keyword, value, pointer: below(pointer, keyword) }]
    })
    const tighter = tightest[keyword]
    return tighter === undefined
      ? stated.filter(({ value }, index) => stated.findIndex((other) => Equal.equals(other.value, value)) === index)
      : stated.filter(({ value }) => typeof value === "number")
        .toSorted((a, b) => tighter(a.value as number, b.value as number) === a.value ? -1 : 1).slice(0, 1)
  })

/** Older drafts, and OpenAPI 3.0, say by `exclusiveMinimum: true` that `minimum` is exclusive. */
const valueOf = (schema: Schema.JsonObject, keyword: string): Json | undefined => {
  if (keyword === "minimum" || keyword === "maximum") {
    const exclusive = keyword === "minimum" ? schema.exclusiveMinimum : schema.exclusiveMaximum
    return exclusive === true ? undefined : own(schema, keyword)
  }
  if (keyword === "exclusiveMinimum" && schema.exclusiveMinimum === true) return own(schema, "minimum")
  if (keyword === "exclusiveMaximum" && schema.exclusiveMaximum === true) return own(schema, "maximum")
  if (keyword === "if") return conditional(schema)
  return own(schema, keyword)
}

const conditional = (schema: Schema.JsonObject): Json | undefined => {
  if (!Object.hasOwn(schema, "if")) return undefined
  return Object.fromEntries(["if", "then", "else"].flatMap((key) => {
    const value = own(schema, key)
    return value === undefined ? [] : [[key, value]]
  }))
}

/** What the pieces tell a reader. The first one that speaks is nearest. */
export const aboutOf = (pieces: ReadonlyArray<Piece>, limits: ReadonlyArray<Limit>): About => {
  const first = (key: string): string | undefined =>
    pieces.map(({ schema }) => own(schema, key)).find((value) => typeof value === "string" && value !== "") as
      | string
      | undefined
  const title = first("title")
  const description = first("description")
  const examples = pieces.flatMap(({ schema }) => {
    const several = own(schema, "examples")
    const single = own(schema, "example")
    return Array.isArray(several) ? several : single === undefined ? [] : [single]
  })
  const notes = [
    ...examples.length === 0 ? [] : [`examples: ${shortened(examples)}`],
    ...pieces.some(({ schema }) => schema.deprecated === true) ? ["deprecated"] : []
  ]
  return {
    ...title === undefined ? {} : { title },
    ...description === undefined ? {} : { description },
    notes,
    limits
  }
}

const longest = 300

/** JSON as it stands in a description. */
export const shortened = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
