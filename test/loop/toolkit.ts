/** Tools of every kind, and what they did. */
import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import * as Item from "../../src/canonical/Item.ts"

export const Weather = Tool.make("weather", {
  description: "The weather of a city.",
  parameters: Schema.Struct({ city: Schema.String, days: Schema.optionalKey(Schema.Int) }),
  success: Schema.Struct({ sky: Schema.String, high: Schema.Finite }),
  failure: Schema.Struct({ _tag: Schema.tag("NoSuchCity"), city: Schema.String })
})
export const Clock = Tool.make("clock", { success: Schema.String })
export const Send = Tool.make("send", {
  parameters: Schema.Struct({ to: Schema.String }),
  success: Schema.String,
  needsApproval: ({ to }) => to !== "me"
})

export const toolkit = Toolkit.make(Weather, Clock, Send)

/** Bergen has weather; who is written to is kept in `sent`. */
export const handlers = (sent: Array<string> = []) =>
  toolkit.toLayer({
    weather: ({ city }) =>
      city === "Bergen"
        ? Effect.succeed({ sky: "rain", high: 9 })
        : Effect.fail({ _tag: "NoSuchCity" as const, city }),
    clock: () => Effect.succeed("noon"),
    send: ({ to }) => Effect.sync(() => `Sent as number ${sent.push(to)}`)
  })

export const weather = (id: string, city = "Bergen") => Item.toolCall(id, "weather", { city })
export const clock = (id: string) => Item.toolCall(id, "clock")
export const send = (id: string, to: string) => Item.toolCall(id, "send", { to })

/** The results among items: what the model is told, and whether it is an error. */
export const resultsIn = (items: Item.Items) =>
  items.filter((item) => item.type === "tool-result").map((result) => [
    result.id,
    result.output !== undefined && "value" in result.output ? result.output.value : Item.textIn(result),
    ...(result.isError === true ? ["error"] : [])
  ])
