/** Why a response ended. */
import { Schema } from "effect"

/** `other` is any reason that has no word here; the provider's own word stands beside it in the response. */
export const FinishReason = Schema.Literals([
  "stop",
  "length",
  "tool-calls",
  "content-filter",
  "refusal",
  "pause",
  "context-window",
  "error",
  "other"
])
export type FinishReason = typeof FinishReason.Type
