/** Lets a program see what goes out over HTTP, and add headers to it, for a stretch of its own. */
import { Context, Effect, type Redacted, Stream } from "effect"

/** One request as it goes out. Secret header values are `Redacted`; the body is the very value that becomes JSON. */
export interface Outgoing {
  readonly provider: string
  readonly protocol: string
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | Redacted.Redacted }
  readonly body: unknown
}

/** What is done with each request before it goes out. */
export const Tap = Context.Reference<(outgoing: Outgoing) => Effect.Effect<void>>("bellows/pipeline/Tap", {
  defaultValue: () => () => Effect.void
})

/** Headers for every request of an effect. */
export const ExtraHeaders = Context.Reference<{ readonly [name: string]: string }>("bellows/pipeline/ExtraHeaders", {
  defaultValue: () => ({})
})

/** Runs `f` on each request that the effect sends. */
export const tapped =
  (f: (outgoing: Outgoing) => Effect.Effect<unknown>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.updateService(self, Tap, andThen(f))

/** Runs `f` on each request that the stream sends. */
export const tappedStream =
  (f: (outgoing: Outgoing) => Effect.Effect<unknown>) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> => Stream.updateService(self, Tap, andThen(f))

const andThen =
  (f: (outgoing: Outgoing) => Effect.Effect<unknown>) =>
  (tap: typeof Tap["Service"]): typeof Tap["Service"] =>
  (outgoing) => Effect.andThen(tap(outgoing), f(outgoing))

type Headers = { readonly [name: string]: string }

/**
 * Adds headers to each request that the effect sends.
 *
 * @example `Client.send(request).pipe(Wire.withHeaders({ "idempotency-key": "order-17" }))`
 */
export const withHeaders = (headers: Headers) => <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(self, ExtraHeaders, (outer) => ({ ...outer, ...headers }))

/** Adds headers to each request that the stream sends. */
export const withHeadersStream =
  (headers: Headers) => <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    Stream.updateService(self, ExtraHeaders, (outer) => ({ ...outer, ...headers }))
