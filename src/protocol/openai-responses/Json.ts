/** Spells fields that hold JSON, as it is or as its text. */
import { Schema } from "effect"
import * as Arguments from "../../canonical/Arguments.ts"
import { isRecord, type Refusal, sampled, transform, type Unfit, unfit } from "../../codec/index.ts"

const NotNull = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Array(Schema.Json),
  Schema.Record(Schema.String, Schema.Json)
])
/** Any JSON in a field where `null` is absence. */
export const SomeJson = transform(NotNull, Schema.Json, {
  decode: (value): Schema.Json => value,
  encode: (value) => value === null ? unfit : value as typeof NotNull.Type,
  carries: NotNull
})

// arguments -------------------------------------------------------------------------------------------------------

const parsed = (text: string, use: (value: Schema.Json) => Schema.Json | Unfit): Schema.Json | Unfit | Refusal => {
  const value = Arguments.read(text)
  return value === undefined ? Arguments.refused("JSON", text) : use(value)
}

/** The whole of the arguments stands in one field. */
export const ArgumentsFromJson = transform(Schema.Json, Schema.String, {
  decode: (value) => JSON.stringify(value),
  encode: (text) => parsed(text, (value) => value),
  carries: sampled(Schema.String, Schema.Record(Schema.String, Schema.Json), Arguments.sample)
})

/** The arguments are one field under its own name: `code: "1"` is `{"code":"1"}`. Others have no place. */
export const argumentsUnder = <const K extends string>(key: K) =>
  transform(Schema.Json, Schema.String, {
    decode: (value) => JSON.stringify({ [key]: value }),
    encode: (text) => parsed(text, (value) => isRecord(value) ? value[key] as Schema.Json ?? unfit : unfit),
    carries: sampled(Schema.String, Schema.String, (value) => JSON.stringify({ [key]: value }))
  })
