/** Describes a provider: where a protocol is served, and how one is let in. Data, 5 to 15 lines each. */
import { type Duration, type Effect, Redacted } from "effect"
import type { Request } from "../canonical/Request.ts"
import { isRecord } from "../codec/index.ts"
import type { Limits, Protocol } from "../protocol/Protocol.ts"
import type { LlmError } from "./LlmError.ts"

/** Header values; what is `Redacted` shows in no log, span or error. */
export type HeaderValues = { readonly [name: string]: string | Redacted.Redacted }

/** How an answer is read: how long to wait for it, and how much of it to take. */
export interface Reading {
  /** How long to wait for the whole answer; of a stream, for its beginning (`idleTimeout` where this is not said). */
  readonly timeout?: Duration.Input
  /** How long to wait for each event of a stream. Comments that keep the connection alive do not count as events. */
  readonly idleTimeout?: Duration.Input
  /** The longest event of a stream to take, in UTF-16 units: 64 Mi where it is not said. */
  readonly maxEventSize?: number
  /** Ask for a stream also where a whole response is wanted: what is alive is not cut off for being slow. */
  readonly streamed?: boolean
}

/** Where a protocol is served, and how one is let in. */
export interface Provider extends Reading {
  readonly name: string
  readonly protocol: Protocol
  /** Without a slash at its end, as in the provider's own documentation. */
  readonly baseUrl: string
  /** What follows the base URL for a request: `/responses`. */
  readonly path: string
  readonly headers?: HeaderValues
  /** The header that carries the key. */
  readonly auth?: (key: string) => readonly [name: string, value: string]
  readonly apiKey?: Redacted.Redacted
  /** Headers that a body calls for, such as the names of the betas that it uses. */
  readonly headersFor?: (wire: unknown) => { readonly [name: string]: string }
  /** What is refused here in names and ids, where that is not what the protocol's own API refuses. */
  readonly limits?: Limits
  /** Fills in what the provider requires and has a documented default for; fails where there is none. */
  readonly defaults?: (request: Request) => Effect.Effect<Request, LlmError>
}

/** What differs from one use of a provider to another. */
export interface Options extends Reading {
  readonly apiKey?: Redacted.Redacted
  readonly baseUrl?: string
  /** Sent along with every request; they win over the provider's own. */
  readonly headers?: HeaderValues
  /** What is refused in names and ids: `{}` for a server that takes any, and may have a meaning for them. */
  readonly limits?: Limits
}

/** A provider with a key, another base URL, more headers. */
export const configure = (provider: Provider, options: Options = {}): Provider => ({
  ...provider,
  ...options,
  baseUrl: (options.baseUrl ?? provider.baseUrl).replace(/\/+$/, ""),
  headers: { ...provider.headers, ...options.headers }
})

/** All header values of a request to the provider, before they are unwrapped. */
export const headersOf = (provider: Provider, wire?: unknown): HeaderValues => {
  const key = provider.apiKey === undefined ? undefined : provider.auth?.(Redacted.value(provider.apiKey))
  return {
    ...(key === undefined ? {} : { [key[0]]: Redacted.make(key[1], { label: key[0] }) }),
    ...(wire === undefined ? {} : provider.headersFor?.(wire)),
    ...lowerCase(provider.headers ?? {})
  }
}

const lowerCase = (headers: HeaderValues): HeaderValues =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * What must not be repeated anywhere: the key, the values of redacted headers, what the base URL holds before its host,
 * and what a wire body gives others to be let in with. Too short a text is no secret.
 */
export const secretsOf = (provider: Provider, wire?: unknown): ReadonlyArray<string> =>
  [
    ...[provider.apiKey, ...Object.values(provider.headers ?? {})].filter((value) => Redacted.isRedacted(value))
      .map((value) => String(Redacted.value(value))),
    ...(/^[a-z]+:\/\/([^/@]+)@/i.exec(provider.baseUrl)?.slice(1) ?? []),
    ...secretsIn(wire)
  ].filter((secret) => secret.length > 3)

/** Tokens and headers for the servers that a body names. */
const secretsIn = (wire: unknown): ReadonlyArray<string> =>
  isRecord(wire)
    ? Object.values(wire).flatMap((list) => Array.isArray(list) ? list.filter(isRecord) : []).flatMap((server) =>
      [
        server.authorization,
        server.authorization_token,
        ...(isRecord(server.headers) ? Object.values(server.headers) : [])
      ]
        .filter((value) => typeof value === "string")
    )
    : []
