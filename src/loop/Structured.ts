/**
 * Asks for a value of a schema: by the response format of the API where it has one, or else by a tool that the model has
 * to call.
 *
 * A schema that is no object, such as a list, is asked for as `{ value }`, which no caller sees. Where the API holds the
 * model to a schema, that is Effect's strict form of it; what comes is validated either way.
 */
import { Effect, Result, Schema } from "effect"
import * as Arguments from "../canonical/Arguments.ts"
import type { FinishReason } from "../canonical/FinishReason.ts"
import * as Item from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"
import * as Response from "../canonical/Response.ts"
import type { FunctionTool } from "../canonical/Tool.ts"
import { isRecord } from "../codec/index.ts"
import { type Aim, aimed } from "../params/Aim.ts"
import type { Target } from "../params/Fitted.ts"
import * as Client from "../pipeline/Client.ts"
import { LlmError } from "../pipeline/LlmError.ts"
import * as Pipeline from "../pipeline/Pipeline.ts"
import { InvalidAnswer } from "../pipeline/Reason.ts"
import * as JsonSchema from "../shorthand/JsonSchema.ts"
import { open } from "./Approval.ts"
import { failed } from "./Output.ts"
import { complaint as unreadable, ofSchema, type Sent } from "./Sent.ts"

export interface Options {
  /**
   * `format`: the API's response format. `tool`: a tool that has to be called. Where it is not said, the format; and the
   * tool where the API's rules are not known, or have no strict form of the schema.
   */
  readonly via?: "format" | "tool" | undefined
  /** How often the model is shown what is wrong with its answer, and asked again: never where it is not said, `true` once. */
  readonly repair?: boolean | number | undefined
}

/** A value, and how it came. */
export interface Answer<T> {
  readonly value: T
  /** The response that holds the value. */
  readonly response: Response.Response
  /** All responses: those before the last one were to be repaired. */
  readonly turns: ReadonlyArray<Response.Response>
}

/**
 * Asks for a value of the schema. Fails as `Client.send` does, and with `InvalidAnswer` where the answer is none: it does
 * not fit, after all repairs; or the model refused, or was cut off, which is not repaired.
 *
 * @example
 * ```ts
 * const Person = Schema.Struct({ name: Schema.String, age: Schema.optionalKey(Schema.Int) })
 * const { value } = yield* Structured.send(Person, { model: "gpt-5", input: "Ada Lovelace died at 36." }, { repair: true })
 * value.name // => "Ada Lovelace"
 * ```
 */
export const send: <T, E, RD, RE>(
  schema: Schema.ConstraintCodec<T, E, RD, RE>,
  input: Pipeline.Input,
  options?: Options
) => Effect.Effect<Answer<T>, LlmError, Client.Client | RD> = Effect.fn("Structured.send")(function*<T, E, RD, RE>(
  schema: Schema.ConstraintCodec<T, E, RD, RE>,
  input: Pipeline.Input,
  { repair = false, via }: Options = {}
) {
  const client = yield* Client.Client
  const request = yield* Pipeline.expand(input)
  const [form, sent] = formOf(schema, client.target, via)
  const turns: Array<Response.Response> = []
  let asked: Request = form.asking(request)
  for (let left = Number(repair);; left--) {
    const response = yield* client.send(asked)
    turns.push(response)
    const answer = yield* Effect.result(read(form, sent, response))
    if (Result.isSuccess(answer)) return { value: answer.success, response, turns }
    const { failure } = answer
    if (left <= 0 || isFinal(failure.finishReason)) return yield* new LlmError({ reason: failure })
    asked = { ...asked, items: [...asked.items, ...response.items, ...complaint(response, failure)] }
  }
})

/** A model that refused, or that had no room, does so again. */
const isFinal = (reason: FinishReason): boolean =>
  reason === "length" || reason === "context-window" || reason === "content-filter" || reason === "refusal"

/** A way to ask for a value, and to find the JSON of it. */
interface Form {
  readonly asking: (request: Request) => Request
  /** What the model wrote for the value, if it did. */
  readonly written: (response: Response.Response) => string | undefined
  /** What was expected of it. */
  readonly expected: string
}

const formatted = (name: string, { schema, strict }: Sent<unknown, unknown>): Form => ({
  asking: (request) => ({
    ...request,
    responseFormat: { type: "json-schema", name, schema, ...(strict ? { strict } : {}) }
  }),
  written: (response) => {
    const text = Response.text(response)
    return text.trim() === "" ? undefined : text
  },
  expected: "text"
})

/** The tool is not strict: any model takes it. */
const called = (name: string, target: Target | undefined, { schema }: Sent<unknown, unknown>): Form => {
  const tool: FunctionTool = {
    type: "function",
    name,
    description: "Give the answer by calling this tool.",
    parameters: schema,
    ...(target === "anthropic" ? {} : { strict: false })
  }
  return {
    asking: (request) => ({
      ...request,
      tools: [...request.tools ?? [], tool],
      toolChoice: { type: "tool", name }
    }),
    written: (response) => Response.toolCalls(response).find((call) => call.name === name)?.arguments,
    expected: `a call of the tool "${name}"`
  }
}

// reading ---------------------------------------------------------------------------------------------------------

const read = <T, R>(
  { expected, written }: Form,
  sent: Sent<T, R>,
  response: Response.Response
): Effect.Effect<T, InvalidAnswer, R> => {
  const text = written(response)
  const invalid = (detail: string, param = "") =>
    new InvalidAnswer({
      ...endOf(response, detail),
      ...(text === undefined ? {} : { text }),
      ...(param === "" ? {} : { param })
    })
  if (text === undefined) return Effect.fail(invalid(`Expected ${expected}, got none`))
  const json = Arguments.read(text)
  if (json === undefined) return Effect.fail(invalid("Expected JSON"))
  return sent.read(json).pipe(
    Effect.mapError((error) => {
      const { detail, param } = unreadable(error)
      return invalid(detail, param)
    }),
    Effect.map(({ value }) => value)
  )
}

/** Why the model ended says more than what is wrong with what it wrote by then. */
const endOf = (
  { finishReason, items }: Response.Response,
  detail: string
): { readonly finishReason: FinishReason; readonly detail: string } => {
  const refusals = items.flatMap((item) => item.type === "message" ? item.parts : [])
    .flatMap((part) => part.type === "refusal" ? [part.text] : [])
  if (refusals.length > 0) return { finishReason: "refusal", detail: `The model refused: ${refusals.join("")}` }
  const ended = ends[finishReason]
  return { finishReason, detail: ended ?? detail }
}
const ends: { readonly [Reason in FinishReason]?: string } = {
  refusal: "The model refused",
  length: "The answer was cut off at maxTokens",
  "context-window": "The answer was cut off at the end of the context",
  "content-filter": "A filter stopped the answer"
}

/** What is said to the model: as the results of its calls, where there are any, for each wants one. */
const complaint = (response: Response.Response, { detail = "", param }: InvalidAnswer): Item.Items => {
  const text = `This answer does not fit: ${detail}${
    param === undefined ? "" : ` at ${param}`
  }. Give it again, corrected.`
  const calls = open(response.items)
  return calls.length === 0 ? [Item.user(text)] : calls.map((call) => failed(call, text))
}

// schemas ---------------------------------------------------------------------------------------------------------

const formOf = <T, R>(
  schema: Schema.ConstraintCodec<T, unknown, R, unknown>,
  target: Target | undefined,
  via: Options["via"]
): readonly [Form, Sent<T, R>] => {
  const name = JsonSchema.nameOf(schema) ?? "answer"
  const strict = sentOf(schema, { target, strict: "prefer" })
  if (via === "format" || via === undefined && strict.strict) return [formatted(name, strict), strict]
  const plain = sentOf(schema, { target, strict: "off" })
  return [called(name, target, plain), plain]
}

const derived = aimed((aim) => (schema: Schema.ConstraintCodec<unknown, unknown, unknown, unknown>) =>
  derive(schema, aim)
)

/** What an object becomes, or one around the value, once for each schema and aim: of its type, as it was made of it. */
const sentOf = <T, R>(schema: Schema.ConstraintCodec<T, unknown, R, unknown>, aim: Aim): Sent<T, R> =>
  derived(aim)(schema) as Sent<T, R>

const derive = <T, R>(schema: Schema.ConstraintCodec<T, unknown, R, unknown>, aim: Aim): Sent<T, R> => {
  const plain = JsonSchema.form.read(schema)
  // Only a strictness that is required fails.
  if (isRecord(plain) && plain.type === "object") return Result.getOrThrow(ofSchema(schema, aim))
  const sent = Result.getOrThrow(ofSchema(Schema.Struct({ value: schema }), aim))
  return { ...sent, read: (json) => Effect.map(sent.read(json), ({ value }) => ({ value: value.value })) }
}
