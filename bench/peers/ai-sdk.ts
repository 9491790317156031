/** The AI SDK: `generateText` with its own messages, over a network that answers at once and keeps what it was sent. */
import type * as Item from "../../src/canonical/Item.ts"
import type * as Part from "../../src/canonical/Part.ts"
import type * as Request from "../../src/canonical/Request.ts"
import type { Name } from "../protocols.ts"
import { load } from "./load.ts"

interface Ai {
  readonly generateText: (options: object) => Promise<Generated>
  readonly tool: (options: object) => unknown
  readonly jsonSchema: (schema: unknown) => unknown
}
export interface Generated {
  readonly text: string
  readonly content: ReadonlyArray<{ readonly type: string }>
  readonly toolCalls: ReadonlyArray<unknown>
}
type Fetch = (url: unknown, init: { readonly body: string }) => Promise<globalThis.Response>
type Provider = (model: string) => unknown
type Make = (options: { readonly apiKey: string; readonly fetch: Fetch }) => Provider

const { generateText, jsonSchema, tool } = await load<Ai>("ai")
const { createAnthropic } = await load<{ readonly createAnthropic: Make }>("@ai-sdk/anthropic")
const { createOpenAI } = await load<{ readonly createOpenAI: Make }>("@ai-sdk/openai")

const providers: Readonly<Record<Name, { readonly make: Make; readonly model: string }>> = {
  "anthropic-messages": { make: createAnthropic, model: "claude-sonnet-4-5" },
  "openai-responses": { make: createOpenAI, model: "gpt-5" }
}

interface Message {
  readonly role: string
  readonly content: unknown
}
/** What `generateText` is called with. */
export interface Call {
  readonly messages: ReadonlyArray<Message>
  readonly tools: Readonly<Record<string, unknown>>
  readonly maxOutputTokens: number
  readonly providerOptions?: object
}

/** Asks, and is answered with this body; what was sent is handed to `sent`. */
export const ask = (name: Name, answer: string, sent: (body: string) => void = () => {}) => {
  const { make, model } = providers[name]
  const provider = make({
    apiKey: "none",
    fetch: (_, { body }) => {
      sent(body)
      return Promise.resolve(new Response(answer, { headers: { "content-type": "application/json" } }))
    }
  })
  const ready = provider(model)
  return (call: Call): Promise<Generated> =>
    generateText({ ...call, model: ready, maxRetries: 0, allowSystemInMessages: true })
}

// the conversation in its own form -----------------------------------------------------------------------------------

const proofs = (name: Name, id: string, proof: string | undefined) =>
  name === "anthropic-messages"
    ? { anthropic: { signature: proof } }
    : { openai: { itemId: id, reasoningEncryptedContent: proof } }

const partOf = (part: Part.Part): object => {
  if (part.type === "text") return { type: "text", text: part.text }
  if (part.type === "image" && part.source.type === "url") {
    return { type: "file", mediaType: "image/png", data: new URL(part.source.url) }
  }
  throw new Error(`The conversation has no ${part.type}`)
}

const outputOf = (output: Item.ToolResult["output"]): object => {
  if (output === undefined || !("length" in output)) throw new Error("The conversation's results are parts")
  return { type: "content", value: output.map(partOf) }
}

/** Items as messages: what the assistant says in a row is one. */
const messagesOf = (name: Name, items: Item.Items): ReadonlyArray<Message> => {
  const messages: Array<Message> = []
  let said: Array<object> | undefined
  const names = new Map<string, string>()
  const say = (part: object): void => {
    if (said === undefined) messages.push({ role: "assistant", content: said = [] })
    said.push(part)
  }
  for (const [i, item] of items.entries()) {
    if (item.type === "message" && item.role === "assistant") {
      for (const part of item.parts) say(partOf(part))
      continue
    }
    if (item.type === "reasoning") {
      const text = [...item.summary ?? [], ...item.content ?? []].map((part) => part.type === "text" ? part.text : "")
      say({ type: "reasoning", text: text.join(""), providerOptions: proofs(name, `rs_${i}`, item.proof) })
      continue
    }
    if (item.type === "tool-call") {
      names.set(item.id, item.name)
      say({ type: "tool-call", toolCallId: item.id, toolName: item.name, input: JSON.parse(item.arguments ?? "{}") })
      continue
    }
    said = undefined
    if (item.type === "message") messages.push({ role: item.role, content: item.parts.map(partOf) })
    else if (item.type === "tool-result") {
      const { id: toolCallId, output } = item
      const result = { type: "tool-result", toolCallId, toolName: names.get(toolCallId), output: outputOf(output) }
      messages.push({ role: "tool", content: [result] })
    } else throw new Error(`The conversation has no ${item.type}`)
  }
  return messages
}

export const toolOf = (description: string | undefined, schema: unknown): unknown =>
  tool({ description, inputSchema: jsonSchema(schema) })

const toolsOf = (tools: Request.Request["tools"] = []): Call["tools"] =>
  Object.fromEntries(tools.map((each) => {
    if (each.type !== "function") throw new Error(`The conversation has no ${each.type} tool`)
    const { description, name, parameters } = each
    return [name, toolOf(description, parameters)]
  }))

/** The request as one would write it for the AI SDK. */
export const callOf = (name: Name, request: Request.Request): Call => ({
  messages: [
    ...(request.instructions ?? []).map((part) => ({
      role: "system",
      content: part.type === "text" ? part.text : ""
    })),
    ...messagesOf(name, request.items)
  ],
  tools: toolsOf(request.tools),
  maxOutputTokens: request.maxTokens ?? 4096,
  // What is stored there would be sent as references only.
  providerOptions: { openai: { store: false } }
})
