/** A response body read: reasoning, text and four tool calls. */
import { answers, words } from "../answers.ts"
import { fresh, json, measure, parsed, repeated } from "../measure.ts"
import * as aiSdk from "../peers/ai-sdk.ts"
import { type Name, names, protocols } from "../protocols.ts"
import { table, times } from "../table.ts"

const hi: aiSdk.Call = { messages: [{ role: "user", content: "hi" }], tools: {}, maxOutputTokens: 9 }
const tools = Object.fromEntries(
  Array.from({ length: 4 }, (_, i) => [`tool_${i}`, aiSdk.toolOf(undefined, { type: "object" })])
)

const timesOf = async (name: Name) => {
  const text = answers[name]
  const { decode } = protocols[name].response
  const asked = aiSdk.ask(name, text)
  const call = () => asked({ ...hi, tools })
  const { content, toolCalls } = await call()
  if (content.length !== 6 || toolCalls.length !== 4) throw new Error("The AI SDK lost some of the response")
  if (decode(JSON.parse(text)).items.length !== 6) throw new Error("bellows lost some of the response")
  return measure({
    json: json(text),
    body: fresh(parsed<unknown>(text), decode),
    text: repeated(() => decode(JSON.parse(text))),
    aiSdk: repeated(call),
    word: fresh(() => ({ ...hi, tools }), aiSdk.ask(name, words[name]))
  })
}

const taken = {
  "anthropic-messages": await timesOf("anthropic-messages"),
  "openai-responses": await timesOf("openai-responses")
}
const row = (title: string, key: Exclude<keyof (typeof taken)[Name], "json">) =>
  [title, ...names.map((name) => times(taken[name][key] / taken[name].json))] as const
table("decode a response of six items, fresh, x JSON", names, [
  row("bellows, from a body", "body"),
  row("bellows, from JSON text", "text"),
  row("AI SDK generateText, from text", "aiSdk"),
  row("AI SDK generateText, a word instead", "word")
])
