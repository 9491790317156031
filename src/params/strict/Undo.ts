/** Turns what a model wrote into arguments of the tool's own schema. */
import type { Schema } from "effect"
import { Matching } from "./Matches.ts"
import { entryFor } from "./Own.ts"
import { isObject, own } from "./Pointer.ts"
import { entryKeys, type EntryShape, type Shape } from "./Shape.ts"
import { keptObject, type Of, Turning } from "./Turning.ts"

type Json = Schema.Json

/** What a model wrote, as the tool's own schema has it. What is not understood stays as it is. */
export const undo = (root: Shape, args: Json): Json => new Undoing().turn(root, args, 0)

class Undoing extends Turning {
  protected readonly sides = [1, 0] as const
  readonly #matching = new Matching()

  protected text(value: Json): Json {
    if (typeof value !== "string") return value
    try {
      return JSON.parse(value)
    } catch {
      // Text that is no JSON is what it says.
      return value
    }
  }

  protected object({ fields, others }: Of<"object">, value: Schema.JsonObject, depth: number): Json {
    const entries: Array<readonly [string, Json]> = []
    for (const [key, child] of Object.entries(value)) {
      const field = fields.get(key)
      if (field !== undefined) {
        const absent = child === null && field.optional && !this.isOwn(field.shape, null)
        if (!absent) entries.push([key, this.turn(field.shape, child as Json, depth)])
      } else if (others.how === "listed" && others.key === key) {
        const listed = this.turn(others.list, child as Json, depth)
        if (isObject(listed)) entries.push(...Object.entries(listed).filter(([name]) => !fields.has(name)))
        else entries.push([key, listed])
      } else {
        const entry = others.how === "kept" ? entryFor(others.entries, key) : undefined
        entries.push([key, entry === undefined ? child as Json : this.turn(entry.shape, child as Json, depth)])
      }
    }
    const there = new Set(entries.map(([key]) => key))
    for (const [name, { fallback }] of fields) {
      if (fallback !== undefined && !there.has(name)) entries.push([name, structuredClone(fallback) as Json])
    }
    return keptObject(value, entries)
  }

  protected entries(entries: ReadonlyArray<EntryShape>, value: Json, depth: number): Json {
    const pairs = Array.isArray(value) ? pairsOf(value) : isObject(value) ? Object.entries(value) : undefined
    if (pairs === undefined) return value
    const turned = pairs.map(([name, child]): readonly [string, Json] => {
      const key = Array.isArray(value) ? this.#nameOf(entries, name, depth) : name
      const entry = entryFor(entries, key)
      return [key, entry === undefined ? child : this.turn(entry.shape, child, depth)]
    })
    return isObject(value) ? keptObject(value, turned) : Object.fromEntries(turned)
  }

  /** A key that was written as the text for it. */
  #nameOf(entries: ReadonlyArray<EntryShape>, name: string, depth: number): string {
    for (const { names } of entries) {
      const turned = this.turn(names, name, depth)
      if (typeof turned === "string" && turned !== name) return turned
    }
    return name
  }

  protected wrapped({ key, shape }: Of<"wrapped">, value: Json, depth: number): Json {
    const isWrapped = isObject(value) && Object.hasOwn(value, key) && Object.keys(value).length === 1
    if (!isWrapped) return this.turn(shape, value, depth)
    const inner = own(value, key)!
    const isMeant = this.#matching.matches(shape, inner, true) || !this.isOwn(shape, value)
    return this.turn(shape, isMeant ? inner : value, depth)
  }

  /** A default that makes a value one of two members, where it may be of one only, is not filled in. */
  protected settled(union: Shape, value: Json, turned: Json): Json {
    const { body } = union.node
    if (turned === value || body.kind !== "union" || body.exclusive === undefined) return turned
    return !this.isOwn(union, turned) && this.isOwn(union, value) ? value : turned
  }

  /** The member that the value was written for; or that it is already of; or at least is of the kind of. */
  protected member(_: Shape, members: ReadonlyArray<Shape>, value: Json): Shape | undefined {
    const ofKind = members.filter((member) => this.#matching.isOfKind(member, value))
    const isWrapped = ({ form }: Shape) => form.kind === "wrapped"
    return members.find((member) => isWrapped(member) && this.#matching.matches(member, value, true)) ??
      members.find((member) => this.#matching.matches(member, value, true)) ??
      this.owner(members, value) ??
      members.find((member) => this.#matching.matches(member, value, false)) ??
      (ofKind.length === 1 ? ofKind[0] : undefined)
  }
}

/** The entries that a list of pairs stands for, where it is one. */
const pairsOf = (list: ReadonlyArray<Json>): ReadonlyArray<readonly [string, Json]> | undefined => {
  const pairs: Array<readonly [string, Json]> = []
  for (const pair of list) {
    const name = isObject(pair) ? own(pair, entryKeys.name) : undefined
    const value = isObject(pair) ? own(pair, entryKeys.value) : undefined
    if (typeof name !== "string" || value === undefined) return undefined
    pairs.push([name, value])
  }
  return pairs
}
