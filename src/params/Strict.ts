/** Fits the schema of a tool, whoever wrote it, to what an API takes, with the road back for the arguments. */
import { Result, Schema } from "effect"
import { memoize } from "effect/Function"
import { type Aim, aimed } from "./Aim.ts"
import type { Fitted, SchemaLoss, Strictness, Target } from "./Fitted.ts"
import { apply } from "./strict/Apply.ts"
import * as Budget from "./strict/Budget.ts"
import { type Style, written } from "./strict/Emit.ts"
import { inGeminiWords } from "./strict/Gemini.ts"
import type { Node } from "./strict/Node.ts"
import { plainly } from "./strict/Plain.ts"
import { isObject } from "./strict/Pointer.ts"
import { read } from "./strict/Read.ts"
import type { Obstacle } from "./strict/Report.ts"
import { rootOf } from "./strict/Root.ts"
import * as Rules from "./strict/Rules.ts"
import { shaped } from "./strict/Shaping.ts"
import { undo } from "./strict/Undo.ts"

export type { Fitted, SchemaLoss, Strictness, Target } from "./Fitted.ts"

type Json = Schema.Json

/** A schema cannot be what was required of it: where, what is there, and what to do about it. */
export class Unfittable extends Schema.TaggedError<Unfittable>()("Unfittable", {
  target: Schema.String,
  /** A JSON Pointer into the tool's own schema. */
  pointer: Schema.String,
  found: Schema.String,
  advice: Schema.String
}) {
  override get message(): string {
    return `A schema cannot be strict for ${this.target}: at ${
      this.pointer || "its root"
    } is ${this.found}. ${this.advice}`
  }
}

/** How one API is served. */
interface Service {
  readonly rules: Rules.Rules
  readonly style: Style
  readonly budgets: Parameters<typeof Budget.beyond>[1]
  /** Does it take a schema as it is, where nothing is strict? */
  readonly plain: boolean
}

const services: { readonly [T in Target]: Service } = {
  openai: { rules: Rules.openai, style: "strict", budgets: Budget.openai, plain: true },
  anthropic: { rules: Rules.anthropic, style: "strict", budgets: Budget.anthropic, plain: true },
  gemini: { rules: Rules.gemini, style: "inline", budgets: [], plain: false }
}

/**
 * The schema as the target takes it: in, a JSON Schema of any draft from 4 to 2020-12, or one in OpenAPI's or Gemini's
 * words; out, the schema to send, whether the tool may be marked as strict, what was lost, and the arguments' way there
 * and back. `undo` fills in defaults too. Fails with `Unfittable` where strictness is required and cannot be, or where
 * it is given no schema. What was fitted once is known by identity, so that it costs a look-up from then on.
 *
 * - OpenAI: what is optional may be `null`, maps are lists of key and value, roots that are no object stand under `value`.
 * - Anthropic: the same, but what is optional may be absent, and nothing contains itself. Its limits hold for all strict
 *   tools of a request together (20 tools, 24 optional properties, 16 unions); here each schema is looked at alone.
 * - Gemini has no mark on a tool. There `strict` says that all of the schema's shape is kept, as a mode of `VALIDATED` or
 *   `ANY` needs it; a schema that is not strict is sent all the same, with what cannot be said in its descriptions.
 *
 * An object that says nothing of further keys counts as closed. Where any value may stand, OpenAI and Anthropic are not
 * strict, and Gemini is told to write JSON text.
 *
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 * https://ai.google.dev/api/caching#Schema
 *
 * @example
 * ```ts
 * const schema = { type: "object", properties: { note: { type: "string" } } }
 * const fitted = Result.getOrThrow(fit("openai", "prefer")(schema))
 * fitted.schema // { type: "object", properties: { note: { anyOf: [{ type: "string" }, { type: "null" }] } }, … }
 * fitted.undo({ note: null }) // {}
 * ```
 */
export const fit = (target: Target, strictness: Strictness): (schema: Json) => Result.Result<Fitted, Unfittable> => {
  const aim = { target, strict: strictness }
  const once = fittedOnce(aim)
  return (schema) => isObject(schema) ? once(schema) : fitted(aim, schema)
}

const fitted = (
  { strict: strictness, target }: Aim<Target>,
  schema: Json
): Result.Result<Fitted, Unfittable> => {
  const refused = ({ advice, found, pointer }: Obstacle) =>
    Result.fail(new Unfittable({ target, pointer, found, advice }))
  if (!isObject(schema) && typeof schema !== "boolean") {
    return refused({ pointer: "", found: "no schema", advice: "Give an object with type: \"object\"." })
  }
  const { plain } = services[target]
  const node = isObject(schema) ? readOnce(schema) : read(schema)
  if (plain && strictness === "off") return Result.succeed(plainly(schema, node))
  const { obstacles, ...strict } = strictly(target, node)
  const [first] = obstacles
  if (first === undefined) return Result.succeed({ ...strict, strict: strictness !== "off" })
  if (strictness === "require") return refused(first)
  const reasons = obstacles.map(({ found, pointer }): SchemaLoss => ({ pointer, why: `not strict: ${found}` }))
  const rest = plain ? plainly(schema, node) : { ...strict, strict: false }
  return Result.succeed({ ...rest, losses: [...reasons, ...rest.losses] })
}

const fittedOnce = aimed((aim: Aim<Target>) => (schema: Schema.JsonObject) => fitted(aim, schema))
const readOnce = memoize((schema: Schema.JsonObject): Node => read(schema))

/** The strict form, and all that speaks against it. */
const strictly = (
  target: Target,
  node: Node
): Omit<Fitted, "strict"> & { readonly obstacles: ReadonlyArray<Obstacle> } => {
  const { budgets, rules, style } = services[target]
  const { losses, obstacles, root } = shaped(rootOf(node), rules)
  const whole = written(root, style)
  const schema = whole ?? { type: "object" }
  const excess = whole === undefined ? ["more schemas than can be written"] : Budget.beyond(schema, budgets)
  return {
    schema: target === "gemini" ? inGeminiWords(schema) : schema,
    losses,
    obstacles: [
      ...obstacles,
      ...excess.map((found) => ({ pointer: "", found, advice: "Make it smaller." }))
    ],
    apply: (args) => apply(root, args),
    undo: (args) => undo(root, args)
  }
}
