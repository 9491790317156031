/** Tells whether a value is one that the API was told of: so a model's value finds its member of a union. */
import type { Schema } from "effect"
import { Answers, deepest } from "./Answers.ts"
import { within } from "./Bounds.ts"
import { isScalar, kindOf } from "./Node.ts"
import { entryFor } from "./Own.ts"
import { isObject, own } from "./Pointer.ts"
import { entryKeys, type EntryShape, type Shape } from "./Shape.ts"

type Json = Schema.Json

export class Matching {
  readonly #closely = new Answers<Shape>()
  readonly #loosely = new Answers<Shape>()

  /** Is the value of this shape? Closely, bounds count that the API was not told of. */
  matches(shape: Shape, value: Json, closely: boolean, depth = 0): boolean {
    if (depth > deepest) return true
    const answers = closely ? this.#closely : this.#loosely
    return answers.ask(shape, value, () => {
      // What is written otherwise has other bounds.
      const same = shape.form.kind !== "entries" && shape.form.kind !== "text" && shape.form.kind !== "wrapped"
      const limits = closely && same ? shape.node.about.limits : shape.limits
      return within(limits, value) && this.#isMadeOf(shape, value, closely, depth + 1)
    })
  }

  #isMadeOf({ form }: Shape, value: Json, closely: boolean, depth: number): boolean {
    const at = (shape: Shape | undefined, child: Json | undefined) =>
      shape !== undefined && child !== undefined && this.matches(shape, child, closely, depth)
    switch (form.kind) {
      case "any":
        return true
      case "free":
        return isObject(value)
      case "text":
        return typeof value === "string"
      case "scalar":
        return isScalar(form.type, value)
      case "literals":
        return form.values.some(([, fitted]) => fitted === value)
      case "list":
        return Array.isArray(value) && value.every((item: Json, index) => at(form.prefix[index] ?? form.rest, item))
      case "union":
        return form.members.some((member) => at(member, value))
      case "wrapped":
        return isObject(value) && Object.keys(value).length === 1 && at(form.shape, own(value, form.key))
      case "entries":
        return Array.isArray(value) && value.every((pair: Json) => this.#isPair(form.entries, pair, at))
      case "object": {
        if (!isObject(value)) return false
        const { fields, others } = form
        for (const [name, { always, nulled, shape }] of fields) {
          const child = own(value, name)
          if (child === undefined ? always : !(nulled && child === null) && !at(shape, child)) return false
        }
        if (others.how === "listed" && !Object.hasOwn(value, others.key)) return false
        return Object.entries(value).every(([key, child]) =>
          fields.has(key) || others.how === "open" ||
          others.how === "listed" && others.key === key && at(others.list, child as Json) ||
          others.how === "kept" && at(entryFor(others.entries, key)?.shape, child as Json)
        )
      }
    }
  }

  #isPair(
    entries: ReadonlyArray<EntryShape>,
    pair: Json,
    at: (shape: Shape | undefined, child: Json | undefined) => boolean
  ): boolean {
    return isObject(pair) && Object.keys(pair).length === 2 &&
      entries.some(({ names, shape }) => at(names, own(pair, entryKeys.name)) && at(shape, own(pair, entryKeys.value)))
  }

  /** Is it at least a list, an object, a text as those of the shape are? */
  isOfKind(shape: Shape, value: Json, asked: ReadonlySet<Shape> = new Set()): boolean {
    const { form } = shape
    switch (form.kind) {
      case "any":
        return true
      case "free":
      case "object":
      case "wrapped":
        return isObject(value)
      case "list":
        return Array.isArray(value)
      case "entries":
        return Array.isArray(value) || isObject(value)
      case "text":
        return typeof value === "string"
      case "scalar":
        return isScalar(form.type, value)
      case "literals":
        return kindOf(value) === (form.type === "integer" ? "number" : form.type)
      case "union":
        return !asked.has(shape) &&
          form.members.some((member) => this.isOfKind(member, value, new Set([...asked, shape])))
    }
  }
}
