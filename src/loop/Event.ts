/** Events: a run as it happens. Those of the model's answers are the canonical ones, as they stand. */
import type * as Canonical from "../canonical/Event.ts"
import type { Items, ToolCall, ToolResult } from "../canonical/Item.ts"
import type { Response } from "../canonical/Response.ts"
import type { Usage } from "../canonical/Usage.ts"
import type { Pending } from "./Approval.ts"
import type { ToolLoss } from "./Offered.ts"

/** What has come of a run so far. */
export interface Progress {
  /** The last response. */
  readonly response: Response
  /** All responses, in order. */
  readonly turns: ReadonlyArray<Response>
  /** All that is new: the items of the responses, each turn's followed by its results, in the order of the calls. */
  readonly items: Items
  /** What all responses cost together; absent where none said what it cost. */
  readonly usage?: Usage
}

/**
 * What came of a run: plain data. `[...request.items, ...run.items]` is the conversation. Every call in it has its result
 * but those in `pending`.
 *
 * `stop` says why it ended: `done`, the last response calls for nothing, or was cut off, filtered or refused (its
 * `finishReason` tells); `turns`, as many as are allowed; `condition`, `stopWhen` said so; `approval`, somebody has to be
 * asked first; `calls`, the model called a tool of the request's own, whose result is the caller's to add.
 */
export interface Run extends Progress {
  readonly stop: "done" | "turns" | "condition" | "approval" | "calls"
  readonly pending: ReadonlyArray<Pending>
  /** Which tools are not as strict as was preferred, and what of their schemas is not said. */
  readonly losses: ReadonlyArray<ToolLoss>
}

/** A request goes out; turns count from 1. The slots of the events that follow are those of this turn. */
export interface TurnStarted {
  readonly _tag: "TurnStarted"
  readonly turn: number
}
/** A tool is called. */
export interface ToolStarted {
  readonly _tag: "ToolStarted"
  readonly call: ToolCall
}
/** A tool tells how far it is: what its handler gave to `preliminary`. */
export interface ToolProgress {
  readonly _tag: "ToolProgress"
  readonly call: ToolCall
  readonly result: ToolResult
}
/** A call has its result, which may be an error. Results come as they end, not in the order of the calls. */
export interface ToolFinished {
  readonly _tag: "ToolFinished"
  readonly call: ToolCall
  readonly result: ToolResult
}
/** A turn has its response, and the results that could be had. */
export interface TurnFinished {
  readonly _tag: "TurnFinished"
  readonly turn: number
  readonly response: Response
  readonly results: ReadonlyArray<ToolResult>
}
/** The last event. */
export interface RunFinished {
  readonly _tag: "RunFinished"
  readonly run: Run
}

/** One event of a run, told apart by `_tag`. */
export type Event =
  | Canonical.Event
  | TurnStarted
  | ToolStarted
  | ToolProgress
  | ToolFinished
  | TurnFinished
  | RunFinished
