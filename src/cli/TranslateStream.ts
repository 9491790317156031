/** Translates a stream as it arrives: Server-Sent Events of a protocol, or canonical events as lines of JSON. */
import { Console, Effect, FileSystem, Option, type PlatformError, Schema, Stdio, Stream } from "effect"
import { CliError } from "effect/cli"
import { Event } from "../canonical/Event.ts"
import * as Losses from "../canonical/Losses.ts"
import { Collector, type Grouping } from "../pipeline/Collect.ts"
import * as Frames from "../pipeline/Frames.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { forms, type Name } from "./Form.ts"

export interface Options {
  readonly file: Option.Option<string>
  readonly from: Name
  readonly to: Name
  readonly strict: boolean
}

const refuse = (userMessage: string) => Effect.fail(new CliError.UserError({ cause: userMessage, userMessage }))

/** A form that streams have: a protocol, or none where it is the canonical one. */
const formOf = (name: Name): Effect.Effect<Option.Option<Protocol>, CliError.UserError> =>
  name === "shorthand"
    ? refuse("There is no shorthand of a stream: take canonical or a protocol.")
    : Effect.succeed(forms[name].protocol)

/** The canonical form has no slots to group. */
const groupingOf: (protocol: Option.Option<Protocol>) => Grouping = Option.getOrElse((): Grouping => ({
  name: "canonical",
  stream: { group: (slots) => slots.flat() }
}))

type Bytes = Stream.Stream<Uint8Array, PlatformError.PlatformError>

type Events = Stream.Stream<Event, PlatformError.PlatformError | Frames.FrameError | Schema.SchemaError>

const read = (from: Option.Option<Protocol>) => (bytes: Bytes): Events =>
  Option.match(from, {
    onNone: () =>
      bytes.pipe(
        Stream.decodeText,
        Stream.splitLines,
        Stream.filter((line) => line.trim() !== ""),
        Stream.mapEffect((line) => decodeEvent(line))
      ),
    onSome: ({ stream }) =>
      bytes.pipe(
        Frames.decode(),
        Stream.map(Frames.wireOf(stream)),
        Stream.mapAccum(() => stream.decode.initial, stream.decode.step)
      )
  })
const decodeEvent = Schema.decodeEffect(Schema.fromJsonString(Event))

/** A piece of what goes out, and the events that one who reads it would see. */
interface Written {
  readonly text: string
  readonly events: ReadonlyArray<Event>
}

const write =
  (to: Option.Option<Protocol>) => <E, R>(events: Stream.Stream<Event, E, R>): Stream.Stream<Written, E, R> =>
    Option.match(to, {
      onNone: () => Stream.map(events, (event) => ({ text: `${JSON.stringify(event)}\n`, events: [event] })),
      onSome: ({ stream }) =>
        events.pipe(
          Stream.mapAccum(() => stream.encode.initial, stream.encode.step),
          Stream.mapAccum(() => stream.decode.initial, (state, wire): readonly [unknown, ReadonlyArray<Written>] => {
            const [after, events] = stream.decode.step(state, wire)
            return [after, [{ text: Frames.write(Frames.frameOf(stream)(wire)), events }]]
          })
        )
    })

/** Writes what comes in to standard output, and tells at the end what was lost. */
export const translateStream = Effect.fn("TranslateStream")(
  function*({ file, from, strict, to }: Options) {
    const [source, target] = [yield* formOf(from), yield* formOf(to)]
    const stdio = yield* Stdio.Stdio
    if (Option.isNone(file) && (yield* stdio.stdinIsTerminal)) return yield* refuse("Name a FILE, or pipe a stream in.")
    const bytes = Option.isSome(file) ? (yield* FileSystem.FileSystem).stream(file.value) : stdio.stdin
    const [before, after] = [new Collector(groupingOf(source)), new Collector(groupingOf(target))]
    let failed = false
    yield* read(source)(bytes).pipe(
      Stream.tap((event) =>
        Effect.sync(() => {
          failed ||= event._tag === "Failed"
          before.add(event)
        })
      ),
      write(target),
      Stream.map(({ events, text }) => {
        for (const event of events) after.add(event)
        return text
      }),
      Stream.run(stdio.stdout({ endOnDone: false }))
    )
    if (!before.isFinished && !failed) return yield* refuse("The stream broke off before its last event.")
    const losses = Option.match(target, {
      onNone: () => [],
      onSome: ({ name }) => Losses.losses(before.response(), after.response(), { protocol: name })
    })
    for (const { pointer, why } of losses) yield* Console.error(`${pointer}: ${why}`)
    if (strict && losses.length > 0) return yield* refuse(`${losses.length} places are lost in ${to}.`)
  },
  Effect.catchTags({
    PlatformError: (error) => refuse(error.message),
    FrameError: (error) => refuse(`${error.message}: ${error.text.slice(0, 200)}`),
    SchemaError: (error) => refuse(`This is no event.\n${error.message}`)
  })
)
