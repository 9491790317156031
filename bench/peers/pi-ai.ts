/** pi-ai: a context of its own to the parameters of each API. */
import type * as Item from "../../src/canonical/Item.ts"
import type * as Part from "../../src/canonical/Part.ts"
import type * as Request from "../../src/canonical/Request.ts"
import type { Name } from "../protocols.ts"
import { load } from "./load.ts"
import { functionsOf, type Said, type Turn, turnsOf } from "./turns.ts"

interface Context {
  readonly systemPrompt: string
  readonly messages: ReadonlyArray<object>
  readonly tools: ReadonlyArray<unknown>
}
type Transcript = { readonly messages: ReadonlyArray<unknown> }
interface Shared {
  readonly convertResponsesMessages: (
    model: object,
    context: Transcript,
    providers: ReadonlySet<string>
  ) => ReadonlyArray<unknown>
  readonly convertResponsesTools: (tools: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
}
interface Messages {
  readonly stream: (model: object, context: Transcript, options: object) => unknown
}
const { normalizeContext } = await load<{ readonly normalizeContext: (context: Context) => Transcript }>(
  "@earendil-works/pi-ai"
)
const { convertResponsesMessages, convertResponsesTools } = await load<Shared>(
  "@earendil-works/pi-ai/api/openai-responses-shared"
)
const { stream } = await load<Messages>("@earendil-works/pi-ai/api/anthropic-messages")

const cost = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
const limits = { input: ["text", "image"], contextWindow: 200_000, maxTokens: 8192, reasoning: true, cost }
const models = {
  "anthropic-messages": {
    ...limits,
    id: "claude-sonnet-4-5",
    name: "claude",
    api: "anthropic-messages",
    provider: "anthropic",
    baseUrl: "https://api.anthropic.com"
  },
  "openai-responses": {
    ...limits,
    id: "gpt-5",
    name: "gpt",
    api: "openai-responses",
    provider: "openai",
    baseUrl: "https://api.openai.com/v1"
  }
} as const satisfies Readonly<Record<Name, object>>
const own = new Set(["openai"])

export const encode: Readonly<Record<Name, (context: Context) => unknown>> = {
  "openai-responses": (context) => {
    const model = models["openai-responses"]
    return {
      model: model.id,
      input: convertResponsesMessages(model, normalizeContext(context), own),
      tools: convertResponsesTools(context.tools),
      stream: true
    }
  },
  // It has no converter by itself. Once the body is there the call is left hanging, without a client or a network.
  "anthropic-messages": (context) =>
    new Promise((resolve) => {
      const onPayload = (body: unknown) => {
        resolve(body)
        return new Promise(() => {})
      }
      stream(models["anthropic-messages"], normalizeContext(context), { client: {}, onPayload, maxTokens: 4096 })
    })
}

// the conversation in its own form -----------------------------------------------------------------------------------

const partOf = (part: Part.Part): object => {
  if (part.type === "text") return { type: "text", text: part.text }
  // It knows no image by its address.
  if (part.type === "image") return { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }
  throw new Error(`The conversation has no ${part.type}`)
}

const proof = (name: Name, item: Item.Reasoning, i: number): string | undefined =>
  name === "anthropic-messages"
    ? item.proof
    : JSON.stringify({
      type: "reasoning",
      id: `rs_${i}`,
      summary: item.summary?.map((part) => ({ type: "summary_text", text: part.type === "text" ? part.text : "" })),
      encrypted_content: item.proof
    })

const saidOf = (name: Name, said: Said): object => {
  switch (said.type) {
    case "part":
      return partOf(said.part)
    case "reasoning":
      return { type: "thinking", thinking: said.text, thinkingSignature: proof(name, said.item, said.index) }
    case "call":
      return { type: "toolCall", id: said.id, name: said.name, arguments: said.input }
  }
}

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost }

const messageOf = (name: Name, turn: Turn): object => {
  if ("parts" in turn) return { role: "user", content: turn.parts.map(partOf), timestamp: 1 }
  if ("output" in turn) {
    const { id: toolCallId, name: toolName, output } = turn
    return { role: "toolResult", toolCallId, toolName, content: output.map(partOf), isError: false, timestamp: 1 }
  }
  const { api, id: model, provider } = models[name]
  const content = turn.said.map((said) => saidOf(name, said))
  return { role: "assistant", content, api, provider, model, usage, stopReason: "stop", timestamp: 1 }
}

/** The request as one would write it for pi-ai. */
export const contextOf = (name: Name, request: Request.Request): Context => ({
  systemPrompt: (request.instructions ?? []).map((part) => part.type === "text" ? part.text : "").join("\n"),
  messages: turnsOf(request.items).map((turn) => messageOf(name, turn)),
  tools: functionsOf(request.tools)
})
