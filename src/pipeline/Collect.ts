/**
 * Collects events to the response that they tell: slots in their order, deltas joined, and above them what the wire
 * told whole. Takes time in proportion to the events, and memory in proportion to the texts.
 *
 * @example
 * ```ts
 * Collect.collect(AnthropicMessages)(events)                        // of a list: a Response
 * Client.stream(request).pipe(Collect.run(AnthropicMessages))      // of a stream: an Effect of one
 * ```
 */
import { Effect, Sink, Stream } from "effect"
import type { Event } from "../canonical/Event.ts"
import type { Items } from "../canonical/Item.ts"
import type { Response } from "../canonical/Response.ts"
import { merged } from "../codec/Extras.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { Slot } from "./Slot.ts"

/** What is needed of a protocol: its name, and how it groups the items of slots. */
export type Grouping = Pick<Protocol, "name"> & { readonly stream: Pick<Protocol["stream"], "group"> }

/** The response that a list of events tells. One that is not finished ends with `other`, one that failed with `error`. */
export const collect = (protocol: Grouping) => (events: Iterable<Event>): Response => {
  const collector = new Collector(protocol)
  for (const event of events) collector.add(event)
  return collector.response()
}

/** The same as the end of a stream. */
export const sink = (protocol: Grouping): Sink.Sink<Response, Event> =>
  Sink.suspend(() => {
    const collector = new Collector(protocol)
    const add = (events: ReadonlyArray<Event>) => Effect.sync(() => events.forEach((event) => collector.add(event)))
    return Sink.map(Sink.forEachArray(add), () => collector.response())
  })

/** Runs a stream of events to its end. */
export const run = (protocol: Grouping) => <E, R>(events: Stream.Stream<Event, E, R>): Effect.Effect<Response, E, R> =>
  Stream.run(events, sink(protocol))

/**
 * The same events, the last of which holds the whole response. Without a grouping, slots are taken to hold items as
 * they are.
 */
export const completed =
  (grouping: Grouping = plain) => <E, R>(events: Stream.Stream<Event, E, R>): Stream.Stream<Event, E, R> =>
    Stream.suspend(() => {
      const collector = new Collector(grouping)
      return Stream.map(events, (event) => {
        collector.add(event)
        return event._tag === "Finished" && event.response === undefined
          ? { ...event, response: collector.response() }
          : event
      })
    })

const plain: Grouping = { name: "", stream: { group: (slots) => slots.flat() } }

type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>

/** What was told so far; takes one event after the other. */
export class Collector {
  readonly protocol: Grouping
  #head: Omit<Of<"Started">, "_tag"> = {}
  #usage: Response["usage"]
  #finished: Of<"Finished"> | undefined
  #failed = false
  readonly #slots = new Map<number, Slot>()

  constructor(protocol: Grouping) {
    this.protocol = protocol
  }

  /** Has the response been told to its end? */
  get isFinished(): boolean {
    return this.#finished !== undefined
  }

  add(event: Event): void {
    switch (event._tag) {
      case "Started": {
        const { _tag, ...head } = event
        this.#head = { ...this.#head, ...head }
        return
      }
      case "UsageUpdated":
        this.#usage = event.usage
        return
      case "Finished":
        this.#finished = event
        return
      case "Failed":
        this.#failed = true
        return
      case "Unmodelled":
        return
      default:
        this.#slot(event.slot).add(event)
    }
  }

  response(): Response {
    const { usage = this.#head.usage, ...told } = this.#told()
    const last = this.#usage ?? usage
    return { ...told, ...(last === undefined ? {} : { usage: last }) }
  }

  #told(): Response {
    const slots = [...this.#slots].toSorted(([a], [b]) => a - b).map(([, slot]) => slot.items())
    const items = this.protocol.stream.group(slots)
    const whole = this.#finished?.response
    if (whole !== undefined) {
      // Some servers close with a body that leaves out what they have streamed.
      return whole.items.length === 0 ? { ...whole, items } : { ...whole, items: withProofs(whole.items, slots.flat()) }
    }
    const { _tag, providerOptions = {}, ...ending } = this.#finished ??
      { _tag: "Finished" as const, finishReason: this.#failed ? "error" as const : "other" as const }
    const options = merged(providerOptions, this.#head.providerOptions ?? {})
    return {
      ...this.#head,
      items,
      ...ending,
      ...(Object.keys(options).length === 0 ? {} : { providerOptions: options as Response["providerOptions"] & {} })
    }
  }

  #slot(index: number): Slot {
    const known = this.#slots.get(index)
    if (known !== undefined) return known
    const slot = new Slot(this.protocol.name)
    this.#slots.set(index, slot)
    return slot
  }
}

/** A proof is the one that closed its item: the body that closes the stream may hold another token. */
const withProofs = (items: Items, slots: Items): Items => {
  const proven = slots.filter((item) => item.type === "reasoning" || item.type === "compaction")
  const own = items.filter((item) => item.type === "reasoning" || item.type === "compaction")
  if (own.length !== proven.length) return items
  let next = 0
  return items.map((item) => {
    if (item.type !== "reasoning" && item.type !== "compaction") return item
    const { proof, type } = proven[next++]!
    return proof === undefined || type !== item.type || proof === item.proof ? item : { ...item, proof }
  })
}
