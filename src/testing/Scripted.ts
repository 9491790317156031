/**
 * Doubles the client: answers from a script, in order, and remembers what it was asked.
 *
 * @example
 * it.effect("asks once", () =>
 *   Effect.gen(function*() {
 *     const script = yield* Scripted.make(["Hello!"])
 *     yield* Client.send({ input: "hi" }).pipe(Effect.provide(script.layer))
 *     assert.strictEqual((yield* script.asked).length, 1)
 *   }))
 */
import { Effect, Layer, Ref } from "effect"
import * as Item from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import * as Client from "../pipeline/Client.ts"
import { LlmError } from "../pipeline/LlmError.ts"

/** A whole response, the text of one, the items of one, an error, or a function of the request that gives any of these. */
export type Answer =
  | string
  | ReadonlyArray<Item.Item>
  | Response
  | LlmError
  | ((request: Request) => string | ReadonlyArray<Item.Item> | Response | LlmError)

export interface Script {
  readonly client: Client.Client
  readonly layer: Layer.Layer<Client.Client>
  /** The requests until now, canonical, in order. */
  readonly asked: Effect.Effect<ReadonlyArray<Request>>
}

/**
 * A client with these answers. A request beyond the last one is a defect of the test, and dies as one. `known` says whose
 * rules for schemas the client stands for: `{ target: "openai" }`.
 */
export const make = (answers: ReadonlyArray<Answer>, known: Client.Known = {}): Effect.Effect<Script> =>
  Effect.gen(function*() {
    const asked = yield* Ref.make<ReadonlyArray<Request>>([])
    const client = Client.make(
      (request) =>
        Effect.flatMap(Ref.getAndUpdate(asked, (before) => [...before, request]), ({ length }) => {
          const answer = answers[length]
          return answer === undefined
            ? Effect.die(new Error(`The script has ${answers.length} answers, and was asked a ${length + 1}th`))
            : given(typeof answer === "function" ? answer(request) : answer)
        }),
      undefined,
      undefined,
      known
    )
    return { client, layer: Layer.succeed(Client.Client, client), asked: Ref.get(asked) }
  })

const given = (answer: Exclude<Answer, Function>): Effect.Effect<Response, LlmError> => {
  if (answer instanceof LlmError) return Effect.fail(answer)
  if (typeof answer !== "string" && "finishReason" in answer) return Effect.succeed(answer)
  const items = typeof answer === "string" ? [Item.assistant(answer)] : answer
  const isCall = items.some((item) => item.type === "tool-call" && item.providerExecuted !== true)
  return Effect.succeed({ items, finishReason: isCall ? "tool-calls" : "stop" })
}
