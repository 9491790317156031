/**
 * Takes what a person writes to a typed response in four steps, each a plain function: `expand`, `encode`, `send`,
 * `decode`. A `Client` is made of them; put your own steps between them when you need to.
 */
import { Effect, Schema, SchemaIssue } from "effect"
import type { HttpClient } from "effect/http"
import { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import { isRecord } from "../codec/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import * as Shorthand from "../shorthand/index.ts"
import * as Failures from "./Failures.ts"
import { call } from "./Http.ts"
import { LlmError } from "./LlmError.ts"
import type { Provider } from "./Provider.ts"
import * as Reason from "./Reason.ts"

/** A request as a person writes it, or a canonical one. */
export type Input = (typeof Shorthand.Request)["Encoded"] | Request

/**
 * Writes out what a person wrote. A canonical request, known by its `items`, is passed on.
 *
 * @example `Pipeline.expand({ model: "m", input: "hi" })  // => { model: "m", items: [{ type: "message", … }] }`
 */
export const expand = (input: Input): Effect.Effect<Request, LlmError> =>
  isCanonical(input) ? Effect.succeed(input) : Effect.mapError(expandShorthand(input), invalidRequest({}))

const isCanonical = (input: Input): input is Request => isRecord(input) && "items" in input && isRequest(input)
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

/** The typed response in a wire body. A failed one, and an error in its place, become an `LlmError`. */
export const decode = (protocol: Protocol, provider?: string): (json: unknown) => Effect.Effect<Response, LlmError> => {
  const decodeResponse = Schema.decodeUnknownEffect(protocol.ResponseFromWire)
  const origin = named(protocol, provider)
  return Effect.fnUntraced(function*(json: unknown) {
    const failure = Failures.fromBody(origin, json)
    if (failure !== undefined) return yield* failure
    const response = yield* decodeResponse(json).pipe(
      Effect.mapError((error) => malformedResponse(origin, json, complaintOf(error)))
    )
    if (response.finishReason === "error") return yield* Failures.fromFailed(origin, json)
    // Codecs are lenient with servers that leave things out; JSON of any other kind looks like such a server's.
    if (response.id === undefined && response.items.length === 0) {
      return yield* malformedResponse(origin, json, { detail: "Expected a response with an id or items", param: "" })
    }
    return response
  })
}

// errors ----------------------------------------------------------------------------------------------------------

const named = (protocol: Protocol, provider: string | undefined): Failures.Origin => ({
  protocol,
  ...(provider === undefined ? {} : { provider })
})

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong, and where: a JSON Pointer. */
interface Complaint {
  readonly detail: string
  readonly param: string
}

/** The first thing that a schema complains of. */
const complaintOf = ({ issue }: Schema.SchemaError): Complaint => {
  const [first] = issuesOf(issue).issues
  const path = (first?.path ?? []).map((key) => String(typeof key === "object" ? key.key : key))
  return {
    detail: Failures.shortened(first?.message ?? "Invalid"),
    param: path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  }
}

const invalidRequest = (where: Reason.Circumstances) => (error: Schema.SchemaError): LlmError => {
  const { detail, param } = complaintOf(error)
  return new LlmError({ reason: new Reason.InvalidRequest({ ...where, detail, ...(param === "" ? {} : { param }) }) })
}

const malformedResponse = (origin: Failures.Origin, json: unknown, { detail, param }: Complaint): LlmError => {
  const at = param === "" ? "" : ` at ${param}`
  return new LlmError({
    reason: new Reason.MalformedResponse({ ...Failures.whereOf(origin), detail: detail + at, ...Failures.bodyOf(json) })
  })
}
