/** Puts what no codec knows into a wire body, and small edits into canonical values: what laws 4 and 5 are checked with. */
import { Hash, type Schema } from "effect"
import { isRecord } from "../codec/index.ts"

type Json = Schema.Json
type Path = ReadonlyArray<string | number>

/** A choice that is the same on every run: the member of `list` that a seed falls on. */
export const pick = <A>(list: ReadonlyArray<A>, seed: string): A | undefined =>
  list[(Hash.string(seed) >>> 0) % list.length]

/** Every object (`object`), every list of tagged objects (`list`), or everything (`any`), from a value down. */
export const places = (value: Json, kind: "object" | "list" | "any"): ReadonlyArray<Path> => {
  const out: Array<Path> = []
  const walk = (node: Json, path: Path): void => {
    if (kind === "any") out.push(path)
    if (Array.isArray(node)) {
      if (kind === "list" && node.length > 0 && node.every(isTagged)) out.push(path)
      node.forEach((child: Json, index) => walk(child, [...path, index]))
    } else if (isRecord(node)) {
      if (kind === "object") out.push(path)
      for (const [key, child] of Object.entries(node)) walk(child as Json, [...path, key])
    }
  }
  walk(value, [])
  return out
}

const isTagged = (value: Json): boolean =>
  isRecord(value) && (typeof value.type === "string" || typeof value.role === "string")

/** The value with what lies at a path put through a function; all else is shared. */
export const modify = (value: Json, path: Path, f: (node: Json) => Json): Json => {
  const [key, ...rest] = path
  if (key === undefined) return f(value)
  if (Array.isArray(value)) return value.map((child: Json, index) => index === key ? modify(child, rest, f) : child)
  const node = value as { readonly [key: string]: Json }
  return { ...node, [key]: modify(node[key]!, rest, f) }
}

const unknownField = { x_unknown: { "ключ": [1, null, { deep: "value" }] } }
/** A member of a list, or an event of a stream, that no protocol has. */
export const unknownMember = { type: "x_unknown", x_value: { a: [1, null] } }
/** Mostly what a later version of an API may add; now and then what none ever should. */
const unknownMembers: ReadonlyArray<Json> = [
  unknownMember,
  { type: "x_unknown", role: "user", content: "text" },
  { x_value: 1 },
  null,
  "text",
  7,
  []
]

/** An unknown field in the object at a path. */
export const withField = (value: Json, path: Path): Json =>
  modify(value, path, (node) => ({ ...node as object, ...unknownField }))

/** An unknown member in the list at a path, at a place that the seed decides. */
export const withMember = (value: Json, path: Path, seed: string): Json =>
  modify(value, path, (node) => {
    const list = node as ReadonlyArray<Json>
    return list.toSpliced((Hash.string(seed) >>> 0) % (list.length + 1), 0, pick(unknownMembers, `${seed} member`)!)
  })

/** An unknown field in every object. */
export const withFields = (value: Json): Json =>
  Array.isArray(value)
    ? value.map(withFields)
    : isRecord(value)
    ? {
      ...Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withFields(child as Json)])),
      ...unknownField
    }
    : value

/** The texts of a canonical value that a person may edit: each shows on the wire at one place. */
export const editable = (canonical: Json): ReadonlyArray<Path> => {
  const out: Array<Path> = []
  const walk = (node: Json, path: Path): void => {
    if (Array.isArray(node)) return node.forEach((child: Json, index) => walk(child, [...path, index]))
    if (!isRecord(node) || node.type === "unmodelled") return
    for (const [key, child] of Object.entries(node)) {
      if (closed.has(key)) continue
      if (texts.has(key) && typeof child === "string" && child.trim() !== "") out.push([...path, key])
      else walk(child as Json, [...path, key])
    }
  }
  walk(canonical, [])
  return out
}
const texts = new Set(["text", "url", "description", "title", "citedText", "model"])
const closed = new Set(["providerOptions", "parameters", "schema", "value", "format", "metadata"])

export const edited = (canonical: Json, path: Path): Json => modify(canonical, path, (text) => `${String(text)}-edited`)
