/** Goes through a value along its shape. What is turned on the way, each direction says for itself. */
import type { Schema } from "effect"
import { deepest } from "./Answers.ts"
import { Owning } from "./Own.ts"
import { isObject, own } from "./Pointer.ts"
import type { EntryShape, Shape } from "./Shape.ts"

type Json = Schema.Json

export abstract class Turning {
  readonly #owning = new Owning()

  turn(shape: Shape, value: Json, depth: number): Json {
    if (depth > deepest) return value
    const { form } = shape
    switch (form.kind) {
      case "any":
      case "free":
      case "scalar":
        return value
      case "text":
        return this.text(value)
      case "literals": {
        const [from, to] = this.sides
        const pair = form.values.find((pair) => pair[from] === value)
        return pair === undefined ? value : pair[to]
      }
      case "list":
        return Array.isArray(value)
          ? kept(
            value,
            value.map((item: Json, index) => {
              const at = form.prefix[index] ?? form.rest
              return at === undefined ? item : this.turn(at, item, depth + 1)
            })
          )
          : value
      case "object":
        return isObject(value) ? this.object(form, value, depth + 1) : value
      case "entries":
        return this.entries(form.entries, value, depth + 1)
      case "union": {
        const member = this.member(shape, form.members, value)
        return member === undefined ? value : this.settled(shape, value, this.turn(member, value, depth + 1))
      }
      case "wrapped":
        return this.wrapped(form, value, depth + 1)
    }
  }

  protected abstract readonly sides: readonly [from: 0 | 1, to: 0 | 1]
  protected abstract text(value: Json): Json
  protected abstract object(form: Of<"object">, value: Schema.JsonObject, depth: number): Json
  protected abstract entries(entries: ReadonlyArray<EntryShape>, value: Json, depth: number): Json
  protected abstract wrapped(form: Of<"wrapped">, value: Json, depth: number): Json
  /** Of a value of a union and what its member makes of it, the one that counts. */
  protected abstract settled(union: Shape, value: Json, turned: Json): Json
  protected abstract member(union: Shape, members: ReadonlyArray<Shape>, value: Json): Shape | undefined

  protected isOwn({ node }: Shape, value: Json): boolean {
    return this.#owning.isOwn(node, value)
  }

  /** The first member that the value is of, and rather one that names all its keys. */
  protected owner(members: ReadonlyArray<Shape>, value: Json): Shape | undefined {
    return members.find(({ node }) => this.#owning.isOwn(node, value, true)) ??
      members.find(({ node }) => this.#owning.isOwn(node, value))
  }
}

export type Of<K extends Shape["form"]["kind"]> = Shape["form"] & { readonly kind: K }

/** The list itself, where nothing in it changed. */
const kept = (before: ReadonlyArray<Json>, after: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  after.every((item, index) => item === before[index]) ? before : after

/** The object itself, where nothing in it changed. */
export const keptObject = (
  before: Schema.JsonObject,
  entries: ReadonlyArray<readonly [string, Json]>
): Schema.JsonObject => {
  const isSame = Object.keys(before).length === entries.length &&
    entries.every(([key, value]) => own(before, key) === value)
  return isSame ? before : Object.fromEntries(entries)
}
