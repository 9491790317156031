/** Remembers what was asked of a value, so that a recursive union does not ask the same again at every level. */
import type { Schema } from "effect"

/** How deep a value may be nested before it is no longer looked at. */
export const deepest = 400

/** Answers for one value and all that is in it. */
export class Answers<Asker extends object> {
  readonly #known = new Map<Schema.Json, Map<Asker, boolean>>()

  ask(asker: Asker, value: Schema.Json, answer: () => boolean): boolean {
    const of = this.#known.get(value) ?? new Map<Asker, boolean>()
    this.#known.set(value, of)
    const before = of.get(asker)
    if (before !== undefined) return before
    // The same question inside the question leads nowhere.
    of.set(asker, false)
    const given = answer()
    of.set(asker, given)
    return given
  }
}
