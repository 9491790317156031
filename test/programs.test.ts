/** The first programs that one writes with bellows, as its users see it: only public names. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, ConfigProvider, Effect, Layer, Redacted, Result, Schema, SchemaGetter, Stream } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { carried } from "../src/codec/index.ts"
import {
  Anthropic,
  AnthropicMessages,
  Client,
  Echo,
  InMemory,
  Item,
  LlmError,
  Loop,
  Offer,
  OpenAi,
  OpenAiResponses,
  Pipeline,
  Reason,
  type Request,
  Response,
  Shorthand,
  Structured
} from "../src/index.ts"
import { laws } from "../src/testing/index.ts"

// 1. Ask: shorthand in, a typed response out; the layer decides who answers.
const caption = Client.send({
  model: "claude-sonnet-4-5",
  input: ["What is in this picture?", { image: "https://example.org/cat.png" }]
}).pipe(Effect.map(Response.text))

const houseRule = Item.developer("Answer in one sentence.")
const addHouseRules = (request: Request.Request): Request.Request => ({
  ...request,
  items: [houseRule, ...request.items]
})

const withoutHouseRules = (request: Request.Request): Request.Request => ({ ...request, items: request.items.slice(1) })

describe("first programs", () => {
  it.effect("1. ask", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Effect.provide(caption, Echo.layer), "What is in this picture?")
      const byAnthropic = caption.pipe(
        Effect.provide(Anthropic.layerConfig),
        Effect.provide(Echo.layerHttp),
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { ANTHROPIC_API_KEY: "none" } })))
      )
      assert.strictEqual(yield* byAnthropic, "What is in this picture?")
    }))

  it("2. only expand and compress: no client, no network, no Effect", () => {
    const request = Schema.decodeUnknownSync(Shorthand.Request)({ model: "m", input: "hi" })
    const wire = Schema.encodeSync(AnthropicMessages.RequestFromWire)(request)
    assert.deepStrictEqual<unknown>(wire, { model: "m", messages: [{ role: "user", content: "hi" }] })
    const again = Schema.decodeSync(AnthropicMessages.RequestFromWire)(wire)
    assert.deepStrictEqual(again, request)
  })

  it.effect("3. decode what you already have", () =>
    Effect.gen(function*() {
      const json: unknown = {
        id: "resp_1",
        status: "completed",
        output: [
          { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Look it up." }] },
          { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "One moment." }] },
          { type: "function_call", id: "fc_1", call_id: "call_1", name: "weather", arguments: "{\"city\":\"Bergen\"}" },
          { type: "hologram", id: "h_1" }
        ]
      }
      const response = yield* Schema.decodeUnknownEffect(OpenAiResponses.ResponseFromWire)(json)
      const seen = response.items.map((item) =>
        Item.match(item, {
          "message": (message) => Item.textIn(message),
          "reasoning": () => Response.reasoning(response),
          "tool-call": ({ arguments: text, name }) => `${name}(${text})`,
          "tool-result": () => "result",
          "tool-approval-request": () => "may I?",
          "tool-approval-response": () => "you may",
          "tools": () => "tools",
          "compaction": () => "compaction",
          "unmodelled": ({ protocol }) => `known to ${protocol}`
        })
      )
      assert.deepStrictEqual(seen, [
        "Look it up.",
        "One moment.",
        "weather({\"city\":\"Bergen\"})",
        "known to openai-responses"
      ])
    }))

  it.effect("4. the pipeline by hand: your own steps between the four", () =>
    Effect.gen(function*() {
      const audited: Array<unknown> = []
      const openAi = OpenAi.configure({ apiKey: Redacted.make("none") })
      const send = (input: Pipeline.Input) =>
        Pipeline.expand(input).pipe(
          Effect.map(addHouseRules),
          Effect.flatMap(Pipeline.encode(OpenAiResponses)),
          Effect.tap((wire) => Effect.sync(() => audited.push(wire))),
          Effect.flatMap(Pipeline.send(openAi)),
          Effect.flatMap(Pipeline.decode(OpenAiResponses))
        )
      const response = yield* Effect.provide(send({ model: "gpt-5", input: "hi" }), Echo.layerHttp)
      assert.strictEqual(Response.text(response), "hi")
      assert.deepStrictEqual<Array<unknown>>(audited, [{
        model: "gpt-5",
        input: [{ role: "developer", content: "Answer in one sentence." }, { role: "user", content: "hi" }]
      }])
    }))

  it.effect("5. middleware; errors by reason", () =>
    Effect.gen(function*() {
      const apiKey = Redacted.make("none")
      const claude = yield* Anthropic.make({ apiKey }).pipe(Effect.provide(InMemory.layer(() => ({ status: 529 }))))
      const echo = yield* Effect.provide(Client.Client, Echo.layer)
      const robust = claude.pipe(
        Client.orElse(echo, ({ retryable }) => retryable),
        Client.mapRequest(addHouseRules),
        Client.mapResponse((response) => ({ ...response, model: "whoever answered" }))
      )
      const layer = Layer.succeed(Client.Client, robust)
      assert.strictEqual(yield* Effect.provide(caption, layer), "What is in this picture?")

      const limited = Client.make(() => Effect.fail(new LlmError({ reason: new Reason.RateLimited({ status: 429 }) })))
      const handled = caption.pipe(
        Effect.catchReason("LlmError", "RateLimited", ({ status }) => Effect.succeed(`later: ${status}`)),
        Effect.provide(Layer.succeed(Client.Client, limited))
      )
      assert.strictEqual(yield* handled, "later: 429")
    }))

  it.effect("6. stream", () =>
    Effect.gen(function*() {
      let written = ""
      const write = (text: string) => Effect.sync(() => void (written += text))
      yield* Client.stream({ model: "m", input: "Tell me a story." }).pipe(
        Stream.runForEach((event) => event._tag === "TextDelta" ? write(event.text) : Effect.void),
        Effect.provide(Echo.layer)
      )
      assert.strictEqual(written, "Tell me a story.")
    }))

  it.effect("7. tools, typed from one schema; the loop; a typed answer", () =>
    Effect.gen(function*() {
      const Weather = Tool.make("weather", {
        description: "The weather of a city.",
        parameters: Schema.Struct({ city: Schema.String }),
        success: Schema.String
      })
      const toolkit = Toolkit.make(Weather)
      const handlers = toolkit.toLayer({ weather: ({ city }) => Effect.succeed(`Rain in ${city}`) })
      const input = { model: "claude-sonnet-4-5", input: "Bergen", toolChoice: "required" } as const
      for (const layer of [Echo.layer, Echo.layerAnthropic]) {
        const run = yield* Loop.run(input, toolkit, { strict: "require" }).pipe(
          Effect.provide(handlers),
          Effect.provide(layer)
        )
        assert.strictEqual(Response.text(run.response), "Rain in Bergen")
        const told = yield* Loop.stream(input, toolkit).pipe(
          Stream.runCollect,
          Effect.provide(handlers),
          Effect.provide(layer)
        )
        const last = told.at(-1)
        assert.deepStrictEqual(last?._tag === "RunFinished" ? last.run.items : [], run.items)
        const { value } = yield* Effect.provide(
          Structured.send(Schema.String, { model: input.model, input: "Bergen" }),
          layer
        )
        assert.strictEqual(value, "Bergen")
      }
      const offer = Result.getOrThrow(Offer.make(Weather, { target: "openai" }))
      assert.strictEqual(offer.tool.name, "weather")
      const { value } = yield* offer.read(Item.toolCall("call_1", "weather", { city: "Bergen" }))
      assert.strictEqual(value.city, "Bergen")
    }))

  it.effect("9. the laws of the house, on a transform of your own", () =>
    Effect.gen(function*() {
      const MyRequest = Shorthand.Request.pipe(Schema.decode({
        decode: SchemaGetter.transform(addHouseRules),
        encode: SchemaGetter.transform(withoutHouseRules)
      }))
      const ruled = Arbitrary.map(Arbitrary.schema(carried(Shorthand.Request)), addHouseRules)
      yield* laws(MyRequest, { runs: 100, arbitrary: ruled })

      const forgetful = Shorthand.Request.pipe(Schema.decode({
        decode: SchemaGetter.transform(addHouseRules),
        encode: SchemaGetter.transform((request: Request.Request) => request)
      }))
      const broken = yield* Effect.flip(laws(forgetful, { runs: 100, arbitrary: ruled }))
      assert.match(broken.message, /Law broken: decode\(encode\(i\)\) means i/)
    }))
})
