/**
 * The keywords of JSON Schema that hold one value to a rule, each of them in words: what a value that breaks it "must"
 * be. A keyword says nothing of values of another type.
 */
import type { Schema } from "effect"
import { isRecord } from "../codec/index.ts"

type Fields = { readonly [key: string]: unknown }

/** What a value must be, if it is not. */
export type Rule = (value: unknown) => string | undefined

const about = <A>(is: (value: unknown) => value is A, breaks: (value: A) => boolean, must: string): Rule => (value) =>
  is(value) && breaks(value) ? must : undefined

const isText = (value: unknown): value is string => typeof value === "string"
const isNumber = (value: unknown): value is number => typeof value === "number"
const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const many = (count: number, of: string): string => `${count} ${of}${count === 1 ? "" : "s"}`

const limits: { readonly [keyword: string]: (limit: number) => Rule } = {
  minLength: (n) => about(isText, (text) => lengthOf(text) < n, `must have at least ${many(n, "character")}`),
  maxLength: (n) => about(isText, (text) => lengthOf(text) > n, `must have at most ${many(n, "character")}`),
  minimum: (n) => about(isNumber, (value) => value < n, `must be at least ${n}`),
  maximum: (n) => about(isNumber, (value) => value > n, `must be at most ${n}`),
  exclusiveMinimum: (n) => about(isNumber, (value) => value <= n, `must be more than ${n}`),
  exclusiveMaximum: (n) => about(isNumber, (value) => value >= n, `must be less than ${n}`),
  multipleOf: (n) => about(isNumber, (value) => n > 0 && !isMultiple(value, n), `must be a multiple of ${n}`),
  minItems: (n) => about(isList, (list) => list.length < n, `must have at least ${many(n, "item")}`),
  maxItems: (n) => about(isList, (list) => list.length > n, `must have at most ${many(n, "item")}`),
  minProperties: (n) => about(isRecord, (object) => keysIn(object) < n, `must have at least ${n} keys`),
  maxProperties: (n) => about(isRecord, (object) => keysIn(object) > n, `must have at most ${n} keys`)
}
const keysIn = (object: object): number => Object.keys(object).length

/** Characters are code points: what JavaScript writes as two may be one. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** 0.3 is a multiple of 0.1, whatever remainder binary fractions leave. */
const isMultiple = (value: number, of: number): boolean => {
  const ratio = value / of
  return Math.abs(ratio - Math.round(ratio)) <= Math.abs(ratio) * Number.EPSILON * 2
}

const rules: { readonly [keyword: string]: (said: unknown) => Rule | undefined } = {
  ...Object.fromEntries(
    Object.entries(limits).map(([keyword, rule]) => [keyword, (said) => isNumber(said) ? rule(said) : undefined])
  ),
  pattern: (said) => {
    const pattern = isText(said) ? expression(said) : undefined
    return pattern && about(isText, (text) => !pattern.test(text), `must match ${String(said)}`)
  },
  uniqueItems: (said) =>
    said === true
      ? about(isList, (list) => new Set(list.map(identity)).size < list.length, "must not have an item twice")
      : undefined,
  enum: (said) => {
    if (!isList(said)) return undefined
    const values = new Set(said.map(identity))
    return (value) => values.has(identity(value)) ? undefined : `must be one of: ${said.map(shown).join(", ")}`
  },
  const: (said) => {
    const only = identity(said)
    return (value) => identity(value) === only ? undefined : `must be ${shown(said)}`
  }
}

const patterns = new Map<string, RegExp | undefined>()
const mostPatterns = 1000

/** A pattern that JavaScript cannot read (`(?i)` and the like) holds nothing. */
export const expression = (pattern: string): RegExp | undefined => {
  if (patterns.has(pattern)) return patterns.get(pattern)
  if (patterns.size >= mostPatterns) patterns.clear()
  const made = read(pattern, "u") ?? read(pattern, "")
  patterns.set(pattern, made)
  return made
}

const read = (pattern: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, flags)
  } catch {
    // It may still be one without the stricter rules of unicode, or else be of another language.
    return undefined
  }
}

/** Keywords that bound values, and that are for the model to read. */
const unread = new Set(
  ("$ref $dynamicRef $recursiveRef if then else dependencies dependentRequired dependentSchemas propertyNames contains " +
    "minContains maxContains additionalItems unevaluatedItems unevaluatedProperties format contentEncoding " +
    "contentMediaType nullable").split(" ")
)

/** Is everything that a schema says held here? A name that is one of these keywords counts as one. */
export const isRead = (schema: unknown): boolean => {
  const todo = [schema]
  while (todo.length > 0) {
    const node = todo.pop()
    if (Array.isArray(node)) { for (const child of node) todo.push(child) }
    else if (isRecord(node)) {
      for (const [key, child] of Object.entries(node)) {
        if (unread.has(key) || key === "pattern" && isText(child) && expression(child) === undefined) return false
        todo.push(child)
      }
    }
  }
  return true
}

/** The rule that a keyword sets with what it says; nothing where it sets none. */
export const ruleOf = (keyword: string, said: unknown): Rule | undefined =>
  Object.hasOwn(rules, keyword) ? rules[keyword]!(said) : undefined

/** The rules that a schema sets. */
export const rulesOf = (schema: Fields): ReadonlyArray<Rule> =>
  Object.entries(schema).flatMap(([keyword, said]) => {
    const rule = ruleOf(keyword, said)
    return rule === undefined ? [] : [rule]
  })

/** A text that two values have in common exactly if they are equal as JSON. */
const identity = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(identity).join()}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? ""
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${identity(value[key])}`).join()}}`
}

const shown = (value: unknown): string => isText(value) ? value : JSON.stringify(value) ?? ""

// types -------------------------------------------------------------------------------------------------------------

const types: { readonly [type: string]: readonly [is: (value: unknown) => boolean, word: string] } = {
  string: [isText, "a string"],
  // JSON has one type of number: 1.0 is the integer 1.
  integer: [Number.isInteger, "an integer"],
  number: [Number.isFinite, "a number"],
  boolean: [(value) => typeof value === "boolean", "a boolean"],
  array: [isList, "an array"],
  object: [isRecord, "an object"],
  null: [(value) => value === null, "null"]
}

/** The rule that a `type` sets: one, or several of which one will do. */
export const typeRule = (type: Schema.Json | undefined): Rule | undefined => {
  const names = typeof type === "string" ? [type] : Array.isArray(type) ? type : []
  const known = names.flatMap((name: unknown) => isText(name) && Object.hasOwn(types, name) ? [types[name]!] : [])
  if (known.length === 0 || known.length < names.length) return undefined
  const must = `must be ${known.map(([, word]) => word).join(" or ")}`
  return (value) => known.some(([is]) => is(value)) ? undefined : must
}
