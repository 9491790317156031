/** Names places in a schema, as JSON Pointers (RFC 6901). */
import type { Schema } from "effect"
import { isRecord, pointerOf } from "../../codec/index.ts"

/** The place of what stands below another place. */
export const below = (pointer: string, ...keys: ReadonlyArray<string | number>): string => pointer + pointerOf(keys)

/** The keys that a pointer follows. */
export const keysOf = (pointer: string): ReadonlyArray<string> =>
  pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))

/** What stands at a place; nothing where it leads nowhere. */
export const valueAt = (root: Schema.Json, keys: ReadonlyArray<string>): Schema.Json | undefined => {
  let value: Schema.Json | undefined = root
  for (const key of keys) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (value === undefined) return undefined
  }
  return value
}

/** Is it a JSON object? */
export const isObject = (value: Schema.Json | undefined): value is Schema.JsonObject => isRecord(value)

/** The value of a key that is the object's own, whatever its name. */
export const own = (object: Schema.JsonObject, key: string): Schema.Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
