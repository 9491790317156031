import { assert, describe, it } from "@effect/vitest"
import { Effect, type Equivalence, Schema } from "effect"
import { isEquivalent } from "../../../src/canonical/Losses.ts"
import * as OpenAiResponses from "../../../src/protocol/openai-responses/index.ts"
import type { Protocol } from "../../../src/protocol/Protocol.ts"
import { laws } from "../../../src/testing/index.ts"

const protocol: Protocol<OpenAiResponses.RequestWire, OpenAiResponses.ResponseWire, OpenAiResponses.FailureWire> =
  OpenAiResponses

const frame = { protocol: protocol.name, defaults: OpenAiResponses.defaults }
const same: Equivalence.Equivalence<unknown> = (a, b) => isEquivalent(a, b, frame)

describe("openai-responses", () => {
  it("is a protocol, as a module and as a value", () => {
    assert.strictEqual(protocol.name, "openai-responses")
    for (const [key, value] of Object.entries(OpenAiResponses.OpenAiResponses)) {
      assert.strictEqual(protocol[key as keyof Protocol], value)
    }
  })

  it.effect("obeys the laws of a protocol", () => laws(protocol, { runs: 500 }))

  for (const [name, codec] of Object.entries(OpenAiResponses.pieces)) {
    const equivalence: Equivalence.Equivalence<unknown> = name === "items"
      ? (a, b) => same({ items: a }, { items: b })
      : same
    it.effect(`obeys the laws of a codec: ${name}`, () =>
      laws(codec as Schema.Codec<unknown, unknown>, { runs: 200, equivalence }))
  }

  it.effect("obeys the laws of a codec: response", () =>
    laws(OpenAiResponses.ResponseFromWire, { runs: 500, equivalence: same }))

  it.effect("obeys the laws of a codec: failure", () => laws(OpenAiResponses.FailureFromWire, { runs: 500 }))

  it.effect("reads and writes alike off the fast road", () =>
    Effect.gen(function*() {
      const codec = OpenAiResponses.RequestFromWire
      const twin = codec.annotate({})
      const body = {
        model: "m",
        input: [
          { role: "user", content: "hi" },
          {
            type: "web_search_call",
            id: "w",
            status: "completed",
            action: { type: "search", query: "q" },
            results: [1]
          },
          { type: "function_call", call_id: "c", name: "f", arguments: "{}", x: null },
          { type: "x_unknown" }
        ],
        tools: [{ type: "mcp", server_label: "s", server_url: "u", require_approval: "never" }]
      }
      const canonical = yield* Schema.decodeUnknownEffect(codec)(body)
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(twin)(body), canonical)
      assert.deepStrictEqual(yield* Schema.encodeEffect(twin)(canonical), yield* Schema.encodeEffect(codec)(canonical))
    }))
})
