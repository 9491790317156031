/**
 * Runs a model with tools: two calls at once, one that fails, one that somebody has to allow. The model is a script, so
 * that there is no key and no network; put the layer of a provider in its place.
 */
import { Console, Effect, Schema, Stream } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { styleText } from "node:util"
import { Item, Loop, Response } from "../src/index.ts"
import { Scripted } from "../src/testing/index.ts"

const Weather = Tool.make("weather", {
  description: "The weather of a city.",
  parameters: Schema.Struct({ city: Schema.String, days: Schema.optionalKey(Schema.Int) }),
  success: Schema.Struct({ sky: Schema.String, high: Schema.Finite }),
  failure: Schema.Struct({ _tag: Schema.tag("NoSuchCity"), city: Schema.String })
})
const Pack = Tool.make("pack", {
  description: "Puts something into the bag.",
  parameters: Schema.Struct({ what: Schema.String }),
  success: Schema.String,
  needsApproval: true
})
const toolkit = Toolkit.make(Weather, Pack)

const handlers = toolkit.toLayer({
  weather: ({ city }) =>
    city === "Bergen"
      ? Effect.succeed({ sky: "rain", high: 9 })
      : Effect.fail({ _tag: "NoSuchCity" as const, city }),
  pack: ({ what }) => Effect.succeed(`The ${what} is in the bag.`)
})

const model = Scripted.make([
  [Item.toolCall("call_1", "weather", { city: "Bergen" }), Item.toolCall("call_2", "weather", { city: "Atlantis" })],
  [Item.assistant("It rains. "), Item.toolCall("call_3", "pack", { what: "umbrella" })],
  "Now you may go."
])

const told = (event: Loop.Event): Effect.Effect<void> => {
  switch (event._tag) {
    case "TurnStarted":
      return Console.log(styleText("bold", `turn ${event.turn}`))
    case "ToolStarted":
      return Console.log(`  calls ${event.call.name}(${event.call.arguments})`)
    case "ToolFinished":
      return Console.log(`  result of ${event.call.id}: ${JSON.stringify(event.result.output)}`)
    case "TextDelta":
      return Console.log(`  says ${JSON.stringify(event.text)}`)
    default:
      return Effect.void
  }
}

const program = Effect.gen(function*() {
  const items = [Item.user("I travel to Bergen and Atlantis.")]
  const asked = yield* Loop.run({ items }, toolkit)
  for (const { arguments: text, name } of asked.pending) {
    yield* Console.log(`${name}(${text}) waits: ${asked.stop}; ${asked.turns.length} turns until now`)
  }
  const answered = [...items, ...asked.items, ...asked.pending.map((call) => Loop.approve(call))]
  yield* Stream.runForEach(Loop.stream({ items: answered }, toolkit), (event) =>
    event._tag === "RunFinished"
      ? Console.log(`${event.run.stop}: ${Response.text(event.run.response)}`)
      : told(event))
})

await Effect.runPromise(
  Effect.flatMap(model, ({ layer }) => program.pipe(Effect.provide(handlers), Effect.provide(layer)))
)
