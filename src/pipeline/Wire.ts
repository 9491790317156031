/** Lets a program see what goes out over HTTP, and add headers to it, for a stretch of its own. */
import { Context, Effect, type Redacted } from "effect"

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
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(self, Tap, (tap) => (outgoing) => Effect.andThen(tap(outgoing), f(outgoing)))

/**
 * Adds headers to each request that the effect sends.
 *
 * @example `Client.send(request).pipe(Wire.withHeaders({ "idempotency-key": "order-17" }))`
 */
export const withHeaders =
  (headers: { readonly [name: string]: string }) => <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(self, ExtraHeaders, (outer) => ({ ...outer, ...headers }))
