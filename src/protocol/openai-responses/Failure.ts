/**
 * Spells error bodies, and the `error` of a failed response.
 *
 * https://platform.openai.com/docs/guides/error-codes
 */
import { Schema } from "effect"
import { Failure, type Kind } from "../../canonical/Failure.ts"
import { isRecord, sampled, transform } from "../../codec/index.ts"
import { type Extras, extrasOf, withExtras } from "./Extras.ts"

// what kind of failure --------------------------------------------------------------------------------------------

/** The provider's words, as codes or as types. */
const vocabulary: { readonly [K in Exclude<Kind, "other">]: ReadonlyArray<string> } = {
  "rate-limited": ["rate_limit_exceeded", "rate_limit_error", "requests", "tokens"],
  overloaded: ["slow_down", "overloaded_error", "server_overloaded", "service_unavailable", "unavailable_error"],
  "quota-exhausted": ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"],
  unauthenticated: ["invalid_api_key", "authentication_error", "account_deactivated"],
  forbidden: [
    "permission_error",
    "permission_denied",
    "insufficient_permissions",
    "unsupported_country_region_territory"
  ],
  "not-found": ["model_not_found", "not_found_error", "image_file_not_found"],
  "context-length-exceeded": ["context_length_exceeded", "exceed_context_size_error"],
  "content-filtered": [
    "content_filter",
    "content_policy_violation",
    "image_content_policy_violation",
    "moderation_blocked",
    "bio_policy",
    "misalignment_policy_violation"
  ],
  "request-too-large": ["request_too_large", "string_above_max_length", "image_file_too_large"],
  "timed-out": ["timeout", "vector_store_timeout"],
  "server-error": ["server_error", "internal_error", "api_error"],
  "invalid-request": [
    "invalid_request_error",
    "not_supported_error",
    "invalid_prompt",
    "data_residency_mismatch",
    "invalid_image",
    "invalid_image_format",
    "invalid_base64_image",
    "invalid_image_url",
    "invalid_image_mode",
    "image_too_large",
    "image_too_small",
    "image_parse_error",
    "unsupported_image_media_type",
    "empty_image_file",
    "failed_to_download_image"
  ]
}
const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(vocabulary).flatMap(([kind, words]) => words.map((word) => [word, kind as Kind]))
)

/** The words by which a kind of our own is known. */
const standard: { readonly [K in Kind]: { readonly type: string; readonly code?: string } } = {
  "rate-limited": { type: "rate_limit_error", code: "rate_limit_exceeded" },
  overloaded: { type: "server_error", code: "slow_down" },
  "quota-exhausted": { type: "insufficient_quota", code: "insufficient_quota" },
  unauthenticated: { type: "invalid_request_error", code: "invalid_api_key" },
  forbidden: { type: "permission_error" },
  "not-found": { type: "not_found_error" },
  "invalid-request": { type: "invalid_request_error" },
  "context-length-exceeded": { type: "invalid_request_error", code: "context_length_exceeded" },
  "content-filtered": { type: "invalid_request_error", code: "content_policy_violation" },
  "request-too-large": { type: "invalid_request_error", code: "request_too_large" },
  "timed-out": { type: "server_error", code: "timeout" },
  "server-error": { type: "server_error" },
  other: { type: "error" }
}

const overflow = /context (window|length|size)|maximum context|too many (input )?tokens|prompt is too long/i

/**
 * A code says more than a type, and either more than the message; but a message that speaks of the context window says
 * more than that the request is wrong.
 */
const kindOf = ({ code = "", message, type = "" }: Words): Kind => {
  const known = [code, type].flatMap((word) => kinds.get(word) ?? [])
  const kind = known.find((kind) => kind !== "invalid-request")
  return kind ?? (overflow.test(message) ? "context-length-exceeded" : known[0] ?? "other")
}

// error bodies ----------------------------------------------------------------------------------------------------

interface Words {
  readonly message: string
  readonly type?: string
  readonly code?: string
  readonly param?: string
}

const Body = Schema.Record(Schema.String, Schema.Json)
/** `{ error: { message, type, code, param } }`; others write `{ error: "text" }`, `{ message, … }` or `{ detail }`. */
export type FailureWire = typeof Body.Type

/** The keys under which a message may stand at the top of a body. */
const flat = ["error", "message", "detail"] as const

/** The provider's words in an object, and what else it holds. A code that is a number is no word. */
const split = (from: Extras, messageKey: string): { readonly said: Words; readonly rest: Extras } => {
  const said: { message: string; type?: string; code?: string; param?: string } = { message: "" }
  const rest: Record<string, Schema.Json> = {}
  for (const [key, value] of Object.entries(from)) {
    if (typeof value === "string" && key === messageKey) said.message = value
    else if (typeof value === "string" && (key === "type" || key === "code" || key === "param")) said[key] = value
    else if (value !== null) rest[key] = value
  }
  return { said, rest }
}

const decode = (body: FailureWire): Failure => {
  const { error, ...top } = body
  const shape = isRecord(error) ? undefined : flat.find((key) => typeof body[key] === "string")
  if (shape !== undefined) {
    const { rest, said } = split(body, shape)
    // The key of the message stays, without it, so that the body is known to be flat.
    return withExtras<Failure>({ kind: kindOf(said), ...said }, { ...rest, [shape]: null })
  }
  const { rest, said } = split(isRecord(error) ? error as Extras : {}, "message")
  const beside = Object.fromEntries(Object.entries(top).filter(([, value]) => value !== null))
  return withExtras<Failure>(
    { kind: kindOf(said), ...said },
    Object.keys(rest).length === 0 ? beside : { ...beside, error: rest }
  )
}

const encode = (failure: Failure): FailureWire => {
  const { code, kind, message, param, type } = failure
  const said: Words = {
    message,
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param })
  }
  const words = kindOf(said) === kind ? said : { ...said, ...standard[kind] }
  const extras = extrasOf(failure)
  const shape = flat.find((key) => extras[key] === null)
  // A body in which nothing could be read is given back as it was.
  if (shape === undefined && message === "" && Object.keys(words).length === 1) return extras
  if (shape === undefined) {
    return { ...extras, error: { ...(isRecord(extras.error) ? extras.error as Extras : {}), ...words } }
  }
  const { message: text, ...rest } = words
  return { ...extras, ...rest, [shape]: text }
}

const Sample = Schema.Struct({
  message: Schema.String,
  type: Schema.optionalKey(Schema.Literals(["invalid_request_error", "server_error", "x_new_type"])),
  code: Schema.optionalKey(Schema.Literals(["context_length_exceeded", "insufficient_quota", "x_new_code"])),
  param: Schema.optionalKey(Schema.String)
})

/**
 * An error body, either way. The HTTP status is not known here.
 *
 * @example `Schema.decodeUnknownSync(FailureFromWire)({ error: { message: "…", code: "insufficient_quota" } }).kind  // => "quota-exhausted"`
 */
export const FailureFromWire = transform(Body, Failure, {
  decode,
  encode,
  carries: sampled(Failure, Sample, (error) => decode({ error }))
})
