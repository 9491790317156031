/**
 * Arbitraries for every canonical type: nested values as they occur, and as nobody expects them (unicode, empty, huge,
 * odd ids, arguments that are no JSON).
 */
import { Arbitrary, Hash, Schema } from "effect"
import * as FailureModule from "../canonical/Failure.ts"
import * as ItemModule from "../canonical/Item.ts"
import * as PartModule from "../canonical/Part.ts"
import * as RequestModule from "../canonical/Request.ts"
import * as ResponseModule from "../canonical/Response.ts"
import * as ToolModule from "../canonical/Tool.ts"
import * as UsageModule from "../canonical/Usage.ts"
import { isRecord } from "../codec/index.ts"
import { pick } from "./Injection.ts"

/** What stands in a field of that name in real conversations, and at their edges. */
const occurring: Readonly<Record<string, ReadonlyArray<string>>> = {
  id: [
    "call_FxpdpMpXNm8kcvvVkUwU779y",
    "toolu_01C3Y57WiK7E1q95fLVPaaNv",
    "0",
    "call/with|odd:chars",
    "ид-①",
    " ",
    "a".repeat(300)
  ],
  name: ["get_weather", "web_search", "mcp__crm__find", "x".repeat(128), "名前"],
  arguments: [
    "",
    " \n",
    "{}",
    `{"city":"Malmö","units":["C"],"deep":{"a":[{"b":null}]}}`,
    `{ "id" : 2512292042121000001 }`,
    `{"cut":"off`,
    `[1,2]`
  ],
  text: ["", " ", "\n\n", "Hello 👩‍👩‍👧‍👦 שלום \u0000 \u2028", "long ".repeat(20_000), `{"looks":"like JSON"}`],
  url: [
    "https://example.org/a.png?X-Sig=abc.pdf&e=3.6",
    "data:,x",
    "data:image/png;base64,AAAA",
    "DATA:text/plain;charset=UTF-8;BASE64,aGk="
  ],
  mediaType: ["image/png", "application/pdf", "text/plain", "audio/x-wav", "application/vnd.made+json"],
  data: ["", "AAAA", "JVBERi0=", "QUJD".repeat(10_000)],
  model: ["gpt-5", "claude-sonnet-4-5", "org/model:free", ""],
  effort: ["none", "low", "high", "xhigh"],
  protocol: ["openai-responses", "anthropic-messages", "gemini"],
  rawFinishReason: ["completed", "end_turn", "model_context_window_exceeded", "a_new_reason"]
}

/** Half of the strings in fields that have a known meaning become such as occur there. */
const enriched = (value: unknown, seed: string): unknown => {
  if (Array.isArray(value)) return value.map((child: unknown, index) => enriched(child, `${seed}${index}`))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const own = `${seed} ${key}`
      const known = Object.hasOwn(occurring, key) ? occurring[key] : undefined
      return [
        key,
        typeof child === "string" && known !== undefined && Hash.string(own) % 2 === 0
          ? pick(known, `${own} which`)
          : enriched(child, own)
      ]
    })
  )
}

/** Samples of a canonical schema, made lifelike. */
export const lifelike = <A>(schema: Schema.Codec<A>): Arbitrary.Arbitrary<A> => {
  const isA = Schema.is(schema)
  return Arbitrary.all([Arbitrary.schema(schema), Arbitrary.schema(Schema.String)]).pipe(
    Arbitrary.map(([plain, seed]) => {
      const richer: unknown = enriched(plain, seed)
      return isA(richer) ? richer : plain
    })
  )
}

export const Part = lifelike(PartModule.Part)
export const Parts = lifelike(PartModule.Parts)
export const Source = lifelike(PartModule.Source)
export const Citation = lifelike(PartModule.Citation)
export const Item = lifelike<ItemModule.Item>(ItemModule.Item)
export const Items = lifelike(ItemModule.Items)
export const Tool = lifelike(ToolModule.Tool)
export const ToolChoice = lifelike(ToolModule.ToolChoice)
export const McpServer = lifelike(ToolModule.McpServer)
export const ResponseFormat = lifelike(RequestModule.ResponseFormat)
export const Request = lifelike(RequestModule.Request)
export const Response = lifelike(ResponseModule.Response)
export const Usage = lifelike(UsageModule.Usage)
export const Failure = lifelike(FailureModule.Failure)
