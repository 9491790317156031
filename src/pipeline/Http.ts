/** Calls a provider over HTTP: JSON out, JSON in, and an `LlmError` for everything else. */
import { Clock, Duration, Effect, Option, Redacted, type Schema } from "effect"
import { Headers, HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
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
export const call = Effect.fnUntraced(function*(provider: Provider.Provider, { body, method, path }: Call) {
  const origin: Failures.Origin = { protocol: provider.protocol, provider: provider.name }
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
  const request = HttpClientRequest.make(method)(provider.baseUrl + path, { headers, acceptJson: true }).pipe(
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
  const answer = yield* HttpClient.execute(request).pipe(
    Effect.flatMap((response) =>
      Effect.map(response.text, (text) => ({ status: response.status, headers: response.headers, text }))
    ),
    Effect.provideService(Headers.CurrentRedactedNames, redactedNames),
    Effect.catch(unanswered(origin)),
    within(origin, provider.timeout)
  )
  const now = yield* Clock.currentTimeMillis
  if (answer.status < 200 || answer.status >= 300) return yield* Failures.fromAnswer(origin, answer, now)
  const json = answer.text === "" ? Option.some<Schema.Json>(null) : Failures.parsed(answer.text)
  if (Option.isNone(json)) return yield* Failures.notJson(origin, answer)
  const failure = Failures.fromBody(origin, json.value, answer.headers, now)
  return failure === undefined ? json.value : yield* failure
}, (self, provider) => Effect.mapError(self, withoutSecrets(Provider.secretsOf(provider))))

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

const within =
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
const unanswered =
  (origin: Failures.Origin) => (error: HttpClientError.HttpClientError): Effect.Effect<never, LlmError> => {
    const causes = causesOf(error)
    const messages = causes.map(({ message }) => message).filter((message) => message !== "")
    const isLate = causes.some((cause) => "code" in cause && /TIMEOUT|TIMEDOUT/.test(String(cause.code)))
    const detail = messages.length === 0 ? error.message : messages.join(": ")
    return failWith(origin, isLate ? Reason.TimedOut : Reason.Unreachable, detail)
  }
