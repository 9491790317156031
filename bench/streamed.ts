/** Answers as they are streamed, and a network that sends them. */

const chunk = 16 * 1024

export type Wire = { readonly type: string; readonly [key: string]: unknown }

const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "write" }
const message = { id: "msg_1", type: "message", role: "assistant", status: "completed" }
const body = { id: "resp_1", object: "response", model: "m", created_at: 1, status: "completed" }
export const responses = {
  text: (pieces: ReadonlyArray<string>): ReadonlyArray<Wire> => {
    const at = { item_id: "msg_1", output_index: 0, content_index: 0 }
    const text = { type: "output_text", text: pieces.join(""), annotations: [] }
    return [
      { type: "response.created", response: { ...body, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
      { type: "response.content_part.added", ...at, part: { ...text, text: "" } },
      ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      { type: "response.output_text.done", ...at, text: text.text, logprobs: [] },
      { type: "response.content_part.done", ...at, part: text },
      { type: "response.output_item.done", output_index: 0, item: { ...message, content: [text] } },
      { type: "response.completed", response: { ...body, output: [{ ...message, content: [text] }] } }
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
  },
  arguments: (pieces: ReadonlyArray<string>): ReadonlyArray<Wire> => {
    const at = { item_id: "fc_1", output_index: 0 }
    const whole = { ...item, arguments: pieces.join(""), status: "completed" }
    return [
      { type: "response.created", response: { ...body, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
      { type: "response.function_call_arguments.done", ...at, arguments: whole.arguments },
      { type: "response.output_item.done", output_index: 0, item: whole },
      { type: "response.completed", response: { ...body, output: [whole] } }
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
  }
}

const begun = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  usage: { input_tokens: 1, output_tokens: 1 }
}
export const messages = (block: unknown, deltas: ReadonlyArray<unknown>): ReadonlyArray<Wire> => [
  { type: "message_start", message: begun },
  { type: "content_block_start", index: 0, content_block: block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
  { type: "message_stop" }
]

export const bytesOf = (events: ReadonlyArray<Wire>): Uint8Array =>
  new TextEncoder().encode(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""))

/** A network that answers with these bytes, a chunk at a time. */
export const answering = (bytes: Uint8Array): typeof fetch => () => {
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at += chunk))
    }
  })
  return Promise.resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }))
}
