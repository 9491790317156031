/** The AI SDK: `generateText` with its own messages, over a network that answers at once and keeps what it was sent. */
import type * as Part from "../../src/canonical/Part.ts"
import type * as Request from "../../src/canonical/Request.ts"
import type { Name } from "../protocols.ts"
import { load } from "./load.ts"
import { functionsOf, type Said, type Turn, turnsOf } from "./turns.ts"

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

const saidOf = (name: Name, said: Said): object => {
  switch (said.type) {
    case "part":
      return partOf(said.part)
    case "reasoning":
      return {
        type: "reasoning",
        text: said.text,
        providerOptions: proofs(name, `rs_${said.index}`, said.item.proof)
      }
    case "call":
      return { type: "tool-call", toolCallId: said.id, toolName: said.name, input: said.input }
  }
}

const messageOf = (name: Name, turn: Turn): Message => {
  if ("said" in turn) return { role: turn.role, content: turn.said.map((said) => saidOf(name, said)) }
  if ("parts" in turn) return { role: turn.role, content: turn.parts.map(partOf) }
  const output = { type: "content", value: turn.output.map(partOf) }
  return {
    role: turn.role,
    content: [{ type: "tool-result", toolCallId: turn.id, toolName: turn.name, output }]
  }
}

export const toolOf = (description: string | undefined, schema: unknown): unknown =>
  tool({ description, inputSchema: jsonSchema(schema) })

/** The request as one would write it for the AI SDK. */
export const callOf = (name: Name, request: Request.Request): Call => ({
  messages: [
    ...(request.instructions ?? []).map((part) => ({
      role: "system",
      content: part.type === "text" ? part.text : ""
    })),
    ...turnsOf(request.items).map((turn) => messageOf(name, turn))
  ],
  tools: Object.fromEntries(
    functionsOf(request.tools).map(({ description, name, parameters }) => [name, toolOf(description, parameters)])
  ),
  maxOutputTokens: request.maxTokens ?? 4096,
  // What is stored there would be sent as references only.
  providerOptions: { openai: { store: false } }
})
