/** The forms that a request or a response may have on the command line: shorthand, canonical, or a protocol's wire. */
import { Option, Schema } from "effect"
import * as Losses from "../canonical/Losses.ts"
import { Request } from "../canonical/Request.ts"
import { Response } from "../canonical/Response.ts"
import { isRecord } from "../codec/index.ts"
import * as AnthropicMessages from "../protocol/anthropic-messages/index.ts"
import * as Equivalence from "../protocol/Equivalence.ts"
import * as OpenAiResponses from "../protocol/openai-responses/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import * as Shorthand from "../shorthand/index.ts"

/** One form: the codec of each kind of value that it has, canonical inside. */
export interface Form {
  readonly request: Schema.Codec<Request, unknown>
  readonly response: Option.Option<Schema.Codec<Response, unknown>>
  /** Whose words it is in, where it may be that not everything has a place in it. */
  readonly protocol: Option.Option<Protocol>
}
export type Kind = "request" | "response"

const wire = (protocol: Protocol): Form => ({
  request: protocol.RequestFromWire,
  response: Option.some(protocol.ResponseFromWire),
  protocol: Option.some(protocol)
})

export const names = ["shorthand", "canonical", "openai-responses", "anthropic-messages"] as const
export type Name = (typeof names)[number]

export const forms: Readonly<Record<Name, Form>> = {
  "shorthand": { request: Shorthand.Request, response: Option.none(), protocol: Option.none() },
  "canonical": { request: Request, response: Option.some(Response), protocol: Option.none() },
  "openai-responses": wire(OpenAiResponses),
  "anthropic-messages": wire(AnthropicMessages)
}

/** A bare input is a request too: a string, a list, a piece of content. */
export const asRequest = (json: unknown, model: string): unknown =>
  isRecord(json) && requestKeys.some((key) => key in json) ? json : { model, input: json }
const requestKeys = ["model", "input", "messages", "items"]

/** What of a canonical value a form leaves out. */
export const lossesIn = (
  form: Form,
  codec: Schema.Codec<unknown, unknown>,
  before: unknown,
  encoded: unknown
): ReadonlyArray<Losses.Loss> =>
  Option.match(form.protocol, {
    onNone: () => [],
    onSome: (protocol) => Losses.losses(before, Schema.decodeUnknownSync(codec)(encoded), Equivalence.frame(protocol))
  })
