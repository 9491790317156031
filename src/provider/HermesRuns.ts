/** Reads the events of a Hermes run: one of the agent's turns, with the tools that it used. */
import { Schema } from "effect"

/** An event by its name. `error` is a flag on a tool's event, and a text on a run's. */
export const RunEvent = Schema.StructWithRest(
  Schema.Struct({
    event: Schema.String,
    error: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String])),
    output: Schema.optionalKey(Schema.Json)
  }),
  [Schema.Record(Schema.String, Schema.Json)]
)
export type RunEvent = typeof RunEvent.Type

/** The event that says how the run ended: the last that is the run's own. */
export const terminal = (events: ReadonlyArray<RunEvent>): RunEvent | undefined =>
  events.findLast(({ event }) => event.startsWith("run."))

/** Did the tool fail? `undefined` for an event that is not a tool's. */
export const isError = ({ error }: RunEvent): boolean | undefined => typeof error === "boolean" ? error : undefined

/** Why the run failed, if it did. */
export const errorText = ({ error }: RunEvent): string | undefined => typeof error === "string" ? error : undefined
