/**
 * What tools cost a request whose predecessor had the same ones: ten messages, the last of them new. Those of a toolkit are
 * offered anew each time, strict, as at the beginning of a run.
 */
import { Result, Schema } from "effect"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Item from "../../src/canonical/Item.ts"
import type * as Request from "../../src/canonical/Request.ts"
import * as Offer from "../../src/loop/Offer.ts"
import { canonical } from "../bodies.ts"
import { fresh, measure } from "../measure.ts"
import { type Name, names, protocols } from "../protocols.ts"
import { type Line, table, times } from "../table.ts"

const counts: ReadonlyArray<number> = [0, 1, 8, 64]
type Tools = NonNullable<Request.Request["tools"]>

const many = (tools: Tools, count: number): Tools => {
  const text = JSON.stringify(tools)
  const all = Array.from({ length: Math.ceil(count / tools.length) }, () => JSON.parse(text) as Tools).flat()
  return all.slice(0, count).map((tool, i) => tool.type === "function" ? { ...tool, name: `tool_${i}` } : tool)
}

const toolkits = new Map(counts.map((count) => [
  count,
  Toolkit.make(...Array.from({ length: count }, (_, i) =>
    Tool.make(`typed_${i}`, {
      description: "Finds what there is of a kind near a place.",
      parameters: Schema.Struct({
        place: Schema.String,
        kind: Schema.Literals(["shop", "park", "station"]),
        within: Schema.optionalKey(
          Schema.Struct({ metres: Schema.Finite, byFoot: Schema.optionalKey(Schema.Boolean) })
        ),
        words: Schema.Array(Schema.String)
      })
    })))
]))

let messages = 0
const rowsOf = async (name: Name): Promise<ReadonlyArray<Line>> => {
  const { encode } = protocols[name].request
  const { tools: some = [], ...rest } = canonical(name, 10)
  const next = (): Request.Request => ({ ...rest, items: [...rest.items, Item.user(`message ${messages++}`)] })
  const same = (count: number, whole: (tools: Tools) => Tools = (tools) => tools) => {
    const tools = whole(many(some, count))
    return fresh(() => count === 0 ? next() : { ...next(), tools }, encode)
  }
  const other = (count: number) => fresh(() => count === 0 ? next() : { ...next(), tools: many(some, count) }, encode)
  const target = name === "anthropic-messages" ? "anthropic" : "openai"
  const offered = (count: number) => {
    const { tools } = toolkits.get(count)!
    return fresh(next, (request) => {
      const offers = Result.getOrThrow(Offer.all(tools, { target, strict: "prefer" }))
      return encode(count === 0 ? request : { ...request, tools: Offer.toolsOf(offers) })
    })
  }
  const taken = await measure(Object.fromEntries(counts.flatMap((count) => [
    [`same ${count}`, same(count)],
    [`frozen ${count}`, same(count, Object.freeze)],
    [`other ${count}`, other(count)],
    [`typed ${count}`, offered(count)]
  ])))
  const row = (title: string, key: "same" | "frozen" | "other" | "typed"): Line => [
    `${name}, ${title}`,
    ...counts.map((count) => times(taken[`${key} ${count}`]! / taken[`${key} 0`]!))
  ]
  return [
    row("same tools", "same"),
    row("same tools, a frozen list", "frozen"),
    row("new tools each time", "other"),
    row("a toolkit's", "typed")
  ]
}

table("encode the next request, x that without tools", counts.map((count) => `${count} tools`), [
  ...await rowsOf(names[0]),
  ...await rowsOf(names[1])
])
