/**
 * Spells calls and their results where each is an item of its own, paired by `call_id`.
 *
 * https://platform.openai.com/docs/guides/function-calling
 */
import { Schema } from "effect"
import { ToolCall, ToolResult } from "../../canonical/Item.ts"
import { as, type Bagged, carried, isRecord, type Plain, sampled, transform, unfit } from "../../codec/index.ts"
import { OutputFromContent, OutputFromJson, OutputFromScreenshot, OutputFromText } from "./Content.ts"
import { extrasOf, variant, withExtras } from "./Extras.ts"
import { ArgumentsFromJson, argumentsUnder } from "./Json.ts"

// functions and custom tools --------------------------------------------------------------------------------------

const FunctionCall = variant(ToolCall, { type: "function_call" }, {
  id: "call_id",
  name: "name",
  arguments: as("arguments", Schema.String, { needed: true })
}, { kind: undefined, providerExecuted: undefined })
/** A call without arguments has empty ones: the API asks for some. */
export const CallFromFunctionCall = transform(FunctionCall, ToolCall, {
  decode: (call): ToolCall => call,
  encode: (call) => call.arguments === undefined && call.input === undefined ? { ...call, arguments: "{}" } : call,
  carries: carried(FunctionCall)
})

export const ResultFromFunctionCallOutput = variant(ToolResult, { type: "function_call_output" }, {
  id: "call_id",
  output: as("output", OutputFromContent, { always: "" })
}, { kind: undefined, providerExecuted: undefined })

export const CallFromCustomToolCall = variant(ToolCall, { type: "custom_tool_call" }, {
  id: "call_id",
  name: "name",
  input: as("input", Schema.String, { needed: true })
}, { kind: "custom_tool_call" })

export const ResultFromCustomToolCallOutput = variant(ToolResult, { type: "custom_tool_call_output" }, {
  id: "call_id",
  output: as("output", OutputFromContent, { always: "" })
}, { kind: "custom_tool_call_output" })

// computer --------------------------------------------------------------------------------------------------------

const computer = { kind: "computer_call", name: "computer" } as const
export const CallFromComputerActions = variant(ToolCall, { type: "computer_call" }, {
  id: "call_id",
  arguments: as("actions", argumentsUnder("actions"), { needed: true })
}, computer)
export const CallFromComputerAction = variant(ToolCall, { type: "computer_call" }, {
  id: "call_id",
  arguments: as("action", ArgumentsFromJson)
}, computer)

export const ResultFromComputerCallOutput = variant(ToolResult, { type: "computer_call_output" }, {
  id: "call_id",
  output: OutputFromScreenshot
}, { kind: "computer_call_output" })

// ids and who runs it ---------------------------------------------------------------------------------------------

/** The item has its pairing id under another key than usual: the usual one is then `null`, in the bag as well. */
const whenNull = <A extends Bagged, I>(key: string, to: Plain<A>, codec: Schema.Codec<A, I>): Schema.Codec<A, I> => {
  const marked = (item: A): A => withExtras(item, { ...extrasOf(item), [key]: null })
  return transform(codec, to, {
    decode: (item) => extrasOf(item)[key] == null ? marked(item) : unfit,
    encode: (item) => extrasOf(item)[key] === null ? item : unfit,
    carries: sampled(to, carried(codec), marked)
  })
}

const inContainer = ({ environment }: ReturnType<typeof extrasOf>): boolean =>
  isRecord(environment) && environment.type !== "local"

// shells and patches ----------------------------------------------------------------------------------------------

export const CallFromLocalShellCall = variant(ToolCall, { type: "local_shell_call" }, {
  id: "call_id",
  arguments: as("action", ArgumentsFromJson)
}, { kind: "local_shell_call", name: "local_shell" })

const localShell = { kind: "local_shell_call_output" } as const
export const ResultFromLocalShellCallOutput = variant(ToolResult, { type: "local_shell_call_output" }, {
  id: "id",
  output: as("output", OutputFromText, { always: "" })
}, localShell)
/** The guides pair by `call_id`, the reference by `id`. */
export const ResultFromLocalShellCallOutputOfCall = whenNull(
  "id",
  ToolResult,
  variant(ToolResult, { type: "local_shell_call_output" }, {
    id: "call_id",
    output: as("output", OutputFromText, { always: "" })
  }, localShell)
)

const ShellCall = variant(ToolCall, { type: "shell_call" }, {
  id: "call_id",
  arguments: as("action", ArgumentsFromJson)
}, { kind: "shell_call", name: "shell" })
/** In a container the provider runs the commands, elsewhere the caller does. */
export const CallFromShellCall = transform(ShellCall, ToolCall, {
  decode: (call): ToolCall => inContainer(extrasOf(call)) ? { ...call, providerExecuted: true } : call,
  encode: (call) => call,
  carries: carried(ShellCall)
})

export const ResultFromShellCallOutput = variant(ToolResult, { type: "shell_call_output" }, {
  id: "call_id",
  output: OutputFromJson
}, { kind: "shell_call_output" })

export const CallFromApplyPatchCall = variant(ToolCall, { type: "apply_patch_call" }, {
  id: "call_id",
  arguments: as("operation", ArgumentsFromJson)
}, { kind: "apply_patch_call", name: "apply_patch" })

const IsErrorFromStatus = transform(Schema.Literals(["completed", "failed"]), Schema.Boolean, {
  decode: (status) => status === "failed",
  encode: (isError) => isError ? "failed" as const : "completed" as const,
  carries: Schema.Literal(true)
})
export const ResultFromApplyPatchCallOutput = variant(ToolResult, { type: "apply_patch_call_output" }, {
  id: "call_id",
  output: OutputFromText,
  isError: as("status", IsErrorFromStatus, { always: "completed" })
}, { kind: "apply_patch_call_output" })

// tool search and programs ----------------------------------------------------------------------------------------

const searchCall = { kind: "tool_search_call", name: "tool_search" } as const
const searchOutput = { kind: "tool_search_output" } as const
const server = { type: "tool_search_call", execution: "server" } as const
const serverOutput = { type: "tool_search_output", execution: "server" } as const
const query = { arguments: ArgumentsFromJson }
const found = { output: as("tools", OutputFromJson) }

/** A search that the provider runs has no `call_id`: its own id pairs it. */
export const CallFromServerSearch = whenNull(
  "call_id",
  ToolCall,
  variant(ToolCall, server, { id: "id", ...query }, { ...searchCall, providerExecuted: true })
)
export const CallFromServerSearchOfCall = variant(ToolCall, server, { id: "call_id", ...query }, {
  ...searchCall,
  providerExecuted: true
})
export const CallFromSearch = whenNull(
  "call_id",
  ToolCall,
  variant(ToolCall, { type: "tool_search_call" }, { id: "id", ...query }, {
    ...searchCall,
    providerExecuted: undefined
  })
)
export const CallFromSearchOfCall = variant(ToolCall, { type: "tool_search_call" }, { id: "call_id", ...query }, {
  ...searchCall,
  providerExecuted: undefined
})

export const ResultFromServerSearch = whenNull(
  "call_id",
  ToolResult,
  variant(ToolResult, serverOutput, { id: "id", ...found }, { ...searchOutput, providerExecuted: true })
)
export const ResultFromServerSearchOfCall = variant(ToolResult, serverOutput, { id: "call_id", ...found }, {
  ...searchOutput,
  providerExecuted: true
})
export const ResultFromSearch = whenNull(
  "call_id",
  ToolResult,
  variant(ToolResult, { type: "tool_search_output" }, { id: "id", ...found }, {
    ...searchOutput,
    providerExecuted: undefined
  })
)
export const ResultFromSearchOfCall = variant(ToolResult, { type: "tool_search_output" }, { id: "call_id", ...found }, {
  ...searchOutput,
  providerExecuted: undefined
})

export const CallFromProgram = variant(ToolCall, { type: "program" }, {
  id: "call_id",
  arguments: as("code", argumentsUnder("code"))
}, { kind: "program", name: "programmatic_tool_calling", providerExecuted: true })

export const ResultFromProgramOutput = variant(ToolResult, { type: "program_output" }, {
  id: "call_id",
  output: as("result", OutputFromText, { always: "" })
}, { kind: "program_output", providerExecuted: true })
