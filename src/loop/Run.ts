/** Runs the turns: sends, answers the calls, sends again, until there is a reason to stop. */
import { type Duration, Effect } from "effect"
import type { FinishReason } from "../canonical/FinishReason.ts"
import type { Item, Items, ToolApprovalRequest, ToolCall, ToolResult } from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import type { ToolChoice } from "../canonical/Tool.ts"
import * as Usage from "../canonical/Usage.ts"
import type { Strictness } from "../params/Fitted.ts"
import type { Client } from "../pipeline/Client.ts"
import { LlmError } from "../pipeline/LlmError.ts"
import * as Pipeline from "../pipeline/Pipeline.ts"
import { InvalidRequest } from "../pipeline/Reason.ts"
import * as Approval from "./Approval.ts"
import * as Calls from "./Calls.ts"
import type { Progress, Run } from "./Event.ts"
import * as Offered from "./Offered.ts"

export interface Options<S = never> {
  /**
   * How much strict tools matter. `off` where it is not said: what fits and what does not is found out either way, and
   * older models and other servers refuse requests with strict tools, as Anthropic does one with too many of them.
   */
  readonly strict?: Strictness | undefined
  /** The most requests to send: 25 where it is not said, and never less than one. */
  readonly maxTurns?: number | undefined
  /** How many tools run at once: 4 where it is not said. */
  readonly concurrency?: number | "unbounded" | undefined
  /** How long a tool may take. One that takes longer is interrupted, and the model is told. */
  readonly timeout?: Duration.Input | undefined
  /** Asked after each turn that calls for another one. */
  readonly stopWhen?: ((run: Progress) => boolean | Effect.Effect<boolean, LlmError, S>) | undefined
}

/** How a request is sent: whole, or as a stream that is told as it comes. */
export interface Sending extends Pick<Calls.Running, "emit"> {
  readonly ask: (request: Request) => Effect.Effect<Response, LlmError>
}

/** The turns of a run, with a client. */
export const turns = Effect.fnUntraced(function*<T extends Offered.Tools, R, S>(
  client: Client,
  input: Pipeline.Input,
  toolkit: Offered.Source<T, R>,
  options: Options<S>,
  { ask, emit }: Sending
): Effect.fn.Return<Run, LlmError, Offered.Services<T> | R | S> {
  const { concurrency = 4, maxTurns = 25, stopWhen = () => false, strict, timeout } = options
  const running = { concurrency, timeout, emit }
  const request = yield* Pipeline.expand(input)
  const offered = yield* Offered.make(toolkit, request, { target: client.target, strict })
  const before = Approval.resumption(request.items)
  const settled = yield* resumed(offered, before, request.items, running)
  // A conversation that the server keeps has what was sent to it, and what it answered.
  const isKept = request.conversation !== undefined
  let sent: Items = [...(isKept && settled.length > 0 ? unsaid(before.items) : before.items), ...settled]
  let told: ReadonlyArray<Item> = settled
  let choice = settled.length === 0 ? request.toolChoice : released(request.toolChoice)
  const responses: Array<Response> = []
  let usage: Usage.Usage | undefined

  for (let turn = 1;; turn++) {
    yield* emit({ _tag: "TurnStarted", turn })
    const response = yield* ask({
      ...request,
      items: sent,
      ...(offered.tools.length === 0 ? {} : { tools: offered.tools }),
      ...(choice === undefined ? {} : { toolChoice: choice })
    })
    responses.push(response)
    usage = usage === undefined || response.usage === undefined
      ? usage ?? response.usage
      : Usage.add(usage, response.usage)

    const calls = Approval.open(response.items)
    const heard = [...sent, ...response.items]
    const decisions = isWhole(response.finishReason)
      ? yield* Effect.forEach(calls, Calls.decide(offered, heard))
      : calls.map((call) => Calls.refuse(call, cutOff))
    const results = yield* Calls.settle(decisions, running)
    told = [...told, ...response.items, ...results]
    sent = isKept ? results : [...heard, ...results]
    yield* emit({ _tag: "TurnFinished", turn, response, results })

    const progress: Progress = {
      response,
      turns: responses.slice(),
      items: told,
      ...(usage === undefined ? {} : { usage })
    }
    const stopped = (stop: Run["stop"], pending: Run["pending"] = []): Run => ({
      ...progress,
      stop,
      pending,
      losses: offered.losses
    })
    const pending = waiting(decisions, response)
    if (pending.calls.length > 0) return stopped(pending.stop, pending.calls)
    if (!isWhole(response.finishReason) || calls.length === 0 && response.finishReason !== "pause") {
      return stopped("done")
    }
    const verdict = stopWhen(progress)
    if (Effect.isEffect(verdict) ? yield* verdict : verdict) return stopped("condition")
    // Whatever is no number allows no further turn.
    if (!(turn < maxTurns)) return stopped("turns")
    if (calls.length > 0) choice = released(choice)
  }
})

/** Answers the calls that were open before the run. Nothing is run as long as one of them waits for somebody. */
const resumed = Effect.fnUntraced(function*<R>(
  offered: Offered.Offered<R>,
  { answers, items, open }: Approval.Resumption,
  all: Items,
  running: Calls.Running
): Effect.fn.Return<ReadonlyArray<ToolResult>, LlmError, R> {
  const decisions = yield* Effect.forEach(open, Calls.decide(offered, items, answers))
  const lone = decisions.find((decision) => decision._tag === "Pending")
  if (lone === undefined) return yield* Calls.settle(decisions, running)
  const id = JSON.stringify(lone.call.id)
  const detail = lone.stop === "approval"
    ? `Expected an answer whether the tool call ${id} may be run, got none`
    : `Expected a result for the tool call ${id}, got none`
  return yield* new LlmError({ reason: new InvalidRequest({ param: `/items/${all.indexOf(lone.call)}`, detail }) })
})

/** What stands behind all that came from the model: a server that has called has what was before. */
const unsaid = (items: Items): Items => items.slice(items.findLastIndex(isOfModel) + 1)
const isOfModel = (item: Item): boolean =>
  item.type === "tool-call" || item.type === "reasoning" || item.type === "compaction" ||
  item.type === "tool-approval-request" || item.type === "message" && item.role === "assistant"

/** Is a call in a response that ended so complete? Where it was cut off, even blank arguments may be half of some. */
const isWhole = (reason: FinishReason): boolean =>
  reason === "tool-calls" || reason === "stop" || reason === "pause" || reason === "other"
const cutOff = "The answer ended before this call was complete, and the tool was not run."

/** A choice that forces a call is good for one: then the model decides. */
const released = (choice: ToolChoice | undefined): ToolChoice | undefined => {
  switch (choice?.type) {
    case "required":
    case "tool": {
      const { providerOptions } = choice
      return { type: "auto", ...(providerOptions === undefined ? {} : { providerOptions }) }
    }
    case "allowed":
      return { ...choice, mode: "auto" }
    default:
      return choice
  }
}

/** What waits for the caller, and for what. */
const waiting = (
  decisions: ReadonlyArray<Calls.Decision<unknown>>,
  { items }: Response
): { readonly calls: ReadonlyArray<ToolCall | ToolApprovalRequest>; readonly stop: "approval" | "calls" } => {
  const own = decisions.filter((decision) => decision._tag === "Pending")
  const requests = items.filter((item) => item.type === "tool-approval-request")
  const isAsked = requests.length > 0 || own.some(({ stop }) => stop === "approval")
  return { calls: [...own.map(({ call }) => call), ...requests], stop: isAsked ? "approval" : "calls" }
}
