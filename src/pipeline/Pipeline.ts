/**
 * Takes what a person writes to a typed response in four steps, each a plain function: `expand`, `encode`, `send`,
 * `decode`. A `Client` is made of them; put your own steps between them when you need to. A stream takes the same
 * steps, with `stream` and `decodeStream` as the last two.
 */
import { Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { Request } from "../canonical/Request.ts"
import { isRecord } from "../codec/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import * as Shorthand from "../shorthand/index.ts"
import { complaintOf, named } from "./Decode.ts"
import * as Failures from "./Failures.ts"
import { call } from "./Http.ts"
import { LlmError } from "./LlmError.ts"
import type { Provider } from "./Provider.ts"
import * as Reason from "./Reason.ts"

export { decode } from "./Decode.ts"
export { decodeStream, decodeWireEvents, stream, type Told } from "./Stream.ts"

/** A request as a person writes it, or a canonical one. */
export type Input = (typeof Shorthand.Request)["Encoded"] | Request

/**
 * Writes out what a person wrote. A canonical request, known by its `items`, is passed on.
 *
 * @example `Pipeline.expand({ model: "m", input: "hi" })  // => { model: "m", items: [{ type: "message", … }] }`
 */
export const expand = (input: Input): Effect.Effect<Request, LlmError> =>
  isCanonical(input) ? Effect.succeed(input) : Effect.mapError(expandShorthand(input), invalidRequest({}))

const isCanonical = (input: Input): input is Request =>
  isRecord(input) && "items" in input && Object.keys(input).every((key) => Object.hasOwn(Request.fields, key)) &&
  isRequest(input)
const isRequest = Schema.is(Request)
const expandShorthand = Schema.decodeUnknownEffect(Shorthand.Request)

/** The wire request that says the same in a protocol. What the protocol cannot carry is left out. */
export const encode = (
  protocol: Protocol,
  provider?: string
): (request: Request) => Effect.Effect<unknown, LlmError> => {
  const encodeRequest = Schema.encodeEffect(protocol.RequestFromWire)
  return (request) =>
    Effect.mapError(encodeRequest(request), invalidRequest(Failures.whereOf(named(protocol, provider))))
}

/**
 * Sends a wire request, and gives the JSON that was answered. Fails for every status but a success, and for an error
 * that came as one.
 */
export const send =
  (provider: Provider) => (wire: unknown): Effect.Effect<Schema.Json, LlmError, HttpClient.HttpClient> =>
    call(provider, { method: "POST", path: provider.path, body: wire })

const invalidRequest = (where: Reason.Circumstances) => (error: Schema.SchemaError): LlmError => {
  const { detail, param } = complaintOf(error)
  return new LlmError({ reason: new Reason.InvalidRequest({ ...where, detail, ...(param === "" ? {} : { param }) }) })
}
