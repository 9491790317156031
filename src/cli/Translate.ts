/** Translates a request, a response or a stream from one form to another: `bellows translate --from F --to T [FILE]`. */
import { Console, Effect, FileSystem, Option, Schema, Stdio, Stream } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { asRequest, forms, type Kind, lossesIn, type Name, names } from "./Form.ts"
import { translateStream } from "./TranslateStream.ts"

const decodeJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

/** The JSON in a file, or on standard input. */
const readJson = Effect.fn("Translate.readJson")(function*(file: Option.Option<string>) {
  const name = Option.getOrElse(file, () => "standard input")
  const stdio = yield* Stdio.Stdio
  if (Option.isNone(file) && (yield* stdio.stdinIsTerminal)) return yield* refuse("Name a FILE, or pipe JSON in.")
  const text = Option.isSome(file)
    ? yield* (yield* FileSystem.FileSystem).readFileString(file.value)
    : yield* Stream.mkString(Stream.decodeText(stdio.stdin))
  return yield* decodeJson(text).pipe(
    Effect.catch(() => refuse(`${name} holds no JSON.`))
  )
}, Effect.catchTag("PlatformError", (error) => refuse(error.message)))

const refuse = (userMessage: string) => Effect.fail(new CliError.UserError({ cause: userMessage, userMessage }))

const codecOf = (name: Name, kind: Kind): Effect.Effect<Schema.Codec<unknown, unknown>, CliError.UserError> => {
  if (kind === "request") return Effect.succeed(forms[name].request)
  return Option.match(forms[name].response, {
    onNone: () => refuse(`There is no ${name} of a response: take canonical or a protocol.`),
    onSome: Effect.succeed
  })
}

const inWords = (what: string) => Effect.catch(({ message }: Schema.SchemaError) => refuse(`${what}\n${message}`))

export const translate = Command.make(
  "translate",
  {
    from: Flag.Literals("from", names).pipe(Flag.withDescription("The form of what comes in")),
    to: Flag.Literals("to", names).pipe(Flag.withDescription("The form of what goes out")),
    kind: Flag.Literals("kind", ["request", "response", "stream"]).pipe(
      Flag.withDescription("What it is (default: request)"),
      Flag.withDefault("request" as const)
    ),
    model: Flag.String("model").pipe(
      Flag.withDescription("The model of a bare input such as \"hi\" (default: model)"),
      Flag.withDefault("model")
    ),
    strict: Flag.Boolean("strict").pipe(
      Flag.withDescription("Fail if anything would be lost"),
      Flag.withDefault(false)
    ),
    file: Argument.Path("FILE", { mustExist: true }).pipe(
      Argument.withDescription("JSON, or the text of a stream (default: standard input)"),
      Argument.optional
    )
  },
  Effect.fn(function*({ file, from, kind, model, strict, to }) {
    if (kind === "stream") return yield* translateStream({ file, from, strict, to })
    const json = yield* readJson(file)
    const [source, target] = [yield* codecOf(from, kind), yield* codecOf(to, kind)]
    const value = yield* Schema.decodeUnknownEffect(source)(from === "shorthand" ? asRequest(json, model) : json).pipe(
      inWords(`This is no ${kind} in the form ${from}.`)
    )
    const encoded = yield* Schema.encodeEffect(target)(value).pipe(inWords(`${to} cannot say this ${kind}.`))
    const losses = lossesIn(forms[to], target, value, encoded)
    for (const { pointer, why } of losses) yield* Console.error(`${pointer}: ${why}`)
    if (strict && losses.length > 0) {
      return yield* refuse(`${losses.length} ${losses.length === 1 ? "place is" : "places are"} lost in ${to}.`)
    }
    yield* Console.log(JSON.stringify(encoded, null, 2))
  })
).pipe(
  Command.withDescription("Translate a request, a response or a stream from one form to another"),
  Command.withExamples([
    { command: "echo '\"hi\"' | bellows translate --from shorthand --to anthropic-messages", description: "Expand" },
    {
      command: "bellows translate --from anthropic-messages --to openai-responses request.json",
      description: "From one API's request to the other's; what is lost is named on standard error"
    },
    {
      command: "bellows translate --kind response --from openai-responses --to canonical --strict response.json",
      description: "Read a logged response, and fail if anything in it is lost"
    },
    {
      command: "bellows translate --kind stream --from openai-responses --to anthropic-messages stream.txt",
      description: "From one API's Server-Sent Events to the other's, as they arrive"
    }
  ])
)
