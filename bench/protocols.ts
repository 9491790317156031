/** What is measured of each protocol, every function built once. */
import { Schema } from "effect"
import type * as Request from "../src/canonical/Request.ts"
import type * as Response from "../src/canonical/Response.ts"
import { translation } from "../src/codec/index.ts"
import * as AnthropicMessages from "../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../src/protocol/openai-responses/index.ts"

type Wire<A> = Schema.Codec<A, unknown>
interface Codecs {
  readonly RequestFromWire: Wire<Request.Request>
  readonly ResponseFromWire: Wire<Response.Response>
}

const road = <A>(codec: Wire<A>) => ({ decode: Schema.decodeUnknownSync(codec), encode: Schema.encodeSync(codec) })

const functionsOf = ({ RequestFromWire, ResponseFromWire }: Codecs) => ({
  request: road(RequestFromWire),
  response: road(ResponseFromWire),
  /** The same schema off the fast road. */
  interpreted: road(RequestFromWire.annotate({}))
})

export const names = ["anthropic-messages", "openai-responses"] as const
export type Name = (typeof names)[number]

export const protocols: Readonly<Record<Name, ReturnType<typeof functionsOf>>> = {
  "anthropic-messages": functionsOf(AnthropicMessages as unknown as Codecs),
  "openai-responses": functionsOf(OpenAiResponses as unknown as Codecs)
}

const translations = translation(AnthropicMessages.RequestFromWire, OpenAiResponses.RequestFromWire)

/** A body of one protocol as a body of the other. */
export const translate: Readonly<Record<Name, (body: unknown) => unknown>> = {
  "anthropic-messages": Schema.decodeUnknownSync(translations),
  "openai-responses": Schema.encodeUnknownSync(translations)
}
