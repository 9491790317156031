/** Holds the classification of failures against what users reported, and against what a Ruby client makes of answers. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Option, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import * as Failures from "../../src/pipeline/Failures.ts"
import type { LlmError } from "../../src/pipeline/LlmError.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import type { Protocol } from "../../src/protocol/Protocol.ts"

const now = Date.UTC(2026, 0, 1, 12, 0, 0)

const failure = (
  protocol: Protocol,
  status: number,
  body: unknown,
  headers: Failures.Answer["headers"] = {}
): LlmError => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return Failures.fromAnswer({ protocol, provider: "p" }, { status, headers, text }, now)
}
const tagOf = ({ reason }: LlmError) => reason._tag

const anthropic = (type: string, message = "No.") => ({
  type: "error",
  error: { type, message },
  request_id: "req_body"
})
const openAi = (code: string | null, type = "invalid_request_error", message = "No.") => ({
  error: { message, type, code, param: null }
})

describe("status", () => {
  const table: ReadonlyArray<readonly [number, LlmError["reason"]["_tag"], retryable: boolean]> = [
    [400, "InvalidRequest", false],
    [401, "Unauthenticated", false],
    [402, "QuotaExhausted", false],
    [403, "Forbidden", false],
    [404, "NotFound", false],
    [408, "TimedOut", true],
    [409, "InvalidRequest", true],
    [413, "RequestTooLarge", false],
    [418, "InvalidRequest", false],
    [422, "InvalidRequest", false],
    [429, "RateLimited", true],
    [500, "ServerError", true],
    [502, "ServerError", true],
    [503, "ServerError", true],
    [504, "TimedOut", true],
    [529, "Overloaded", true]
  ]
  for (const [status, tag, retryable] of table) {
    it(`${status} is ${tag}, whatever the body`, () => {
      for (const protocol of [OpenAiResponses, AnthropicMessages]) {
        for (const body of ["", "{}", "[]", "null", "<html>no</html>", "{\"error\":"]) {
          const error = failure(protocol, status, body)
          assert.strictEqual(tagOf(error), tag)
          assert.strictEqual(error.retryable, retryable)
          assert.strictEqual(error.reason.status, status)
        }
      }
    })
  }
})

describe("body", () => {
  it("says more exactly what the status means", () => {
    const said = [
      failure(OpenAiResponses, 429, openAi("insufficient_quota", "insufficient_quota")),
      failure(OpenAiResponses, 400, openAi("context_length_exceeded")),
      failure(AnthropicMessages, 413, anthropic("request_too_large")),
      failure(AnthropicMessages, 500, anthropic("overloaded_error")),
      failure(
        AnthropicMessages,
        400,
        anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
      )
    ]
    assert.deepStrictEqual(said.map(tagOf), [
      "QuotaExhausted",
      "ContextLengthExceeded",
      "RequestTooLarge",
      "Overloaded",
      "ContextLengthExceeded"
    ])
  })

  it("names what it blames", () => {
    const body = { error: { message: "No.", type: "invalid_request_error", param: "input[0]", code: null } }
    const { reason } = failure(OpenAiResponses, 400, body)
    assert.strictEqual(reason._tag === "InvalidRequest" ? reason.param : undefined, "input[0]")
    const poor = anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API.")
    assert.strictEqual(tagOf(failure(AnthropicMessages, 400, poor)), "QuotaExhausted")
  })

  it("does not overrule a status that is exact", () => {
    assert.strictEqual(tagOf(failure(OpenAiResponses, 401, openAi("invalid_api_key"))), "Unauthenticated")
    assert.strictEqual(tagOf(failure(AnthropicMessages, 404, anthropic("overloaded_error"))), "NotFound")
    assert.strictEqual(tagOf(failure(OpenAiResponses, 500, openAi(null, "invalid_request_error"))), "ServerError")
  })

  it("is kept: JSON as it is, text shortened", () => {
    const body = openAi("x")
    assert.deepStrictEqual(failure(OpenAiResponses, 400, body).reason.body, body)
    const page = `<html>${"x".repeat(100_000)}</html>`
    const kept = failure(OpenAiResponses, 502, page).reason.body
    assert.isTrue(typeof kept === "string" && page.startsWith(kept.slice(0, -1)) && kept.length < 10_000)
    assert.isUndefined(failure(OpenAiResponses, 503, "").reason.body)
  })

  it("is looked into when it came as a success", () => {
    const error = Failures.fromBody(
      { protocol: OpenAiResponses },
      { error: { code: 429, message: "Rate limited upstream", metadata: { provider_name: "P" } }, user_id: "u" }
    )
    assert.strictEqual(error && tagOf(error), "RateLimited")
    assert.strictEqual(error?.reason.status, 429)
    assert.isTrue(error?.retryable)
    const routed = { id: "gen-1", error: { code: 429, message: "Rate limited upstream" } }
    assert.strictEqual(Failures.fromBody({ protocol: OpenAiResponses }, routed)?.reason._tag, "RateLimited")
    const failed = { id: "resp_1", output: [], error: { message: "failed" } }
    assert.isUndefined(Failures.fromBody({ protocol: OpenAiResponses }, failed))
    assert.isUndefined(Failures.fromBody({ protocol: OpenAiResponses }, { output: [], error: null }))
  })
})

describe("headers", () => {
  const retryAfter = (headers: Failures.Answer["headers"]) =>
    failure(AnthropicMessages, 429, "", headers).reason.retryAfter

  it("say when to try again, in any of their spellings", () => {
    const seconds = (headers: Failures.Answer["headers"]) =>
      Option.getOrUndefined(Option.map(Option.fromNullishOr(retryAfter(headers)), Duration.toSeconds))
    assert.strictEqual(seconds({ "retry-after": "2" }), 2)
    assert.strictEqual(seconds({ "retry-after": "0.5" }), 0.5)
    assert.strictEqual(seconds({ "retry-after-ms": "1500", "retry-after": "9" }), 1.5)
    assert.strictEqual(seconds({ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }), 30)
    assert.strictEqual(seconds({ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }), 0)
    assert.isUndefined(seconds({ "retry-after": "soon" }))
    assert.isUndefined(seconds({ "retry-after": "" }))
  })

  it("have the last word on whether to try again", () => {
    assert.isTrue(failure(OpenAiResponses, 400, "", { "x-should-retry": "true" }).retryable)
    assert.isFalse(failure(OpenAiResponses, 503, "", { "x-should-retry": "false" }).retryable)
  })

  it("name the request, before the body does", () => {
    const idOf = (headers: Failures.Answer["headers"]) =>
      failure(AnthropicMessages, 500, anthropic("api_error"), headers).reason.requestId
    assert.strictEqual(idOf({ "request-id": "req_1" }), "req_1")
    assert.strictEqual(idOf({ "x-request-id": "req_2" }), "req_2")
    assert.strictEqual(idOf({}), "req_body")
  })
})

describe("messages", () => {
  it("say what, where, and what to do", () => {
    const messages = [
      failure(AnthropicMessages, 529, anthropic("overloaded_error", "Overloaded"), { "request-id": "req_5" }),
      failure(AnthropicMessages, 429, anthropic("rate_limit_error", "Slow down."), { "retry-after": "90" }),
      failure(OpenAiResponses, 502, "<html></html>")
    ].map(({ message }) => message)
    assert.deepStrictEqual(messages, [
      "The model is overloaded (p, HTTP 529, request req_5): Overloaded. Try again later, or use another model.",
      "Too many requests (p, HTTP 429, request req_body): Slow down. Try again in 1m 30s.",
      "The server failed (p, HTTP 502). Try again later."
    ])
  })
})

const vectors = new URL("../../../shared/vectors/hermes_output_item.jsonl", import.meta.url)
const cases = new URL("../../../shared/cases/cases.jsonl", import.meta.url)
const Line = Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  function: Schema.optionalKey(Schema.String),
  note: Schema.optionalKey(Schema.String),
  input: Schema.Union([Schema.String, Schema.Struct({ status: Schema.Finite, body: Schema.String })]),
  output: Schema.optionalKey(Schema.Struct({ class: Schema.String, message: Schema.String, error: Schema.Json }))
}))
const decodeLine = Schema.decodeSync(Line)
const lines = (file: URL, keep: (line: string) => boolean) =>
  readFileSync(file, "utf8").trim().split("\n").filter(keep).map((line) => decodeLine(line))

describe("vectors of a Ruby client", () => {
  if (!existsSync(vectors)) return it.skip("need ../shared/vectors", () => {})
  const classes: Readonly<Record<string, ReadonlyArray<LlmError["reason"]["_tag"]>>> = {
    AuthenticationError: ["Unauthenticated"],
    NotFoundError: ["NotFound"],
    BadRequestError: ["InvalidRequest"],
    PermissionError: ["Forbidden"],
    RateLimitError: ["RateLimited"],
    ServerError: ["ServerError"],
    APIError: ["InvalidRequest"]
  }
  const found = lines(vectors, (line) => line.includes("\"APIError.from_response\""))
  it("are nine", () => assert.strictEqual(found.length, 9))
  for (const { id, input, note, output } of found) {
    it(`${id}: ${note}`, () => {
      if (typeof input === "string" || output === undefined) return assert.fail("Not a vector of APIError")
      const { reason } = failure(OpenAiResponses, input.status, input.body)
      assert.include(classes[output.class] ?? [], reason._tag)
      // What the Ruby client says when the body says nothing is its own.
      assert.strictEqual(
        reason.detail,
        output.message.startsWith("Unexpected HTTP status") ? undefined : output.message
      )
      if (output.error !== null) assert.deepStrictEqual(reason.body, { error: output.error })
    })
  }
})

describe("cases that users reported", () => {
  if (!existsSync(cases)) return it.skip("need ../shared/cases", () => {})
  const httpOf = (id: string): ReadonlyArray<LlmError | undefined> => {
    const [found] = lines(cases, (line) => line.startsWith(`{"id": "${id}"`))
    return String(found?.input).split("\n---\n").filter((text) => text.startsWith("HTTP/"))
      .map((text) => {
        const [head = "", body = ""] = text.split("\n\n")
        const [first = "", ...headers] = head.split("\n")
        const answer = {
          status: Number(first.split(" ")[1]),
          headers: Object.fromEntries(headers.map((line) => line.split(/: ?/))),
          text: body === "(empty body)" ? "" : body
        }
        const origin = { protocol: AnthropicMessages, provider: "p" }
        if (answer.status !== 200) return Failures.fromAnswer(origin, answer, now)
        const json = Failures.parsed(answer.text)
        return Option.isNone(json) ? Failures.notJson(origin, answer) : Failures.fromBody(origin, json.value)
      })
  }

  it("status-529-and-413", () => {
    const [overloaded, tooLarge] = httpOf("status-529-and-413")
    assert.strictEqual(overloaded && tagOf(overloaded), "Overloaded")
    assert.isTrue(overloaded?.retryable)
    assert.strictEqual(Duration.toMillis(overloaded!.reason.retryAfter!), 2000)
    assert.strictEqual(overloaded?.reason.requestId, "req_5")
    assert.strictEqual(tooLarge && tagOf(tooLarge), "RequestTooLarge")
    assert.isFalse(tooLarge?.retryable)
  })

  it("error-body-on-200 (its second body is one of Chat Completions)", () => {
    const [limited] = httpOf("error-body-on-200")
    assert.strictEqual(limited && tagOf(limited), "RateLimited")
    assert.strictEqual(limited?.reason.status, 429)
    assert.isTrue(limited?.retryable)
  })

  it("html-error-body", () => {
    const [gateway, login, unavailable] = httpOf("html-error-body")
    assert.deepStrictEqual([gateway, login, unavailable].map((error) => error && [tagOf(error), error.retryable]), [
      ["ServerError", true],
      ["MalformedResponse", false],
      ["ServerError", true]
    ])
    assert.include(String(gateway?.reason.body), "cloudflare")
    assert.include(String(login?.reason.body), "login")
  })
})

const recordings = ["openai-responses", "openai-responses-compat", "anthropic-messages", "llama-server"].map((name) =>
  new URL(`../../../shared/recordings/${name}.jsonl`, import.meta.url)
)
const Recorded = Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  protocol: Schema.String,
  status: Schema.optionalKey(Schema.Finite),
  response: Schema.optionalKey(Schema.Json)
}))
const decodeRecorded = Schema.decodeSync(Recorded)
const Body = Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })

describe("recorded failures", () => {
  if (!recordings.every((file) => existsSync(file))) return it.skip("need ../shared/recordings", () => {})
  /** What each says to a reader. */
  const expected = (status: number, message: string): LlmError["reason"]["_tag"] => {
    if (status === 401) return "Unauthenticated"
    if (status >= 500) return "ServerError"
    if (/context (size|window)/.test(message)) return "ContextLengthExceeded"
    return /model .* does not exist/.test(message) ? "NotFound" : "InvalidRequest"
  }
  it("are understood, all of them", () => {
    const protocols = new Map<string, Protocol>([[OpenAiResponses.name, OpenAiResponses], [
      AnthropicMessages.name,
      AnthropicMessages
    ]])
    let count = 0
    for (const line of recordings.flatMap((file) => readFileSync(file, "utf8").trim().split("\n"))) {
      const { id, protocol: name, response, status = 200 } = decodeRecorded(line)
      const protocol = protocols.get(name)
      if (protocol === undefined || status < 400 || response === undefined) continue
      const { message } = Schema.decodeUnknownSync(Body)(response).error
      const { reason } = failure(protocol, status, response)
      assert.deepStrictEqual([id, reason._tag, reason.detail], [id, expected(status, message), message])
      count++
    }
    assert.isAbove(count, 20)
  })
})
