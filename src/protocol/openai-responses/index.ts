/**
 * OpenAI's Responses API. The module as a whole is a `Protocol`: `import * as OpenAiResponses from "…/index.ts"`.
 *
 * https://platform.openai.com/docs/api-reference/responses
 */
import { expandedOf } from "../Expanded.ts"
import type { Limits, Protocol } from "../Protocol.ts"
import { PartsFromInput } from "./Content.ts"
import { name } from "./Extras.ts"
import { FailureFromWire, type FailureWire } from "./Failure.ts"
import { ItemsFromInput } from "./Item.ts"
import * as meaning from "./Meaning.ts"
import {
  defaults,
  InstructionsFromString,
  RequestFromWire,
  type RequestWire,
  ResponseFormatFromWire
} from "./Request.ts"
import { ResponseFromWire, type ResponseWire } from "./Response.ts"
import { stream } from "./Stream.ts"
import { ToolboxFromTools, ToolChoiceFromWire, ToolsFromWire } from "./Tool.ts"

export type { EventWire } from "./Event.ts"
export { unmodelled } from "./Unmodelled.ts"
export { defaults, FailureFromWire, type FailureWire, meaning, name, RequestFromWire, type RequestWire }
export { ResponseFromWire, type ResponseWire, stream }

/** Whose rules hold for the JSON Schemas of tools and answers. */
export const schemas = "openai"

/** The nameable pieces of a request. `mcpServers` are the tools that live on them: `{ tools, mcpServers }`. */
export const pieces = {
  request: RequestFromWire,
  content: PartsFromInput,
  items: ItemsFromInput,
  instructions: InstructionsFromString,
  tools: ToolsFromWire,
  toolChoice: ToolChoiceFromWire,
  mcpServers: ToolboxFromTools,
  responseFormat: ResponseFormatFromWire
}

/** Each piece on the wire alone: decode writes every short spelling out, encode gives the shortest. */
export const ExpandedFromWire = expandedOf(pieces)

/** Tools are named by `^[a-zA-Z0-9_-]{1,64}$`; a `call_id` has at most 64 characters. */
export const limits = { toolName: { foreign: /[^a-zA-Z0-9_-]/, length: 64 }, callId: { length: 64 } } satisfies Limits

export const OpenAiResponses = {
  name,
  schemas,
  RequestFromWire,
  ResponseFromWire,
  FailureFromWire,
  pieces,
  ExpandedFromWire,
  meaning,
  stream,
  limits,
  defaults
} satisfies Protocol<RequestWire, ResponseWire, FailureWire>
