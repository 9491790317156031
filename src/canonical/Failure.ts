/** What a provider says when it does not answer: the one form behind every protocol's error body. */
import { Schema } from "effect"
import { bag } from "../codec/index.ts"

const optional = Schema.optionalKey

/** What kind of failure it is, in words of our own. */
export const Kind = Schema.Literals([
  "rate-limited",
  "overloaded",
  "quota-exhausted",
  "unauthenticated",
  "forbidden",
  "not-found",
  "invalid-request",
  "context-length-exceeded",
  "content-filtered",
  "request-too-large",
  "timed-out",
  "server-error",
  "other"
])
export type Kind = typeof Kind.Type

/** `type` and `code` are the provider's own words, `param` the field that it blames. */
export const Failure = Schema.Struct({
  kind: Kind,
  message: Schema.String,
  type: optional(Schema.String),
  code: optional(Schema.String),
  param: optional(Schema.String),
  requestId: optional(Schema.String),
  ...bag
})
export type Failure = typeof Failure.Type
