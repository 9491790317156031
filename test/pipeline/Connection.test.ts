/** Watches a stream's connection from the server's side, over the loopback network. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { createServer, type ServerResponse } from "node:http"
import * as Anthropic from "../../src/provider/Anthropic.ts"

const request = { model: "m", input: "hi", maxTokens: 9 }
const sse = (event: { readonly type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const start = sse({ type: "message_start", message: { id: "m", role: "assistant", content: [], model: "m" } } as {
  readonly type: string
})
const delta = (text: string) =>
  sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } } as { readonly type: string })

/** A server that answers with a function, and a client of it. */
const serve = (answer: (response: ServerResponse) => void) =>
  Effect.gen(function*() {
    const closed = yield* Deferred.make<number>()
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((incoming, response) => {
          incoming.resume()
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.on("close", () => Deferred.doneUnsafe(closed, Effect.succeed(Date.now())))
          answer(response)
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close().closeAllConnections())
    )
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    const client = yield* Anthropic.make({ baseUrl: `http://127.0.0.1:${port}` }).pipe(
      Effect.provide(FetchHttpClient.layer)
    )
    return { client, closed: Deferred.await(closed) }
  })

describe("the connection of a stream", () => {
  it.live("is closed at once when the consumer is interrupted, or has enough", () =>
    Effect.gen(function*() {
      const silent = (response: ServerResponse) => void response.write(start)
      const first = yield* serve(silent)
      const begun = yield* Deferred.make<void>()
      const fiber = yield* first.client.stream(request).pipe(
        Stream.runForEach(() => Deferred.succeed(begun, undefined)),
        Effect.forkChild
      )
      yield* Deferred.await(begun)
      const before = Date.now()
      yield* Fiber.interrupt(fiber)
      assert.isBelow((yield* first.closed) - before, 500)

      const second = yield* serve(silent)
      const one = yield* second.client.stream(request).pipe(Stream.take(1), Stream.runCollect)
      const enough = Date.now()
      assert.strictEqual(one[0]?._tag, "Started")
      assert.isBelow((yield* second.closed) - enough, 500)
    }).pipe(Effect.scoped))

  it.live("holds the server back while the consumer is busy", () =>
    Effect.gen(function*() {
      let written = 0
      const flood = (response: ServerResponse) => {
        response.write(start)
        const event = delta("x".repeat(10_000))
        const more = () => {
          while (written < 500_000_000) {
            written += event.length
            if (!response.write(event)) return void response.once("drain", more)
          }
          response.end()
        }
        more()
      }
      const { client } = yield* serve(flood)
      const events = yield* client.stream(request).pipe(
        Stream.tap(() => Effect.sleep("20 millis")),
        Stream.take(30),
        Stream.runCollect
      )
      assert.strictEqual(events.length, 30)
      // What fits into the buffers of two sockets and a reader, and no more.
      assert.isBelow(written, 50_000_000)
    }).pipe(Effect.scoped))
})
