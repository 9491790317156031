/**
 * Names what can go wrong between a request and its response: one class for each reason, told apart by `_tag`.
 *
 * A message is derived, never stored: what happened, where, and what to do about it.
 */
import { Duration, Schema } from "effect"
import { FinishReason } from "../canonical/FinishReason.ts"
import { Response } from "../canonical/Response.ts"

const optional = Schema.optionalKey

/**
 * What every reason keeps. `detail` is the provider's own words, `body` what it answered: JSON, or else text, shortened.
 * `shouldRetry` is the provider's own verdict, where it gave one.
 */
const circumstances = {
  protocol: optional(Schema.String),
  provider: optional(Schema.String),
  status: optional(Schema.Finite),
  requestId: optional(Schema.String),
  detail: optional(Schema.String),
  body: optional(Schema.Json),
  retryAfter: optional(Schema.Duration),
  shouldRetry: optional(Schema.Boolean)
}
const Circumstances = Schema.Struct(circumstances)
export type Circumstances = typeof Circumstances.Type

/** A place in a request that the protocol cannot carry, as a JSON Pointer. */
export const Loss = Schema.Struct({ pointer: Schema.String, why: Schema.String })

interface Verdict {
  readonly what: string
  readonly advice: string
  /** May the same request succeed when it is sent again? */
  readonly retryable: boolean
}

/** The one place where it is decided what a reason says, and whether it passes. */
const verdicts = {
  RateLimited: { what: "Too many requests", advice: "Wait before the next one.", retryable: true },
  Overloaded: { what: "The model is overloaded", advice: "Try again later, or use another model.", retryable: true },
  QuotaExhausted: { what: "The quota is used up", advice: "Look at the account's plan and credit.", retryable: false },
  Unauthenticated: { what: "The API key was not accepted", advice: "Set a valid key.", retryable: false },
  Forbidden: {
    what: "The account may not do this",
    advice: "Look at what the key is allowed to do.",
    retryable: false
  },
  NotFound: { what: "Not found", advice: "Look at the model's name, the id and the base URL.", retryable: false },
  InvalidRequest: { what: "The request is not valid", advice: "Correct it and send it again.", retryable: false },
  ContextLengthExceeded: {
    what: "The request is longer than the model's context",
    advice: "Shorten the conversation, or use a model with a longer context.",
    retryable: false
  },
  ContentFiltered: { what: "A content filter refused this", advice: "Change what is sent.", retryable: false },
  RequestTooLarge: {
    what: "The request has too many bytes",
    advice: "Send large media by URL or by file id.",
    retryable: false
  },
  ServerError: { what: "The server failed", advice: "Try again later.", retryable: true },
  Unreachable: {
    what: "The server cannot be reached",
    advice: "Look at the network and the base URL.",
    retryable: true
  },
  TimedOut: { what: "No answer came in time", advice: "Try again, or allow more time.", retryable: true },
  MalformedResponse: {
    what: "The answer is not one of this protocol",
    advice: "Look whether the base URL is that of such an API.",
    retryable: false
  },
  StreamTruncated: { what: "The answer broke off", advice: "Send the request again.", retryable: true },
  Unsupported: {
    what: "The protocol cannot carry all of this",
    advice: "Leave it out, or allow losses.",
    retryable: false
  },
  InvalidToolArguments: {
    what: "The model called a tool with arguments that do not fit",
    advice: "Answer the call with the error, so that the model can correct it.",
    retryable: false
  },
  InvalidAnswer: {
    what: "The model gave no answer that fits the schema",
    advice: "Ask again, allow a repair, or allow more tokens.",
    retryable: false
  }
} satisfies Readonly<Record<string, Verdict>>

type Described = Circumstances & {
  readonly _tag: keyof typeof verdicts
  readonly param?: string
  readonly losses?: ReadonlyArray<typeof Loss.Type>
}

const isRetryable = ({ _tag, shouldRetry, status }: Described): boolean =>
  // A conflict is with another request of the moment.
  shouldRetry ?? (verdicts[_tag].retryable || status === 409)

const describe = (reason: Described): string => {
  const { detail, losses = [], param, provider, protocol, requestId, retryAfter, status } = reason
  const { advice, what } = verdicts[reason._tag]
  const where = [
    provider ?? protocol,
    status === undefined ? undefined : `HTTP ${status}`,
    requestId === undefined ? undefined : `request ${requestId}`,
    param === undefined ? undefined : `at ${param}`
  ].filter((word) => word !== undefined)
  const said = [detail, ...losses.map(({ pointer, why }) => `${pointer}: ${why}`)].filter((word) => word !== undefined)
  return [
    what,
    where.length === 0 ? "" : ` (${where.join(", ")})`,
    said.length === 0 ? "" : `: ${said.join("; ")}`,
    /[.!?…]$/.test(said.at(-1) ?? "") ? " " : ". ",
    retryAfter === undefined ? advice : `Try again in ${Duration.format(retryAfter)}.`
  ].join("")
}

/** What all reasons can say of themselves. */
interface Judged {
  readonly retryable: boolean
}
const judged = <C extends { readonly prototype: Described & Judged }>(Class: C): C => {
  Object.defineProperties(Class.prototype, {
    message: {
      get(this: Described) {
        return describe(this)
      }
    },
    retryable: {
      get(this: Described) {
        return isRetryable(this)
      }
    }
  })
  return Class
}

// reasons ---------------------------------------------------------------------------------------------------------

/** Too many requests, or tokens, for now. */
export class RateLimited extends judged(Schema.TaggedError<RateLimited, Judged>()("RateLimited", circumstances)) {}

/** The provider has more to do than it can. */
export class Overloaded extends judged(Schema.TaggedError<Overloaded, Judged>()("Overloaded", circumstances)) {}

/** The account's credit, plan or budget is used up: waiting does not help. */
export class QuotaExhausted
  extends judged(Schema.TaggedError<QuotaExhausted, Judged>()("QuotaExhausted", circumstances))
{}

/** There is no key, or not a valid one. */
export class Unauthenticated
  extends judged(Schema.TaggedError<Unauthenticated, Judged>()("Unauthenticated", circumstances))
{}

/** The key is valid, and may not do this. */
export class Forbidden extends judged(Schema.TaggedError<Forbidden, Judged>()("Forbidden", circumstances)) {}

/** No such model, response or path. */
export class NotFound extends judged(Schema.TaggedError<NotFound, Judged>()("NotFound", circumstances)) {}

/** The request is refused, by us or by the provider. `param` is the place: a JSON Pointer, or the provider's word. */
export class InvalidRequest extends judged(
  Schema.TaggedError<InvalidRequest, Judged>()("InvalidRequest", {
    ...circumstances,
    param: optional(Schema.String)
  })
) {}

/** The conversation and the answer do not fit into the model's context. */
export class ContextLengthExceeded
  extends judged(Schema.TaggedError<ContextLengthExceeded, Judged>()("ContextLengthExceeded", circumstances))
{}

/** The provider refuses the content. */
export class ContentFiltered
  extends judged(Schema.TaggedError<ContentFiltered, Judged>()("ContentFiltered", circumstances))
{}

/** The body has more bytes than the provider takes. */
export class RequestTooLarge
  extends judged(Schema.TaggedError<RequestTooLarge, Judged>()("RequestTooLarge", circumstances))
{}

/** The provider failed, and does not say more. */
export class ServerError extends judged(Schema.TaggedError<ServerError, Judged>()("ServerError", circumstances)) {}

/** No answer came: no network, no such host, a broken connection. */
export class Unreachable extends judged(Schema.TaggedError<Unreachable, Judged>()("Unreachable", circumstances)) {}

/** The answer took longer than the caller or the provider allows. */
export class TimedOut extends judged(Schema.TaggedError<TimedOut, Judged>()("TimedOut", circumstances)) {}

/**
 * An answer came that the protocol does not know: a login page, or JSON of another API. In a stream, `position` counts
 * the events before the one that cannot be read.
 */
export class MalformedResponse extends judged(
  Schema.TaggedError<MalformedResponse, Judged>()("MalformedResponse", {
    ...circumstances,
    position: optional(Schema.Finite)
  })
) {}

/** A streamed answer ended before it was complete. `collected` is what had arrived by then. */
export class StreamTruncated extends judged(
  Schema.TaggedError<StreamTruncated, Judged>()("StreamTruncated", {
    ...circumstances,
    collected: optional(Response)
  })
) {}

/** The protocol cannot carry what the request holds; `losses` says where and why. */
export class Unsupported extends judged(
  Schema.TaggedError<Unsupported, Judged>()("Unsupported", {
    ...circumstances,
    losses: Schema.Array(Loss)
  })
) {}

/**
 * The model called a tool with arguments that its parameters do not allow. `param` is the place in them, a JSON Pointer,
 * and `text` what the model wrote.
 */
export class InvalidToolArguments extends judged(
  Schema.TaggedError<InvalidToolArguments, Judged>()("InvalidToolArguments", {
    ...circumstances,
    tool: Schema.String,
    id: Schema.String,
    param: optional(Schema.String),
    text: optional(Schema.String)
  })
) {}

/**
 * The model was asked for a value of a schema, and its answer is none: it does not fit, or the model refused, or was cut
 * off, which `finishReason` tells. `param` is the place in the answer, a JSON Pointer, and `text` what the model wrote.
 */
export class InvalidAnswer extends judged(
  Schema.TaggedError<InvalidAnswer, Judged>()("InvalidAnswer", {
    ...circumstances,
    finishReason: FinishReason,
    param: optional(Schema.String),
    text: optional(Schema.String)
  })
) {}

/** Why there is no response, told apart by `_tag`. */
export const Reason = Schema.Union([
  RateLimited,
  Overloaded,
  QuotaExhausted,
  Unauthenticated,
  Forbidden,
  NotFound,
  InvalidRequest,
  ContextLengthExceeded,
  ContentFiltered,
  RequestTooLarge,
  ServerError,
  Unreachable,
  TimedOut,
  MalformedResponse,
  StreamTruncated,
  Unsupported,
  InvalidToolArguments,
  InvalidAnswer
])
export type Reason = typeof Reason.Type
