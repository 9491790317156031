/** From one API's request to the other's, in one schema. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit, Schema } from "effect"
import { translation } from "../../src/codec/index.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"

const [A, R] = [AnthropicMessages.RequestFromWire, OpenAiResponses.RequestFromWire]
const ResponsesFromMessages = translation(A, R)

const said = (exit: Exit.Exit<unknown, unknown>): unknown => Exit.isSuccess(exit) ? exit.value : "refused"

describe("translation", () => {
  it("goes both ways", () => {
    const messages = {
      model: "m",
      max_tokens: 9,
      system: "s",
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: { a: 1 } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "ok" }] }
      ]
    }
    const responses = {
      model: "m",
      max_output_tokens: 9,
      instructions: "s",
      input: [
        { role: "user", content: "hi" },
        { type: "function_call", call_id: "c", name: "f", arguments: "{\"a\":1}" },
        { type: "function_call_output", call_id: "c", output: "ok" }
      ]
    }
    assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(ResponsesFromMessages)(messages), responses)
    assert.deepStrictEqual<unknown>(Schema.encodeUnknownSync(ResponsesFromMessages)(responses), messages)
  })

  it.effect("is decode and then encode, for every body", () =>
    Effect.gen(function*() {
      const ways = [
        [A, Schema.decodeUnknownExit(A), Schema.encodeUnknownExit(R), Schema.decodeUnknownExit(ResponsesFromMessages)],
        [R, Schema.decodeUnknownExit(R), Schema.encodeUnknownExit(A), Schema.encodeUnknownExit(ResponsesFromMessages)]
      ] as const
      for (const [codec, decode, encode, translate] of ways) {
        const samples = Arbitrary.schema(Schema.toEncoded(codec as Schema.Codec<unknown, unknown>))
        for (const body of yield* Arbitrary.sampleEffect(samples, { count: 300, seed: 7 })) {
          const canonical = decode(body)
          const apart = Exit.isSuccess(canonical) ? encode(canonical.value) : canonical
          assert.deepStrictEqual(said(translate(body)), said(apart))
        }
      }
    }))

  it("says what is wrong in the words of what came", () =>
    assert.throws(
      () => Schema.decodeUnknownSync(ResponsesFromMessages)({ model: "m", messages: 5 }),
      `Expected array\n  at ["messages"]`
    ))
})
