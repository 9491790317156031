/**
 * Writes a stream: the wire events that tell canonical events. How slots become blocks is said in `Blocks.ts`.
 *
 * Usage waits for the event after it: at the end of a stream, both are one event.
 */
import { Equal, HashMap, Schema } from "effect"
import type { Event } from "../../canonical/Event.ts"
import type { Items } from "../../canonical/Item.ts"
import type { Usage } from "../../canonical/Usage.ts"
import { anyProtocol, complete } from "../../codec/index.ts"
import type { Machine } from "../Protocol.ts"
import { add, blocksIn, close, closeAll, encode, type Encoding, followed, open, type Step } from "./Blocks.ts"
import { name } from "./Content.ts"
import type * as Wire from "./Event.ts"
import { bagOf, extrasOf, unnest } from "./Extras.ts"
import { FailureFromWire } from "./Failure.ts"
import { UsageFromWire, wordOf } from "./Response.ts"

type Json = Schema.Json
type Of<T extends Event["_tag"]> = Extract<Event, { readonly _tag: T }>

const initial: Encoding = {
  slots: HashMap.empty(),
  next: 0,
  isMoved: false,
  counts: undefined,
  stopDetails: undefined,
  waiting: undefined
}

const encodeUsage = Schema.encodeSync(complete(UsageFromWire)) as (usage: Usage) => Wire.CountsOnWire
const encodeFailure = Schema.encodeSync(FailureFromWire) as (failure: Of<"Failed">["failure"]) => Json

const step = (state: Encoding, event: Event): Step => {
  const { waiting } = state
  if (waiting === undefined || completes(event, waiting, state)) return write(state, event)
  const [after, wires] = write({ ...state, waiting: undefined }, event)
  return [after, [encode(waiting), ...wires]]
}

/** Canonical events in, wire events out. */
export const encoding: Machine<Encoding, Event, Json> = { initial, step }

const completes = (event: Event, waiting: Encoding["waiting"] & {}, { slots }: Encoding): boolean =>
  waiting.type === "message-delta"
    ? event._tag === "Finished"
    : event._tag === "ProofDelta" && blocksIn(slots, event.slot).some(({ index }) => index === waiting.slot)

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
      return [state, [encodeFailure(event.failure)]]
    case "Unmodelled":
      return [state, event.protocol === name || event.protocol === anyProtocol ? [event.raw] : []]
  }
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
  const [body, stop] = unnest(extrasOf(event), "message_stop")
  const [{ container, stop_details: stopDetails = state.stopDetails, ...outer }, inner] = unnest(body, "delta")
  const stopReason = wordOf(event)
  const usage = usageAtEnd(state, event)
  // A stream that tells all in its last event tells it here in blocks.
  const told = response !== undefined && state.next === 0 ? openAndClose(state, response.items) : [state, []] as Step
  return followed(followed(told, closeAll), (state) => [{ ...state, waiting: undefined }, [
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
  ]])
}

const usageAtEnd = ({ counts, waiting }: Encoding, { response }: Of<"Finished">): Wire.CountsOnWire | undefined => {
  if (waiting?.type === "message-delta") return waiting.usage
  const last = response?.usage === undefined ? counts : encodeUsage(response.usage)
  return last === undefined ? undefined : news(last, counts)
}

const openAndClose = (state: Encoding, items: Items): Step =>
  items.reduce<Step>(
    (step, _, slot) => followed(step, (state) => close(state, slot, items.slice(slot, slot + 1), {})),
    [
      state,
      []
    ]
  )
