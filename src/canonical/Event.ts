/**
 * Events: a response as it arrives.
 *
 * An event addresses a *slot*, the wire's own number of an item or a block; item positions exist only once all slots are
 * collected. `part` is the place within the slot: a part of a message, a paragraph of a thought.
 */
import { Schema } from "effect"
import { bag } from "../codec/index.ts"
import { Failure } from "./Failure.ts"
import { FinishReason } from "./FinishReason.ts"
import { type Item, Items } from "./Item.ts"
import { Citation, type Part, type Text, type Texts } from "./Part.ts"
import { Response } from "./Response.ts"
import { Usage } from "./Usage.ts"

const optional = Schema.optionalKey
const tag = <const T extends string>(value: T) => Schema.Literal(value)

/** The response has begun. What is known of it: all but items and ending. */
export const Started = Schema.Struct({
  _tag: tag("Started"),
  id: optional(Schema.String),
  model: optional(Schema.String),
  usage: optional(Usage),
  ...bag
})
/** A slot is opened; `items` is what is known of it by then. */
export const SlotStarted = Schema.Struct({ _tag: tag("SlotStarted"), slot: Schema.Finite, items: Items, ...bag })
/** More of a text. */
export const TextDelta = Schema.Struct({
  _tag: tag("TextDelta"),
  slot: Schema.Finite,
  part: Schema.Finite,
  text: Schema.String,
  ...bag
})
/** More of a thought: of its `content`, or of its `summary`. */
export const ReasoningDelta = Schema.Struct({
  _tag: tag("ReasoningDelta"),
  slot: Schema.Finite,
  part: Schema.Finite,
  of: Schema.Literals(["content", "summary"]),
  text: Schema.String,
  ...bag
})
/** More of the words for not answering. */
export const RefusalDelta = Schema.Struct({
  _tag: tag("RefusalDelta"),
  slot: Schema.Finite,
  part: Schema.Finite,
  text: Schema.String,
  ...bag
})
/** More of a call's `arguments`, or of its `input` where it has free text. */
export const ArgumentsDelta = Schema.Struct({
  _tag: tag("ArgumentsDelta"),
  slot: Schema.Finite,
  text: Schema.String,
  ...bag
})
/** More of a thought's or a compaction's proof. */
export const ProofDelta = Schema.Struct({ _tag: tag("ProofDelta"), slot: Schema.Finite, text: Schema.String, ...bag })
/** A citation of the text in that part. */
export const CitationAdded = Schema.Struct({
  _tag: tag("CitationAdded"),
  slot: Schema.Finite,
  part: Schema.Finite,
  citation: Citation,
  ...bag
})
/** A slot is closed. Its `items`, where the wire tells them once more, stand above all deltas. */
export const SlotDone = Schema.Struct({ _tag: tag("SlotDone"), slot: Schema.Finite, items: optional(Items), ...bag })
/** All that was counted until now: it stands above what was said before. */
export const UsageUpdated = Schema.Struct({ _tag: tag("UsageUpdated"), usage: Usage, ...bag })
/** The response is complete. `response`, where the wire tells it whole, stands above all slots. */
export const Finished = Schema.Struct({
  _tag: tag("Finished"),
  finishReason: FinishReason,
  rawFinishReason: optional(Schema.String),
  stopSequence: optional(Schema.String),
  response: optional(Response),
  ...bag
})
/** The provider gave up in the midst of it. */
export const Failed = Schema.Struct({ _tag: tag("Failed"), failure: Failure, ...bag })
/** What the protocol's codec does not model, verbatim. */
export const Unmodelled = Schema.Struct({ _tag: tag("Unmodelled"), protocol: Schema.String, raw: Schema.Json })

/** One event of a stream, told apart by `_tag`. */
export const Event = Schema.Union([
  Started,
  SlotStarted,
  TextDelta,
  ReasoningDelta,
  RefusalDelta,
  ArgumentsDelta,
  ProofDelta,
  CitationAdded,
  SlotDone,
  UsageUpdated,
  Finished,
  Failed,
  Unmodelled
]).pipe(Schema.toTaggedUnion("_tag"))
export type Event = typeof Event.Type

/** Exhaustive choice by an event's tag: `Event.match(event, { TextDelta: ({ text }) => …, … })`. */
export const match = Event.match

// events of a whole response --------------------------------------------------------------------------------------

/**
 * The events that a response would have arrived as: a slot for each item, but one for a call that the provider has
 * run and its result. Collecting them gives the response again.
 *
 * @example
 * ```ts
 * Event.ofResponse({ id: "r", items: [Item.assistant("hi")], finishReason: "stop" }).map(({ _tag }) => _tag)
 * // => ["Started", "SlotStarted", "TextDelta", "SlotDone", "Finished"]
 * ```
 */
export const ofResponse = (response: Response): ReadonlyArray<Event> => {
  const { finishReason, items, rawFinishReason, stopSequence, ...head } = response
  return [
    { _tag: "Started", ...head },
    ...slotsOf(items).flatMap((items, slot): ReadonlyArray<Event> => [
      { _tag: "SlotStarted", slot, items: items.map(emptied) },
      ...items.flatMap((item) => deltasOf(item, slot)),
      { _tag: "SlotDone", slot, items }
    ]),
    {
      _tag: "Finished",
      finishReason,
      ...(rawFinishReason === undefined ? {} : { rawFinishReason }),
      ...(stopSequence === undefined ? {} : { stopSequence }),
      response
    }
  ]
}

const slotsOf = (items: Items): ReadonlyArray<Items> => {
  const slots: Array<Array<Item>> = []
  for (const item of items) {
    const [call, ...more] = slots.at(-1) ?? []
    const isOwnResult = item.type === "tool-result" && call?.type === "tool-call" && call.providerExecuted === true &&
      call.id === item.id && more.length === 0
    if (isOwnResult) slots.at(-1)?.push(item)
    else slots.push([item])
  }
  return slots
}

/** What is known of an item before its first delta. */
const emptied = (item: Item): Item => {
  switch (item.type) {
    case "message":
      // A part that comes in one piece is there from the start, and so holds the others to their places.
      return { ...item, parts: item.parts.every(isSpoken) ? [] : item.parts.map(emptiedPart) }
    case "reasoning": {
      const { content, proof: _proof, summary, ...rest } = item
      return {
        ...rest,
        ...(summary === undefined ? {} : { summary: emptiedTexts(summary) }),
        ...(content === undefined ? {} : { content: emptiedTexts(content) })
      }
    }
    case "tool-call":
      return {
        ...item,
        ...(item.arguments === undefined ? {} : { arguments: "" }),
        ...(item.input === undefined ? {} : { input: "" })
      }
    default:
      return item
  }
}

/** Deltas tell all of a part that has nothing but words and citations. */
const isSpoken = (part: Part): boolean =>
  (part.type === "text" || part.type === "refusal") && Object.keys(part).every((key) => spoken.has(key))
const spoken = new Set(["type", "text", "citations"])

const emptiedText = ({ citations: _citations, ...rest }: Text): Text => ({ ...rest, text: "" })

const emptiedPart = (part: Part): Part => {
  if (part.type === "text") return emptiedText(part)
  return part.type === "refusal" ? { ...part, text: "" } : part
}

const emptiedTexts = (texts: Texts): Texts =>
  texts.every(isSpoken) ? [] : texts.map((each) => each.type === "text" ? emptiedText(each) : each)

const deltasOf = (item: Item, slot: number): ReadonlyArray<Event> => {
  switch (item.type) {
    case "message":
      return item.parts.flatMap((each, part): ReadonlyArray<Event> => {
        if (each.type === "refusal") return [{ _tag: "RefusalDelta", slot, part, text: each.text }]
        if (each.type !== "text") return []
        const citations = each.citations ?? []
        return [
          { _tag: "TextDelta", slot, part, text: each.text },
          ...citations.map((citation): Event => ({ _tag: "CitationAdded", slot, part, citation }))
        ]
      })
    case "reasoning":
      return [
        ...(["summary", "content"] as const).flatMap((of) =>
          (item[of] ?? []).flatMap((each, part): ReadonlyArray<Event> =>
            each.type === "text" ? [{ _tag: "ReasoningDelta", slot, part, of, text: each.text }] : []
          )
        ),
        ...(item.proof === undefined ? [] : [{ _tag: "ProofDelta" as const, slot, text: item.proof }])
      ]
    case "tool-call": {
      const text = item.arguments ?? item.input
      return text === undefined ? [] : [{ _tag: "ArgumentsDelta", slot, text }]
    }
    default:
      return []
  }
}
