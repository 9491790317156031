/**
 * Measures decode, encode and translate as multiples of `JSON.parse` + `JSON.stringify` of the same body in the same run.
 *
 * Slices of every row are interleaved and the median is taken, so that what disturbs the machine disturbs all alike.
 */
import { Schema } from "effect"
import * as AnthropicMessages from "../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../src/protocol/openai-responses/index.ts"
import { conversation } from "./conversation.ts"

const slice = 25
const rounds = 9
let sink: unknown

/** Microseconds a call, over one slice of milliseconds. */
const time = (f: () => unknown): number => {
  const start = performance.now()
  let n = 0
  do {
    sink = f()
    n++
  } while (performance.now() - start < slice)
  return (performance.now() - start) * 1000 / n
}

const median = (xs: ReadonlyArray<number>): number => xs.toSorted((a, b) => a - b)[xs.length >> 1]!

interface Row {
  readonly name: string
  readonly json: () => unknown
  readonly compiled: () => unknown
  readonly interpreted: () => unknown
}

/** The same schema off the fast road. */
const twin = <A, I>(codec: Schema.Codec<A, I>): Schema.Codec<A, I> => codec.annotate({})

const rows = (messages: number): ReadonlyArray<Row> => {
  const [P, Q] = [AnthropicMessages.RequestFromWire, OpenAiResponses.RequestFromWire].map((codec) => {
    const of = (codec: Schema.Codec<typeof AnthropicMessages.RequestFromWire.Type, unknown>) => ({
      decode: Schema.decodeUnknownSync(codec),
      encode: Schema.encodeSync(codec)
    })
    return { compiled: of(codec), interpreted: of(twin<typeof codec.Type, unknown>(codec)) }
  }) as [Codec, Codec]
  const anthropic: unknown = JSON.parse(JSON.stringify(conversation(messages)))
  const canonical = P.compiled.decode(anthropic)
  const responses: unknown = JSON.parse(JSON.stringify(Q.compiled.encode(canonical)))
  const same = Q.compiled.decode(responses)
  const json = (body: unknown) => {
    const text = JSON.stringify(body)
    return () => JSON.stringify(JSON.parse(text))
  }
  const row = (name: string, body: unknown, work: (road: "compiled" | "interpreted") => unknown): Row => ({
    name,
    json: json(body),
    compiled: () => work("compiled"),
    interpreted: () => work("interpreted")
  })
  return [
    row("decode anthropic-messages", anthropic, (road) => P[road].decode(anthropic)),
    row("encode anthropic-messages", anthropic, (road) => P[road].encode(canonical)),
    row("decode openai-responses", responses, (road) => Q[road].decode(responses)),
    row("encode openai-responses", responses, (road) => Q[road].encode(same)),
    row(
      "translate anthropic-messages to openai-responses",
      anthropic,
      (road) => Q[road].encode(P[road].decode(anthropic))
    ),
    row(
      "translate openai-responses to anthropic-messages",
      responses,
      (road) => P[road].encode(Q[road].decode(responses))
    )
  ]
}
type Road = {
  readonly decode: (body: unknown) => typeof AnthropicMessages.RequestFromWire.Type
  readonly encode: (request: typeof AnthropicMessages.RequestFromWire.Type) => unknown
}
type Codec = { readonly compiled: Road; readonly interpreted: Road }

console.log("multiples of JSON.parse + JSON.stringify of the same body".padEnd(60), "compiled  interpreted")
for (const messages of [1, 50, 500]) {
  const all = rows(messages)
  const times = all.map(() => ({
    json: [] as Array<number>,
    compiled: [] as Array<number>,
    interpreted: [] as Array<number>
  }))
  for (let round = 0; round < rounds; round++) {
    for (const [i, row] of all.entries()) {
      for (const key of ["json", "compiled", "interpreted"] as const) times[i]![key].push(time(row[key]))
    }
  }
  for (const [i, { name }] of all.entries()) {
    // The first rounds warm the engine up.
    const [json, compiled, interpreted] = (["json", "compiled", "interpreted"] as const).map((key) =>
      median(times[i]![key].slice(2))
    )
    const ratio = (t: number) => `${(t / json!).toFixed(2)} x`
    console.log(
      `${String(messages).padStart(4)} messages  ${name}`.padEnd(60),
      ratio(compiled!).padStart(8),
      ratio(interpreted!).padStart(12)
    )
  }
}
if (sink === undefined) throw new Error("Nothing was measured")
