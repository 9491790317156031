/** Calls a provider over HTTP: JSON out, JSON or a stream of bytes in, and an `LlmError` for everything else. */
import { Clock, Duration, Effect, Option, Redacted, type Schema, Stream } from "effect"
import { Headers, HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import * as Failures from "./Failures.ts"
import { LlmError, withoutSecrets } from "./LlmError.ts"
import * as Provider from "./Provider.ts"
import * as Reason from "./Reason.ts"
import * as Wire from "./Wire.ts"

export interface Call {
  readonly method: "GET" | "POST" | "DELETE"
  /** What follows the provider's base URL. */
  readonly path: string
  /** What is sent as JSON. */
  readonly body?: unknown
}

/** The JSON of a successful answer. An empty one is `null`. */
export const call = Effect.fnUntraced(
  function*(provider: Provider.Provider, call: Call) {
    const origin = originOf(provider)
    const answer = yield* Effect.flatMap(
      execute(provider, call, "application/json"),
      textOf(origin)
    ).pipe(within(origin, provider.timeout))
    return yield* jsonIn(origin, answer)
  },
  (self, provider, { body }) =>
    Effect.mapError(self, (error) => withoutSecrets(Provider.secretsOf(provider, body))(error))
)

/** An answer that has begun; its bytes fail where the connection breaks. */
export interface Opened {
  readonly status: number
  readonly headers: Failures.Answer["headers"]
  readonly bytes: Stream.Stream<Uint8Array, LlmError>
}

/** Begins an answer. Its connection is closed when its bytes are no longer read, whatever is left of them. */
export const open = Effect.fnUntraced(
  function*(provider: Provider.Provider, call: Call) {
    const origin = originOf(provider)
    const response = yield* execute(provider, call, "text/event-stream, application/json").pipe(
      Effect.tap((response) =>
        isSuccess(response) ? Effect.void : Effect.flatMap(textOf(origin)(response), refuse(origin))
      ),
      within(origin, provider.timeout ?? provider.idleTimeout)
    )
    const bytes = response.stream.pipe(
      Stream.catchIf(({ reason }) => reason._tag === "EmptyBodyError", () => Stream.empty),
      Stream.mapError(brokenOff(origin))
    )
    return { status: response.status, headers: response.headers, bytes } satisfies Opened
  },
  (self, provider, { body }) =>
    Effect.mapError(self, (error) => withoutSecrets(Provider.secretsOf(provider, body))(error))
)

/** The JSON in an answer that has come to its end. */
export const jsonIn = Effect.fnUntraced(function*(origin: Failures.Origin, answer: Failures.Answer) {
  if (!isSuccess(answer)) return yield* refuse(origin)(answer)
  const json = answer.text === "" ? Option.some<Schema.Json>(null) : Failures.parsed(answer.text)
  if (Option.isNone(json)) return yield* Failures.notJson(origin, answer)
  const failure = Failures.fromBody(origin, json.value, answer.headers, yield* Clock.currentTimeMillis)
  return failure === undefined ? json.value : yield* failure
})

export const originOf = (provider: Provider.Provider): Failures.Origin => ({
  protocol: provider.protocol,
  provider: provider.name
})

const isSuccess = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300

const refuse = (origin: Failures.Origin) => (answer: Failures.Answer): Effect.Effect<never, LlmError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(Failures.fromAnswer(origin, answer, now)))

const textOf = (origin: Failures.Origin) => ({ headers, status, text }: HttpClientResponse.HttpClientResponse) =>
  text.pipe(
    Effect.map((text): Failures.Answer => ({ status, headers, text })),
    Effect.catch(unanswered(origin))
  )

/** Sends a request. */
const execute = Effect.fnUntraced(function*(
  provider: Provider.Provider,
  { body, method, path }: Call,
  accept: string
) {
  const origin = originOf(provider)
  const values = { ...Provider.headersOf(provider, body), ...yield* Wire.ExtraHeaders }
  const secret = Object.keys(values).filter((name) => Redacted.isRedacted(values[name]))
  const headers = unwrapped(values)
  const unsendable = secret.find((name) => !isHeaderValue(headers[name]!))
  // fetch would quote the value in its message.
  if (unsendable !== undefined) {
    return yield* failWith(
      origin,
      Reason.Unauthenticated,
      `The value of ${unsendable} has characters that no header can carry`
    )
  }
  const request = HttpClientRequest.make(method)(provider.baseUrl + path, { headers, accept }).pipe(
    body === undefined ? (request) => request : HttpClientRequest.bodyJsonUnsafe(body)
  )
  const redactedNames = [...yield* Headers.CurrentRedactedNames, ...secret]
  yield* (yield* Wire.Tap)({
    provider: provider.name,
    protocol: provider.protocol.name,
    method,
    url: request.url,
    headers: Headers.redact(request.headers, redactedNames),
    body
  })
  return yield* HttpClient.execute(request).pipe(
    Effect.provideService(Headers.CurrentRedactedNames, redactedNames),
    Effect.catch(unanswered(origin))
  )
})

const unwrapped = (values: Provider.HeaderValues): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(values).map((
      [name, value]
    ) => [name, Redacted.isRedacted(value) ? String(Redacted.value(value)) : value])
  )

/** Visible characters, blanks and the upper half of Latin-1: RFC 9110, section 5.5. */
const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())

const failWith = (
  origin: Failures.Origin,
  Class: typeof Reason.Unreachable | typeof Reason.Unauthenticated | typeof Reason.TimedOut,
  detail: string
): Effect.Effect<never, LlmError> =>
  Effect.fail(
    new LlmError({ reason: new Class({ ...Failures.whereOf(origin), detail }) })
  )

/** Gives up after a time. */
export const within =
  (origin: Failures.Origin, timeout: Duration.Input | undefined) =>
  <A, R>(self: Effect.Effect<A, LlmError, R>): Effect.Effect<A, LlmError, R> =>
    timeout === undefined ? self : Effect.timeoutOrElse(self, {
      duration: timeout,
      orElse: () =>
        failWith(origin, Reason.TimedOut, `Gave up after ${Duration.format(Duration.fromInputUnsafe(timeout))}`)
    })

/** What `fetch` failed of, from the outside in. */
const causesOf = ({ reason }: HttpClientError.HttpClientError): ReadonlyArray<Error> => {
  const causes: Array<Error> = []
  let cause = "cause" in reason ? reason.cause : undefined
  while (cause instanceof Error && causes.length < 5) {
    causes.push(cause)
    cause = cause.cause
  }
  return causes
}

/** `fetch failed: connect ECONNREFUSED 127.0.0.1:1`. */
const describe = (error: HttpClientError.HttpClientError): { readonly isLate: boolean; readonly detail: string } => {
  const causes = causesOf(error)
  const messages = causes.map(({ message }) => message).filter((message) => message !== "")
  return {
    isLate: causes.some((cause) => "code" in cause && /TIMEOUT|TIMEDOUT/.test(String(cause.code))),
    detail: messages.length === 0 ? error.message : messages.join(": ")
  }
}

const unanswered =
  (origin: Failures.Origin) => (error: HttpClientError.HttpClientError): Effect.Effect<never, LlmError> => {
    const { detail, isLate } = describe(error)
    return failWith(origin, isLate ? Reason.TimedOut : Reason.Unreachable, detail)
  }

/** An answer that had begun, and whose connection broke. */
const brokenOff = (origin: Failures.Origin) => (error: HttpClientError.HttpClientError): LlmError => {
  const { detail, isLate } = describe(error)
  const Class = isLate ? Reason.TimedOut : Reason.StreamTruncated
  return new LlmError({ reason: new Class({ ...Failures.whereOf(origin), detail }) })
}
