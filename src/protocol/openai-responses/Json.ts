/** Spells fields that hold JSON, as it is or as its text. */
import { Schema } from "effect"
import { isRecord, type Refusal, refuse, sampled, transform, type Unfit, unfit } from "../../codec/index.ts"

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

/** Blank arguments are none. */
const parsed = (text: string, use: (value: Schema.Json) => Schema.Json | Unfit): Schema.Json | Unfit | Refusal => {
  let value: Schema.Json
  try {
    value = text.trim() === "" ? {} : JSON.parse(text) as Schema.Json
  } catch {
    const start = text.length > 60 ? `${text.slice(0, 57)}…` : text
    return refuse(`Expected arguments that are JSON, got ${JSON.stringify(start)}`)
  }
  return use(value)
}

/** The whole of the arguments stands in one field. */
export const ArgumentsFromJson = transform(Schema.Json, Schema.String, {
  decode: (value) => JSON.stringify(value),
  encode: (text) => parsed(text, (value) => value),
  carries: sampled(Schema.String, Schema.Record(Schema.String, Schema.Json), (value) => JSON.stringify(value))
})

/** The arguments are one field under its own name: `code: "1"` is `{"code":"1"}`. Others have no place. */
export const argumentsUnder = <const K extends string>(key: K) =>
  transform(Schema.Json, Schema.String, {
    decode: (value) => JSON.stringify({ [key]: value }),
    encode: (text) => parsed(text, (value) => isRecord(value) ? value[key] as Schema.Json ?? unfit : unfit),
    carries: sampled(Schema.String, Schema.String, (value) => JSON.stringify({ [key]: value }))
  })
