/**
 * Spells the events that tell once more what others told bit by bit: a text as a whole, a part as it is opened or closed.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import { Schema } from "effect"
import { as, bag, words } from "../../codec/index.ts"
import { variant } from "./Extras.ts"
import { anew } from "./Made.ts"

const optional = Schema.optionalKey

/** A text told whole: of a message its text or a refusal, of a thought a paragraph, of a call its arguments. */
export const Told = Schema.Struct({
  _tag: Schema.Literal("Told"),
  of: Schema.Literals(["text", "refusal", "content", "summary", "arguments"]),
  slot: Schema.Finite,
  part: optional(Schema.Finite),
  text: Schema.String,
  ...bag
})
/** A part, or a paragraph, as it stands when it is opened or closed. */
export const PartTold = Schema.Struct({
  _tag: Schema.Literal("PartTold"),
  slot: Schema.Finite,
  part: Schema.Finite,
  of: optional(Schema.Literals(["text", "refusal", "content", "summary"])),
  text: optional(Schema.String),
  refusal: optional(Schema.String),
  ...bag
})

const content = { slot: "output_index", part: as("content_index", Schema.Finite, { needed: true }) } as const
const summary = { slot: "output_index", part: as("summary_index", Schema.Finite, { needed: true }) } as const

export const TextFromDone = variant(Told, { type: "response.output_text.done" }, { ...content, text: "text" }, {
  of: "text"
}, [...anew, "logprobs"])
export const RefusalFromDone = variant(Told, { type: "response.refusal.done" }, { ...content, text: "refusal" }, {
  of: "refusal"
}, anew)
export const ContentFromDone = variant(Told, { type: "response.reasoning_text.done" }, { ...content, text: "text" }, {
  of: "content"
}, anew)
export const SummaryFromDone = variant(Told, { type: "response.reasoning_summary_text.done" }, {
  ...summary,
  text: "text"
}, {
  of: "summary"
}, anew)
export const ArgumentsFromFunctionDone = variant(
  Told,
  { type: "response.function_call_arguments.done" },
  {
    slot: "output_index",
    text: "arguments"
  },
  { of: "arguments" },
  [...anew, "name"]
)
export const ArgumentsFromMcpDone = variant(
  Told,
  { type: "response.mcp_call_arguments.done" },
  {
    slot: "output_index",
    text: "arguments"
  },
  { of: "arguments" },
  [...anew, "name"]
)
export const ArgumentsFromCustomDone = variant(
  Told,
  { type: "response.custom_tool_call_input.done" },
  {
    slot: "output_index",
    text: "input"
  },
  { of: "arguments" },
  [...anew, "name"]
)

const Kind = words({ output_text: "text", refusal: "refusal", reasoning_text: "content", summary_text: "summary" })
const part = {
  of: as("type", Kind, { under: "part" }),
  text: as("text", Schema.String, { under: "part" }),
  refusal: as("refusal", Schema.String, { under: "part" })
} as const
export const PartFromAdded = variant(
  PartTold,
  { type: "response.content_part.added" },
  {
    slot: "output_index",
    part: "content_index",
    ...part
  },
  {},
  anew
)
export const PartFromDone = variant(
  PartTold,
  { type: "response.content_part.done" },
  {
    slot: "output_index",
    part: "content_index",
    ...part
  },
  {},
  anew
)
export const SummaryPartFromAdded = variant(
  PartTold,
  { type: "response.reasoning_summary_part.added" },
  {
    slot: "output_index",
    part: "summary_index",
    ...part
  },
  {},
  anew
)
export const SummaryPartFromDone = variant(
  PartTold,
  { type: "response.reasoning_summary_part.done" },
  {
    slot: "output_index",
    part: "summary_index",
    ...part
  },
  {},
  anew
)
