/**
 * Spells the response body.
 *
 * https://platform.openai.com/docs/api-reference/responses/object
 */
import { Schema } from "effect"
import { type Item, Items } from "../../canonical/Item.ts"
import * as Canonical from "../../canonical/Response.ts"
import { Usage } from "../../canonical/Usage.ts"
import { as, bag, carried, complete, implied, sampled, transform } from "../../codec/index.ts"
import * as Ending from "./Ending.ts"
import { type Extras, extrasOf, variant, withExtras } from "./Extras.ts"
import { ItemsFromOutput } from "./Item.ts"

const optional = Schema.optionalKey

// usage -----------------------------------------------------------------------------------------------------------

const Counts = Schema.Struct({ ...Usage.fields, input: optional(Schema.Finite), output: optional(Schema.Finite) })

const CountsFromWire = variant(Counts, {}, {
  input: "input_tokens",
  cacheRead: as("cached_tokens", Schema.Finite, { under: "input_tokens_details" }),
  cacheWrite: as("cache_write_tokens", Schema.Finite, { under: "input_tokens_details" }),
  output: "output_tokens",
  reasoning: as("reasoning_tokens", Schema.Finite, { under: "output_tokens_details" }),
  total: "total_tokens"
})

/** No sum of finite numbers is anything else on the wire. */
const sum = (input: number, output: number): number => Number.isFinite(input + output) ? input + output : 0

const usage = ({ input = 0, output = 0, total, ...counts }: typeof Counts.Type): Usage => ({
  ...counts,
  input,
  output,
  ...(total === undefined || total === sum(input, output) ? {} : { total })
})

/** What is not counted is none; the total is written, and told only where it is not the sum. */
export const UsageFromWire = transform(CountsFromWire, Usage, {
  decode: usage,
  encode: (usage) => ({ ...usage, total: usage.total ?? sum(usage.input, usage.output) }),
  carries: sampled(Usage, carried(CountsFromWire), usage)
})

// what a whole response always has --------------------------------------------------------------------------------

/** Keys that the official type asks for and that have no canonical field: these values say nothing. */
const neutral: Extras = {
  access_programs: null,
  created_at: 0,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null
}

/** The same for items that others made; they say nothing where the id does not. */
const neutralIn = (item: Item): Extras | undefined =>
  item.type === "message" || item.type === "tool-result" && item.kind === undefined
    ? { id: "", status: "completed" }
    : item.type === "reasoning"
    ? { id: "" }
    : undefined

const without = (extras: Extras, neutral: Extras): Extras =>
  Object.fromEntries(
    Object.entries(extras).filter(([key, value]) => !Object.hasOwn(neutral, key) || !isSame(value, neutral[key]))
  )

/** Neutral values are words, numbers and empty lists. */
const isSame = (value: Schema.Json, neutral: Schema.Json | undefined): boolean =>
  value === neutral || Array.isArray(value) && value.length === 0 && Array.isArray(neutral)

const withoutNeutral = (item: Item): Item => {
  if (item.type === "unmodelled" || extrasOf(item).id !== "") return item
  const standard = neutralIn(item)
  return standard === undefined ? item : withExtras(item, without(extrasOf(item), standard))
}

const withNeutral = (item: Item): Item => {
  if (item.type === "unmodelled") return item
  // Whoever gave an id or a status has said what there is to say.
  const { id, status } = extrasOf(item)
  const standard = id === undefined && status === undefined ? neutralIn(item) : undefined
  return standard === undefined ? item : withExtras(item, { ...standard, ...extrasOf(item) })
}

// response --------------------------------------------------------------------------------------------------------

/** A response as the wire cuts it: why it ended is a status and a reason. */
const Draft = Schema.Struct({
  id: optional(Schema.String),
  model: optional(Schema.String),
  items: Items,
  status: optional(Schema.String),
  reason: optional(Schema.String),
  usage: optional(Usage),
  ...bag
})
type Draft = typeof Draft.Type

const DraftFromWire = variant(Draft, { object: implied("response") }, {
  id: as("id", Schema.String, { neutral: "" }),
  model: as("model", Schema.String, { neutral: "" }),
  items: as("output", ItemsFromOutput),
  status: Schema.Union([Ending.Status, Schema.String]),
  reason: as("reason", Schema.String, { under: "incomplete_details" }),
  usage: UsageFromWire
})

/** Without a status it is taken to be completed, or incomplete where there is a reason for that. */
const assembled = ({ reason, status: told, ...draft }: Draft): Canonical.Response => {
  const status = told ?? (reason === undefined ? "completed" : "incomplete")
  const items = draft.items.map(withoutNeutral)
  const response: Canonical.Response = {
    ...draft,
    items,
    finishReason: Ending.read(reason === undefined ? { status } : { status, reason }, items),
    rawFinishReason: status === "incomplete" ? reason ?? status : status
  }
  // A word that is no status is kept where it stands, so that it is not taken for a reason.
  return withExtras(response, {
    ...without(extrasOf(draft), neutral),
    ...(Ending.isStatus(status) ? {} : { status })
  })
}

const draft = (response: Canonical.Response): Draft => {
  const { finishReason: _reason, items, rawFinishReason: _raw, stopSequence: _sequence, ...rest } = response
  const extras = extrasOf(response)
  return withExtras(
    { ...rest, items: items.map(withNeutral), ...Ending.write(response, extras.status) },
    { ...neutral, ...extras }
  )
}

/**
 * A response body, either way. Encoded, it has every key that the official type asks for.
 *
 * @example `Schema.decodeUnknownSync(ResponseFromWire)({ output: [], status: "completed" }).finishReason  // => "stop"`
 */
export const ResponseFromWire = complete(transform(DraftFromWire, Canonical.Response, {
  decode: assembled,
  encode: draft,
  carries: sampled(Canonical.Response, carried(DraftFromWire), assembled)
}))
export type ResponseWire = typeof ResponseFromWire.Encoded
