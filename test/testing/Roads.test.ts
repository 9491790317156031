/** The two roads of every codec of a body answer alike to recorded bodies, whole and spoilt. */
import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema, SchemaGetter } from "effect"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import { parting, spoilt, type Way } from "../../src/testing/Roads.ts"
import { areThere, exchanges } from "../Recordings.ts"

const files = ["anthropic-messages", "openai-responses", "openai-responses-compat", "llama-server"]

const protocols = [AnthropicMessages, OpenAiResponses] as const
const codecs = protocols.flatMap(({ FailureFromWire, RequestFromWire, ResponseFromWire, name }) =>
  Object.entries({ request: RequestFromWire, response: ResponseFromWire, failure: FailureFromWire }).map(
    ([kind, codec]) => {
      const body = codec as Schema.Codec<unknown, unknown>
      return { name, kind, decode: Schema.decodeUnknownExit(body), parting: parting(body) }
    }
  )
)

const bodies = function*(file: string) {
  for (const { id, protocol, request, response, status = 200 } of exchanges(file)) {
    if (request !== undefined) yield { id, protocol, kind: "request", body: request }
    if (response !== undefined) yield { id, protocol, kind: status < 400 ? "response" : "failure", body: response }
  }
}

const together = (id: string, part: (way: Way, value: unknown) => string | undefined, way: Way, value: unknown) => {
  for (const one of spoilt(value, 12, id)) assert.strictEqual(part(way, one), undefined, id)
}

describe.skipIf(!areThere)("the roads, on recordings (skipped where ../shared is absent)", () => {
  for (const file of files) {
    it(file, () => {
      for (const { body, id, kind, protocol } of bodies(file)) {
        const codec = codecs.find((codec) => codec.name === protocol && codec.kind === kind)
        if (codec === undefined) continue
        together(id, codec.parting, "decode", body)
        const canonical = codec.decode(body)
        if (Exit.isSuccess(canonical)) together(id, codec.parting, "encode", canonical.value)
      }
    })
  }
})

describe("the two roads", () => {
  it("take a map of another class for the map that it holds", () => {
    for (const codec of [OpenAiResponses.RequestFromWire, AnthropicMessages.RequestFromWire]) {
      const server = { name: "s", url: "https://example.org", headers: new Date(0) }
      const request = { items: [], tools: [{ type: "mcp", server: "s" }], mcpServers: [server] }
      assert.strictEqual(parting(codec as Schema.Codec<unknown, unknown>)("encode", request), undefined)
    }
  })
})

describe("a parting of the roads", () => {
  it("is told", () => {
    // A foreign codec whose answers differ from one time to the next.
    let n = 0
    const counting = Schema.String.pipe(Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((text: string) => `${text}${n++}`),
      encode: SchemaGetter.passthrough()
    }))
    assert.strictEqual(parting(counting)("decode", "a"), "decode\nderived: a0\ninterpreted: a1")
  })
})
