/** A model's response: its items, why it ended, and what it cost. */
import { Schema } from "effect"
import { bag } from "../codec/index.ts"
import { FinishReason } from "./FinishReason.ts"
import { Items, type ToolCall } from "./Item.ts"
import { textOf } from "./Part.ts"
import { Usage } from "./Usage.ts"

const optional = Schema.optionalKey

/**
 * `rawFinishReason` is the provider's own word for why it ended; `stopSequence` the one that ended it. A failed or
 * unfinished response is a response too.
 */
export const Response = Schema.Struct({
  id: optional(Schema.String),
  model: optional(Schema.String),
  items: Items,
  finishReason: FinishReason,
  rawFinishReason: optional(Schema.String),
  stopSequence: optional(Schema.String),
  usage: optional(Usage),
  ...bag
})
export type Response = typeof Response.Type

/** The text of the response's messages, joined with nothing between them. Tool results are not part of it. */
export const text = (response: Response): string => {
  let out = ""
  for (const item of response.items) if (item.type === "message") out += textOf(item.parts)
  return out
}

/** The calls that wait for the caller: those that the provider did not run itself. */
export const toolCalls = (response: Response): ReadonlyArray<ToolCall> =>
  response.items.filter((item) => item.type === "tool-call").filter((call) => call.providerExecuted !== true)

/** What the model thought, as far as it may be read: the content where there is any, else the summary. */
export const reasoning = (response: Response): string =>
  response.items
    .flatMap((item) => {
      if (item.type !== "reasoning") return []
      const { content = [], summary = [] } = item
      const text = textOf(content.length > 0 ? content : summary)
      return text === "" ? [] : [text]
    })
    .join("\n\n")
