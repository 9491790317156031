/**
 * Runs a model with tools: sends a request, runs the tools that the model calls, and sends what came of them, until the
 * model has no more calls.
 *
 * Tools are those of `effect/ai`: `Tool.make`, `Tool.dynamic`, `Toolkit.make`, with their handlers from a layer. A tool that
 * fails as it may, arguments that do not fit, a tool that does not exist and one that takes too long are told to the
 * model, as a result that is an error; a defect is one, and an interruption interrupts the tools. The model's own text of
 * a call's arguments stays in the conversation as it is.
 *
 * @example
 * ```ts
 * const Weather = Tool.make("weather", {
 *   description: "The weather of a city.",
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   success: Schema.String
 * })
 * const toolkit = Toolkit.make(Weather)
 * const umbrella = Loop.run({ model: "gpt-5", input: "Umbrella today, in Bergen?" }, toolkit).pipe(
 *   Effect.map(({ response }) => Response.text(response)),
 *   Effect.provide(toolkit.toLayer({ weather: ({ city }) => Effect.succeed(`Rain in ${city}`) })),
 *   Effect.provide(OpenAi.layerConfig)
 * )
 * ```
 */
import { Effect, Queue, Stream } from "effect"
import type { Response } from "../canonical/Response.ts"
import * as Client from "../pipeline/Client.ts"
import * as Collect from "../pipeline/Collect.ts"
import { LlmError } from "../pipeline/LlmError.ts"
import type * as Pipeline from "../pipeline/Pipeline.ts"
import { StreamTruncated } from "../pipeline/Reason.ts"
import type { Event, Run } from "./Event.ts"
import type { Services, Source, Tools } from "./Offered.ts"
import { type Options, turns } from "./Run.ts"

export { approve, deny, type Pending } from "./Approval.ts"
export type {
  Event,
  Progress,
  Run,
  RunFinished,
  ToolFinished,
  ToolProgress,
  ToolStarted,
  TurnFinished,
  TurnStarted
} from "./Event.ts"
export type { Services, Source, ToolLoss, Tools } from "./Offered.ts"
export type { Options } from "./Run.ts"

/**
 * Runs a model with a toolkit. The input is what `Client.send` takes; its own `tools` are offered beside the toolkit's, and
 * a call of one of them ends the run. A choice that forces a call holds until there was one. Calls among the input's items
 * that have no result are run first: so a run is resumed that stopped for an approval (`Loop.approve`, `Loop.deny`).
 *
 * Fails as `Client.send` does; with `Unsupported` where tools have to be strict and cannot be; and with `InvalidRequest`
 * where a call among the items waits for an approval or a result that is not there.
 */
export const run: <T extends Tools, R = never, S = never>(
  input: Pipeline.Input,
  toolkit: Source<T, R>,
  options?: Options<S>
) => Effect.Effect<Run, LlmError, Client.Client | Services<T> | R | S> = Effect.fn("Loop.run")(function*<
  T extends Tools,
  R = never,
  S = never
>(input: Pipeline.Input, toolkit: Source<T, R>, options: Options<S> = {}) {
  const client = yield* Client.Client
  return yield* turns(client, input, toolkit, options, { ask: client.send, emit: () => Effect.void })
})

/**
 * The same, as it happens: for each turn `TurnStarted`, the events of `Client.stream` (`Finished` has the whole response),
 * then those of its tools as they run, and `TurnFinished`; and last, `RunFinished` with the run. Who stops reading interrupts the tools and closes the
 * connection.
 *
 * @example
 * ```ts
 * Loop.stream({ model: "gpt-5", input: "Umbrella today?" }, toolkit).pipe(
 *   Stream.runForEach((event) => event._tag === "TextDelta" ? write(event.text) : Effect.void)
 * )
 * ```
 */
export const stream = <T extends Tools, R = never, S = never>(
  input: Pipeline.Input,
  toolkit: Source<T, R>,
  options: Options<S> = {}
): Stream.Stream<Event, LlmError, Client.Client | Services<T> | R | S> =>
  Stream.callback<Event, LlmError, Client.Client | Services<T> | R | S>(
    Effect.fnUntraced(function*(queue) {
      const client = yield* Client.Client
      const emit = (event: Event) => Queue.offer(queue, event)
      const run = yield* turns(client, input, toolkit, options, {
        emit,
        ask: (request) => answered(client.stream(request).pipe(Collect.completed(client.grouping), Stream.tap(emit)))
      })
      yield* emit({ _tag: "RunFinished", run })
      yield* Queue.end(queue)
    }),
    { bufferSize: 16 }
  ).pipe(Stream.withSpan("Loop.stream"))

/** The response that a stream of events ends with. */
const answered = (events: Stream.Stream<Event, LlmError>): Effect.Effect<Response, LlmError> =>
  Effect.flatMap(
    Stream.runFold(
      events,
      (): Response | undefined => undefined,
      (response, event) => event._tag === "Finished" ? event.response : response
    ),
    (response) =>
      response === undefined
        ? Effect.fail(new LlmError({ reason: new StreamTruncated({ detail: "The last event is missing" }) }))
        : Effect.succeed(response)
  )
