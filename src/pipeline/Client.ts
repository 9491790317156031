/**
 * Sends requests to language models: a service that answers whole or as a stream, made from a provider, changed by
 * combinators.
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
import { Context, Effect, flow, Layer, Stream } from "effect"
import { dual } from "effect/Function"
import { HttpClient } from "effect/http"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import * as Event from "../canonical/Event.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import { isRecord } from "../codec/index.ts"
import type { Target } from "../params/Fitted.ts"
import * as Collect from "./Collect.ts"
import { LlmError, withoutSecrets } from "./LlmError.ts"
import * as Naming from "./Naming.ts"
import { unpaired } from "./Pairing.ts"
import * as Pipeline from "./Pipeline.ts"
import { type Provider, secretsOf } from "./Provider.ts"
import { InvalidRequest } from "./Reason.ts"
import { traced, tracedStream } from "./Spans.ts"
import * as Wire from "./Wire.ts"

/** What answers requests. Made by `layer`s of providers, by `make`, or by `Scripted` in tests. */
export interface Client extends Pipeable {
  /** Asks, and answers with a typed response. */
  readonly send: (input: Pipeline.Input) => Effect.Effect<Response, LlmError>
  /** Asks, and answers with typed events as they arrive. */
  readonly stream: (input: Pipeline.Input) => Stream.Stream<Event.Event, LlmError>
  /** The first half of `send` and `stream`: what was written becomes the canonical request that goes out. */
  readonly prepare: (input: Pipeline.Input) => Effect.Effect<Request, LlmError>
  /** The second half of `send`: the request goes out, and a response comes back. */
  readonly perform: (request: Request) => Effect.Effect<Response, LlmError>
  /** The second half of `stream`. */
  readonly performStream: (request: Request) => Stream.Stream<Event.Event, LlmError>
  /** Whose rules hold for the JSON Schemas of tools and answers; `undefined` where that is not known, or not one. */
  readonly target: Target | undefined
  /** How the items of a stream are grouped; `undefined` where its last event holds the whole response. */
  readonly grouping: Collect.Grouping | undefined
}

/** The service. */
export const Client: Context.Service<Client, Client> = Context.Service<Client, Client>("bellows/Client")

/**
 * Asks whichever model the layer provides.
 *
 * @example `Client.send({ model: "claude-sonnet-4-5", input: "hi" }).pipe(Effect.provide(Anthropic.layerConfig))`
 */
export const send = (input: Pipeline.Input): Effect.Effect<Response, LlmError, Client> =>
  Client.use((client) => client.send(input))

/**
 * The same, as it arrives: the last event is `Finished`, or the stream fails. Who stops reading closes the connection.
 *
 * @example
 * ```ts
 * Client.stream({ model: "gpt-5", input: "Tell me a story." }).pipe(
 *   Stream.runForEach((event) => event._tag === "TextDelta" ? write(event.text) : Effect.void)
 * )
 * ```
 */
export const stream = (input: Pipeline.Input): Stream.Stream<Event.Event, LlmError, Client> =>
  Stream.unwrap(Client.useSync((client) => client.stream(input)))

// constructors ----------------------------------------------------------------------------------------------------

/** What is known of who answers. */
export type Known = Partial<Pick<Client, "target" | "grouping">>

/**
 * A client from functions over canonical requests. Where there is none for streams, a response is told in events when
 * it is there.
 */
export const make = (
  perform: Client["perform"],
  prepare: Client["prepare"] = Pipeline.expand,
  performStream: Client["performStream"] = told(perform),
  { grouping, target }: Known = {}
): Client => ({
  target,
  grouping,
  prepare,
  perform,
  performStream,
  send: flow(prepare, Effect.flatMap(perform)),
  stream: (input) => Stream.unwrap(Effect.map(prepare(input), performStream)),
  pipe() {
    return pipeArguments(this, arguments)
  }
})

const told = (perform: Client["perform"]): Client["performStream"] => (request) =>
  Stream.unwrap(Effect.map(perform(request), (response) => Stream.fromIterable(Event.ofResponse(response))))

/** A client of a provider. */
export const fromProvider = (provider: Provider): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (http) => {
    const { defaults = Effect.succeed, limits = provider.protocol.limits, name, protocol } = provider
    const clean = (wire?: unknown) => (error: LlmError) => withoutSecrets(secretsOf(provider, wire))(error)
    const encode = Pipeline.encode(protocol, name)
    const outgoing = flow(
      paired(protocol.name, name),
      Effect.flatMap(defaults),
      Effect.map(Naming.named(limits)),
      Effect.flatMap(({ request, restore }) => Effect.map(encode(request), (wire) => ({ wire, restore }))),
      Effect.mapError(clean())
    )
    const events = (wire: unknown) =>
      Pipeline.stream(provider)(wire).pipe(
        Pipeline.decodeStream(protocol, name),
        Stream.mapError(clean(wire)),
        Stream.provideService(HttpClient.HttpClient, http)
      )
    const whole = (wire: unknown) =>
      Effect.flatMap(Pipeline.send(provider)(wire), Pipeline.decode(protocol, name)).pipe(
        Effect.mapError(clean(wire)),
        Effect.provideService(HttpClient.HttpClient, http)
      )
    const answer = (wire: unknown): Effect.Effect<Response, LlmError> =>
      provider.streamed === true || asksForStream(protocol, wire) ? Collect.run(protocol)(events(wire)) : whole(wire)
    const perform = flow(
      outgoing,
      Effect.flatMap(({ restore, wire }) =>
        restore === undefined
          ? answer(wire)
          : Effect.mapBoth(answer(wire), { onSuccess: restore.response, onFailure: restore.error })
      )
    )
    const stream = flow(
      outgoing,
      Effect.map(({ restore, wire }) =>
        restore === undefined
          ? events(wire)
          : events(wire).pipe(Stream.map(restore.event), Stream.mapError(restore.error))
      ),
      Stream.unwrap
    )
    const known = { target: protocol.schemas, grouping: protocol }
    return make(traced(name, perform), Pipeline.expand, tracedStream(name, stream), known)
  })

/** The request, if each call in it has its result, and each result its call. */
const paired = (protocol: string, provider: string) => (request: Request): Effect.Effect<Request, LlmError> => {
  const lone = unpaired(request)
  return lone === undefined
    ? Effect.succeed(request)
    : Effect.fail(
      new LlmError({ reason: new InvalidRequest({ protocol, provider, param: lone.pointer, detail: lone.detail }) })
    )
}

/** A request that was read from a log may ask for a stream by itself. */
const asksForStream = ({ stream }: Provider["protocol"], wire: unknown): boolean => {
  const asking = stream.request(wire)
  return isRecord(wire) && isRecord(asking) && Object.keys(asking).every((key) => asking[key] === wire[key])
}

/** The service, from a provider. */
export const layer = (provider: Provider): Layer.Layer<Client, never, HttpClient.HttpClient> =>
  Layer.effect(Client, fromProvider(provider))

// combinators -----------------------------------------------------------------------------------------------------

/** `client.pipe(combinator(f))` or `combinator(client, f)`. */
export interface Combinator<F> {
  (f: F): (self: Client) => Client
  (self: Client, f: F): Client
}
const combinator = <F>(change: (self: Client, f: F) => Client): Combinator<F> =>
  dual(2, (self: Client, f: F) => knowing(change(self, f), self))

/** The client, of which is known what is known of the other. */
const knowing = (self: Client, { grouping, target }: Known): Client => ({ ...self, target, grouping })

/** Changes each canonical request before it goes out. */
export const mapRequest: Combinator<(request: Request) => Request> = combinator((self, f) =>
  make(self.perform, flow(self.prepare, Effect.map(f)), self.performStream)
)

/** Changes each canonical request by an effect, which may refuse it. */
export const mapRequestEffect: Combinator<(request: Request) => Effect.Effect<Request, LlmError>> = combinator(
  (self, f) => make(self.perform, flow(self.prepare, Effect.flatMap(f)), self.performStream)
)

/** Changes each whole response. A stream has none: change its events as those of any stream. */
export const mapResponse: Combinator<(response: Response) => Response> = combinator((self, f) =>
  make(flow(self.perform, Effect.map(f)), self.prepare, self.performStream)
)

/** Looks at each whole response. */
export const tapResponse: Combinator<(response: Response) => Effect.Effect<unknown>> = combinator((self, f) =>
  make(flow(self.perform, Effect.tap(f)), self.prepare, self.performStream)
)

/** Looks at each HTTP request as it goes out: method, URL, headers (secrets redacted), body. */
export const tapWire: Combinator<(outgoing: Wire.Outgoing) => Effect.Effect<unknown>> = combinator((self, f) =>
  make(flow(self.perform, Wire.tapped(f)), self.prepare, flow(self.performStream, Wire.tappedStream(f)))
)

/** Adds headers to each HTTP request. */
export const withHeaders: Combinator<{ readonly [name: string]: string }> = combinator((self, headers) =>
  make(
    flow(self.perform, Wire.withHeaders(headers)),
    self.prepare,
    flow(self.performStream, Wire.withHeadersStream(headers))
  )
)

/**
 * Asks another client when this one fails: always, or for the errors that `when` admits. What stands before it in a
 * pipe concerns the first client only, what stands after it both. A stream is asked for again only if it failed before
 * its first event. Clients of different rules for schemas have no `target` together.
 *
 * @example `claude.pipe(Client.orElse(openAi, (error) => error.retryable))`
 */
export const orElse = (that: Client, when: (error: LlmError) => boolean = () => true) => (self: Client): Client => {
  const isOne = self.grouping === that.grouping
  // Whoever answers, the last event then tells how its items are grouped.
  const events = (client: Client): Client["stream"] =>
    isOne ? client.stream : flow(client.stream, Collect.completed(client.grouping))
  return make(
    (request) => Effect.catchIf(self.send(request), when, () => that.send(request)),
    Pipeline.expand,
    (request) =>
      Stream.suspend(() => {
        let isSilent = true
        return events(self)(request).pipe(
          Stream.mapArray((events) => {
            isSilent = false
            return events
          }),
          Stream.catchIf((error) => isSilent && when(error), () => events(that)(request))
        )
      }),
    {
      target: self.target === that.target ? self.target : undefined,
      grouping: isOne ? self.grouping : undefined
    }
  )
}
