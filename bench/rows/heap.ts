/** What is held of a stream that is read on and on: the text that came, and nothing for what has none. */
import { Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Anthropic from "../../src/provider/Anthropic.ts"
import { gc } from "../gc.ts"
import { bytesOf, messages, type Wire } from "../streamed.ts"
import { type Line, table } from "../table.ts"

const request = { model: "m", input: "hi", maxTokens: 9 }

const heap = (): number => {
  gc("major")
  return process.memoryUsage().heapUsed / 1_000_000
}
/** An endless answer of pings, or of deltas, up to a number; bytes are made as they are read. */
const many = (event: Wire, count: number): typeof fetch => () => {
  const start = bytesOf(messages({ type: "text", text: "" }, []).slice(0, 2))
  const block = bytesOf(Array.from({ length: 100 }, () => event))
  let left = count / 100
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(start),
    pull(controller) {
      if (left-- > 0) return controller.enqueue(block)
      controller.enqueue(bytesOf(messages({}, []).slice(2)))
      controller.close()
    }
  })
  return Promise.resolve(new Response(stream))
}
const lines: Array<Line> = []
for (
  const [title, event] of [
    ["pings", { type: "ping" }],
    ["text deltas of 4 characters", {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "abcd" }
    }]
  ] as const
) {
  const held = async (count: number): Promise<number> => {
    let seen = 0
    let before: number | undefined
    let after: number | undefined
    await Effect.runPromise(
      Stream.unwrap(Effect.map(Anthropic.make({}), (client) => client.stream(request))).pipe(
        Stream.runForEachArray((events) =>
          Effect.sync(() => {
            before ??= heap()
            seen += events.length
            if (seen >= count) after ??= heap()
          })
        ),
        Effect.provide(FetchHttpClient.layer),
        Effect.provideService(FetchHttpClient.Fetch, many(event, count))
      )
    )
    if (before === undefined || after === undefined) throw new Error(`Only ${seen} of ${count} events came`)
    return after - before
  }
  await held(10_000)
  const [some, more] = [await held(100_000), await held(1_000_000)]
  lines.push([`anthropic-messages, ${title}`, `${some.toFixed(1)} MB`, `${more.toFixed(1)} MB`])
}
table("heap held, beside that at the first event", ["100 000 events", "1 000 000 events"], lines)
