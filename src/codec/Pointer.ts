/** Names places in JSON, as JSON Pointers do (RFC 6901). */
import { escapeToken } from "effect/JsonPointer"

/** A path as a JSON Pointer: `["a/b", 0]` is `/a~1b/0`. */
export const pointerOf = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `/${escapeToken(String(key))}`).join("")
