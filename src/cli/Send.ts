/** Asks a model from the command line: `bellows send TEXT`. */
import { Config, Console, Effect, type Layer, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { FetchHttpClient, type HttpClient } from "effect/http"
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
      Flag.withDescription("Print the whole canonical response as JSON"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(
    function*({ json, model, provider, text }) {
      const request = { model: yield* modelFor(provider, model), input: text }
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
    {
      command: "ANTHROPIC_API_KEY=… bellows send --provider anthropic --model claude-sonnet-4-5 \"What is a bellows?\"",
      description: "Ask a model of Anthropic's"
    }
  ])
)
