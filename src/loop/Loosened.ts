/**
 * Takes JSON of a schema's strict form back to JSON of the schema itself.
 *
 * The strict form is that of Effect's structured output: what is optional is there and `null`, a tuple is an object whose
 * keys are its places, and a record is a list of pairs. The codec that Effect gives with it (4.1.0) decodes twice what is
 * optional and of such a form, and so fails on it; hence this. JSON of the schema itself comes back as it is.
 */
import { Schema, SchemaAST } from "effect"
import { isRecord } from "../codec/index.ts"

type Json = Schema.Json
type Road = (json: Json) => Json

/** @example `loosened(Schema.Struct({ a: Schema.optionalKey(Schema.String) }))({ a: null })  // => {}` */
export const loosened = (schema: Schema.Constraint): Road => road(SchemaAST.toEncoded(Schema.toCodecJson(schema).ast))

const roads = new WeakMap<SchemaAST.AST, Road>()

const road = (ast: SchemaAST.AST): Road => {
  const known = roads.get(ast)
  if (known !== undefined) return known
  // What refers to itself is built when it is first walked.
  const built: { road?: Road } = {}
  const lazy: Road = (json) => (built.road ??= build(ast))(json)
  roads.set(ast, lazy)
  return lazy
}

const build = (ast: SchemaAST.AST): Road => {
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 ? ofRecord(ast) : ofStruct(ast)
    case "Arrays":
      return ast.elements.length > 0 || ast.rest.length > 1 ? ofTuple(ast) : ofList(ast)
    case "Union":
      return ofUnion(ast)
    case "Suspend":
      return road(ast.thunk())
    default:
      return same
  }
}

const same: Road = (json) => json

const ofStruct = ({ propertySignatures }: SchemaAST.Objects): Road => {
  const fields = new Map(propertySignatures.map(({ name, type }) => [
    String(name),
    { isOptional: SchemaAST.isOptional(type), road: road(type) }
  ]))
  return (json) =>
    isObject(json)
      ? Object.fromEntries(
        Object.entries(json).flatMap(([key, value]) => {
          const field = fields.get(key)
          if (field === undefined) return [[key, value]]
          return field.isOptional && value === null ? [] : [[key, field.road(value)]]
        })
      )
      : json
}

const ofRecord = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Road => {
  const fields = new Map(propertySignatures.map(({ name, type }) => [String(name), road(type)]))
  const rest = road(indexSignatures[0]!.type)
  const values = (entries: ReadonlyArray<readonly [string, Json]>): Json =>
    Object.fromEntries(entries.map(([key, value]) => [key, (fields.get(key) ?? rest)(value)]))
  return (json) => {
    if (isObject(json)) return values(Object.entries(json))
    const pairs = isList(json) ? json.map(pairOf) : []
    return isList(json) && pairs.every((pair) => pair !== undefined) ? values(pairs) : json
  }
}

const pairOf = (json: Json): readonly [string, Json] | undefined => {
  const [key, value] = isList(json) ? json : isObject(json) ? [json["0"], json["1"]] : []
  return typeof key === "string" && value !== undefined ? [key, value] : undefined
}

const ofList = ({ rest: [member] }: SchemaAST.Arrays): Road => {
  if (member === undefined) return same
  const each = road(member)
  return (json) => isList(json) ? json.map(each) : json
}

const ofTuple = ({ elements, rest: [more, ...tail] }: SchemaAST.Arrays): Road => {
  const places = elements.map(road)
  const isOptional = elements.map(SchemaAST.isOptional)
  const each = more === undefined ? same : road(more)
  const last = tail.map(road)
  return (json) => {
    if (isList(json)) {
      const end = json.length - last.length
      return json.map((value, i) => (places[i] ?? (i < end ? each : last[i - end] ?? each))(value))
    }
    if (!isObject(json)) return json
    const at = (key: string, way: Road): ReadonlyArray<Json> => {
      const value = json[key]
      return value === undefined ? [] : [way(value)]
    }
    const middle = json.__rest__ ?? []
    return [
      ...places.flatMap((way, i) => isOptional[i] && json[i] === null ? [] : at(String(i), way)),
      ...(isList(middle) ? middle.map(each) : []),
      ...last.flatMap((way, i) => at(`__tail_${i}__`, way))
    ]
  }
}

/** The first member that the JSON is one of. */
const ofUnion = ({ types }: SchemaAST.Union): Road => {
  const members = types.map((type) => ({ is: Schema.is(Schema.make<Schema.Top>(type)), road: road(type) }))
  return (json) => {
    for (const { is, road } of members) {
      const own = road(json)
      if (is(own)) return own
    }
    return json
  }
}

const isObject = (json: Json): json is Schema.JsonObject => isRecord(json)
const isList = (json: Json): json is Schema.JsonArray => Array.isArray(json)
