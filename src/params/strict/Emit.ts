/** Writes shapes as JSON Schema, with what is only said in words in the descriptions. */
import type { Schema } from "effect"
import { entryKeys, type EntryShape, type Form, type OtherKeys, reachable, type Shape } from "./Shape.ts"

type Json = Schema.Json
type Written = Schema.JsonObject

/** How many schemas may be written. Beyond it no API reads them. */
const most = 20_000

/** Closed objects and definitions; no definitions; or all that JSON Schema has words for. */
export type Style = "strict" | "inline" | "plain"

/** The whole schema, its definitions with it; nothing where it is too large. */
export const written = (root: Shape, style: Style): Written | undefined =>
  new Writer(root, style, false).run() ?? (style === "inline" ? undefined : new Writer(root, style, true).run())

class Writer {
  readonly #root: Shape
  readonly #style: Style
  readonly #shared: ReadonlyMap<Shape, number> | undefined
  readonly #names = new Map<Shape, string>()
  readonly #taken = new Set<string>()
  readonly #todo: Array<Shape> = []
  #count = 0

  /** `sharing` makes a definition of everything that stands in several places. */
  constructor(root: Shape, style: Style, sharing: boolean) {
    this.#root = root
    this.#style = style
    this.#shared = sharing ? reachable(root) : undefined
  }

  run(): Written | undefined {
    const schema = this.#schema(this.#root, true)
    const definitions: Array<readonly [string, Written]> = []
    for (let shape = this.#todo.pop(); shape !== undefined && this.#count <= most; shape = this.#todo.pop()) {
      definitions.push([this.#names.get(shape)!, this.#schema(shape, true)])
    }
    if (this.#count > most) return undefined
    return definitions.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) }
  }

  #schema(shape: Shape, inPlace = false): Written {
    if (!inPlace && this.#isDefinition(shape)) return { $ref: this.#referenceTo(shape) }
    if (++this.#count > most) return {}
    const { node: { about: { title } } } = shape
    const isWrapper = shape.form.kind === "wrapped"
    const description = isWrapper ? undefined : descriptionOf(shape)
    return {
      ...this.#form(shape),
      ...Object.fromEntries(shape.limits.map(({ keyword, value }) => [keyword, value])),
      ...title === undefined || isWrapper ? {} : { title },
      ...description === undefined ? {} : { description }
    }
  }

  #isDefinition(shape: Shape): boolean {
    if (this.#style === "inline") return false
    if (shape === this.#root || shape.form.kind === "wrapped") return shape === this.#root
    return shape.node.name !== undefined || (this.#shared?.get(shape) ?? 0) > 1 && shape.form.kind !== "scalar"
  }

  #referenceTo(shape: Shape): string {
    if (shape === this.#root) return "#"
    const known = this.#names.get(shape)
    if (known !== undefined) return `#/$defs/${known}`
    const wanted = (shape.node.name ?? shape.form.kind).replaceAll(/[^\w.-]+/g, "_")
    let name = wanted
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}_${number}`
    this.#taken.add(name)
    this.#names.set(shape, name)
    this.#todo.push(shape)
    return `#/$defs/${name}`
  }

  #form(shape: Shape): Written {
    const { form, node } = shape
    switch (form.kind) {
      case "any":
        return {}
      case "free":
        return { type: "object" }
      case "text":
        return { type: "string" }
      case "scalar":
        return { type: form.type }
      case "literals":
        return { type: form.type, enum: form.values.map(([, fitted]) => fitted) }
      case "wrapped":
        return closed({ [form.key]: this.#schema(form.shape) })
      case "union":
        return this.#union(form.members, node.body.kind === "union" && node.body.exclusive !== undefined)
      case "entries":
        return { type: "array", items: this.#entry(form.entries) }
      case "list":
        return { type: "array", ...this.#items(form) }
      case "object":
        return this.#object(form)
    }
  }

  #union(members: ReadonlyArray<Shape>, exclusive: boolean): Written {
    const schemas = members.map((member) => this.#schema(member))
    return exclusive && this.#style === "plain" ? { oneOf: schemas } : { anyOf: schemas }
  }

  #items({ prefix, rest }: Form & { readonly kind: "list" }): Written {
    if (this.#style === "plain" && prefix.length > 0) {
      return {
        prefixItems: prefix.map((item) => this.#schema(item)),
        items: rest === undefined ? false : this.#schema(rest)
      }
    }
    const kinds = [...new Set([...prefix, ...rest === undefined ? [] : [rest]])]
    // Of a list that is always empty, the items may be said to be anything.
    if (kinds.length === 0) return { items: { type: "string" } }
    const items = unique(kinds.map((kind) => this.#schema(kind)))
    return { items: items.length === 1 ? items[0]! : { anyOf: items } }
  }

  #entry(entries: ReadonlyArray<EntryShape>): Written {
    const schemas = entries.map(({ names, shape }) =>
      closed({ [entryKeys.name]: this.#schema(names), [entryKeys.value]: this.#schema(shape) })
    )
    return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
  }

  #object({ fields, others }: Form & { readonly kind: "object" }): Written {
    const properties: Array<readonly [string, Written]> = [...fields].map(([name, { nulled, shape }]) => {
      const schema = this.#schema(shape)
      return [name, nulled ? orNull(schema) : schema]
    })
    const required = [...fields].filter(([, { always }]) => always).map(([name]) => name)
    if (others.how === "listed") {
      properties.push([others.key, this.#schema(others.list)])
      required.push(others.key)
    }
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...required.length > 0 || this.#style === "strict" ? { required } : {},
      ...this.#others(others)
    }
  }

  #others(others: OtherKeys): Written {
    if (others.how === "open") return {}
    if (others.how !== "kept") return { additionalProperties: false }
    const patterns = others.entries.flatMap(({ pattern, shape }) =>
      pattern === undefined ? [] : [[pattern, this.#schema(shape)] as const]
    )
    const rest = others.entries.find(({ pattern }) => pattern === undefined)
    const names = rest === undefined || patterns.length > 0 ? {} : this.#schema(rest.names)
    return {
      ...Object.keys(names).some((key) => key !== "type") ? { propertyNames: names } : {},
      ...patterns.length === 0 ? {} : { patternProperties: Object.fromEntries(patterns) },
      additionalProperties: rest === undefined ? false : this.#schema(rest.shape)
    }
  }
}

const closed = (properties: Written): Written => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

/** The description stays outside, where it holds of both. */
const orNull = ({ description, ...schema }: Written): Written => ({
  anyOf: [...isUnion(schema) ? schema.anyOf : [schema], { type: "null" }],
  ...description === undefined ? {} : { description }
})

const isUnion = (schema: Written): schema is { readonly anyOf: ReadonlyArray<Json> } =>
  Array.isArray(schema.anyOf) && Object.keys(schema).length === 1

const unique = (schemas: ReadonlyArray<Written>): ReadonlyArray<Written> => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()
]

const descriptionOf = ({ node, words }: Shape): string | undefined => {
  const said = [node.about.description, words.join("; ")].filter((text) => text !== undefined && text !== "")
  return said.length === 0 ? undefined : said.join("\n")
}
