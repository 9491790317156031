import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Kind } from "../../../src/canonical/Failure.ts"
import { FailureFromWire } from "../../../src/protocol/openai-responses/index.ts"

const decode = Schema.decodeUnknownSync(FailureFromWire)
const encode = Schema.encodeSync(FailureFromWire)

describe("failure", () => {
  const kinds: ReadonlyArray<readonly [Kind, Schema.Json]> = [
    ["quota-exhausted", { message: "x", type: "insufficient_quota", code: "insufficient_quota" }],
    ["rate-limited", { message: "x", type: "tokens", code: "rate_limit_exceeded" }],
    ["context-length-exceeded", { message: "x", type: "invalid_request_error", code: "context_length_exceeded" }],
    ["context-length-exceeded", { message: "request (6012 tokens) exceeds the available context size", code: 400 }],
    ["context-length-exceeded", {
      message: "This model's maximum context length is 8 tokens",
      type: "invalid_request_error"
    }],
    ["unauthenticated", { message: "x", type: "invalid_request_error", code: "invalid_api_key" }],
    ["unauthenticated", { message: "Invalid API Key", type: "authentication_error", code: 401 }],
    ["not-found", { message: "x", type: "invalid_request_error", code: "model_not_found" }],
    ["content-filtered", { message: "x", type: "image_generation_user_error", code: "content_policy_violation" }],
    ["server-error", { message: "x", type: "server_error" }],
    ["invalid-request", {
      message: "x",
      type: "invalid_request_error",
      param: "temperature",
      code: "decimal_below_min_value"
    }],
    ["other", { message: "x", type: "x_new_type" }]
  ]
  for (const [kind, error] of kinds) {
    it(`${kind}: ${JSON.stringify(error)}`, () => {
      assert.strictEqual(decode({ error }).kind, kind)
      assert.deepStrictEqual(encode(decode({ error })), { error })
    })
  }

  it("is read in every shape, and comes back in it", () => {
    const bodies: ReadonlyArray<readonly [string, { readonly [key: string]: Schema.Json }]> = [
      ["bad", { error: "bad" }],
      ["bad", { message: "bad", type: "server_error" }],
      ["bad", { detail: "bad" }],
      ["bad", { error: { message: "bad", x: 1 }, request_id: "r" }],
      ["bad", { object: "response", status: "failed", error: { code: "server_error", message: "bad" } }],
      ["", { detail: [{ loc: ["body"], msg: "bad" }] }],
      ["", {}]
    ]
    for (const [message, body] of bodies) {
      assert.strictEqual(decode(body).message, message)
      assert.deepStrictEqual(encode(decode(body)), body)
    }
  })

  it("takes null for absence", () => {
    assert.deepStrictEqual(
      decode({ error: { message: "x", type: "server_error", param: null, code: null }, detail: null }),
      {
        kind: "server-error",
        message: "x",
        type: "server_error"
      }
    )
  })

  it("of another's making gets words that say the same", () => {
    for (const kind of Kind.literals) {
      const failure = { kind, message: "x", type: "x_their_type" }
      assert.strictEqual(decode(encode(failure)).kind, kind)
    }
  })
})
