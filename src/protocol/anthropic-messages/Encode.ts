/**
 * Writes a stream: the wire events that tell canonical events. How slots become blocks is said in `Blocks.ts`.
 *
 * Usage waits for the event after it: at the end of a stream, both are one event.
 */
import { Equal, Option, Schema } from "effect"
import { type Event, ofResponse } from "../../canonical/Event.ts"
import type { Failure } from "../../canonical/Failure.ts"
import type { Response } from "../../canonical/Response.ts"
import type { Usage } from "../../canonical/Usage.ts"
import { anyProtocol, complete, isRecord, Latest } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import {
  add,
  blocksIn,
  close,
  closeAll,
  encode,
  type Encoding,
  followed,
  open,
  openLater,
  type Step
} from "./Blocks.ts"
import { name } from "./Content.ts"
import type * as Wire from "./Event.ts"
import { bagOf, extrasOf, unnest } from "./Extras.ts"
import { FailureFromWire } from "./Failure.ts"
import { UsageFromWire, wordOf } from "./Response.ts"

type Json = Schema.Json
type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>

const initial: Encoding = {
  slots: Latest.empty(),
  next: 0,
  isLater: false,
  counts: undefined,
  stopDetails: undefined,
  waiting: undefined,
  failed: false
}

const encodeUsage = Schema.encodeSync(complete(UsageFromWire)) as (usage: Usage) => Wire.CountsOnWire
const encodeFailure = Schema.encodeSync(FailureFromWire) as (failure: Failure) => Json
const decodeFailure = Schema.decodeUnknownOption(FailureFromWire)

const step = (state: Encoding, event: Event): Step => {
  const { waiting } = state
  if (waiting === undefined || event._tag === "Finished") return write(state, event)
  const [after, wires] = write({ ...state, waiting: undefined }, event)
  return [after, [encode(waiting), ...wires]]
}

/** Canonical events in, wire events out. */
export const encoding: Machine<Encoding, Event, Json> = { initial, step }

const write = (state: Encoding, event: Event): Step => {
  switch (event._tag) {
    case "Started":
      return begin(state, event)
    case "SlotStarted":
      return open(state, event.slot, event.items, extrasOf(event))
    case "TextDelta":
    case "RefusalDelta":
    case "CitationAdded":
    case "ReasoningDelta":
    case "ArgumentsDelta":
    case "ProofDelta":
      return add(state, event)
    case "SlotDone":
      return close(state, event.slot, event.items, extrasOf(event))
    case "UsageUpdated": {
      const counts = encodeUsage(event.usage)
      return [
        { ...state, counts, waiting: { type: "message-delta", usage: news(counts, state.counts), ending: {} } },
        []
      ]
    }
    case "Finished":
      return finish(state, event)
    case "Failed":
      return fail(state, event.failure)
    case "Unmodelled":
      if (event.protocol !== name && event.protocol !== anyProtocol) return [state, []]
      // It may be about a block, and stands where it stood among them.
      return followed(openLater(state), (state) => [state, [moved(state, event.raw)]])
  }
}

/** The event, about the block that its slot has become. */
const moved = ({ slots }: Encoding, wire: Json): Json => {
  if (!isRecord(wire) || typeof wire.index !== "number") return wire
  const { index = wire.index } = blocksIn(slots, wire.index).at(-1) ?? {}
  return index === wire.index ? wire as Json : { ...wire, index } as Json
}

// message ---------------------------------------------------------------------------------------------------------

const begin = (state: Encoding, event: Of<"Started">): Step => {
  const { _tag, providerOptions: _, ...head } = event
  const [message, start] = unnest(extrasOf(event), "message_start")
  const wire = encode({
    type: "message-start",
    message: { ...head, items: [], finishReason: "other", ...bagOf(message) },
    ...bagOf(start)
  })
  const counts = head.usage === undefined ? undefined : encodeUsage(head.usage)
  return [{ ...state, counts, stopDetails: message.stop_details }, [wire]]
}

const none = encodeUsage({ input: 0, output: 0 })

/** The counts that the event always has, and those that are news. */
const news = (counts: Wire.CountsOnWire, before: Wire.CountsOnWire = none): Wire.CountsOnWire =>
  Object.fromEntries(
    Object.entries(counts).filter(([key, value]) => always.has(key) || !Equal.equals(value, before[key]))
  )
const always = new Set([
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens",
  "output_tokens_details",
  "server_tool_use"
])

const finish = (state: Encoding, event: Of<"Finished">): Step => {
  const { response } = event
  const told = response === undefined ? [state, []] as Step : closeWith(state, response)
  const closed = followed(told, closeAll)
  return followed(closed, (state) => event.finishReason === "error" ? broken(state, event) : ended(state, event))
}

/** This API has no response that failed: the stream does, once. */
const broken = (state: Encoding, event: Of<"Finished">): Step => {
  const usage = usageAtEnd(state, event)
  const counted = usage === undefined ? [] : [encode({ type: "message-delta", ending: {}, usage })]
  const after: Encoding = { ...state, waiting: undefined }
  return state.failed ? [after, counted] : followed([after, counted], (state) => fail(state, failureOf(event)))
}

const fail = (state: Encoding, failure: Failure): Step =>
  followed(openLater(state), (state) => [{ ...state, failed: true }, [encodeFailure(failure)]])

/** A failure has no place in a response but the bag of its protocol. */
const failureOf = ({ response }: Of<"Finished">): Failure => {
  const errors = Object.values(response?.providerOptions ?? {}).flatMap(({ error }) =>
    isRecord(error) ? [{ error }] : []
  )
  const { kind = "other", message = "" } = errors.map((body) => decodeFailure(body)).find(Option.isSome)?.value ?? {}
  return {
    kind: kind === "other" ? "server-error" : kind,
    message: message === "" ? "The response failed." : message
  }
}

const ended = (state: Encoding, event: Of<"Finished">): Step => {
  const [body, stop] = unnest(extrasOf(event), "message_stop")
  const [{ container, stop_details: stopDetails = state.stopDetails, ...outer }, inner] = unnest(body, "delta")
  const stopReason = wordOf(event)
  const usage = usageAtEnd(state, event)
  return [{ ...state, waiting: undefined }, [
    encode({
      type: "message-delta",
      ending: {
        ...stopReason === undefined ? {} : { stopReason },
        ...event.stopSequence === undefined ? {} : { stopSequence: event.stopSequence },
        ...container === undefined ? {} : { container },
        ...stopDetails === undefined ? {} : { stopDetails },
        ...bagOf(inner)
      },
      ...usage === undefined ? {} : { usage },
      ...bagOf(outer)
    }),
    encode({ type: "message-stop", ...bagOf(stop) })
  ]]
}

const usageAtEnd = ({ counts, waiting }: Encoding, { response }: Of<"Finished">): Wire.CountsOnWire | undefined => {
  if (waiting !== undefined) return waiting.usage
  const last = response?.usage === undefined ? counts : encodeUsage(response.usage)
  return last === undefined ? undefined : news(last, counts)
}

/**
 * Closes the slots that are still open with what the whole response says of them, where it has as many. A stream that
 * told nothing until its last event tells all of it here.
 */
const closeWith = (state: Encoding, response: Response): Step => {
  const all = ofResponse(response).flatMap((event) => event._tag === "SlotDone" ? [event.items] : [])
  const slots = state.next === 0 ? Latest.empty<number, never>() : state.slots
  const numbers = Latest.ordered(slots).map(([slot]) => slot)
  if (state.next > 0 && numbers.length !== all.length) return [state, []]
  return all.reduce<Step>(
    (step, items, rank) => followed(step, (state) => close(state, numbers[rank] ?? rank, items, {})),
    [{ ...state, slots }, []]
  )
}
