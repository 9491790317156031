/** Makes one span of each request, with the attributes that OpenTelemetry names for language models. */
import { Effect, Stream, type Tracer } from "effect"
import * as Telemetry from "effect/ai/Telemetry"
import type { Event } from "../canonical/Event.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"

/** The same, in a span `Client.send`. */
export const traced = <E, R>(provider: string, perform: (request: Request) => Effect.Effect<Response, E, R>) =>
  Effect.fn("Client.send")(function*(request: Request) {
    const span = yield* Effect.orDie(Effect.currentSpan)
    annotateRequest(span, provider, request)
    const response = yield* perform(request)
    annotateResponse(span, response)
    return response
  })

/** The same, in a span `Client.stream` that lasts as long as the stream does. */
export const tracedStream =
  <E, R>(provider: string, perform: (request: Request) => Stream.Stream<Event, E, R>) =>
  (request: Request): Stream.Stream<Event, E, R> =>
    Stream.unwrap(Effect.map(Effect.orDie(Effect.currentSpan), (span) => {
      annotateRequest(span, provider, request)
      const heard = new Heard()
      return perform(request).pipe(
        Stream.mapArray((events) => {
          for (const event of events) heard.add(event)
          return events
        }),
        Stream.ensuring(Effect.sync(() => annotateResponse(span, heard)))
      )
    })).pipe(Stream.withSpan("Client.stream"))

/** What a span tells of a response. */
type Noted = Partial<Pick<Response, "id" | "model" | "finishReason" | "usage">>

/** What of that a stream has told. */
class Heard implements Noted {
  id?: string
  model?: string
  finishReason?: Response["finishReason"]
  usage?: Response["usage"] & {}
  add(event: Event): void {
    if (event._tag === "Started") Object.assign(this, { id: event.id, model: event.model, usage: event.usage })
    else if (event._tag === "UsageUpdated") this.usage = event.usage
    else if (event._tag === "Finished") {
      this.finishReason = event.finishReason
      if (event.response?.usage !== undefined) this.usage = event.response.usage
    }
  }
}

const annotateRequest = (span: Tracer.Span, provider: string, request: Request): void =>
  Telemetry.addGenAIAnnotations(span, {
    operation: { name: "chat" },
    provider: { name: provider },
    request: {
      model: request.model,
      maxTokens: request.maxTokens,
      temperature: request.temperature,
      topP: request.topP,
      topK: request.topK
    }
  })

const annotateResponse = (span: Tracer.Span, { finishReason, id, model, usage }: Noted): void =>
  Telemetry.addGenAIAnnotations(span, {
    response: { id, model, finishReasons: finishReason === undefined ? undefined : [finishReason] },
    usage: { inputTokens: usage?.input, outputTokens: usage?.output }
  })
