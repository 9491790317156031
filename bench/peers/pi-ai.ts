/** pi-ai: a context of its own to the parameters of each API. */
import type * as Item from "../../src/canonical/Item.ts"
import type * as Part from "../../src/canonical/Part.ts"
import type * as Request from "../../src/canonical/Request.ts"
import type { Name } from "../protocols.ts"
import { load } from "./load.ts"

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

const messagesOf = (name: Name, items: Item.Items): ReadonlyArray<object> => {
  const { api, id: model, provider } = models[name]
  const messages: Array<object> = []
  let said: Array<object> | undefined
  const names = new Map<string, string>()
  const say = (part: object): void => {
    if (said === undefined) {
      const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost }
      messages.push({
        role: "assistant",
        content: said = [],
        api,
        provider,
        model,
        usage,
        stopReason: "stop",
        timestamp: 1
      })
    }
    said.push(part)
  }
  for (const [i, item] of items.entries()) {
    if (item.type === "message" && item.role === "assistant") {
      for (const part of item.parts) say(partOf(part))
      continue
    }
    if (item.type === "reasoning") {
      const text = [...item.summary ?? [], ...item.content ?? []].map((part) => part.type === "text" ? part.text : "")
      say({ type: "thinking", thinking: text.join(""), thinkingSignature: proof(name, item, i) })
      continue
    }
    if (item.type === "tool-call") {
      names.set(item.id, item.name)
      say({ type: "toolCall", id: item.id, name: item.name, arguments: JSON.parse(item.arguments ?? "{}") })
      continue
    }
    said = undefined
    if (item.type === "message") messages.push({ role: "user", content: item.parts.map(partOf), timestamp: 1 })
    else if (item.type === "tool-result") {
      const { id: toolCallId, output = [] } = item
      if (!("length" in output)) throw new Error("The conversation's results are parts")
      const content = output.map(partOf)
      const toolName = names.get(toolCallId)
      messages.push({ role: "toolResult", toolCallId, toolName, content, isError: false, timestamp: 1 })
    } else throw new Error(`The conversation has no ${item.type}`)
  }
  return messages
}

/** The request as one would write it for pi-ai. */
export const contextOf = (name: Name, request: Request.Request): Context => ({
  systemPrompt: (request.instructions ?? []).map((part) => part.type === "text" ? part.text : "").join("\n"),
  messages: messagesOf(name, request.items),
  tools: (request.tools ?? []).map((each) => {
    if (each.type !== "function") throw new Error(`The conversation has no ${each.type} tool`)
    const { description, name, parameters } = each
    return { name, description, parameters }
  })
})
