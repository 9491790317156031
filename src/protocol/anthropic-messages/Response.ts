/**
 * Spells a response's body.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { Schema } from "effect"
import type { FinishReason } from "../../canonical/FinishReason.ts"
import { Response } from "../../canonical/Response.ts"
import { Usage } from "../../canonical/Usage.ts"
import { as, type Bagged, carried, complete, implied, sampled, transform } from "../../codec/index.ts"
import { name, variant } from "./Content.ts"
import { ItemsFromBlocks } from "./Turns.ts"

const optional = Schema.optionalKey

/** Keys that a whole body always has, `null` where there is nothing to say. Anything else they say is in the bag. */
const nullable = (...keys: ReadonlyArray<string>) => {
  const nulls = Object.fromEntries(keys.map((key) => [key, null]))
  return {
    dropped: <A extends Bagged>(node: A): A => {
      const own = node.providerOptions?.[name]
      if (own === undefined || !keys.some((key) => own[key] === null)) return node
      const { providerOptions, ...bare } = node
      const said = Object.entries(own).filter(([key, value]) => value !== null || !keys.includes(key))
      return said.length === 0
        ? bare as A
        : { ...node, providerOptions: { ...providerOptions, [name]: Object.fromEntries(said) } }
    },
    added: <A extends Bagged>(node: A): A => ({
      ...node,
      providerOptions: { ...node.providerOptions, [name]: { ...nulls, ...node.providerOptions?.[name] } }
    })
  }
}

// usage -----------------------------------------------------------------------------------------------------------

/** Usage as the wire has it: its input does not include the cache. */
const Counts = Schema.Struct({ ...Usage.fields, input: optional(Schema.Finite), output: optional(Schema.Finite) })
type Counts = typeof Counts.Type

const CountsFromWire = variant(Counts, {}, {
  input: "input_tokens",
  cacheRead: as("cache_read_input_tokens", Schema.Finite, { neutral: null }),
  cacheWrite: as("cache_creation_input_tokens", Schema.Finite, { neutral: null }),
  output: "output_tokens",
  reasoning: as("thinking_tokens", Schema.Finite, { under: "output_tokens_details" })
})

const uncounted = nullable(
  "cache_creation",
  "inference_geo",
  "output_tokens_details",
  "server_tool_use",
  "service_tier",
  "speed"
)

const cached = ({ cacheRead = 0, cacheWrite = 0 }: Counts): number => cacheRead + cacheWrite

const toUsage = (counts: Counts): Usage =>
  uncounted.dropped({ ...counts, input: finite((counts.input ?? 0) + cached(counts)), output: counts.output ?? 0 })

/** Nobody sends that much, but a sum that is no number would be no JSON. */
const finite = (sum: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum))

const ofUsage = (usage: Usage): Counts =>
  uncounted.added({ ...usage, input: finite(Math.max(0, usage.input - cached(usage))) })

/** Whole numbers, as tokens are: others would not add up. */
const tokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

/** `{ input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens, … }` */
export const UsageFromWire = transform(CountsFromWire, Usage, {
  decode: toUsage,
  encode: ofUsage,
  carries: sampled(
    Usage,
    Schema.Struct({
      input: tokens,
      output: tokens,
      cacheRead: optional(tokens),
      cacheWrite: optional(tokens),
      reasoning: optional(tokens)
    }),
    toUsage
  )
})

// finish reason ---------------------------------------------------------------------------------------------------

/** The API's words for why a response ended. */
export const stopReasons = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "tool-calls",
  pause_turn: "pause",
  refusal: "refusal",
  model_context_window_exceeded: "context-window",
  compaction: "other"
} as const satisfies { readonly [word: string]: FinishReason }

const reasons = new Map<string | undefined, FinishReason>(Object.entries(stopReasons))

export const reasonOf = (word: string | undefined): FinishReason => reasons.get(word) ?? "other"

/** The provider's own word where it still says the same. */
export const wordOf = (
  { finishReason, rawFinishReason, stopSequence }: Pick<Response, "finishReason" | "rawFinishReason" | "stopSequence">
): string | undefined => {
  if (rawFinishReason !== undefined && reasonOf(rawFinishReason) === finishReason) return rawFinishReason
  if (finishReason === "stop") return stopSequence === undefined ? "end_turn" : "stop_sequence"
  return words[finishReason]
}

const words: Readonly<Record<Exclude<FinishReason, "stop">, string | undefined>> = {
  "length": "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
  "refusal": "refusal",
  "pause": "pause_turn",
  "context-window": "model_context_window_exceeded",
  "error": undefined,
  "other": undefined
}

// body ------------------------------------------------------------------------------------------------------------

/** A response as the wire has it: why it ended is one word. */
const { finishReason: _, rawFinishReason: __, ...rest } = Response.fields
const Draft = Schema.Struct({ ...rest, stopReason: optional(Schema.String) })
type Draft = typeof Draft.Type

const StopReason = Schema.Union([Schema.Literals(Object.keys(stopReasons)), Schema.String])

const DraftFromWire = variant(Draft, { type: implied("message"), role: implied("assistant") }, {
  id: as("id", Schema.String, { neutral: "" }),
  model: as("model", Schema.String, { neutral: "" }),
  items: as("content", ItemsFromBlocks),
  stopReason: as("stop_reason", StopReason, { neutral: null }),
  stopSequence: as("stop_sequence", Schema.String, { neutral: null }),
  usage: as("usage", UsageFromWire, { neutral: { input_tokens: 0, output_tokens: 0 } })
})

const unsaid = nullable("container", "diagnostics", "stop_details")

const toResponse = ({ stopReason, ...draft }: Draft): Response =>
  unsaid.dropped({
    ...draft,
    finishReason: reasonOf(stopReason),
    ...stopReason === undefined ? {} : { rawFinishReason: stopReason }
  })

const ofResponse = (response: Response): Draft => {
  const { finishReason: _, rawFinishReason: __, ...draft } = response
  const stopReason = wordOf(response)
  return unsaid.added(stopReason === undefined ? draft : { ...draft, stopReason })
}

/**
 * A response's body: `{ id, type: "message", role: "assistant", model, content, stop_reason, usage, … }` and the
 * canonical response. Encode writes every key that the official type requires.
 *
 * Canonical usage counts the cache as input. A stop reason that is not known is `other`, and comes back.
 */
export const ResponseFromWire = complete(transform(DraftFromWire, Response, {
  decode: toResponse,
  encode: ofResponse,
  carries: sampled(Response, carried(DraftFromWire), toResponse)
}))
