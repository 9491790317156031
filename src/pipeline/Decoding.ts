/** Steps from wire events to canonical ones, keeps what was told, and says why no more can be. */
import { Result, Schema } from "effect"
import type { Event } from "../canonical/Event.ts"
import { isRecord } from "../codec/index.ts"
import { Collector } from "./Collect.ts"
import * as Failures from "./Failures.ts"
import { LlmError } from "./LlmError.ts"
import * as Reason from "./Reason.ts"

/** What some wire events told, and the error that they came to. */
export interface Step<A> {
  readonly told: ReadonlyArray<A>
  readonly error?: LlmError
}

export class Decoding<A> {
  readonly #origin: Failures.Origin
  readonly #tell: (wire: Schema.Json, events: ReadonlyArray<Event>) => ReadonlyArray<A>
  readonly #collector: Collector
  #state: unknown

  /** `tell` makes of a wire event and the events in it what the stream shall hold. */
  constructor(
    origin: Failures.Origin,
    tell: (wire: Schema.Json, events: ReadonlyArray<Event>) => ReadonlyArray<A>
  ) {
    this.#origin = origin
    this.#tell = tell
    this.#collector = new Collector(origin.protocol)
    this.#state = origin.protocol.stream.decode.initial
  }

  get isFinished(): boolean {
    return this.#collector.isFinished
  }

  step(wires: ReadonlyArray<Schema.Json>): Step<A> {
    const { step } = this.#origin.protocol.stream.decode
    const told: Array<A> = []
    for (const wire of wires) {
      // What follows the end says nothing of the response.
      if (this.isFinished) break
      const [state, events] = step(this.#state, wire)
      this.#state = state
      for (let i = 0; i < events.length; i++) {
        const event = events[i]!
        const error = this.#errorIn(event, wire)
        if (error !== undefined) {
          return { told: i === 0 ? told : [...told, ...this.#tell(wire, events.slice(0, i))], error }
        }
        this.#collector.add(event)
      }
      for (const each of this.#tell(wire, events)) told.push(each)
    }
    return { told }
  }

  /** The error of a stream that ended here. */
  truncated(told: Reason.Circumstances = { ...Failures.whereOf(this.#origin), detail: "The last event is missing" }) {
    return new LlmError({ reason: new Reason.StreamTruncated({ ...told, collected: this.#collector.response() }) })
  }

  /** The error of a stream that an error ended: where it broke off, with what had arrived. */
  brokenBy(error: LlmError): LlmError {
    const { reason } = error
    if (reason._tag !== "StreamTruncated") return error
    const { _tag, ...told } = reason
    return this.truncated(told)
  }

  #errorIn(event: Event, wire: Schema.Json): LlmError | undefined {
    switch (event._tag) {
      case "Failed":
        return Failures.fromFailure(this.#origin, event.failure, wire)
      case "Unmodelled":
        // What has a type tells of something else, such as a tool that failed.
        return isRecord(wire) && wire.type === undefined && (isRecord(wire.error) || typeof wire.error === "string")
          ? Failures.fromFailed(this.#origin, wire)
          : undefined
      case "Finished": {
        if (event.finishReason !== "error") return undefined
        const body = event.response === undefined ? wire : Result.getOrElse(this.#encode(event.response), () => wire)
        return Failures.fromFailed(this.#origin, body)
      }
      default:
        return undefined
    }
  }

  readonly #encode = (response: unknown) => Schema.encodeUnknownResult(this.#origin.protocol.ResponseFromWire)(response)
}
