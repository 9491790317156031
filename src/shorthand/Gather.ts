/** Gathers content that stands under its own keys, beside those of what holds it. */
import { refuse } from "../codec/index.ts"
import * as Content from "./Content.ts"
import type { Fields } from "./Form.ts"

/** The object with what stands under content keys, and what belongs to it, as its `content`. */
export const gather = (
  object: Fields,
  explicit: ReadonlyArray<string>,
  isInner: typeof Content.isOfContent
): Fields => {
  const keys = Content.keysIn(object)
  const names = [...explicit.filter((name) => Object.hasOwn(object, name)), ...keys]
  const [first, second] = names
  if (second !== undefined && names.length > keys.length) {
    throw refuse(`Expected either ${first} or ${second}, got both`)
  }
  if (keys.length === 0) return object
  const { inner = [], outer = [] } = Object.groupBy(
    Object.entries(object),
    ([key]) => isInner(key, keys) ? "inner" : "outer"
  )
  return { ...Object.fromEntries(outer), content: Content.form.read(Object.fromEntries(inner)) }
}
