/**
 * Cuts bytes into the JSON events that a server sends, and writes such events as text: Server-Sent Events.
 *
 * Beyond what the standard says: a last event without its blank line counts where its JSON is complete, `[DONE]` ends
 * the stream, and `retry:` is passed over, as nobody reconnects to a model's answer.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { Effect, Option, Result, Schema, Stream } from "effect"
import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import { Sse } from "effect/encoding"
import * as Pull from "effect/Pull"

/** One event: its JSON, and the name that it was sent under, where that is not the standard's `message`. */
export interface Frame {
  readonly event?: string
  readonly data: Schema.Json
}

/** How much to take. */
export interface Options {
  /**
   * The longest event to take, in UTF-16 units; {@link defaultMaxEventSize} where it is not said. An image may come as
   * one event of base64.
   */
  readonly maxEventSize?: number
}
/** 64 Mi units: an image of 48 MB. */
export const defaultMaxEventSize = 64 * 1024 * 1024

/**
 * Why no further event can be read: one is no JSON, is too large, or broke off. `position` counts the events before it,
 * `text` is what was there of it.
 */
export class FrameError extends Schema.TaggedError<FrameError>()("FrameError", {
  fault: Schema.Literals(["malformed", "too-large", "truncated"]),
  position: Schema.Finite,
  text: Schema.String
}) {
  override get message(): string {
    return `Event ${this.position + 1} of the stream ${faults[this.fault]}`
  }
}
const faults = { malformed: "is no JSON", "too-large": "is too large", truncated: "broke off" }

/** What came of some bytes: events, and what stands in the way of more. */
export interface Read {
  readonly frames: ReadonlyArray<Frame>
  readonly error?: FrameError
}

/** Reads bytes as they come, in chunks of any size. After an error, or `[DONE]`, it reads no more. */
export class Reader {
  readonly #text = new TextDecoder("utf-8", { ignoreBOM: true })
  readonly #parser: Sse.Parser
  readonly #maxEventSize: number
  #position = 0
  #frames: Array<Frame> = []
  #error: FrameError | undefined
  #atEnd = false
  #done = false

  constructor({ maxEventSize = defaultMaxEventSize }: Options = {}) {
    this.#maxEventSize = maxEventSize
    this.#parser = Sse.makeParser((event) => {
      if (event._tag === "Event") this.#take(event)
      // Room for the field's name, so that it does not depend on the chunks which event is too large.
    }, { maxEventSize: maxEventSize + 16 })
  }

  /** Has the stream said that no more will come? */
  get isDone(): boolean {
    return this.#done || this.#error !== undefined
  }

  read(bytes: Uint8Array): Read {
    return this.#feed(this.#text.decode(bytes, { stream: true }))
  }

  /** What is left when no more bytes come. */
  end(): Read {
    const rest = this.#text.decode()
    this.#atEnd = true
    // The first of the three may be taken for the second half of a line break.
    return this.#feed(`${rest}\n\n\n`)
  }

  #feed(text: string): Read {
    const tooLarge = this.isDone ? undefined : this.#parser.feed(text)
    if (tooLarge !== undefined && !this.isDone) this.#fail("too-large", "")
    const frames = this.#frames
    this.#frames = []
    return this.#error === undefined ? { frames } : { frames, error: this.#error }
  }

  #take({ data, event }: Sse.Event): void {
    if (this.isDone || data === "") return
    if (data.trim() === "[DONE]") {
      this.#done = true
      return
    }
    if (data.length > this.#maxEventSize) return this.#fail("too-large", "")
    const json = Result.try((): Schema.Json => JSON.parse(data))
    if (Result.isFailure(json)) return this.#fail(this.#atEnd ? "truncated" : "malformed", data)
    this.#frames.push(event === "message" ? { data: json.success } : { event, data: json.success })
    this.#position++
  }

  #fail(fault: FrameError["fault"], text: string): void {
    this.#error = new FrameError({ fault, position: this.#position, text })
  }
}

/**
 * All events of a text.
 *
 * @example `Frames.parse("event: ping\ndata: {}\n\n")  // => { frames: [{ event: "ping", data: {} }] }`
 */
export const parse = (text: string | Uint8Array, options?: Options): Read => {
  const reader = new Reader(options)
  const read = reader.read(typeof text === "string" ? new TextEncoder().encode(text) : text)
  if (reader.isDone) return read
  const { error, frames } = reader.end()
  return { frames: [...read.frames, ...frames], ...(error === undefined ? {} : { error }) }
}

/** The events of a stream of bytes. It ends with `[DONE]`, or when the bytes do. */
export const decode =
  (options?: Options) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Frame, E | FrameError, R> =>
    Stream.transformPull(bytes, (pull) =>
      Effect.sync(() => {
        const reader = new Reader(options)
        let ending: Pull.Pull<never, FrameError> | undefined
        const take = ({ error, frames }: Read, isLast: boolean): Option.Option<NonEmptyReadonlyArray<Frame>> => {
          if (error !== undefined) ending = Effect.fail(error)
          else if (isLast || reader.isDone) ending = Cause.done()
          return isReadonlyArrayNonEmpty(frames) ? Option.some(frames) : Option.none()
        }
        const next: Pull.Pull<NonEmptyReadonlyArray<Frame>, E | FrameError> = Effect.suspend(() => {
          if (ending !== undefined) return ending
          return pull.pipe(
            Effect.map((chunks) => take(readAll(reader, chunks), false)),
            Pull.catchDone(() => Effect.sync(() => take(reader.end(), true))),
            Effect.flatMap(Option.match({ onNone: () => next, onSome: Effect.succeed }))
          )
        })
        return next
      }))

const readAll = (reader: Reader, [first, ...more]: NonEmptyReadonlyArray<Uint8Array>): Read => {
  const read = reader.read(first)
  if (more.length === 0) return read
  const reads = [read, ...more.map((chunk) => reader.read(chunk))]
  const error = reads.find((read) => read.error !== undefined)?.error
  return { frames: reads.flatMap(({ frames }) => frames), ...(error === undefined ? {} : { error }) }
}

/**
 * One event as text.
 *
 * @example `Frames.write({ event: "ping", data: {} })  // => "event: ping\ndata: {}\n\n"`
 */
export const write = ({ data, event = "message" }: Frame): string =>
  Sse.encoder.write({ _tag: "Event", event, id: undefined, data: JSON.stringify(data) })

// names -----------------------------------------------------------------------------------------------------------

/** What tells the name of a wire event: a protocol's streaming. */
export interface Naming {
  readonly nameOf: (wire: Schema.Json) => string | undefined
}

/**
 * The wire event in a frame. The name of one that does not say its own kind becomes that; one that is sent as an error is
 * one, whatever kind it says it is.
 */
export const wireOf = ({ nameOf }: Naming) => ({ data, event }: Frame): Schema.Json => {
  if (event === undefined || data === null || typeof data !== "object" || Array.isArray(data)) return data
  const name = nameOf(data)
  if (event === "error" && name !== "error" && !("error" in data)) return { type: "error", error: data }
  return name === undefined ? { type: event, ...data } : data
}

/** The frame of a wire event, under the name that its protocol gives it. */
export const frameOf = ({ nameOf }: Naming) => (data: Schema.Json): Frame => {
  const event = nameOf(data)
  return event === undefined ? { data } : { event, data }
}
