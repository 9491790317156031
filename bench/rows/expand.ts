/** What a person writes: 50 messages in shorthand and 8 tools, made canonical, put on each wire, and taken back. */
import { Schema } from "effect"
import type * as Request from "../../src/canonical/Request.ts"
import * as Shorthand from "../../src/shorthand/index.ts"
import { canonical, messages, tools } from "../bodies.ts"
import { fresh, json, measure, parsed } from "../measure.ts"
import { names, protocols } from "../protocols.ts"
import { table, times } from "../table.ts"

const expand = Schema.decodeUnknownSync(Shorthand.Request)
const compress = Schema.encodeSync(Shorthand.Request)

/** Nobody writes reasoning. */
const { items, ...rest } = canonical("anthropic-messages")
const plain: Request.Request = { ...rest, items: items.filter(({ type }) => type !== "reasoning") }
const text = JSON.stringify(compress(plain))
const request = parsed<Request.Request>(JSON.stringify(plain))
const body = parsed<unknown>(text)
if (JSON.stringify(compress(expand(body()))) !== text) throw new Error("The shorthand does not come back")

const taken = await measure({
  json: json(text),
  expand: fresh(body, expand),
  [names[0]]: fresh(body, (it) => protocols[names[0]].request.encode(expand(it))),
  [names[1]]: fresh(body, (it) => protocols[names[1]].request.encode(expand(it))),
  compress: fresh(request, compress)
})
const cell = (key: keyof typeof taken) => times(taken[key]! / taken["json"]!)

table(`shorthand of ${messages} messages, ${tools} tools, fresh`, ["x JSON"], [
  ["expand to canonical", cell("expand")],
  ...names.map((name) => [`expand and encode ${name}`, cell(name)] as const),
  ["compress canonical to shorthand", cell("compress")]
])
