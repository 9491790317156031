/** Asks a model from the command line: `bellows send TEXT`. */
import { Config, Console, Effect, type Layer, Option, Stdio, Stream } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { Event } from "../canonical/Event.ts"
import * as Response from "../canonical/Response.ts"
import * as Client from "../pipeline/Client.ts"
import * as Anthropic from "../provider/Anthropic.ts"
import * as Echo from "../provider/Echo.ts"
import * as Hermes from "../provider/Hermes.ts"
import * as OpenAi from "../provider/OpenAi.ts"
import * as OpenAiCompatible from "../provider/OpenAiCompatible.ts"

const providers = {
  "echo": Echo.layer,
  "openai": OpenAi.layerConfig,
  "anthropic": Anthropic.layerConfig,
  "openai-compatible": OpenAiCompatible.layerConfig,
  "hermes": Hermes.layerConfig
} satisfies Readonly<Record<string, Layer.Layer<Client.Client, Config.ConfigError, HttpClient.HttpClient>>>
type Name = keyof typeof providers
const names: ReadonlyArray<Name> = ["echo", "openai", "anthropic", "openai-compatible", "hermes"]

const refuse = (cause: unknown, userMessage: string) => Effect.fail(new CliError.UserError({ cause, userMessage }))

const modelFor = (provider: Name, model: Option.Option<string>): Effect.Effect<string, CliError.UserError> => {
  if (Option.isSome(model)) return Effect.succeed(model.value)
  return provider === "echo" ? Effect.succeed("echo") : refuse(provider, `Name a model of ${provider}: --model NAME.`)
}

/** Writes events as they arrive: their text, or each as a line of JSON. */
const print = Effect.fn("Send.print")(function*<E, R>(events: Stream.Stream<Event, E, R>, json: boolean) {
  const stdout = (yield* Stdio.Stdio).stdout({ endOnDone: false })
  const text = json
    ? Stream.map(events, (event) => `${JSON.stringify(event)}\n`)
    : Stream.concat(Stream.map(events, spoken), Stream.succeed("\n"))
  yield* Stream.run(Stream.filter(text, (text) => text !== ""), stdout)
})

const spoken = (event: Event): string => event._tag === "TextDelta" || event._tag === "RefusalDelta" ? event.text : ""

export const send = Command.make(
  "send",
  {
    text: Argument.String("TEXT").pipe(Argument.withDescription("What to ask")),
    provider: Flag.Literals("provider", names).pipe(
      Flag.withDescription("Who is asked (default: echo, which needs no key); keys come from the environment"),
      Flag.withDefault("echo" as const)
    ),
    model: Flag.String("model").pipe(Flag.withDescription("The model's name"), Flag.optional),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print the whole canonical response as JSON; of a stream each event, a line each"),
      Flag.withDefault(false)
    ),
    stream: Flag.Boolean("stream").pipe(
      Flag.withDescription("Print the answer as it arrives"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(
    function*({ json, model, provider, stream, text }) {
      const request = { model: yield* modelFor(provider, model), input: text }
      if (stream) return yield* print(Stream.provide(Client.stream(request), providers[provider]), json)
      const response = yield* Client.send(request).pipe(Effect.provide(providers[provider]))
      yield* Console.log(json ? JSON.stringify(response, null, 2) : Response.text(response))
    },
    Effect.provide(FetchHttpClient.layer),
    Effect.catchTag("LlmError", (error) => refuse(error, error.message)),
    Effect.catchTag("ConfigError", (error) => refuse(error, `Set what the environment lacks. ${error.message}`))
  )
).pipe(
  Command.withDescription("Ask a model, and print its answer"),
  Command.withExamples([
    { command: "bellows send \"What is a bellows?\"", description: "Ask Echo, which repeats it" },
    { command: "bellows send --stream \"What is a bellows?\"", description: "The same, a word at a time" },
    {
      command: "ANTHROPIC_API_KEY=… bellows send --provider anthropic --model claude-sonnet-4-5 \"What is a bellows?\"",
      description: "Ask a model of Anthropic's"
    }
  ])
)
