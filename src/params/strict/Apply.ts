/** Turns arguments of the tool's own schema into what the API is told that they are. */
import type { Schema } from "effect"
import { isDeep } from "./Clip.ts"
import { entryFor } from "./Own.ts"
import { isObject } from "./Pointer.ts"
import { entryKeys, type EntryShape, type Shape } from "./Shape.ts"
import { keptObject, type Of, Turning } from "./Turning.ts"

type Json = Schema.Json

/** The tool's own arguments, as the API is told that they are. What fits nowhere stays as it is. */
export const apply = (root: Shape, args: Json): Json => new Application().turn(root, args, 0)

class Application extends Turning {
  protected readonly sides = [0, 1] as const

  protected text(value: Json): Json {
    return isDeep(value) ? value : JSON.stringify(value)
  }

  protected object({ fields, others }: Of<"object">, value: Schema.JsonObject, depth: number): Json {
    const entries: Array<readonly [string, Json]> = []
    const listed: Array<readonly [string, Json]> = []
    for (const [key, child] of Object.entries(value)) {
      const field = fields.get(key)
      if (field !== undefined) entries.push([key, this.turn(field.shape, child as Json, depth)])
      else if (others.how === "listed") listed.push([key, child as Json])
      else {
        const entry = others.how === "kept" ? entryFor(others.entries, key) : undefined
        entries.push([key, entry === undefined ? child as Json : this.turn(entry.shape, child as Json, depth)])
      }
    }
    for (const [name, { always, optional }] of fields) {
      if (always && optional && !Object.hasOwn(value, name)) entries.push([name, null])
    }
    if (others.how === "listed") entries.push([others.key, this.turn(others.list, Object.fromEntries(listed), depth)])
    return keptObject(value, entries)
  }

  protected entries(entries: ReadonlyArray<EntryShape>, value: Json, depth: number): Json {
    if (!isObject(value)) return value
    return Object.entries(value).map(([key, child]) => {
      const entry = entryFor(entries, key)
      const turned = entry === undefined ? child as Json : this.turn(entry.shape, child as Json, depth)
      const name = entry === undefined ? key : this.turn(entry.names, key, depth)
      return { [entryKeys.name]: name, [entryKeys.value]: turned }
    })
  }

  protected wrapped({ key, shape }: Of<"wrapped">, value: Json, depth: number): Json {
    return { [key]: this.turn(shape, value, depth) }
  }

  protected settled(_: Shape, _value: Json, turned: Json): Json {
    return turned
  }

  protected member(_: Shape, members: ReadonlyArray<Shape>, value: Json): Shape | undefined {
    return this.owner(members, value)
  }
}
