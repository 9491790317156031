/**
 * Spells the items of a conversation: of a request's `input` and of a response's `output` alike.
 *
 * https://platform.openai.com/docs/api-reference/responses/create#responses_create-input
 */
import { Schema } from "effect"
import * as Item from "../../canonical/Item.ts"
import {
  as,
  carried,
  implied,
  isRecord,
  list,
  remembered,
  sampled,
  shorthand,
  transform,
  unfit
} from "../../codec/index.ts"
import * as Call from "./Call.ts"
import * as Content from "./Content.ts"
import { extrasOf, name as protocol, open, variant } from "./Extras.ts"
import * as Hosted from "./Hosted.ts"
import { ToolFromListed, ToolsFromWire } from "./Tool.ts"

// messages --------------------------------------------------------------------------------------------------------

/** A message that has an id or a status is one that the API gave: its content is always a list. */
const written = <I>(codec: Schema.Codec<Item.Message, I>): Schema.Codec<Item.Message, I> =>
  transform(codec, Item.Message, {
    decode: (message) => message,
    encode: (message) => {
      const { id, status } = extrasOf(message)
      return id === undefined && status === undefined ? message : unfit
    },
    carries: carried(codec)
  })

const input = <const R extends "user" | "system" | "developer">(role: R) =>
  [
    written(variant(Item.Message, { type: implied("message"), role }, {
      parts: as("content", Content.PartsFromInput),
      phase: "phase"
    }, { role })),
    variant(Item.Message, { type: implied("message"), role }, {
      parts: as("content", Content.PartsFromInputList),
      phase: "phase"
    }, { role })
  ] as const

const output = [
  written(variant(Item.Message, { type: implied("message"), role: "assistant" }, {
    parts: as("content", Content.PartsFromOutput),
    phase: "phase"
  }, { role: "assistant" })),
  variant(Item.Message, { type: implied("message"), role: "assistant" }, {
    parts: as("content", Content.PartsFromOutputList),
    phase: "phase"
  }, { role: "assistant" })
] as const

// reasoning, compaction -------------------------------------------------------------------------------------------

const ReasoningFromReasoning = variant(Item.Reasoning, { type: "reasoning" }, {
  summary: as("summary", list(Content.TextFromSummary), { always: [] }),
  content: list(Content.TextFromReasoning),
  proof: "encrypted_content"
}, { protocol })

const CompactionFromCompaction = variant(Item.Compaction, { type: "compaction" }, {
  proof: as("encrypted_content", Schema.String, { needed: true })
}, { protocol })

// tools, approvals ------------------------------------------------------------------------------------------------

const ToolsFromListing = variant(Item.Tools, { type: "mcp_list_tools" }, {
  server: "server_label",
  tools: list(ToolFromListed)
}, { action: "listed", role: undefined })

const ToolsFromAddition = variant(Item.Tools, { type: "additional_tools" }, {
  role: "role",
  tools: ToolsFromWire
}, { action: "added", server: undefined })

const ApprovalRequest = variant(Item.ToolApprovalRequest, { type: "mcp_approval_request" }, {
  id: "id",
  name: "name",
  arguments: "arguments",
  server: "server_label"
})

const ApprovalResponse = variant(Item.ToolApprovalResponse, { type: "mcp_approval_response" }, {
  id: "approval_request_id",
  approve: "approve",
  reason: "reason"
})

// items -----------------------------------------------------------------------------------------------------------

const Entry = Schema.Union([
  Item.Message,
  Item.Reasoning,
  Item.ToolCall,
  Item.ToolResult,
  Item.ToolApprovalRequest,
  Item.ToolApprovalResponse,
  Item.Tools,
  Item.Compaction,
  Item.Unmodelled,
  Hosted.Hosted
])

/** One wire item. A hosted call still holds its result. */
export const EntryFromWire = open(
  Entry,
  ...input("user"),
  ...input("system"),
  ...input("developer"),
  ...output,
  ReasoningFromReasoning,
  Call.CallFromFunctionCall,
  Call.ResultFromFunctionCallOutput,
  Call.CallFromCustomToolCall,
  Call.ResultFromCustomToolCallOutput,
  Hosted.HostedFromWebSearch,
  Hosted.HostedFromFileSearch,
  Hosted.HostedFromCodeInterpreter,
  Hosted.HostedFromImageGenerationError,
  Hosted.HostedFromImageGeneration,
  Hosted.HostedFromMcpError,
  Hosted.HostedFromMcp,
  Call.CallFromComputerActions,
  Call.CallFromComputerAction,
  Call.ResultFromComputerCallOutput,
  Call.CallFromLocalShellCall,
  Call.ResultFromLocalShellCallOutputOfCall,
  Call.ResultFromLocalShellCallOutput,
  Call.CallFromShellCall,
  Call.ResultFromShellCallOutput,
  Call.CallFromApplyPatchCall,
  Call.ResultFromApplyPatchCallOutput,
  Call.CallFromServerSearch,
  Call.CallFromServerSearchOfCall,
  Call.CallFromSearch,
  Call.CallFromSearchOfCall,
  Call.ResultFromServerSearch,
  Call.ResultFromServerSearchOfCall,
  Call.ResultFromSearch,
  Call.ResultFromSearchOfCall,
  Call.CallFromProgram,
  Call.ResultFromProgramOutput,
  ToolsFromListing,
  ToolsFromAddition,
  ApprovalRequest,
  ApprovalResponse,
  CompactionFromCompaction
)

const EntriesFromWire = list(EntryFromWire)

/** The items by the wire items that they are. */
export const apart = (items: Item.Items): ReadonlyArray<Item.Items> =>
  Hosted.fold(items).map((entry) => Hosted.unfold([entry]))

/** The list that `output` is. */
export const ItemsFromOutput = remembered(
  transform(EntriesFromWire, Item.Items, {
    decode: Hosted.unfold,
    encode: Hosted.fold,
    carries: sampled(Item.Items, carried(EntriesFromWire), Hosted.unfold),
    locate: (_, [index, ...path], items) =>
      index === undefined ? path : [Hosted.places(items)[Number(index)] ?? index, ...path]
  }),
  { isSeam: Hosted.isSeam, reaches: Hosted.hasStray }
)

/** The same list; one user message that is one text may be a bare string. */
export const ItemsFromInput = shorthand(ItemsFromOutput, Schema.String, {
  expand: (text) => [{ role: "user" as const, content: text }],
  compress: (items: ReadonlyArray<unknown>) => {
    // An unmodelled item may be anything.
    const [item] = items
    return items.length === 1 && isRecord(item) && Object.keys(item).length === 2 && item.role === "user" &&
        typeof item.content === "string"
      ? item.content
      : unfit
  }
})
