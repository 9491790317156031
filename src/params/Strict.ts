/** Fits a JSON Schema to what a target takes as strict. */
import { Result, Schema } from "effect"
import type { Fitted, Strictness, Target } from "./Fitted.ts"

/** A schema cannot be strict; `pointer` is the place in it that stands against that. */
export class Unfittable extends Schema.TaggedError<Unfittable>()("Unfittable", {
  pointer: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return this.pointer === "" ? this.why : `${this.why} at ${this.pointer}`
  }
}

/** What a schema becomes where it is sent. Fails only where strictness is required and cannot be. */
export const fit =
  (target: Target, strictness: Strictness) => (schema: Schema.Json): Result.Result<Fitted, Unfittable> =>
    strictness === "require"
      ? Result.fail(new Unfittable({ pointer: "", why: `No schema is fitted to ${target} yet` }))
      : Result.succeed({ schema, strict: false, losses: [], apply: (args) => args, undo: (args) => args })
