/** Puts a function in place of the network: an `HttpClient` that answers in this very process. */
import { Effect, Layer, type Schema, Stream } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"

/** A request as it arrives: the body is parsed JSON, `null` where there is none. */
export interface Received {
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  readonly body: Schema.Json
}

/** An answer: JSON, a text as it stands, or bytes as they come. Status 200 unless said otherwise. */
export interface Answer {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly json?: unknown
  readonly text?: string
  readonly stream?: Stream.Stream<Uint8Array, unknown>
}

export type Handler = (received: Received) => Answer | Effect.Effect<Answer>

/** @example `InMemory.make(({ body }) => ({ json: { echo: body } }))` */
export const make = (handler: Handler): HttpClient.HttpClient =>
  HttpClient.make((request, url) => {
    const answer = handler({ method: request.method, url, headers: { ...request.headers }, body: bodyOf(request) })
    return Effect.flatMap(Effect.isEffect(answer) ? answer : Effect.succeed(answer), toWeb).pipe(
      Effect.map((response) => HttpClientResponse.fromWeb(request, response))
    )
  })

/** The same as the `HttpClient` of a program: `Anthropic.layer({ apiKey }).pipe(Layer.provide(InMemory.layer(handler)))`. */
export const layer = (handler: Handler): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(HttpClient.HttpClient, make(handler))

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Schema.Json =>
  body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(body.body)) : null

const toWeb = ({ headers, json, status = 200, stream, text }: Answer): Effect.Effect<Response> => {
  const head = { status, headers: { ...headers } }
  if (json !== undefined) return Effect.succeed(Response.json(json, head))
  if (stream === undefined) return Effect.succeed(new Response(text ?? null, head))
  return Effect.map(Stream.toReadableStreamEffect(stream), (bytes) => new Response(bytes, head))
}
