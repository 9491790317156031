/** Gives an object the form that an API takes: its properties, and the keys that it does not name. */
import type { Body, Field, Node } from "./Node.ts"
import { make as makeNode } from "./Node.ts"
import { isOwn } from "./Own.ts"
import { below } from "./Pointer.ts"
import type { Report } from "./Report.ts"
import type { Rules } from "./Rules.ts"
import { type EntryShape, type FieldShape, type Form, make, type Shape } from "./Shape.ts"

/** Bounds on which keys are there together: a default that is filled in may break them. */
const presence = new Set([
  "not",
  "if",
  "anyOf",
  "oneOf",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "maxProperties"
])

export const objectForm = (
  { about, pointer }: Node,
  { fields, others }: Body & { readonly kind: "object" },
  rules: Rules,
  inner: (child: Node) => Shape,
  report: Report
): Form => {
  const { anything, maps } = rules
  const free = others === "any" || others === "unsaid" && fields.size === 0
  if (free && anything === "refused") {
    report.refuse(pointer, "an object of any keys", "Name its properties, or set additionalProperties to a schema.")
  }
  if (free && fields.size === 0 && anything !== "kept") return { kind: "free" }
  if (others === "any" && anything === "text") report.lose(below(pointer, "additionalProperties"), "other keys")
  const fills = !about.limits.some(({ keyword }) => presence.has(keyword))
  const shapes = new Map(
    [...fields].map(([name, field]) => [name, fieldShape(field, inner(field.node), rules, fills)] as const)
  )
  if (typeof others === "string") {
    const how = others === "closed" || anything !== "kept" && !free ? "none" : "open"
    return { kind: "object", fields: shapes, others: { how } }
  }
  const entries = others.map(({ names, node, pattern }): EntryShape => ({
    names: inner(names),
    shape: inner(node),
    ...pattern === undefined ? {} : { pattern }
  }))
  if (maps === "kept") return { kind: "object", fields: shapes, others: { how: "kept", entries } }
  if (entries.length > 1) report.lose(pointer, "which keys have which values")
  if (fields.size === 0) return { kind: "entries", entries }
  const list = make(makeNode(pointer), { kind: "entries", entries })
  list.words.push("other properties, by name")
  return { kind: "object", fields: shapes, others: { how: "listed", key: freeKey(shapes), list } }
}

const fieldShape = ({ fallback, node, required }: Field, shape: Shape, rules: Rules, fills: boolean): FieldShape => ({
  shape,
  optional: !required,
  always: required || rules.absent === "null",
  nulled: !required && rules.absent === "null" && !isOwn(node, null),
  ...fills && fallback !== undefined && isOwn(node, fallback) ? { fallback } : {}
})

const freeKey = (fields: ReadonlyMap<string, unknown>): string => {
  let key = "additionalProperties"
  while (fields.has(key)) key += "_"
  return key
}
