/**
 * Offers a tool of `effect/ai` to a model: as the canonical tool that goes into a request, with the road back for the
 * arguments that a model calls it with.
 *
 * A tool is derived once for each target and strictness, by its identity: the second request finds the same canonical
 * tool, and what was written of that.
 */
import { Effect, Result, Schema } from "effect"
import * as Tool from "effect/ai/Tool"
import { memoize } from "effect/Function"
import * as Arguments from "../canonical/Arguments.ts"
import type { ToolCall } from "../canonical/Item.ts"
import type { FunctionTool } from "../canonical/Tool.ts"
import { type Aim, aimed } from "../params/Aim.ts"
import type { SchemaLoss, Strictness, Target } from "../params/Fitted.ts"
import { held } from "../params/Validate.ts"
import { LlmError } from "../pipeline/LlmError.ts"
import { InvalidToolArguments, Unsupported } from "../pipeline/Reason.ts"
import { complaint, ofJsonSchema, ofSchema, type Read, type Sent } from "./Sent.ts"

/** What is needed of a call to read its arguments. */
export type Called = Pick<ToolCall, "id" | "name" | "arguments" | "input">

/** A tool as a model sees it. */
export interface Offer<T extends Tool.Any = Tool.Any> {
  /** The canonical tool: the same object each time. */
  readonly tool: FunctionTool
  /** Why it is not strict, or what its schema no longer says: places in the tool's own parameters. */
  readonly losses: ReadonlyArray<SchemaLoss>
  /**
   * Reads a call's arguments: `{ value }`, and `encoded` where the JSON is what the parameters' schema decodes. Blank text
   * is `{}`. Fails with `InvalidToolArguments`: no JSON, or JSON that does not fit.
   */
  readonly read: (
    call: Called
  ) => Effect.Effect<Read<Tool.Parameters<T>>, LlmError, Tool.ParametersDecodingServices<T>>
}

export interface Options {
  /** Whose rules for strict schemas hold: `client.target`. */
  readonly target?: Target | undefined
  /** `off` where it is not said. The tool's own `Tool.Strict` stands above it: `true` requires it, `false` is off. */
  readonly strict?: Strictness | undefined
}

/**
 * The offer of a tool. Fails with `Unsupported` where it has to be strict and cannot be, and for a tool that its provider
 * defines, which has no schema of its own: write that one into the request's `tools`.
 *
 * @example
 * ```ts
 * const weather = Tool.make("weather", { parameters: Schema.Struct({ city: Schema.String }) })
 * const offer = Result.getOrThrow(Offer.make(weather, { target: "openai", strict: "prefer" }))
 * offer.tool // => { type: "function", name: "weather", parameters: { type: "object", … }, strict: true }
 * Effect.runSync(offer.read(Item.toolCall("call_1", "weather", { city: "Bergen" }))).value // => { city: "Bergen" }
 * ```
 */
export const make = <T extends Tool.Any>(
  tool: T,
  { strict = "off", target }: Options = {}
): Result.Result<Offer<T>, LlmError> => {
  const own = Tool.getStrictMode(tool)
  const strictness = own === undefined ? strict : own ? "require" : "off"
  // What was made of the tool is of its type.
  return derived({ target, strict: strictness })(tool) as unknown as Result.Result<Offer<T>, LlmError>
}

/** Tools by name, as a toolkit has them. */
export type Tools = Record<string, Tool.Any>

/**
 * The offers of all tools of a toolkit, in its order: `Offer.all(toolkit.tools, { target: client.target })`. The same list
 * each time. Fails for all that cannot be offered at once.
 */
export const all = (
  tools: Tools,
  { strict = "off", target }: Options = {}
): Result.Result<ReadonlyArray<Offer>, LlmError> => allDerived({ target, strict })(tools)

/** The canonical tools of offers: the same frozen list each time, which a request costs nothing from the second on. */
export const toolsOf: (offers: ReadonlyArray<Offer>) => ReadonlyArray<FunctionTool> = memoize((offers) =>
  Object.freeze(offers.map(({ tool }) => tool))
)

const allDerived = aimed((options) => (tools: Tools): Result.Result<ReadonlyArray<Offer>, LlmError> => {
  const offers = Object.values(tools).map((tool) => make(tool, options))
  const losses = offers.flatMap((offer, index) =>
    Result.isFailure(offer) && offer.failure.reason._tag === "Unsupported"
      ? offer.failure.reason.losses.map(({ pointer, why }) => ({ pointer: `/tools/${index}${pointer}`, why }))
      : []
  )
  return losses.length > 0
    ? Result.fail(new LlmError({ reason: new Unsupported({ losses }) }))
    : Result.succeed(offers.flatMap((offer) => Result.isSuccess(offer) ? [offer.success] : []))
})

const derived = aimed((aim) => (tool: Tool.Any): Result.Result<Offer, LlmError> => {
  if (Tool.isProviderDefined(tool)) {
    return Result.fail(unsupported("", `"${tool.name}" is a tool of a provider: write it into the request's own tools`))
  }
  return Result.mapBoth(sentOf(tool, aim), {
    onFailure: (why) => unsupported("/parameters", `"${tool.name}" cannot be strict: ${why}`),
    onSuccess: (sent) => ({ tool: written(tool, aim.target, sent), losses: sent.losses, read: reader(tool.name, sent) })
  })
})

const unsupported = (pointer: string, why: string): LlmError =>
  new LlmError({ reason: new Unsupported({ losses: [{ pointer, why }] }) })

const sentOf = (
  tool: Tool.Any,
  aim: Aim
): Result.Result<Sent<unknown, unknown>, string> => {
  if (!Tool.isDynamic(tool) || tool.jsonSchema === undefined) return ofSchema(tool.parametersSchema, aim)
  const schema: Schema.Json = tool.jsonSchema as Schema.JsonObject
  const check = held(schema, { unknownKeys: "keep", absent: "omit" })
  return Result.map(ofJsonSchema(schema, aim), ({ undo, ...sent }) => ({
    ...sent,
    read: (json: Schema.Json) =>
      Effect.suspend(() => Effect.fromResult(check(undo(json)))).pipe(
        Effect.map((own) => ({ value: own, encoded: own as Schema.Json }))
      )
  }))
}

/** Absent is not strict for Anthropic, and strict for OpenAI: there, and where it is not known, it is said. */
const written = (
  tool: Tool.Any,
  target: Target | undefined,
  { schema, strict }: Pick<Sent<never, never>, "schema" | "strict">
): FunctionTool => {
  const description = Tool.getDescription(tool)
  return {
    type: "function",
    name: tool.name,
    ...(description === undefined ? {} : { description }),
    parameters: isAnything(schema) ? { type: "object" } : schema,
    ...(strict || target !== "anthropic" ? { strict } : {})
  }
}

/** Every API wants an object at the root. */
const isAnything = (schema: Schema.Json): boolean =>
  schema === true || typeof schema === "object" && schema !== null && Object.keys(schema).length === 0

const reader = (tool: string, sent: Sent<unknown, unknown>) => (call: Called) => {
  const text = call.arguments ?? call.input ?? ""
  const invalid = (told: { readonly detail: string; readonly param?: string }) =>
    new LlmError({ reason: new InvalidToolArguments({ tool, id: call.id, text, ...told }) })
  const json = Arguments.read(text)
  if (json === undefined) return Effect.fail(invalid({ detail: "Expected JSON" }))
  return Effect.mapError(sent.read(json), (error) => {
    const { detail, param } = complaint(error)
    return invalid({ detail, ...(param === "" ? {} : { param }) })
  })
}
