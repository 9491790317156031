/**
 * Streams an answer: `stream` gives the provider's own wire events as they arrive, `decodeStream` makes canonical
 * events of them.
 *
 * A stream of canonical events ends with `Finished`, or fails: an error that came in the midst of it becomes its
 * reason, and one that breaks off is `StreamTruncated` with what had been collected. When the consumer stops, the
 * connection is closed; as long as it does not ask for more, no more is read.
 */
import { Duration, Effect, type Schema, type Scope, Stream } from "effect"
import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import type { HttpClient } from "effect/http"
import * as Pull from "effect/Pull"
import * as Event from "../canonical/Event.ts"
import type { Protocol, Streaming } from "../protocol/Protocol.ts"
import { decode, named } from "./Decode.ts"
import { Decoding } from "./Decoding.ts"
import * as Failures from "./Failures.ts"
import * as Frames from "./Frames.ts"
import { jsonIn, open, type Opened, originOf, within } from "./Http.ts"
import { LlmError, withoutSecrets } from "./LlmError.ts"
import * as Machine from "./Machine.ts"
import { type Provider, secretsOf } from "./Provider.ts"
import * as Reason from "./Reason.ts"

/**
 * Sends a wire request, asking for a stream, and gives the wire events. An answer that came whole is told in the
 * events that it would have been streamed as.
 *
 * @example `Pipeline.stream(OpenAi.configure({ apiKey }))({ model: "gpt-5", input: "hi" })`
 */
export const stream =
  (provider: Provider) => (wire: unknown): Stream.Stream<Schema.Json, LlmError, HttpClient.HttpClient> =>
    open(provider, { method: "POST", path: provider.path, body: provider.protocol.stream.request(wire) }).pipe(
      Effect.flatMap((opened) => inTime(provider, begun(opened))),
      Effect.map((begun) => begun.isWhole ? whole(provider, begun) : framed(provider, begun)),
      Stream.unwrap,
      Stream.mapError((error) => withoutSecrets(secretsOf(provider, wire))(error))
    )

/** The canonical events that a stream of wire events tells. */
export const decodeStream = (protocol: Protocol, provider?: string) =>
  decodeWith(protocol, provider, (_, events) => events)

/** One wire event, and the canonical events that it tells. */
export interface Told<W> {
  readonly wire: W
  readonly events: ReadonlyArray<Event.Event>
}

/**
 * The same, each beside the wire event that told it, which has the protocol's own type: the decoder has read it, and
 * what it does not know has a type that no modelled event has.
 */
export const decodeWireEvents = <W>(
  protocol: Protocol & { readonly stream: Streaming<unknown, unknown, W> },
  provider?: string
) => decodeWith(protocol, provider, (wire, events): ReadonlyArray<Told<W>> => [{ wire: wire as W, events }])

// decoding --------------------------------------------------------------------------------------------------------

const decodeWith = <A>(
  protocol: Protocol,
  provider: string | undefined,
  tell: (wire: Schema.Json, events: ReadonlyArray<Event.Event>) => ReadonlyArray<A>
) =>
<R>(wires: Stream.Stream<Schema.Json, LlmError, R>): Stream.Stream<A, LlmError, R> =>
  Stream.transformPull(wires, (pull) =>
    Effect.sync(() => {
      const decoding = new Decoding(named(protocol, provider), tell)
      let failure: LlmError | undefined
      const settle = (error: LlmError | Cause.Done): Pull.Pull<never, LlmError> =>
        Effect.fail(error._tag === "LlmError" ? decoding.brokenBy(error) : decoding.truncated())
      const next: Pull.Pull<NonEmptyReadonlyArray<A>, LlmError> = Effect.suspend(() => {
        if (failure !== undefined) return Effect.fail(failure)
        if (decoding.isFinished) return drained(pull)
        return pull.pipe(
          Effect.catch(settle),
          Effect.flatMap((wires) => {
            const { error, told } = decoding.step(wires)
            failure = error
            return isReadonlyArrayNonEmpty(told) ? Effect.succeed(told) : next
          })
        )
      })
      return next
    }))

/**
 * Reads on for a moment, so that the connection can be used again. Who has told all may also break it, or leave it open:
 * nothing that follows counts.
 */
const drained = (pull: Pull.Pull<unknown, LlmError>): Pull.Pull<never, never> =>
  Effect.forever(pull).pipe(
    Effect.timeoutOrElse({ duration: "1 second", orElse: () => Cause.done() }),
    Effect.catch(() => Cause.done())
  )

// reading ---------------------------------------------------------------------------------------------------------

/** An answer, and whether it is a body in one piece: JSON in place of events, or a page. */
interface Begun extends Opened {
  readonly isWhole: boolean
}

/** Reads as much as tells what an answer is. */
const begun = Effect.fnUntraced(function*(opened: Opened): Effect.fn.Return<Begun, LlmError, Scope.Scope> {
  const pull = yield* Stream.toPull(opened.bytes)
  const head: Array<Uint8Array> = []
  while (true) {
    const start = startOf(head)
    const bytes = Stream.fromArray(head)
    if (start !== "") {
      const rest = Stream.fromPull(Effect.succeed(pull))
      return { ...opened, bytes: Stream.concat(bytes, rest), isWhole: !opensEvents(start, opened.headers) }
    }
    const more = yield* Pull.catchDone(Effect.asSome(pull), () => Effect.succeedNone)
    if (more._tag === "None") return { ...opened, bytes, isWhole: false }
    head.push(...more.value)
  }
})

/** What has come until now, without blanks and the mark of UTF-8 before it. */
const startOf = (chunks: ReadonlyArray<Uint8Array>): string => {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("").trimStart()
}

/** Content types lie; the first line hardly does: it is a comment, or a field. */
const opensEvents = (start: string, headers: Opened["headers"]): boolean =>
  (headers["content-type"] ?? "").includes("event-stream")
    ? !"{[<".includes(start[0]!)
    : fields.some((field) => start.startsWith(field) || field.startsWith(start))
const fields = [":", "data:", "event:", "id:", "retry:"]

const framed = (provider: Provider, { bytes }: Begun): Stream.Stream<Schema.Json, LlmError> => {
  const { maxEventSize, protocol } = provider
  return bytes.pipe(
    Frames.decode(maxEventSize === undefined ? {} : { maxEventSize }),
    Stream.map(Frames.wireOf(protocol.stream)),
    Stream.mapError((error) => error._tag === "FrameError" ? unreadable(originOf(provider), error) : error),
    (wires) => Stream.transformPull(wires, (pull) => Effect.succeed(inTime(provider, pull)))
  )
}

const whole = (provider: Provider, { bytes, ...answer }: Begun): Stream.Stream<Schema.Json, LlmError> => {
  const { name, protocol } = provider
  return Stream.mkString(Stream.decodeText(bytes)).pipe(
    Effect.flatMap((text) => jsonIn(originOf(provider), { ...answer, text })),
    within(originOf(provider), provider.timeout),
    Effect.flatMap(decode(protocol, name)),
    Effect.map((response) => Stream.fromIterable(Machine.run(protocol.stream.encode)(Event.ofResponse(response)))),
    Stream.unwrap
  )
}

const inTime = <A, E, R>({ idleTimeout, ...provider }: Provider, self: Effect.Effect<A, E, R>) =>
  idleTimeout === undefined ? self : Effect.timeoutOrElse(self, {
    duration: idleTimeout,
    orElse: () =>
      Effect.fail(
        new LlmError({
          reason: new Reason.TimedOut({
            ...Failures.whereOf(originOf(provider)),
            detail: `No event came for ${Duration.format(Duration.fromInputUnsafe(idleTimeout))}`
          })
        })
      )
  })

const unreadable = (origin: Failures.Origin, { fault, message, position, text }: Frames.FrameError): LlmError => {
  const told = {
    ...Failures.whereOf(origin),
    detail: message,
    ...(text === "" ? {} : { body: Failures.shortened(text) })
  }
  return new LlmError({
    reason: fault === "truncated"
      ? new Reason.StreamTruncated(told)
      : new Reason.MalformedResponse({ ...told, position })
  })
}
