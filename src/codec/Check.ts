/**
 * Derives a boolean check from the AST of a plain schema (one whose two sides are the same).
 *
 * It accepts exactly what Effect's own parser would, and allocates nothing. Nodes it does not know are given to that
 * parser.
 */
import { Predicate, Schema, SchemaAST, SchemaParser } from "effect"
import { every as everyOnce, isOnce } from "./Seen.ts"
import * as Straight from "./Straight.ts"
import * as Struct from "./Struct.ts"

/** Has the value the form? */
export interface Check {
  (value: unknown): boolean
}
/** The check of a plain schema, and the same as a JavaScript expression on `x` where it is a short one. */
export interface Plain {
  readonly check: Check
  readonly code: string | undefined
}

const checks = new WeakMap<SchemaAST.AST, Check>()

/** Says how to check the values of a schema that is made by hand (a declaration). */
export const define = (ast: SchemaAST.AST, check: Check): void => void checks.set(ast, check)

/** The check of a plain schema, built once and remembered by identity. */
export const of = (ast: SchemaAST.AST): Check => {
  const known = checks.get(ast)
  if (known !== undefined) return known
  const check = refined(ast, base(ast))
  checks.set(ast, check)
  return check
}

/** What is known of a plain schema. */
export const plain = (ast: SchemaAST.AST): Plain => ({ check: of(ast), code: inline(ast) })

/** The check of what is known to be well formed `of` a schema: the members of a union may differ at first sight. */
export const within = (whole: SchemaAST.AST, part: SchemaAST.AST): Check => {
  if (isSame(whole, part)) return () => true
  if (whole._tag !== "Union" || !whole.types.some((type) => isSame(type, part))) return of(part)
  const others = whole.types.filter((type) => !isSame(type, part))
  return part._tag === "Arrays" && others.every(({ _tag }) => _tag === "Objects")
    ? Array.isArray
    : part._tag === "Objects" && others.every(({ _tag }) => _tag === "Arrays")
    ? (value) => !Array.isArray(value)
    : of(part)
}

const isSame = (a: SchemaAST.AST, b: SchemaAST.AST): boolean =>
  a === b || a._tag === "Arrays" && b._tag === "Arrays" && a.checks === undefined && b.checks === undefined &&
    a.elements.length + b.elements.length === 0 && a.rest.length === b.rest.length &&
    a.rest.every((type, index) => isSame(type, b.rest[index]!))

/** Is it an object, and no list? */
export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } => Predicate.isObject(value)

/** Is it no list, and of no class? A plain object of another realm is one too. */
export const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ||
    Object.getPrototypeOf(prototype) === null && !Array.isArray(value)
}

const json = Schema.Json.ast as SchemaAST.Declaration
const isJsonAst = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Declaration" && ast.run === json.run && ast.typeParameters.length === 0

const parser = (ast: SchemaAST.AST): Check => SchemaParser.is(Schema.make<Schema.Schema<unknown>>(ast))

/** Is it JSON? Values of unusual depth, and so every cycle, are left to Effect's own walk. */
export const isJson = (value: unknown): boolean => walk(value, 0)

const walk = (value: unknown, depth: number): boolean => {
  if (typeof value === "string") return true
  if (typeof value !== "object") {
    return typeof value === "boolean" || typeof value === "number" && Number.isFinite(value)
  }
  if (value === null) return true
  if (depth > 200) return parser(json)(value)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] !== "string" && !walk(value[i], depth + 1)) return false
    return true
  }
  if (!isPlain(value)) return false
  for (const key in value) {
    const child = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof child !== "string" && !walk(child, depth + 1)) return false
  }
  return true
}

const refined = (ast: SchemaAST.AST, check: Check): Check => {
  const filters = ast.checks
  return filters === undefined ? check : (value) => check(value) && holds(filters, value, ast)
}

const holds = (filters: ReadonlyArray<SchemaAST.Check<unknown>>, value: unknown, ast: SchemaAST.AST): boolean =>
  filters.every((filter) =>
    filter._tag === "Filter"
      ? filter.run(value, ast, {}) === undefined
      : holds(filter.checks, value, ast)
  )

const base = (ast: SchemaAST.AST): Check => {
  switch (ast._tag) {
    case "String":
      return (value) => typeof value === "string"
    case "Number":
      return (value) => typeof value === "number"
    case "Boolean":
      return (value) => typeof value === "boolean"
    case "Null":
      return (value) => value === null
    case "Literal":
      return (value) => value === ast.literal
    case "Declaration":
      return isJsonAst(ast) ? isJson : parser(ast)
    case "Suspend": {
      let check: Check | undefined
      return (value) => (check ??= of(ast.thunk()))(value)
    }
    case "Arrays": {
      const [item, ...more] = ast.rest
      return item === undefined || more.length + ast.elements.length > 0 ? parser(ast) : isOnce(ast)
        ? everyOnce(of(item))
        : Straight.every(of(item))
    }
    case "Objects":
      return ast.propertySignatures.every((property) => typeof property.name === "string") &&
          ast.propertySignatures.length + ast.indexSignatures.length > 0
        ? object(ast)
        : parser(ast)
    case "Union":
      return ast.options?.mode === "oneOf" ? parser(ast) : union(ast)
    default:
      return parser(ast)
  }
}

const object = (ast: SchemaAST.Objects): Check => {
  const [signature] = ast.indexSignatures
  if (ast.propertySignatures.length === 0 && ast.indexSignatures.length === 1 && isAnyKey(signature!.parameter)) {
    const member = of(signature!.type)
    return (value) =>
      isRecord(value) && (member === isJson ? isJson(value) : isPlain(value) && Object.values(value).every(member))
  }
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: name as string,
    optional: type.context?.isOptional === true,
    ...plain(type)
  }))
  const names = new Set(fields.map(({ name }) => name))
  const rest = ast.indexSignatures.map(({ parameter, type }) => ({ key: of(parameter), value: of(type) }))
  const known = Struct.check(fields)
  if (rest.length === 0) return known
  return (value) => {
    if (!known(value)) return false
    for (const [key, child] of Object.entries(value as object)) {
      if (names.has(key)) continue
      for (const signature of rest) if (signature.key(key) && !signature.value(child)) return false
    }
    return true
  }
}

const isAnyKey = (ast: SchemaAST.AST): boolean => ast._tag === "String" && ast.checks === undefined

/** The check as a JavaScript expression on `x`, where it is a short one. */
const inline = (ast: SchemaAST.AST): string | undefined => {
  if (ast.checks !== undefined) return undefined
  switch (ast._tag) {
    case "String":
      return `typeof x==="string"`
    case "Number":
      return `typeof x==="number"`
    case "Boolean":
      return `typeof x==="boolean"`
    case "Null":
      return "x===null"
    case "Union": {
      const types = ast.options?.mode === "oneOf" ? [undefined] : ast.types.map(inline)
      return types.includes(undefined) ? undefined : `(${types.join("||")})`
    }
    case "Literal":
      return typeof ast.literal === "bigint" ? undefined : `x===${JSON.stringify(ast.literal)}`
    default:
      return undefined
  }
}

const literalOf = (ast: SchemaAST.AST, key: string): SchemaAST.LiteralValue | undefined => {
  if (ast._tag !== "Objects") return undefined
  const type = ast.propertySignatures.find((property) => property.name === key)?.type
  return type?._tag === "Literal" && type.context?.isOptional !== true ? type.literal : undefined
}

const union = (ast: SchemaAST.Union): Check => {
  if (ast.types.length > 0 && ast.types.every((type) => type._tag === "Literal" && type.checks === undefined)) {
    const literals = new Set<unknown>(ast.types.map((type) => (type as SchemaAST.Literal).literal))
    return (value) => literals.has(value)
  }
  const members = ast.types.map(of)
  const keys = ast.types.flatMap((type) =>
    type._tag === "Objects" ? type.propertySignatures.map(({ name }) => name) : []
  )
  const tag = keys.find((key): key is string =>
    typeof key === "string" && ast.types.every((type) => literalOf(type, key) !== undefined)
  )
  if (tag === undefined) return (value) => members.some((check) => check(value))
  const byTag = Map.groupBy(members.keys(), (index): unknown => literalOf(ast.types[index]!, tag))
  const cases = new Map([...byTag].map(([literal, [index, ...more]]): [unknown, Check] => [
    literal,
    more.length === 0 ? members[index!]! : (value) => [index!, ...more].some((index) => members[index]!(value))
  ]))
  return Straight.byTag(tag, cases, () => false)
}
