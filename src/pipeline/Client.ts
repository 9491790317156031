/**
 * Sends requests to language models: a service with one method, made from a provider, changed by combinators.
 *
 * A client first prepares an input (shorthand or canonical) and then performs the canonical request; a combinator
 * changes one of the two. They apply in the order in which they are written, as those of `HttpClient` do.
 *
 * @example
 * ```ts
 * const robust = Effect.map(Client.Client, (client) =>
 *   client.pipe(Client.mapRequest(addHouseRules), Client.tapWire(Effect.log), Client.orElse(another)))
 * ```
 */
import { Context, Effect, flow, Layer } from "effect"
import * as Telemetry from "effect/ai/Telemetry"
import { dual } from "effect/Function"
import { HttpClient } from "effect/http"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import { type LlmError, withoutSecrets } from "./LlmError.ts"
import * as Pipeline from "./Pipeline.ts"
import { type Provider, secretsOf } from "./Provider.ts"
import * as Wire from "./Wire.ts"

export interface Client extends Pipeable {
  /** Asks, and answers with a typed response. */
  readonly send: (input: Pipeline.Input) => Effect.Effect<Response, LlmError>
  /** The first half of `send`: what was written becomes the canonical request that goes out. */
  readonly prepare: (input: Pipeline.Input) => Effect.Effect<Request, LlmError>
  /** The second half of `send`: the request goes out, and a response comes back. */
  readonly perform: (request: Request) => Effect.Effect<Response, LlmError>
}

export const Client: Context.Service<Client, Client> = Context.Service<Client, Client>("bellows/Client")

/**
 * Asks whichever model the layer provides.
 *
 * @example `Client.send({ model: "claude-sonnet-4-5", input: "hi" }).pipe(Effect.provide(Anthropic.layerConfig))`
 */
export const send = (input: Pipeline.Input): Effect.Effect<Response, LlmError, Client> =>
  Client.use((client) => client.send(input))

// constructors ----------------------------------------------------------------------------------------------------

/** A client from a function over canonical requests. */
export const make = (
  perform: Client["perform"],
  prepare: Client["prepare"] = Pipeline.expand
): Client => ({
  prepare,
  perform,
  send: flow(prepare, Effect.flatMap(perform)),
  pipe() {
    return pipeArguments(this, arguments)
  }
})

/** A client of a provider. */
export const fromProvider = (provider: Provider): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (http) => {
    const { defaults = Effect.succeed, name, protocol } = provider
    return make(flow(
      defaults,
      Effect.flatMap(Pipeline.encode(protocol, name)),
      Effect.flatMap(Pipeline.send(provider)),
      Effect.flatMap(Pipeline.decode(protocol, name)),
      Effect.mapError(withoutSecrets(secretsOf(provider))),
      Effect.provideService(HttpClient.HttpClient, http)
    )).pipe(traced(name))
  })

/** The service, from a provider. */
export const layer = (provider: Provider): Layer.Layer<Client, never, HttpClient.HttpClient> =>
  Layer.effect(Client, fromProvider(provider))

// combinators -----------------------------------------------------------------------------------------------------

/** `client.pipe(combinator(f))` or `combinator(client, f)`. */
export interface Combinator<F> {
  (f: F): (self: Client) => Client
  (self: Client, f: F): Client
}
const combinator = <F>(change: (self: Client, f: F) => Client): Combinator<F> => dual(2, change)

/** Changes each canonical request before it goes out. */
export const mapRequest: Combinator<(request: Request) => Request> = combinator((self, f) =>
  make(self.perform, flow(self.prepare, Effect.map(f)))
)

/** Changes each canonical request by an effect, which may refuse it. */
export const mapRequestEffect: Combinator<(request: Request) => Effect.Effect<Request, LlmError>> = combinator(
  (self, f) => make(self.perform, flow(self.prepare, Effect.flatMap(f)))
)

/** Changes each response. */
export const mapResponse: Combinator<(response: Response) => Response> = combinator((self, f) =>
  make(flow(self.perform, Effect.map(f)), self.prepare)
)

/** Looks at each response. */
export const tapResponse: Combinator<(response: Response) => Effect.Effect<unknown>> = combinator((self, f) =>
  make(flow(self.perform, Effect.tap(f)), self.prepare)
)

/** Looks at each HTTP request as it goes out: method, URL, headers (secrets redacted), body. */
export const tapWire: Combinator<(outgoing: Wire.Outgoing) => Effect.Effect<unknown>> = combinator((self, f) =>
  make(flow(self.perform, Wire.tapped(f)), self.prepare)
)

/** Adds headers to each HTTP request. */
export const withHeaders: Combinator<{ readonly [name: string]: string }> = combinator((self, headers) =>
  make(flow(self.perform, Wire.withHeaders(headers)), self.prepare)
)

/**
 * Asks another client when this one fails: always, or for the errors that `when` admits. What stands before it in a
 * pipe concerns the first client only, what stands after it both.
 *
 * @example `claude.pipe(Client.orElse(openAi, (error) => error.retryable))`
 */
export const orElse = (that: Client, when: (error: LlmError) => boolean = () => true) => (self: Client): Client =>
  make((request) => Effect.catchIf(self.send(request), when, () => that.send(request)))

// spans -----------------------------------------------------------------------------------------------------------

/** One span for each request, with the attributes that OpenTelemetry names for language models. */
const traced = (provider: string) => (self: Client): Client =>
  make(
    Effect.fn("Client.send")(function*(request: Request) {
      const span = yield* Effect.orDie(Effect.currentSpan)
      Telemetry.addGenAIAnnotations(span, {
        operation: { name: "chat" },
        provider: { name: provider },
        request: {
          model: request.model,
          maxTokens: request.maxTokens,
          temperature: request.temperature,
          topP: request.topP,
          topK: request.topK
        }
      })
      const response = yield* self.perform(request)
      Telemetry.addGenAIAnnotations(span, {
        response: { id: response.id, model: response.model, finishReasons: [response.finishReason] },
        usage: { inputTokens: response.usage?.input, outputTokens: response.usage?.output }
      })
      return response
    })
  )
