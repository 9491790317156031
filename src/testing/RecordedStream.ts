/**
 * Holds a protocol's events against a recorded stream: law 5 (an event that nobody knows changes nothing else) and law 6
 * (what is collected means the body), and that events survive the wire.
 */
import { Hash, Result, Schema } from "effect"
import type { Event } from "../canonical/Event.ts"
import type { Response } from "../canonical/Response.ts"
import * as Collect from "../pipeline/Collect.ts"
import * as Frames from "../pipeline/Frames.ts"
import * as Machine from "../pipeline/Machine.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { unknownMember } from "./Injection.ts"
import { type Breach, differences, firstDifference, unmodelledIn, type Verdict } from "./Recorded.ts"

type Json = Schema.Json

/** How many places an unknown event is put in. */
const rounds = 4

/**
 * Checks one recorded stream, given as the text that was sent. `seed` decides where the unknown is put, so that a run
 * can be repeated.
 *
 * @returns the laws it broke, and how much of it is not modelled.
 */
export const check = (protocol: Protocol, sse: string, seed: string): Verdict => {
  const { decode, encode } = protocol.stream
  const breaches: Array<Breach> = []
  const breach = (law: string, pointer: string, message: string): void => void breaches.push({ law, pointer, message })
  const same = (law: string, expected: unknown, got: unknown): void => {
    const place = firstDifference(expected, got)
    if (place !== undefined) breach(law, place.pointer, place.message)
  }

  const { error, frames } = Frames.parse(sse)
  if (error !== undefined) breach("framing", `/${error.position}`, error.message)
  const wires = frames.map(Frames.wireOf(protocol.stream))
  const events = Machine.run(decode)(wires)

  const again = Machine.run(decode)(sent(protocol, Machine.run(encode)(events)))
  same("1: decode(encode(events)) is events", ranked(events), ranked(again))

  const finished = events.findLast((event) => event._tag === "Finished")
  if (finished === undefined && !events.some((event) => event._tag === "Failed")) {
    breach("6: a stream ends", `/${frames.length}`, "neither Finished nor Failed")
  }
  const collected = Collect.collect(protocol)(events)
  const told = bodyOf(protocol, collected)
  if (Result.isFailure(told)) breach("6: collect(decode(stream)) is a response", "", told.failure.message)
  else if (finished?.response === undefined) {
    const back = Schema.decodeUnknownResult(protocol.ResponseFromWire)(told.success)
    if (Result.isFailure(back)) breach("6: collect(decode(stream)) means a body", "", back.failure.message)
  } else {
    // The slots by themselves, where all were closed: what closes the stream stands above them, and hides what they lack.
    const items = isClosed(events) ? Collect.collect(protocol)(events.map(withoutResponse)).items : collected.items
    const bodies = Result.all([
      bodyOf(protocol, proven({ ...finished.response, items })),
      bodyOf(protocol, proven(finished.response))
    ])
    if (Result.isFailure(bodies)) breach("6: collect(decode(stream)) is a response", "", bodies.failure.message)
    else {
      const [slots, whole] = bodies.success
      same(
        "6: collect(decode(stream)) means decode(body)",
        protocol.meaning.response(whole),
        protocol.meaning.response(slots)
      )
    }
  }

  for (let round = 0; round < rounds; round++) {
    const at = (Hash.string(`${seed} event ${round}`) >>> 0) % (wires.length + 1)
    const injected = Machine.run(decode)(wires.toSpliced(at, 0, unknownMember))
    const law = `5: an unknown event at ${at}`
    same(`${law} changes nothing else`, events, injected.filter((event) => !isUnknown(event)))
    if (injected.filter(isUnknown).length !== 1) breach(`${law} is kept`, `/${at}`, "it is not there")
    const back = Machine.run(decode)(sent(protocol, Machine.run(encode)(injected)))
    same(`${law} survives`, ranked(injected), ranked(back))
  }
  return { breaches, unmodelled: unmodelled(events, collected) }
}

/** The events with their slots counted: a wire may leave out numbers, and they say no more than the order. */
const ranked = (events: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const slots = new Set(events.flatMap((event) => "slot" in event ? [event.slot] : []))
  const ranks = new Map([...slots].toSorted((a, b) => a - b).map((slot, rank) => [slot, rank]))
  return events.map((event) => "slot" in event ? { ...event, slot: ranks.get(event.slot) ?? event.slot } : event)
}

/** The wire events as they arrive when they are sent as text. */
const sent = ({ stream }: Protocol, wires: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  Frames.parse(wires.map((wire) => Frames.write(Frames.frameOf(stream)(wire))).join("")).frames.map(
    Frames.wireOf(stream)
  )

const bodyOf = (protocol: Protocol, response: Response): Result.Result<Json, Schema.SchemaError> =>
  Schema.encodeUnknownResult(protocol.ResponseFromWire as Schema.Codec<Response, Json>)(response)

const isClosed = (events: ReadonlyArray<Event>): boolean => {
  const open = new Set<number>()
  for (const event of events) {
    if (event._tag === "SlotDone") open.delete(event.slot)
    else if ("slot" in event) open.add(event.slot)
  }
  return open.size === 0
}

const withoutResponse = (event: Event): Event => {
  if (event._tag !== "Finished") return event
  const { response: _response, ...rest } = event
  return rest
}

/** Proofs compare by presence: the body that closes a stream may hold other tokens than the items themselves. */
const proven = (response: Response): Response => ({
  ...response,
  items: response.items.map((item) => "proof" in item && item.proof !== undefined ? { ...item, proof: "proof" } : item)
})

const isUnknown = (event: Event): boolean =>
  event._tag === "Unmodelled" && differences(event.raw, unknownMember).length === 0

const unmodelled = (events: ReadonlyArray<Event>, collected: Response): ReadonlyMap<string, number> => {
  const counts = new Map(unmodelledIn(collected as Json))
  for (const event of events) {
    if (event._tag !== "Unmodelled") continue
    const { raw } = event
    const word = raw !== null && typeof raw === "object" && "type" in raw ? `event ${String(raw.type)}` : "event"
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
