/** What each API takes of JSON Schema, as data. */
import type { Schema } from "effect"
import type { Limit } from "./Node.ts"
import type { Kind } from "./Words.ts"

type Json = Schema.Json

/** Keywords that are taken, each with the values that are. */
type Taken = { readonly [keyword: string]: (value: Json) => boolean }

export interface Rules {
  /** What it is called in a sentence. */
  readonly name: string
  readonly limits: { readonly [K in Kind]?: Taken }
  /** The same bounds in words that are taken, where there are such. */
  readonly restate: (kind: Kind, limits: ReadonlyArray<Limit>) => ReadonlyArray<Limit>
  /** How a property is left out: by `null`, or by not being there. */
  readonly absent: "null" | "absent"
  /** Objects of any keys: as they are, or as a list of their entries. */
  readonly maps: "kept" | "pairs"
  /** Values of any kind: as they are, as their JSON text, or not at all. */
  readonly anything: "kept" | "text" | "refused"
  /** Listed values: as they are, or all as text. */
  readonly literals: "kept" | "texts"
  /** Items by position: as they are, or as items of all those kinds. */
  readonly tuples: "kept" | "mixed"
  readonly references: "kept" | "inlined"
  readonly recursion: boolean
}

const any = () => true
const oneOf = (...words: ReadonlyArray<Json>) => (value: Json) => words.includes(value)
const all = (...keywords: ReadonlyArray<string>): Taken => Object.fromEntries(keywords.map((keyword) => [keyword, any]))
const asTheyAre = (_: Kind, limits: ReadonlyArray<Limit>): ReadonlyArray<Limit> => limits

const numbers = all("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")

/** Engines that sample along a pattern know no lookaround and no backreference. */
const isRegular = (pattern: Json): boolean => typeof pattern === "string" && !/\(\?<?[=!]|\\[1-9k]/.test(pattern)

const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export const openai: Rules = {
  name: "OpenAI's strict mode",
  limits: {
    string: { pattern: isRegular, format: oneOf(...formats) },
    number: numbers,
    integer: numbers,
    array: all("minItems", "maxItems")
  },
  restate: asTheyAre,
  absent: "null",
  maps: "pairs",
  anything: "refused",
  literals: "kept",
  tuples: "mixed",
  references: "kept",
  recursion: true
}

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
export const anthropic: Rules = {
  name: "Anthropic's strict mode",
  limits: {
    string: {
      pattern: (pattern) => isRegular(pattern) && !/\\[bB]/.test(String(pattern)),
      format: oneOf(...formats, "uri")
    },
    array: { minItems: oneOf(0, 1) }
  },
  restate: asTheyAre,
  absent: "absent",
  maps: "pairs",
  anything: "refused",
  literals: "kept",
  tuples: "mixed",
  references: "kept",
  recursion: false
}

/** https://ai.google.dev/api/caching#Schema */
export const gemini: Rules = {
  name: "Gemini's Schema",
  limits: {
    string: { ...all("minLength", "maxLength", "pattern"), format: oneOf("date-time") },
    number: { ...all("minimum", "maximum"), format: oneOf("float", "double") },
    integer: { ...all("minimum", "maximum"), format: oneOf("int32", "int64") },
    array: all("minItems", "maxItems")
  },
  restate: (kind, limits) => kind === "integer" || kind === "number" ? inclusive(kind, limits) : limits,
  absent: "absent",
  maps: "pairs",
  anything: "text",
  literals: "texts",
  tuples: "mixed",
  references: "inlined",
  recursion: false
}

/** Plain JSON Schema, where nothing is strict. */
export const plain: Rules = {
  name: "JSON Schema",
  limits: {
    string: all("minLength", "maxLength", "pattern", "format"),
    number: { ...numbers, ...all("format") },
    integer: { ...numbers, ...all("format") },
    array: all("minItems", "maxItems", "uniqueItems"),
    object: all("minProperties", "maxProperties", "dependentRequired")
  },
  restate: asTheyAre,
  absent: "absent",
  maps: "kept",
  anything: "kept",
  literals: "kept",
  tuples: "kept",
  references: "kept",
  recursion: true
}

/**
 * Exclusive bounds as inclusive ones. Those of a whole number say the same; those of another say less, so that the
 * exclusive one stays beside it.
 */
const inclusive = (kind: "integer" | "number", limits: ReadonlyArray<Limit>): ReadonlyArray<Limit> => {
  const whole = kind === "integer"
  const next: { readonly [keyword: string]: readonly [keyword: string, of: (bound: number) => number] } = {
    exclusiveMinimum: ["minimum", (bound) => whole ? Math.floor(bound) + 1 : bound],
    exclusiveMaximum: ["maximum", (bound) => whole ? Math.ceil(bound) - 1 : bound]
  }
  let done = limits.filter(({ keyword }) => !Object.hasOwn(next, keyword))
  for (const limit of limits) {
    const [keyword, of] = next[limit.keyword] ?? []
    if (keyword === undefined || of === undefined || typeof limit.value !== "number") continue
    const value = of(limit.value)
    const beside = done.find((other) => other.keyword === keyword)?.value
    const tighter = typeof beside !== "number" || (keyword === "minimum" ? beside < value : beside > value)
    if (tighter) done = [...done.filter((other) => other.keyword !== keyword), { ...limit, keyword, value }]
    if (!whole) done = [...done, limit]
  }
  return done
}
