/** Answers the calls of a turn: decides what becomes of each, then runs those that are to be run. */
import { Duration, Effect, Schema, Stream } from "effect"
import * as AiError from "effect/ai/AiError"
import type { Items, ToolApprovalResponse, ToolCall, ToolResult } from "../canonical/Item.ts"
import type { Reason } from "../pipeline/Reason.ts"
import * as Approval from "./Approval.ts"
import type { Event } from "./Event.ts"
import type { Offered, Runnable } from "./Offered.ts"
import * as Output from "./Output.ts"
import type { Read } from "./Sent.ts"

/** What becomes of a call. */
export type Decision<R> =
  | {
    readonly _tag: "Run"
    readonly call: ToolCall
    readonly runnable: Runnable<R>
    readonly read: Read<unknown>
  }
  | { readonly _tag: "Answered"; readonly call: ToolCall; readonly result: ToolResult }
  | { readonly _tag: "Pending"; readonly call: ToolCall; readonly stop: "approval" | "calls" }

/** How calls are run. */
export interface Running {
  readonly concurrency: number | "unbounded"
  readonly timeout: Duration.Input | undefined
  readonly emit: (event: Event) => Effect.Effect<unknown>
}

/** A call that is answered with an error. */
export const refuse = (call: ToolCall, why: string): Decision<never> => ({
  _tag: "Answered",
  call,
  result: Output.failed(call, why)
})

/**
 * What becomes of a call: it is run, if the toolkit has the tool, the arguments fit and nobody has to be asked first. A
 * call of one of the request's own tools is the caller's to answer. What cannot be run is answered with the reason.
 */
export const decide =
  <R>(offered: Offered<R>, items: Items, answers: ReadonlyMap<string, ToolApprovalResponse> = new Map()) =>
  (call: ToolCall): Effect.Effect<Decision<R>, never, R> => {
    const runnable = offered.find(call.name)
    if (runnable === undefined) {
      return Effect.succeed(
        offered.isOwn(call.name) || call.kind !== undefined
          ? { _tag: "Pending", call, stop: "calls" }
          : refuse(call, unknown(call.name, offered.names))
      )
    }
    const answer = answers.get(call.id)
    if (answer?.approve === false) return Effect.succeed(refuse(call, denied(answer.reason)))
    return Effect.matchEffect(runnable.offer.read(call), {
      onFailure: ({ reason }) => Effect.succeed(refuse(call, unfit(reason))),
      onSuccess: (read) =>
        Effect.map(
          answer === undefined ? Approval.isNeeded(runnable.tool, read.value, call, items) : Effect.succeed(false),
          (isAsked): Decision<R> =>
            isAsked ? { _tag: "Pending", call, stop: "approval" } : { _tag: "Run", call, runnable, read }
        )
    })
  }

const unknown = (name: string, names: ReadonlyArray<string>): string =>
  `There is no tool ${JSON.stringify(name)}. The tools are: ${names.map((name) => JSON.stringify(name)).join(", ")}.`

const denied = (reason: string | undefined): string =>
  `The user did not allow this call${reason === undefined ? "." : `: ${reason}`}`

const unfit = (reason: Reason): string => {
  if (reason._tag !== "InvalidToolArguments") return reason.message
  const { detail = "", param } = reason
  return `The arguments do not fit, and the tool was not run: ${detail}${param === undefined ? "" : ` at ${param}`}`
}

/** The results of all that is not pending, in the order of the calls. */
export const settle = <R>(
  decisions: ReadonlyArray<Decision<R>>,
  running: Running
): Effect.Effect<ReadonlyArray<ToolResult>, never, R> =>
  Effect.forEach(
    decisions.filter((decision) => decision._tag !== "Pending"),
    (decision) =>
      Effect.tap(
        decision._tag === "Answered" ? Effect.succeed(decision.result) : run(decision, running),
        (result) => running.emit({ _tag: "ToolFinished", call: decision.call, result })
      ),
    { concurrency: running.concurrency }
  )

const run = <R>(
  { call, read, runnable }: Extract<Decision<R>, { readonly _tag: "Run" }>,
  { emit, timeout }: Running
): Effect.Effect<ToolResult, never, R> => {
  const { handle, tool } = runnable
  const answer = Effect.gen(function*() {
    yield* emit({ _tag: "ToolStarted", call })
    const results = yield* handle(yield* encoded(runnable, read), call.id)
    let last: ToolResult | undefined
    yield* Stream.runForEach(results, (result) =>
      Effect.gen(function*() {
        if (result.isFailure) return last = yield* failed(runnable, call, result.result)
        const output = yield* Output.succeeded(call, tool, result)
        if (result.preliminary) return yield* emit({ _tag: "ToolProgress", call, result: output })
        last = output
      }))
    return last ?? (yield* Effect.die(new Error(`The tool "${tool.name}" ended without a result`)))
  }).pipe(
    Effect.catch((error) => failed(runnable, call, error)),
    Effect.withSpan("Loop.call", {
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool.name,
        "gen_ai.tool.call.id": call.id
      }
    })
  )
  return timeout === undefined ? answer : Effect.timeoutOrElse(answer, {
    duration: timeout,
    orElse: () =>
      Effect.succeed(
        Output.failed(call, `The tool gave no answer for ${Duration.format(Duration.fromInputUnsafe(timeout))}`)
      )
  })
}

/**
 * What a handler is given is what the tool's schema decodes, and so it is given that schema's encoded form: the JSON where
 * it is that, and else what the parameters encode to. A schema that cannot encode what it decoded is wrong: a defect.
 */
const encoded = <R>({ tool }: Runnable<R>, read: Read<unknown>): Effect.Effect<unknown, never, R> =>
  "encoded" in read
    ? Effect.succeed(read.encoded)
    : Effect.orDie(Schema.encodeEffect(tool.parametersSchema)(read.value))

/** A failure of the tool's own kind is told to the model. A result that its own schema does not know is a defect. */
const failed = <R>({ tool }: Runnable<R>, call: ToolCall, error: unknown): Effect.Effect<ToolResult, never, R> =>
  AiError.isAiError(error) && isOfResult(error.reason) ? Effect.die(error) : Output.refused(call, tool, error)

const isOfResult = ({ _tag }: AiError.AiErrorReason): boolean =>
  _tag === "InvalidToolResultError" || _tag === "ToolResultEncodingError"
