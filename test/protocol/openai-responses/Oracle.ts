/** Holds the wire types against those of the official SDK: nothing is forgotten. Checked by the compiler alone. */
import type { OpenAI } from "openai"
import type * as Protocol from "../../../src/protocol/openai-responses/index.ts"

interface SdkInput {
  readonly FunctionCallOutput: OpenAI.Responses.ResponseInputItem.FunctionCallOutput
  readonly McpApprovalRequest: OpenAI.Responses.ResponseInputItem.McpApprovalRequest
  readonly McpApprovalResponse: OpenAI.Responses.ResponseInputItem.McpApprovalResponse
}
type Params = OpenAI.Responses.ResponseCreateParams
type Request = Protocol.RequestWire
type Response = Protocol.ResponseWire

/** The tags of a union's members, those aside that may have any. */
type Tags<T> = T extends { readonly type?: infer U } ?
  Exclude<U, null | undefined> extends infer V extends string ? string extends V ? never : V
  : never
  : never
type Missing<Official, Ours, Unmodelled> = Exclude<Official, Ours | Unmodelled>
const nothing = <T>(_: [T] extends [never] ? true : T): void => undefined
const assignable = <From, To>(_: [From] extends [To] ? true : false): void => undefined

type Listed<L extends ReadonlyArray<unknown>> = L[number]
type Unmodelled = typeof Protocol.unmodelled

// every variant is modelled, or known not to be -------------------------------------------------------------------

type Item = Exclude<NonNullable<Request["input"]>, string>[number]
nothing<Missing<Tags<OpenAI.Responses.ResponseInputItem>, Tags<Item>, Listed<Unmodelled["items"]>>>(true)
nothing<
  Missing<Tags<OpenAI.Responses.ResponseOutputItem>, Tags<Response["output"][number]>, Listed<Unmodelled["items"]>>
>(true)

type Tool = NonNullable<Request["tools"]>[number]
nothing<Missing<Tags<OpenAI.Responses.Tool>, Tags<Tool>, Listed<Unmodelled["tools"]>>>(true)

type Choice = NonNullable<Request["tool_choice"]>
type SdkChoice = NonNullable<Params["tool_choice"]>
nothing<Missing<Tags<SdkChoice>, Tags<Choice>, Listed<Unmodelled["toolChoices"]>>>(true)
nothing<Missing<Extract<SdkChoice, string>, Extract<Choice, string>, never>>(true)

type User = Extract<Item, { readonly role: "user" }>
type Assistant = Extract<Item, { readonly role: "assistant" }>
type Content<M> = M extends { readonly content: infer C }
  ? Exclude<C, string> extends ReadonlyArray<infer P> ? P : never
  : never
type SdkContent = Tags<OpenAI.Responses.ResponseInputContent>
nothing<Missing<SdkContent, Tags<Content<User>>, Listed<Unmodelled["contents"]>>>(true)
nothing<
  Missing<
    Tags<OpenAI.Responses.ResponseOutputMessage["content"][number]>,
    Tags<Content<Assistant>>,
    Listed<Unmodelled["contents"]>
  >
>(true)
type Annotation = NonNullable<Extract<Content<Assistant>, { readonly type: "output_text" }>["annotations"]>[number]
nothing<
  Missing<
    Tags<OpenAI.Responses.ResponseOutputText["annotations"][number]>,
    Tags<Annotation>,
    Listed<Unmodelled["annotations"]>
  >
>(true)
type Output = Extract<Item, { readonly type: "function_call_output" }>["output"]
type SdkOutput = Exclude<OpenAI.Responses.ResponseInputItem.FunctionCallOutput["output"], string>[number]
nothing<Missing<Tags<SdkOutput>, Tags<Extract<Output, ReadonlyArray<unknown>>[number]>, never>>(true)

type Format = NonNullable<NonNullable<Request["text"]>["format"]>
nothing<Missing<Tags<OpenAI.Responses.ResponseFormatTextConfig>, Tags<Format>, Listed<Unmodelled["formats"]>>>(true)

// what the SDK lets a program write, we read ----------------------------------------------------------------------

type Fields = "model" | "instructions" | "max_output_tokens" | "max_tool_calls" | "temperature" | "top_p" | "store"
type MoreFields =
  | "background"
  | "parallel_tool_calls"
  | "previous_response_id"
  | "truncation"
  | "conversation"
  | "include"
assignable<Pick<Params, Fields | MoreFields>, Pick<Request, Fields | MoreFields>>(true)
assignable<Pick<Params, "metadata" | "safety_identifier" | "service_tier">, Omit<Request, "input">>(true)
assignable<Pick<OpenAI.Reasoning, "effort" | "summary">, NonNullable<Request["reasoning"]>>(true)
assignable<OpenAI.Responses.EasyInputMessage & { role: "user"; content: string }, User>(true)
assignable<OpenAI.Responses.ResponseFunctionToolCall, Extract<Item, { readonly type: "function_call" }>>(true)
assignable<OpenAI.Responses.ResponseCustomToolCall, Extract<Item, { readonly type: "custom_tool_call" }>>(true)
assignable<OpenAI.Responses.ResponseReasoningItem, Extract<Item, { readonly type: "reasoning" }>>(true)
assignable<OpenAI.Responses.ResponseCompactionItemParam, Extract<Item, { readonly type: "compaction" }>>(true)
assignable<SdkInput["McpApprovalRequest"], Extract<Item, { readonly type: "mcp_approval_request" }>>(true)
assignable<SdkInput["McpApprovalResponse"], Extract<Item, { readonly type: "mcp_approval_response" }>>(true)
assignable<OpenAI.Responses.ResponseInputText, Content<User>>(true)
assignable<OpenAI.Responses.ResponseOutputRefusal, Content<Assistant>>(true)
assignable<OpenAI.Responses.CustomTool["name"], Extract<Tool, { readonly type: "custom" }>["name"]>(true)
assignable<OpenAI.Responses.WebSearchTool, Tool>(true)
assignable<OpenAI.Responses.FileSearchTool, Tool>(true)
assignable<OpenAI.Responses.ToolChoiceFunction | OpenAI.Responses.ToolChoiceCustom, Choice>(true)

// and what we write, the SDK takes --------------------------------------------------------------------------------

assignable<{ role: "user" | "assistant"; content: string }, OpenAI.Responses.ResponseInputItem>(true)
assignable<Extract<Content<User>, { readonly type: "input_text" }>, OpenAI.Responses.ResponseInputText>(true)
assignable<Extract<Content<User>, { readonly type: "input_file" }>, OpenAI.Responses.ResponseInputFileContent>(true)
assignable<Extract<Content<Assistant>, { readonly type: "refusal" }>, OpenAI.Responses.ResponseOutputRefusal>(true)
assignable<Extract<Item, { readonly type: "function_call" }>, OpenAI.Responses.ResponseFunctionToolCall>(true)
assignable<Extract<Item, { readonly type: "custom_tool_call" }>, OpenAI.Responses.ResponseCustomToolCall>(true)
assignable<Extract<Item, { readonly type: "compaction" }>, OpenAI.Responses.ResponseCompactionItemParam>(true)
assignable<
  Extract<Item, { readonly type: "function_call_output" }> & { output: string },
  SdkInput["FunctionCallOutput"]
>(true)
type FunctionTool = Extract<Tool, { readonly type: "function" }>
assignable<
  Omit<Required<FunctionTool>, "parameters" | "defer_loading"> & Pick<OpenAI.Responses.FunctionTool, "parameters">,
  OpenAI.Responses.FunctionTool
>(true)
assignable<Extract<Choice, { readonly type: "function" }>, OpenAI.Responses.ToolChoiceFunction>(true)

// every event of the stream ---------------------------------------------------------------------------------------

nothing<Missing<Tags<OpenAI.Responses.ResponseStreamEvent>, Tags<Protocol.EventWire>, Listed<Unmodelled["events"]>>>(
  true
)
/** What is listed as not modelled is not modelled, and is an event. */
nothing<Extract<Tags<Protocol.EventWire>, Listed<Unmodelled["events"]>>>(true)
nothing<Exclude<Listed<Unmodelled["events"]>, Tags<OpenAI.Responses.ResponseStreamEvent>>>(true)

type Event<T> = Extract<Protocol.EventWire, { readonly type: T }>
assignable<OpenAI.Responses.ResponseTextDeltaEvent["delta"], Event<"response.output_text.delta">["delta"]>(true)
assignable<OpenAI.Responses.ResponseRefusalDeltaEvent, Event<"response.refusal.delta">>(true)
assignable<OpenAI.Responses.ResponseReasoningTextDeltaEvent, Event<"response.reasoning_text.delta">>(true)
assignable<OpenAI.Responses.ResponseReasoningTextDoneEvent, Event<"response.reasoning_text.done">>(true)
assignable<OpenAI.Responses.ResponseReasoningSummaryTextDoneEvent, Event<"response.reasoning_summary_text.done">>(true)
assignable<OpenAI.Responses.ResponseFunctionCallArgumentsDeltaEvent, Event<"response.function_call_arguments.delta">>(
  true
)
assignable<OpenAI.Responses.ResponseCustomToolCallInputDoneEvent, Event<"response.custom_tool_call_input.done">>(true)
