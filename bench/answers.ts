/** Response bodies of both protocols that say the same: reasoning, text and four tool calls. */
import type { Name } from "./protocols.ts"

const prose = (words: number): string => "the quick brown fox jumps over the lazy dog ".repeat(words / 9)
const calls = Array.from({ length: 4 }, (_, i) => ({
  id: `call_${i}`,
  name: `tool_${i}`,
  input: { field_0: i, field_1: prose(9), nested: { list: [1, 2, 3] } }
}))
const proof = "c2lnbmF0dXJl".repeat(10)

const messages = (content: ReadonlyArray<object>, stop_reason: string) =>
  JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-x",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 900, cache_creation_input_tokens: 0, cache_read_input_tokens: 800, output_tokens: 300 }
  })

const responses = (output: ReadonlyArray<object>) =>
  JSON.stringify({
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: 4096,
    model: "gpt-x",
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: "medium", summary: "auto" },
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: {
      input_tokens: 900,
      input_tokens_details: { cached_tokens: 800 },
      output_tokens: 300,
      output_tokens_details: { reasoning_tokens: 90 },
      total_tokens: 1200
    },
    metadata: {}
  })

const message = (text: string) => ({
  id: "msg_1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }]
})

export const answers: Readonly<Record<Name, string>> = {
  "anthropic-messages": messages([
    { type: "thinking", thinking: prose(90), signature: proof },
    { type: "text", text: prose(180) },
    ...calls.map((call) => ({ type: "tool_use", ...call }))
  ], "tool_use"),
  "openai-responses": responses([
    { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: prose(90) }], encrypted_content: proof },
    message(prose(180)),
    ...calls.map(({ id, input, name }) => ({
      id: `fc_${id}`,
      type: "function_call",
      status: "completed",
      call_id: id,
      name,
      arguments: JSON.stringify(input)
    }))
  ])
}

/** The shortest answers. */
export const words: Readonly<Record<Name, string>> = {
  "anthropic-messages": messages([{ type: "text", text: "hi" }], "end_turn"),
  "openai-responses": responses([message("hi")])
}
