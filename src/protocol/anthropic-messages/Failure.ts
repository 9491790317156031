/**
 * Spells the body of an answer that is no response.
 *
 * @see https://docs.anthropic.com/en/api/errors
 */
import { Schema } from "effect"
import { Failure, type Kind } from "../../canonical/Failure.ts"
import { as, carried, complete, implied, sampled, transform } from "../../codec/index.ts"
import { variant } from "./Content.ts"

// kinds -----------------------------------------------------------------------------------------------------------

/** The API's words, and those of hosts that answer in other words. */
export const errorTypes = {
  invalid_request_error: "invalid-request",
  authentication_error: "unauthenticated",
  billing_error: "quota-exhausted",
  permission_error: "forbidden",
  not_found_error: "not-found",
  conflict_error: "invalid-request",
  request_too_large: "request-too-large",
  rate_limit_error: "rate-limited",
  timeout_error: "timed-out",
  api_error: "server-error",
  overloaded_error: "overloaded",
  server_error: "server-error",
  insufficient_quota: "quota-exhausted",
  context_length_exceeded: "context-length-exceeded",
  exceed_context_size_error: "context-length-exceeded"
} as const satisfies { readonly [word: string]: Kind }

const kinds = new Map<string | undefined, Kind>(Object.entries(errorTypes))

/** What the API says in words alone. */
const phrases: ReadonlyArray<readonly [RegExp, Kind]> = [
  [
    /prompt is too long|exceeds? (the )?(available )?(context|model's maximum)|context (length|window|limit)/i,
    "context-length-exceeded"
  ],
  [/credit balance is too low/i, "quota-exhausted"]
]

const kindOf = ({ code, message = "", type }: Draft): Kind => {
  const kind = kinds.get(code) ?? kinds.get(type) ?? "other"
  if (kind !== "invalid-request" && kind !== "other") return kind
  return phrases.find(([phrase]) => phrase.test(message))?.[1] ?? kind
}

/** The word that is read as a kind. */
const words: Readonly<Record<Kind, string>> = {
  "rate-limited": "rate_limit_error",
  "overloaded": "overloaded_error",
  "quota-exhausted": "billing_error",
  "unauthenticated": "authentication_error",
  "forbidden": "permission_error",
  "not-found": "not_found_error",
  "invalid-request": "invalid_request_error",
  "context-length-exceeded": "invalid_request_error",
  "content-filtered": "invalid_request_error",
  "request-too-large": "request_too_large",
  "timed-out": "timeout_error",
  "server-error": "api_error",
  "other": "api_error"
}

// body ------------------------------------------------------------------------------------------------------------

const { kind: _, message: __, ...rest } = Failure.fields
const Draft = Schema.Struct({ ...rest, message: Schema.optionalKey(Schema.String) })
type Draft = typeof Draft.Type

/** Some hosts give a status as the code. */
const CodeFromWire = transform(Schema.Union([Schema.String, Schema.Finite]), Schema.String, {
  decode: String,
  encode: (code) => /^[1-9]\d{0,14}$/.test(code) ? Number(code) : code
})

const DraftFromWire = variant(Draft, { type: implied("error") }, {
  type: as("type", Schema.String, { under: "error" }),
  message: as("message", Schema.String, { under: "error" }),
  code: as("code", CodeFromWire, { under: "error" }),
  param: as("param", Schema.String, { under: "error" }),
  requestId: as("request_id", Schema.String, { neutral: null })
})

const toFailure = (draft: Draft): Failure => ({ ...draft, kind: kindOf(draft), message: draft.message ?? "" })

/** The provider's own word where it still says the same. */
const ofFailure = ({ kind, ...draft }: Failure): Draft =>
  kindOf(draft) === kind ? draft : { ...draft, type: words[kind] }

/**
 * An error's body: `{ type: "error", error: { type, message }, request_id }` and the canonical failure; also what
 * hosts that answer in OpenAI's form say: `{ error: { message, type, code, param } }`.
 *
 * That a prompt is too long, or a balance too low, the API says in the message alone.
 */
export const FailureFromWire = complete(transform(DraftFromWire, Failure, {
  decode: toFailure,
  encode: ofFailure,
  carries: sampled(Failure, carried(DraftFromWire), toFailure)
}))
