/**
 * Says why a response ended: the wire's status, with the reason that goes with it, as one canonical word.
 *
 * https://platform.openai.com/docs/api-reference/responses/object#responses/object-status
 */
import { Schema } from "effect"
import type { FinishReason } from "../../canonical/FinishReason.ts"
import type { Item, Items } from "../../canonical/Item.ts"

export const Status = Schema.Literals(["completed", "failed", "in_progress", "cancelled", "queued", "incomplete"])
export const isStatus: (word: string) => boolean = Schema.is(Status)

export interface Ending {
  readonly status: string
  readonly reason?: string
}

const reasons: { readonly [reason: string]: FinishReason } = {
  max_output_tokens: "length",
  content_filter: "content-filter"
}

/** A completed response waits for the caller, or was refused, if its items say so. */
export const read = ({ reason = "", status }: Ending, items: Items): FinishReason => {
  if (status === "failed") return "error"
  if (status === "incomplete") return Object.hasOwn(reasons, reason) ? reasons[reason]! : "other"
  if (status !== "completed") return "other"
  return isPending(items) ? "tool-calls" : items.some(isRefusal) ? "refusal" : "stop"
}

/** Is there a call that the caller has to answer? */
const isPending = (items: Items): boolean => {
  const answered = new Set(items.flatMap((item) => item.type === "tool-result" ? [item.id] : []))
  return items.some((item) => item.type === "tool-call" && item.providerExecuted !== true && !answered.has(item.id))
}

const isRefusal = (item: Item): boolean => item.type === "message" && item.parts.some(({ type }) => type === "refusal")

const usual: { readonly [R in FinishReason]: Ending } = {
  stop: { status: "completed" },
  length: { status: "incomplete", reason: "max_output_tokens" },
  "tool-calls": { status: "completed" },
  "content-filter": { status: "incomplete", reason: "content_filter" },
  refusal: { status: "completed" },
  pause: { status: "incomplete" },
  "context-window": { status: "incomplete", reason: "max_output_tokens" },
  error: { status: "failed" },
  other: { status: "incomplete" }
}

/**
 * The provider's own word where it still says what the canonical one says, else the usual one. `oddStatus` is a status
 * that the API does not document: any other unknown word is a reason.
 */
export const write = (
  { finishReason, items, rawFinishReason: raw }: {
    readonly finishReason: FinishReason
    readonly rawFinishReason?: string
    readonly items: Items
  },
  oddStatus: unknown
): Ending => {
  if (raw === undefined) return usual[finishReason]
  const own = isStatus(raw) || raw === oddStatus ? { status: raw } : { status: "incomplete", reason: raw }
  return read(own, items) === finishReason ? own : usual[finishReason]
}
