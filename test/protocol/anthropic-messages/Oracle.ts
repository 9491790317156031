/**
 * Holds the declarations against the official types: every kind of block, tool, citation, source, choice, stop reason
 * and error is modelled or listed as unmodelled, and its keys are the official ones. Checked by the compiler alone.
 */
import type * as Beta from "@anthropic-ai/sdk/resources/beta/messages"
import type * as Anthropic from "@anthropic-ai/sdk/resources/messages"
import type { ErrorObject } from "@anthropic-ai/sdk/resources/shared"
import type { Schema } from "effect"
import type { Request } from "../../../src/canonical/Request.ts"
import type { Response } from "../../../src/canonical/Response.ts"
import type * as Content from "../../../src/protocol/anthropic-messages/Content.ts"
import type { DeltaFromWire, EventFromWire } from "../../../src/protocol/anthropic-messages/Event.ts"
import type { errorTypes } from "../../../src/protocol/anthropic-messages/Failure.ts"
import * as AnthropicMessages from "../../../src/protocol/anthropic-messages/index.ts"
import type * as Item from "../../../src/protocol/anthropic-messages/Item.ts"
import type { stopReasons } from "../../../src/protocol/anthropic-messages/Response.ts"
import type * as Tool from "../../../src/protocol/anthropic-messages/Tool.ts"
import type { Protocol } from "../../../src/protocol/Protocol.ts"

/** The module is a protocol, and its types are the canonical ones. */
export const protocol: Protocol = AnthropicMessages
type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends (<T>() => T extends Y ? 1 : 2) ? true : false
type True<T extends true> = T
export type Canonical = [
  True<Same<typeof AnthropicMessages.RequestFromWire.Type, Request>>,
  True<Same<typeof AnthropicMessages.ResponseFromWire.Type, Response>>
]

// vocabularies ----------------------------------------------------------------------------------------------------

type Encoded<C extends Schema.Top> = C["Encoded"]
/** The tags of a union that are known by name. */
type Tag<T> = T extends { readonly type: infer K extends string } ? string extends K ? never : K : never
type Unmodelled = typeof AnthropicMessages.unmodelled

type Blocks =
  | Encoded<typeof Item.UserBlockFromWire>
  | Encoded<typeof Item.AssistantBlockFromWire>
  | Encoded<typeof Item.SystemBlockFromWire>
type Tools = Encoded<typeof Tool.ToolFromWire>
type Choices = Encoded<typeof Tool.ToolChoiceFromWire>
type Citations = Encoded<typeof Content.CitationFromWire>
type ImageSources = Encoded<typeof Content.ImageFromWire>["source"]
type DocumentSources = Encoded<typeof Content.DocumentFromWire>["source"]
type Events = Encoded<typeof EventFromWire>
type Deltas = Encoded<typeof DeltaFromWire>
type OfficialEvents = Anthropic.RawMessageStreamEvent | Beta.BetaRawMessageStreamEvent
type OfficialDeltas = Anthropic.RawContentBlockDelta | Beta.BetaRawContentBlockDelta
type ResultContent = Exclude<Beta.BetaToolResultBlockParam["content"], string | undefined>[number]

/** What the official types have and we do not say a word about: nothing. */
type Forgotten<Theirs, Ours extends string> = Exclude<Theirs, Ours>
type None<T extends never> = T
export type Vocabularies = [
  None<
    Forgotten<Tag<Anthropic.ContentBlock | Anthropic.ContentBlockParam>, Tag<Blocks> | Unmodelled["blocks"][number]>
  >,
  None<Forgotten<Tag<Beta.BetaContentBlock | Beta.BetaContentBlockParam>, Tag<Blocks> | Unmodelled["blocks"][number]>>,
  None<Forgotten<Tag<ResultContent>, Tag<Encoded<typeof Content.PartFromWire>> | Unmodelled["resultContent"][number]>>,
  None<
    Forgotten<
      Exclude<Anthropic.ToolUnion["type"] | Beta.BetaToolUnion["type"], undefined | null>,
      Tag<Tools> | "custom"
    >
  >,
  None<Forgotten<Tag<Anthropic.ToolChoice | Beta.BetaToolChoice>, Tag<Choices>>>,
  None<Forgotten<Tag<Anthropic.TextCitation | Anthropic.TextCitationParam>, Tag<Citations>>>,
  None<Forgotten<Tag<Beta.BetaImageBlockParam["source"]>, Tag<ImageSources>>>,
  None<
    Forgotten<
      Tag<Beta.BetaRequestDocumentBlock["source"]>,
      Tag<DocumentSources> | Unmodelled["documentSources"][number]
    >
  >,
  None<Forgotten<Tag<OfficialEvents>, Tag<Events>>>,
  None<Forgotten<Tag<OfficialDeltas>, Tag<Deltas>>>,
  // What is listed as unmodelled is not among the official types, and not modelled either.
  None<Extract<Unmodelled["events"][number], Tag<OfficialEvents> | Tag<Events>>>,
  None<Forgotten<Anthropic.StopReason | Beta.BetaStopReason, keyof typeof stopReasons>>,
  None<Forgotten<Tag<ErrorObject>, keyof typeof errorTypes>>
]

// keys ------------------------------------------------------------------------------------------------------------

type Of<T, K> = T extends { readonly type: infer U } ? string extends U ? never : K extends U ? T : never : never
type Keys<T> = T extends unknown ? keyof T : never
type Required<T> = T extends unknown ? { [K in keyof T]-?: {} extends Pick<T, K> ? never : K }[keyof T] : never

/** Keys that we write where the official types do not have them: none, but for what a response says of a citation. */
type Strange<Ours, Theirs> = {
  [K in Tag<Ours> & Tag<Theirs>]: Exclude<Keys<Of<Ours, K>>, Keys<Of<Theirs, K>>>
}[Tag<Ours> & Tag<Theirs>]
/** Keys that the official types require and that we might not write. */
type Missing<Ours, Theirs, Always> = {
  [K in Tag<Ours> & Tag<Theirs>]: Exclude<Required<Of<Theirs, K>>, Required<Of<Ours, K>> | Always>
}[Tag<Ours> & Tag<Theirs>]

export type KeysOfRequests = [
  None<Strange<Blocks, Beta.BetaContentBlockParam>>,
  // A thought's signature is absent on hosts that do not sign.
  None<Missing<Blocks, Beta.BetaContentBlockParam, "signature">>,
  // The provider's toolsets have no name, unless somebody gives one.
  None<Exclude<Strange<Tools, Beta.BetaToolUnion>, "name">>,
  // The settings of the provider's own tools are in the bag.
  None<
    Missing<
      Tools,
      Exclude<Beta.BetaToolUnion, Beta.BetaTool>,
      "name" | "display_height_px" | "display_width_px" | "model"
    >
  >,
  None<Strange<Choices, Beta.BetaToolChoice>>,
  None<Missing<Choices, Beta.BetaToolChoice, never>>,
  None<Exclude<Strange<Citations, Beta.BetaTextCitationParam>, "file_id">>,
  // Written always, `null` where there is none.
  None<Missing<Citations, Beta.BetaTextCitationParam, "title" | "document_title" | "cited_text">>,
  None<Strange<ImageSources, Beta.BetaImageBlockParam["source"]>>,
  None<Missing<ImageSources, Beta.BetaImageBlockParam["source"], never>>,
  None<Strange<DocumentSources, Beta.BetaRequestDocumentBlock["source"]>>,
  None<Missing<DocumentSources, Beta.BetaRequestDocumentBlock["source"], "media_type">>,
  // What older models take is no longer among the official types.
  None<
    Exclude<
      keyof Encoded<typeof AnthropicMessages.RequestFromWire>,
      keyof Beta.MessageCreateParamsNonStreaming | "temperature" | "top_p" | "top_k"
    >
  >,
  None<Exclude<keyof Encoded<typeof AnthropicMessages.ResponseFromWire>, keyof Beta.BetaMessage>>
]

/** Keys that the types of a response require and that are written where they are absent, or are in the bag. */
type Neutral = "citations" | "signature" | "content" | "encrypted_content" | "is_error"
export type KeysOfResponses = [
  None<Missing<Blocks, Beta.BetaContentBlock, Neutral>>,
  // Who called a tool is never made up.
  None<Missing<Blocks, Anthropic.ContentBlock, Neutral | "caller">>
]

export type KeysOfEvents = [
  None<Strange<Events, OfficialEvents>>,
  // Absent on hosts that leave them out; what came of the context is in the bag.
  None<Missing<Events, OfficialEvents, "index" | "delta" | "usage" | "context_management">>,
  None<Strange<Deltas, OfficialDeltas>>,
  // Written always, `null` where there is none; how much was thought is in the bag.
  None<Missing<Deltas, OfficialDeltas, "content" | "encrypted_content" | "estimated_tokens">>,
  None<Exclude<keyof Exclude<Of<Events, "message_delta">["delta"], null | undefined>, keyof OfficialEnding>>
]
type OfficialEnding = Anthropic.RawMessageDeltaEvent["delta"]

// values ----------------------------------------------------------------------------------------------------------

/** What the official types let a person write is what we read, as far as their open ends let the compiler see. */
type Reads<Ours, Theirs extends Ours> = Theirs
type Wire = Encoded<typeof AnthropicMessages.RequestFromWire>
export type Values = [
  Reads<Blocks, Beta.BetaTextBlockParam>,
  Reads<Blocks, Beta.BetaImageBlockParam>,
  Reads<Blocks, Beta.BetaThinkingBlockParam | Beta.BetaRedactedThinkingBlockParam>,
  Reads<Choices, Beta.BetaToolChoice>,
  Reads<Citations, Beta.BetaTextCitationParam | Beta.BetaTextCitation>,
  Reads<Exclude<Wire["system"], undefined>, Exclude<Beta.MessageCreateParamsNonStreaming["system"], undefined>>,
  Reads<Exclude<Wire["thinking"], undefined>, Beta.BetaThinkingConfigParam>,
  Reads<Exclude<Wire["cache_control"], undefined>, Beta.BetaCacheControlEphemeral>,
  Reads<Exclude<Wire["mcp_servers"], undefined>, Array<Beta.BetaRequestMCPServerURLDefinition>>,
  Reads<Exclude<Wire["metadata"], undefined>, Beta.BetaMetadata>
]

/** What we write, a person may hand to the official client. */
type Writes<Theirs, Ours extends Theirs> = Ours
export type Written = [
  Writes<Pick<Beta.BetaToolUseBlockParam, "id" | "name" | "input" | "type">, Of<Blocks, "tool_use">>,
  Writes<Pick<Beta.BetaToolResultBlockParam, "tool_use_id" | "type">, Of<Blocks, "tool_result">>,
  Writes<Pick<Beta.BetaTextBlockParam, "text" | "type">, Of<Blocks, "text">>,
  Writes<Beta.BetaRedactedThinkingBlockParam, Of<Blocks, "redacted_thinking">>,
  Writes<Beta.BetaURLImageSource, Of<ImageSources, "url">>,
  Writes<Beta.BetaToolChoice, Of<Choices, "tool" | "any" | "auto" | "none">>
]
