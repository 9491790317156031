import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { errorTypes, FailureFromWire } from "../../../src/protocol/anthropic-messages/Failure.ts"
import { laws } from "../../../src/testing/index.ts"

const decode = Schema.decodeUnknownSync(FailureFromWire)
const encode = Schema.encodeSync(FailureFromWire)
const body = (type: string, message = "no") => ({ type: "error", error: { type, message }, request_id: "req_1" })

describe("a failure", () => {
  it("is of a kind, by its type", () => {
    for (const [type, kind] of Object.entries(errorTypes)) {
      assert.deepStrictEqual(decode(body(type)), { kind, type, message: "no", requestId: "req_1" })
      assert.deepStrictEqual<unknown>(encode(decode(body(type))), body(type))
    }
  })
  it("is of another kind, by its message", () => {
    const kind = (message: string) => decode(body("invalid_request_error", message)).kind
    assert.strictEqual(kind("prompt is too long: 210000 tokens > 200000 maximum"), "context-length-exceeded")
    assert.strictEqual(kind("input length and `max_tokens` exceed context limit: 1 + 2 > 2"), "context-length-exceeded")
    assert.strictEqual(kind("Your credit balance is too low to access the Anthropic API."), "quota-exhausted")
    assert.strictEqual(kind("messages.0.role: Input should be 'user'"), "invalid-request")
  })
  it("in OpenAI's form is read too, and keeps what is not modelled", () => {
    const wire = {
      error: {
        code: 400,
        message: "request (6012 tokens) exceeds the available context size (2048 tokens)",
        type: "exceed_context_size_error",
        n_ctx: 2048
      }
    }
    const failure = decode(wire)
    assert.strictEqual(failure.kind, "context-length-exceeded")
    assert.strictEqual(failure.code, "400")
    assert.deepStrictEqual<unknown>(encode(failure), { type: "error", ...wire, request_id: null })
  })
  it("of another protocol has the type of its kind", () => {
    assert.deepStrictEqual<unknown>(encode({ kind: "overloaded", message: "busy", type: "server_is_busy" }), {
      type: "error",
      error: { type: "overloaded_error", message: "busy" },
      request_id: null
    })
    assert.strictEqual(decode({ error: { message: "?" } }).kind, "other")
  })
  it.effect("obeys the laws of a codec", () => laws(FailureFromWire, { runs: 500 }))
})
