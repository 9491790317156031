/** Sends through clients whose network is a function. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Logger, Redacted, References, Schema, Tracer } from "effect"
import { HttpClient, HttpClientError } from "effect/http"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import * as Item from "../../src/canonical/Item.ts"
import type { Request } from "../../src/canonical/Request.ts"
import * as Response from "../../src/canonical/Response.ts"
import * as Client from "../../src/pipeline/Client.ts"
import { LlmError } from "../../src/pipeline/LlmError.ts"
import type * as Pipeline from "../../src/pipeline/Pipeline.ts"
import * as Reason from "../../src/pipeline/Reason.ts"
import * as Wire from "../../src/pipeline/Wire.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import * as Echo from "../../src/provider/Echo.ts"
import * as InMemory from "../../src/provider/InMemory.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"

const key = "sk-secret-0123456789abcdef"
const options = { apiKey: Redacted.make(key) }
const request = { model: "m", input: "hi" }

const echo = Effect.provide(Client.Client, Echo.layer)
const answering = (answer: InMemory.Answer) => Effect.provide(OpenAi.make(options), InMemory.layer(() => answer))
const failing = (reason: Reason.Reason) => Client.make(() => Effect.fail(new LlmError({ reason })))
const said = Effect.map(Response.text)
const say = (text: string) => (request: Request): Request => ({
  ...request,
  items: [...request.items, Item.user(text)]
})

describe("send", () => {
  it.effect("answers whole a request that asks for a stream by itself, as one from a log may", () =>
    Effect.gen(function*() {
      const logged = { model: "m", input: "streamed", stream: true }
      const { request, text } = yield* Effect.provide(
        Effect.gen(function*() {
          const request = yield* Schema.decodeUnknownEffect(OpenAiResponses.RequestFromWire)(logged)
          return { request, text: Response.text(yield* Client.send(request)) }
        }),
        Echo.layer
      )
      assert.deepStrictEqual(request.providerOptions, { "openai-responses": { stream: true } })
      assert.strictEqual(text, "streamed")
    }))
})

describe("combinators", () => {
  it.effect("mapRequest: in the order in which they are written", () =>
    Effect.gen(function*() {
      const client = (yield* echo).pipe(Client.mapRequest(say("first")), Client.mapRequest(say("second")))
      assert.strictEqual(yield* said(client.send(request)), "second")
      const { items } = yield* client.prepare(request)
      assert.deepStrictEqual(items.map(Item.textIn), ["hi", "first", "second"])
    }))

  it.effect("mapRequestEffect may refuse", () =>
    Effect.gen(function*() {
      const refusal = new LlmError({ reason: new Reason.InvalidRequest({ detail: "Not on a Sunday." }) })
      const client = Client.mapRequestEffect(yield* echo, () => Effect.fail(refusal))
      assert.strictEqual(yield* Effect.flip(client.send(request)), refusal)
    }))

  it.effect("mapResponse and tapResponse", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const client = (yield* echo).pipe(
        Client.tapResponse((response) => Effect.sync(() => seen.push(Response.text(response)))),
        Client.mapResponse((response) => ({ ...response, items: [Item.assistant("changed")] }))
      )
      assert.strictEqual(yield* said(client.send(request)), "changed")
      assert.deepStrictEqual(seen, ["hi"])
    }))

  it.effect("tapWire sees exactly what goes out, but for the key", () =>
    Effect.gen(function*() {
      const received: Array<InMemory.Received> = []
      const seen: Array<Wire.Outgoing> = []
      const network = InMemory.layer((request) => {
        received.push(request)
        return { status: 500 }
      })
      const client = (yield* Effect.provide(OpenAi.make(options), network)).pipe(
        Client.withHeaders({ "X-Own": "1" }),
        Client.tapWire((outgoing) => Effect.sync(() => seen.push(outgoing)))
      )
      yield* Effect.flip(client.send(request))
      assert.deepStrictEqual(
        seen.map(({ method, url, body }) => ({ method, url, body })),
        received.map(({ method, url, body }) => ({ method, url: url.href, body }))
      )
      const { authorization, ...headers } = seen[0]!.headers
      assert.isTrue(Redacted.isRedacted(authorization))
      const { authorization: sent, b3: _b3, traceparent: _traceparent, ...others } = received[0]!.headers
      assert.strictEqual(sent, `Bearer ${key}`)
      assert.deepStrictEqual(headers, others)
      assert.strictEqual(headers["x-own"], "1")
      assert.strictEqual(seen[0]!.provider, "openai")
    }))

  it.effect("orElse: what stands before concerns the first client, what stands after both", () =>
    Effect.gen(function*() {
      const down = failing(new Reason.Overloaded({})).pipe(Client.mapRequest(say("only first")))
      const client = down.pipe(Client.orElse(yield* echo), Client.mapRequest(say("both")))
      assert.strictEqual(yield* said(client.send(request)), "both")
      const alone = down.pipe(Client.orElse(yield* echo))
      assert.strictEqual(yield* said(alone.send(request)), "hi")
    }))

  it.effect("orElse: only for the errors that are admitted", () =>
    Effect.gen(function*() {
      const when = ({ retryable }: LlmError) => retryable
      const other = yield* echo
      assert.strictEqual(
        yield* said(failing(new Reason.Overloaded({})).pipe(Client.orElse(other, when)).send(request)),
        "hi"
      )
      const error = yield* Effect.flip(failing(new Reason.Forbidden({})).pipe(Client.orElse(other, when)).send(request))
      assert.strictEqual(error.reason._tag, "Forbidden")
    }))
})

describe("send", () => {
  it.effect("takes shorthand and canonical alike", () =>
    Effect.gen(function*() {
      const client = yield* echo
      const canonical: Request = { model: "m", items: [Item.user("hi")] }
      assert.deepStrictEqual(yield* client.send(canonical), yield* client.send(request))
      assert.strictEqual(yield* client.prepare(canonical), canonical)
    }))

  it.effect("refuses what nobody can read, naming the place", () =>
    Effect.gen(function*() {
      const input: Pipeline.Input = JSON.parse(`{ "model": "m", "input": [{ "role": "narrator", "text": "Once" }] }`)
      const { message, reason } = yield* Effect.flip((yield* echo).send(input))
      assert.strictEqual(reason._tag, "InvalidRequest")
      assert.match(message, /^The request is not valid \(at \/input.*role/s)
    }))

  it.effect("fails by reason", () =>
    Effect.gen(function*() {
      const client = yield* answering({ status: 429, headers: { "retry-after": "7" }, json: {} })
      const waited = client.send(request).pipe(
        Effect.map(() => Duration.zero),
        Effect.catchReason("LlmError", "RateLimited", ({ retryAfter = Duration.zero }) => Effect.succeed(retryAfter))
      )
      assert.strictEqual(Duration.toSeconds(yield* waited), 7)
    }))

  it.effect("a page in place of JSON, an error in place of a response, no body at all", () =>
    Effect.gen(function*() {
      const tagOf = (answer: InMemory.Answer) =>
        Effect.gen(function*() {
          const { reason } = yield* Effect.flip((yield* answering(answer)).send(request))
          return reason._tag
        })
      assert.strictEqual(yield* tagOf({ text: "<html>login</html>" }), "MalformedResponse")
      assert.strictEqual(yield* tagOf({ json: { error: { code: 503, message: "No host" } } }), "ServerError")
      assert.strictEqual(yield* tagOf({ text: "" }), "MalformedResponse")
      assert.strictEqual(yield* tagOf({ json: [] }), "MalformedResponse")
    }))

  it.effect("a failed response", () =>
    Effect.gen(function*() {
      const failed = { id: "resp_1", object: "response", status: "failed", model: "m", output: [] }
      const errorOf = (error: unknown) =>
        Effect.flatMap(answering({ json: { ...failed, error } }), (client) => Effect.flip(client.send(request)))
      const limited = yield* errorOf({ code: "rate_limit_exceeded", message: "Slow down." })
      assert.deepStrictEqual([limited.reason._tag, limited.reason.detail], ["RateLimited", "Slow down."])
      assert.strictEqual((yield* errorOf({ code: "server_error", message: "Oh." })).reason._tag, "ServerError")
      assert.strictEqual((yield* errorOf(null)).reason._tag, "ServerError")
    }))

  it.effect("a broken network, and a slow one", () =>
    Effect.gen(function*() {
      const tagOf = (code: string) =>
        Effect.gen(function*() {
          const cause = new TypeError("fetch failed", { cause: Object.assign(new Error(`It is ${code}`), { code }) })
          const network = HttpClient.make((request) =>
            Effect.fail(
              new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
            )
          )
          const client = yield* OpenAi.make(options).pipe(Effect.provideService(HttpClient.HttpClient, network))
          const { reason } = yield* Effect.flip(client.send(request))
          assert.strictEqual(reason.detail, `fetch failed: It is ${code}`)
          return reason._tag
        })
      assert.strictEqual(yield* tagOf("ECONNREFUSED"), "Unreachable")
      assert.strictEqual(yield* tagOf("UND_ERR_HEADERS_TIMEOUT"), "TimedOut")
    }))

  it.effect("gives up in time", () =>
    Effect.gen(function*() {
      const slow = InMemory.layer(() => Effect.never)
      const client = yield* Effect.provide(OpenAi.make({ ...options, timeout: "2 seconds" }), slow)
      const fiber = yield* Effect.forkChild(Effect.flip(client.send(request)))
      yield* TestClock.adjust("2 seconds")
      const { message, reason } = yield* Fiber.join(fiber)
      assert.strictEqual(reason._tag, "TimedOut")
      assert.include(message, "Gave up after 2s")
    }))
})

describe("secrets", () => {
  /** Everything that a program could print of a value. */
  const printed = (value: unknown): string =>
    [
      JSON.stringify(value, (_, child) => typeof child === "bigint" ? String(child) : child),
      String(value),
      inspect(value, { depth: 20, showHidden: true }),
      value instanceof Error ? value.stack : ""
    ].join("\n")

  const isSecret = (value: unknown) => assert.notInclude(printed(value), key)

  it.effect("are in no error, even if the provider repeats them", () =>
    Effect.gen(function*() {
      const answers: ReadonlyArray<InMemory.Answer> = [
        { status: 401, json: { error: { message: `Incorrect API key provided: ${key}`, code: "invalid_api_key" } } },
        { status: 502, text: `<html>authorization: Bearer ${key}</html>` },
        { json: { error: { message: `Bad ${key}`, code: 401 } } },
        { text: `<html>${key}</html>` },
        { json: { echoed: { authorization: `Bearer ${key}` } } }
      ]
      for (const answer of answers) {
        const error = yield* Effect.flip((yield* answering(answer)).send(request))
        isSecret(error)
        isSecret(error.message)
        assert.include(printed(error), "<redacted>")
        assert.deepStrictEqual(Schema.decodeSync(LlmError)(Schema.encodeSync(LlmError)(error)), error)
      }
    }))

  it.effect("are those too that are sent along for others, and those in the base URL", () =>
    Effect.gen(function*() {
      const mcpServers = [{
        name: "crm",
        url: "https://crm.example/mcp",
        authorization: key,
        headers: { "x-tenant": `${key}!` }
      }]
      const answer = { status: 400, json: { error: { message: `The server crm refused ${key} and ${key}!` } } }
      const error = yield* Effect.flip((yield* answering(answer)).send({ ...request, mcpServers }))
      isSecret(error)
      assert.include(error.message, "<redacted>")
      const refusing = InMemory.layer(() => ({ status: 500, text: "https://user:hunter2@models.example failed" }))
      const there = OpenAi.make({ ...options, baseUrl: "https://user:hunter2@models.example/v1" })
      const failed = yield* Effect.flip((yield* Effect.provide(there, refusing)).send(request))
      assert.notInclude(printed(failed), "hunter2")
    }))

  it.effect("are refused when no header can carry them, before fetch quotes them", () =>
    Effect.gen(function*() {
      const network = InMemory.layer(() => ({}))
      const client = yield* Effect.provide(OpenAi.make({ apiKey: Redacted.make(`${key}\nß→`) }), network)
      const error = yield* Effect.flip(client.send(request))
      assert.strictEqual(error.reason._tag, "Unauthenticated")
      isSecret(error)
    }))

  it.effect("are in no span and no log", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const logs: Array<unknown> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const logger = Logger.make(({ cause, message }) => void logs.push([message, cause]))
      const secretHeader = { "x-other-key": Redacted.make("another-secret-value") }
      const network = InMemory.layer(() => ({ status: 401, text: key }))
      const client = yield* Effect.provide(OpenAi.make({ ...options, headers: secretHeader }), network)
      yield* client.pipe(Client.tapWire((outgoing) => Effect.log(outgoing))).send(request).pipe(
        Effect.tapCause((cause) => Effect.logError("failed", cause)),
        Effect.ignore,
        Effect.withTracer(tracer),
        Effect.provide(Logger.layer([logger])),
        Effect.provideService(References.MinimumLogLevel, "Trace")
      )
      assert.includeMembers(spans.map(({ name }) => name), ["Client.send"])
      assert.isAbove(logs.length, 1)
      for (const span of spans) {
        const shown = [[...span.attributes], span.name, span.status]
        isSecret(shown)
        assert.notInclude(printed(shown), "another-secret-value")
      }
      isSecret(logs)
      assert.notInclude(printed(logs), "another-secret-value")
    }))
})

describe("spans", () => {
  it.effect("carry the attributes that OpenTelemetry names", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* Client.send({ ...request, temperature: 0.5 }).pipe(Effect.provide(Echo.layer), Effect.withTracer(tracer))
      const attributes = Object.fromEntries(spans.find(({ name }) => name === "Client.send")!.attributes)
      assert.strictEqual(attributes["gen_ai.operation.name"], "chat")
      assert.strictEqual(attributes["gen_ai.provider.name"], "echo")
      assert.strictEqual(attributes["gen_ai.request.model"], "m")
      assert.strictEqual(attributes["gen_ai.request.temperature"], 0.5)
      assert.deepStrictEqual(attributes["gen_ai.response.finish_reasons"], ["stop"])
      assert.isAbove(Number(attributes["gen_ai.usage.input_tokens"]), 0)
    }))
})

describe("as a service", () => {
  it.effect("a combinator changes the client of a stretch of a program, or of a layer", () =>
    Effect.gen(function*() {
      const rules = Client.mapRequest(say("rule"))
      const here = Effect.updateService(Client.send(request), Client.Client, rules)
      assert.strictEqual(yield* Effect.provide(said(here), Echo.layer), "rule")
      const everywhere = Layer.effect(Client.Client, Effect.map(Client.Client, rules)).pipe(Layer.provide(Echo.layer))
      assert.strictEqual(yield* Effect.provide(said(Client.send(request)), everywhere), "rule")
    }))
})
