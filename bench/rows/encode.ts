/** A conversation that a program holds, each library's in its own form, as the body of a request. */
import type * as Request from "../../src/canonical/Request.ts"
import { words } from "../answers.ts"
import { canonical, messages, tools, wireText } from "../bodies.ts"
import { fresh, json, measure, parsed } from "../measure.ts"
import * as aiSdk from "../peers/ai-sdk.ts"
import { isWhole } from "../peers/check.ts"
import * as piAi from "../peers/pi-ai.ts"
import { type Name, names, protocols } from "../protocols.ts"
import { table, times } from "../table.ts"

const timesOf = async (name: Name) => {
  const { encode } = protocols[name].request
  const request = parsed<Request.Request>(JSON.stringify(canonical(name)))
  const call = () => aiSdk.callOf(name, request())
  const context = () => piAi.contextOf(name, request())

  let sent = ""
  await aiSdk.ask(name, words[name], (body) => void (sent = body))(call())
  isWhole("AI SDK", JSON.parse(sent))
  isWhole("pi-ai", await piAi.encode[name](context()))
  isWhole("bellows", encode(request()))

  return measure({
    json: json(wireText(name)),
    body: fresh(request, encode),
    text: fresh(request, (it) => JSON.stringify(encode(it))),
    piAi: fresh(context, piAi.encode[name]),
    aiSdk: fresh(call, aiSdk.ask(name, words[name])),
    nothing: fresh(
      (): aiSdk.Call => ({ messages: [{ role: "user", content: "hi" }], tools: {}, maxOutputTokens: 9 }),
      aiSdk.ask(name, words[name])
    )
  })
}

const taken = {
  "anthropic-messages": await timesOf("anthropic-messages"),
  "openai-responses": await timesOf("openai-responses")
}
const row = (title: string, key: Exclude<keyof (typeof taken)[Name], "json">) =>
  [title, ...names.map((name) => times(taken[name][key] / taken[name].json))] as const
table(`encode ${messages} messages, ${tools} tools, fresh, x JSON`, names, [
  row("bellows, to a body", "body"),
  row("pi-ai, to a body", "piAi"),
  row("bellows, to JSON text", "text"),
  row("AI SDK generateText, to text and a word back", "aiSdk"),
  row("AI SDK generateText, a word and a word back", "nothing")
])
