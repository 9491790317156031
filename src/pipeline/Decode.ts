/** Decodes a wire body to a typed response, and says in an `LlmError` why one cannot be. */
import { Effect, Schema, SchemaIssue } from "effect"
import type { Response } from "../canonical/Response.ts"
import { pointerOf } from "../codec/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import * as Failures from "./Failures.ts"
import { LlmError } from "./LlmError.ts"
import * as Reason from "./Reason.ts"

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

export const named = (protocol: Protocol, provider: string | undefined): Failures.Origin => ({
  protocol,
  ...(provider === undefined ? {} : { provider })
})

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong, and where: a JSON Pointer. */
export interface Complaint {
  readonly detail: string
  readonly param: string
}

/** The first thing that a schema complains of. */
export const complaintOf = ({ issue }: Schema.SchemaError): Complaint => {
  const [first] = issuesOf(issue).issues
  const path = (first?.path ?? []).map((key) => typeof key === "object" ? key.key : key)
  return { detail: Failures.shortened(first?.message ?? "Invalid"), param: pointerOf(path) }
}

const malformedResponse = (origin: Failures.Origin, json: unknown, { detail, param }: Complaint): LlmError => {
  const at = param === "" ? "" : ` at ${param}`
  return new LlmError({
    reason: new Reason.MalformedResponse({ ...Failures.whereOf(origin), detail: detail + at, ...Failures.bodyOf(json) })
  })
}
