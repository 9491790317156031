/** Faults with tools' arguments, and with calls and their results, that users of such software reported. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import * as Losses from "../src/canonical/Losses.ts"
import type { Request } from "../src/canonical/Request.ts"
import * as Client from "../src/pipeline/Client.ts"
import * as AnthropicMessages from "../src/protocol/anthropic-messages/index.ts"
import { OpenAiResponses } from "../src/protocol/openai-responses/index.ts"
import * as Echo from "../src/provider/Echo.ts"
import * as Shorthand from "../src/shorthand/index.ts"

const file = new URL("../../shared/cases/cases.jsonl", import.meta.url)

interface Case {
  readonly id: string
  readonly area: string
  readonly input: string
  // What is right is said in a form of its own in each case.
  readonly right: { readonly [key: string]: Schema.Json }
}

const areas = ["tool-args", "tool-pairing", "tool-result-multimodal"]
/** Held elsewhere: the streams, beside the tests of their events. */
const elsewhere = ["no-arg-tool-empty-string"]

const decode = (codec: Schema.Codec<unknown, unknown>) => Schema.decodeUnknownSync(codec)
const encode = (codec: Schema.Codec<unknown, unknown>) => (value: unknown) =>
  Schema.encodeUnknownSync(codec)(value) as Schema.Json
/** What Chat's messages are read as: shorthand takes them. */
const ofChat = decode(Shorthand.Items)
const ofMessages = decode(AnthropicMessages.pieces.items)
const toMessages = encode(AnthropicMessages.pieces.items)
const toInput = encode(OpenAiResponses.pieces.items)

type Held = (
  it: { readonly input: { readonly [key: string]: Schema.Json }; readonly right: Case["right"] }
) => Effect.Effect<void, unknown>

const held: { readonly [id: string]: Held } = {
  // Chat as a target is not here: what is held is that no text comes between a call and its result on Anthropic's wire.
  "tool-result-before-text": ({ input }) =>
    Effect.sync(() => {
      const items = ofMessages(input.messages)
      const out = toMessages(items)
      assert.deepStrictEqual(out, [
        (input.messages as Schema.JsonArray)[0]!,
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "toolu_7", content: "21C" }, {
            type: "text",
            text: "and Oslo?"
          }]
        }
      ])
      // Responses pairs by id, in any order.
      assert.includeDeepMembers(toInput(items) as Array<unknown>, [
        { type: "function_call_output", call_id: "toolu_7", output: "21C" },
        { role: "user", content: "and Oslo?" }
      ])
    }),

  "tool-result-image": ({ input, right }) =>
    Effect.sync(() => assert.deepStrictEqual(toInput(ofMessages([input])), [right.openai_responses!])),

  "orphan-tool-output": ({ input }) =>
    Effect.gen(function*() {
      const request = decode(OpenAiResponses.RequestFromWire)({ model: "m", ...input }) as Request
      const refused = (request: Request) =>
        Effect.map(Effect.flip(Client.send(request)), ({ reason }) => {
          assert.strictEqual(reason._tag, "InvalidRequest")
          return reason.detail
        })
      const [, result] = request.items
      const detail = yield* refused(request)
      for (const id of ["call_gone", "call_open"]) assert.include(detail, id)
      for (const elsewhere of [{ previousResponseId: "resp_1" }, { conversation: "conv_1" }]) {
        yield* Client.send({ ...request, items: [result!], ...elsewhere })
      }
    }).pipe(Effect.provide(Echo.layer)),

  "invalid-args-in-history": ({ input }) =>
    Effect.gen(function*() {
      const items = ofChat(input.messages)
      const [call] = toInput(items) as ReadonlyArray<{ readonly arguments: string }>
      assert.strictEqual(call?.arguments, `{"cmd":"ls `)
      // Of the two right answers, ours is the typed error; it says where the call is.
      const error = yield* Effect.flip(Schema.encodeUnknownEffect(AnthropicMessages.pieces.items)(items))
      assert.strictEqual(error._tag, "SchemaError")
      assert.include(error.message, "Expected arguments that are a JSON object")
      assert.include(error.message, `at [0]["arguments"]`)
    }),

  "large-int-arguments": ({ input, right }) =>
    Effect.sync(() => {
      const items = ofChat([{ role: "assistant", content: null, ...input }])
      const [call] = toInput(items) as ReadonlyArray<{ readonly arguments: string }>
      assert.strictEqual(call?.arguments, right.chat_and_responses_replay_arguments)
      // Anthropic's wire has parsed JSON, so the number is rounded there, and that is told.
      const back = ofMessages(toMessages(items))
      assert.deepStrictEqual(
        Losses.losses({ items }, { items: back }, { protocol: AnthropicMessages.name }).map(({ pointer }) => pointer),
        ["/items/0/arguments/id"]
      )
    })
}

describe("faults with tools that users of such software reported", () => {
  if (!existsSync(file)) return it.skip("need ../shared/cases", () => {})
  const cases = readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line) as Case)
    .filter(({ area }) => areas.includes(area))
  for (const { area, id, input, right } of cases) {
    if (elsewhere.includes(id)) continue
    it.effect(`${area}: ${id}`, () => held[id]!({ input: JSON.parse(input), right }))
  }
  it("are all held, here or elsewhere", () => {
    const known = [...Object.keys(held), ...elsewhere].toSorted()
    assert.deepStrictEqual(cases.map(({ id }) => id).toSorted(), known)
  })
})
