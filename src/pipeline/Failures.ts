/**
 * Reads from an answer why it is none: the status says what kind of failure it is, the body says it more exactly, as
 * far as it can be read. A page of HTML or no body at all does not hide the status.
 */
import { Duration, Option, Result, Schema } from "effect"
import { Headers } from "effect/http"
import type { Failure, Kind } from "../canonical/Failure.ts"
import { isRecord } from "../codec/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { LlmError } from "./LlmError.ts"
import * as Reason from "./Reason.ts"

/** Who was asked. */
export interface Origin {
  readonly protocol: Protocol
  readonly provider?: string
}

/** The names of who was asked, for an error. */
export const whereOf = ({ protocol, provider }: Origin): Reason.Circumstances => ({
  protocol: protocol.name,
  ...(provider === undefined ? {} : { provider })
})

/** An HTTP answer with its body as text. The names of headers are in lower case. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/**
 * The error that an HTTP answer means, whatever its status. `now` is the time in milliseconds that a date in
 * `retry-after` is counted from.
 *
 * @see https://docs.claude.com/en/api/errors
 * @see https://platform.openai.com/docs/guides/error-codes
 */
export const fromAnswer = (origin: Origin, answer: Answer, now: number): LlmError => {
  const { text } = answer
  const body = parsed(text)
  return toError(origin, Option.getOrUndefined(body), {
    status: answer.status,
    ...verdictIn(answer.headers, now),
    ...(text === "" ? {} : { body: Option.isSome(body) && text.length <= longest ? body.value : shortened(text) })
  })
}

/** The error that a body means which came as a success: an error object in place of a response. A response has an id. */
export const fromBody = (
  origin: Origin,
  body: unknown,
  headers: Answer["headers"] = {},
  now = 0
): LlmError | undefined =>
  isRecord(body) && !isResponse(body) && (isRecord(body.error) || typeof body.error === "string")
    ? fromFailed(origin, body, headers, now)
    : undefined

/** A response has an id and content: routers give an id to errors too. */
const isResponse = ({ content, id, output }: { readonly [key: string]: unknown }): boolean =>
  id !== undefined && (output !== undefined || content !== undefined)

/** The error that a failed response means. */
export const fromFailed = (origin: Origin, body: unknown, headers: Answer["headers"] = {}, now = 0): LlmError =>
  toError(origin, body, { ...verdictIn(headers, now), ...bodyOf(body) })

/** The error that a failure means which came in the midst of a success. `body` is what told of it. */
export const fromFailure = (origin: Origin, failure: Failure, body: unknown): LlmError =>
  toError(origin, body, bodyOf(body), failure)

/** The error that a success means whose body is no JSON: a page of a proxy, or of another server. */
export const notJson = (origin: Origin, { headers, status, text }: Answer): LlmError =>
  new LlmError({
    reason: new Reason.MalformedResponse({
      ...whereOf(origin),
      ...verdictIn(headers, 0),
      status,
      detail: "Expected JSON",
      body: shortened(text)
    })
  })

/** A body to be kept in an error. */
export const bodyOf = (body: unknown): Pick<Reason.Circumstances, "body"> => isJson(body) ? { body } : {}
const isJson = Schema.is(Schema.Json)

/** The JSON in a text, if it is that. */
export const parsed = (text: string): Option.Option<Schema.Json> =>
  Result.getSuccess(Result.try((): Schema.Json => JSON.parse(text)))

const longest = 8000
export const shortened = (text: string): string => text.length > longest ? `${text.slice(0, longest)}…` : text

// classification --------------------------------------------------------------------------------------------------

const toError = (
  origin: Origin,
  body: unknown,
  circumstances: Reason.Circumstances,
  failure = isRecord(body) ? Option.getOrUndefined(failureOf(origin.protocol)(body)) : undefined
): LlmError => {
  const status = circumstances.status ?? statusIn(body)
  const requestId = circumstances.requestId ?? failure?.requestId
  const reason = make[kindOf(status, failure?.kind)]({
    ...whereOf(origin),
    ...circumstances,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(failure === undefined || failure.message === "" ? {} : { detail: failure.message })
  }, failure?.param)
  return new LlmError({ reason })
}

const failureOf = (protocol: Protocol): (body: unknown) => Option.Option<Failure> =>
  Schema.decodeUnknownOption(protocol.FailureFromWire)

/** Routers put the status of the host behind them into the body of a success, as the error's code. */
const statusIn = (body: unknown): number | undefined => {
  const code = isRecord(body) && isRecord(body.error) ? Number(body.error.code) : Number.NaN
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined
}

const kindOf = (status: number | undefined, said: Kind = "other"): Kind => {
  if (status === undefined) return said
  const [kind, finer] = meanings[status] ??
    (status >= 500 ? serverError : status >= 400 ? invalidRequest : unknownStatus)
  return finer.includes(said) ? said : kind
}

/** What a status means, and which kinds of failure in the body say it more exactly. */
type Meaning = readonly [kind: Kind, finer: ReadonlyArray<Kind>]
const meanings: Readonly<Record<number, Meaning>> = {
  401: ["unauthenticated", []],
  402: ["quota-exhausted", []],
  403: ["forbidden", ["quota-exhausted", "content-filtered", "unauthenticated"]],
  404: ["not-found", []],
  408: ["timed-out", []],
  413: ["request-too-large", ["context-length-exceeded"]],
  429: ["rate-limited", ["quota-exhausted", "overloaded"]],
  504: ["timed-out", []],
  529: ["overloaded", []]
}
const limits: ReadonlyArray<Kind> = ["context-length-exceeded", "content-filtered", "quota-exhausted", "rate-limited"]
const serverError: Meaning = ["server-error", [...limits, "overloaded", "timed-out"]]
const invalidRequest: Meaning = [
  "invalid-request",
  [...limits, "request-too-large", "unauthenticated", "forbidden", "not-found", "overloaded"]
]
/** A success, or a redirection that nobody followed: only the body can tell. */
const unknownStatus: Meaning = ["other", [...serverError[1], ...invalidRequest[1], "server-error", "invalid-request"]]

const make: Readonly<Record<Kind, (circumstances: Reason.Circumstances, param?: string) => Reason.Reason>> = {
  "rate-limited": (circumstances) => new Reason.RateLimited(circumstances),
  "overloaded": (circumstances) => new Reason.Overloaded(circumstances),
  "quota-exhausted": (circumstances) => new Reason.QuotaExhausted(circumstances),
  "unauthenticated": (circumstances) => new Reason.Unauthenticated(circumstances),
  "forbidden": (circumstances) => new Reason.Forbidden(circumstances),
  "not-found": (circumstances) => new Reason.NotFound(circumstances),
  "invalid-request": (circumstances, param) =>
    new Reason.InvalidRequest({ ...circumstances, ...(param === undefined ? {} : { param }) }),
  "context-length-exceeded": (circumstances) => new Reason.ContextLengthExceeded(circumstances),
  "content-filtered": (circumstances) => new Reason.ContentFiltered(circumstances),
  "request-too-large": (circumstances) => new Reason.RequestTooLarge(circumstances),
  "timed-out": (circumstances) => new Reason.TimedOut(circumstances),
  "server-error": (circumstances) => new Reason.ServerError(circumstances),
  "other": (circumstances) => new Reason.ServerError(circumstances)
}

// headers ---------------------------------------------------------------------------------------------------------

const verdictIn = (headers: Answer["headers"], now: number): Reason.Circumstances => {
  const requestId = headers["request-id"] ?? headers["x-request-id"]
  const shouldRetry = headers["x-should-retry"]
  const retryAfter = retryAfterIn(headers, now)
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(shouldRetry === "true" || shouldRetry === "false" ? { shouldRetry: shouldRetry === "true" } : {})
  }
}

/** `retry-after-ms` is the finer one; `retry-after` is in seconds, whole or not, or a date. */
const retryAfterIn = (headers: Answer["headers"], now: number): Duration.Duration | undefined => {
  const millis = amount(headers["retry-after-ms"])
  if (millis !== undefined) return Duration.millis(millis)
  const value = headers["retry-after"]
  const seconds = amount(value)
  if (value === undefined || seconds !== undefined) return seconds === undefined ? undefined : Duration.seconds(seconds)
  return Result.getOrUndefined(
    Result.map(Headers.parseRetryAfter(value), (after) => Headers.retryAfterDelay(after, now))
  )
}

const amount = (text: string | undefined): number | undefined => {
  const number = text === undefined || text.trim() === "" ? Number.NaN : Number(text)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}
