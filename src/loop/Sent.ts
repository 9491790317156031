/**
 * Says what an Effect Schema becomes where a model has to write a value of it, with the road back for what it writes.
 *
 * A target's strict form differs from the schema's own: what is optional is there and `null`, a record is a list of
 * pairs. A model that is held to nothing may write either, so both are read, the one that was sent first.
 */
import { Effect, Result, Schema } from "effect"
import { toCodecAnthropic } from "effect/ai/AnthropicStructuredOutput"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import { pointerOf } from "../codec/index.ts"
import type { Aim } from "../params/Aim.ts"
import type { InvalidArguments } from "../params/Fault.ts"
import type { SchemaLoss } from "../params/Fitted.ts"
import * as Strict from "../params/Strict.ts"
import { type Complaint, complaintOf } from "../pipeline/Decode.ts"
import * as JsonSchema from "../shorthand/JsonSchema.ts"
import { loosened } from "./Loosened.ts"

/** What was read: a value of the schema, and the JSON itself where that is the schema's own encoded form. */
export interface Read<T> {
  readonly value: T
  readonly encoded?: Schema.Json
}

/** Why JSON is no value: as Effect's schemas say it, or as parameters do. */
export type Unreadable = Schema.SchemaError | InvalidArguments

/** What is wrong with it, and where: a JSON Pointer. */
export const complaint = (error: Unreadable): Complaint => {
  if (error._tag === "SchemaError") return complaintOf(error)
  const [first] = error.faults
  return { detail: error.message, param: pointerOf(first?.path ?? []) }
}

/** A schema where it is sent. */
export interface Sent<T, R> {
  /** The JSON Schema to send. */
  readonly schema: Schema.Json
  /** Is the model held to it? */
  readonly strict: boolean
  /** Why it is not strict, or what it no longer says. */
  readonly losses: ReadonlyArray<SchemaLoss>
  /** Reads JSON of either form; fails as the form that was sent does. */
  readonly read: (json: Schema.Json) => Effect.Effect<Read<T>, Unreadable, R>
}

type Reading<T, R> = Sent<T, R>["read"]

/** An Effect Schema for a target. Fails with the reason where strictness is required and cannot be. */
export const ofSchema = <T, E, RD, RE>(
  schema: Schema.ConstraintCodec<T, E, RD, RE>,
  { strict, target }: Aim
): Result.Result<Sent<T, RD>, string> => {
  const plain = plainOf(schema)
  if (target === undefined) {
    if (strict === "require") return Result.fail(noTarget)
    return Result.succeed(strict === "off" ? plain : { ...plain, losses: [{ pointer: "", why: noTarget }] })
  }
  if (target === "gemini") {
    return Result.map(ofJsonSchema(plain.schema, { target, strict }), ({ undo, ...sent }) => ({
      ...sent,
      read: either((json) => plain.read(undo(json)), plain.read)
    }))
  }
  if (strict === "off") return Result.succeed(plain)
  const fitted = structured[target](schema)
  if (Result.isSuccess(fitted)) {
    const own = loosened(schema)
    const read = either((json) => plain.read(own(json)), plain.read)
    return Result.succeed({ schema: fitted.success, strict: true, losses: [], read })
  }
  return strict === "require"
    ? Result.fail(fitted.failure)
    : Result.succeed({ ...plain, losses: [{ pointer: "", why: fitted.failure }] })
}

/** A JSON Schema for a target, with the road back for its values. Fails with the reason, as `ofSchema` does. */
export const ofJsonSchema = (
  schema: Schema.Json,
  { strict, target }: Aim
): Result.Result<
  Omit<Sent<never, never>, "read"> & { readonly undo: (json: Schema.Json) => Schema.Json },
  string
> => {
  if (target === undefined) {
    return strict === "require" ? Result.fail(noTarget) : Result.succeed({
      schema,
      strict: false,
      losses: strict === "off" ? [] : [{ pointer: "", why: noTarget }],
      undo: (json) => json
    })
  }
  return Result.mapError(Strict.fit(target, strict)(schema), ({ message }) => message)
}

const noTarget = "It is not known whose rules for strict schemas hold: the client has no target"

/**
 * Effect's own strict forms. They throw where there is none, which a caller can only find out by asking: it is the one
 * thing that is caught here.
 */
const structured = {
  openai: <T, E, RD, RE>(schema: Schema.ConstraintCodec<T, E, RD, RE>) =>
    Result.try({ try: () => toCodecOpenAI(schema).jsonSchema as Schema.JsonObject, catch: said }),
  anthropic: <T, E, RD, RE>(schema: Schema.ConstraintCodec<T, E, RD, RE>) =>
    Result.try({ try: () => toCodecAnthropic(schema).jsonSchema as Schema.JsonObject, catch: said })
}
const said = (error: unknown): string => error instanceof Error ? error.message : String(error)

const plainOf = <T, E, RD, RE>(schema: Schema.ConstraintCodec<T, E, RD, RE>): Sent<T, RD> => {
  const codec = Schema.toCodecJson(schema)
  const decode = Schema.decodeUnknownEffect(codec)
  const isOwn = codec.ast === schema.ast
  return {
    schema: JsonSchema.form.read(schema),
    strict: false,
    losses: [],
    read: (json) => Effect.map(decode(json), (value) => isOwn ? { value, encoded: json } : { value })
  }
}

const either = <T, R>(sent: Reading<T, R>, plain: Reading<T, R>): Reading<T, R> => (json) =>
  sent(json).pipe(Effect.catch((error) => Effect.mapError(plain(json), () => error)))
