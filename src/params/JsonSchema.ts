/** Parameters as JSON Schema and back, in the plain spelling and in the strict one. */
import type { Schema } from "effect"
import { transform } from "../codec/index.ts"
import { JsonSchema, Params } from "./Param.ts"
import { type Mode, readParams } from "./Read.ts"
import { write } from "./Write.ts"

const codec = (mode: Mode): Schema.Codec<Params, JsonSchema> =>
  transform(JsonSchema, Params, {
    decode: (schema) => readParams(schema, mode),
    encode: (params) => write(params, mode)
  })

/**
 * Parameters from JSON Schema. Whatever a schema says is kept: as what a {@link Params} has a field for, as one of the
 * `keywords`, or as a whole under the type `schema` (`anyOf`, `["string", "array"]`, an array of objects of any keys).
 *
 * Fails, with the path: on a schema without a type that is no choice either (`{}`, `$ref`), on a type that JSON Schema
 * does not have, on names in `required` that are no property, and on params that make no sense.
 *
 * Laws: decode after encode is the identity (but names that are indices, such as `"0"`, come first, as in any object of
 * JavaScript); encode after decode means the same schema, and is the identity on what encode gave.
 *
 * @example
 * Schema.encodeSync(ParamsFromJsonSchema)(Params.make([{ name: "city", type: "string", required: true }]))
 * // => { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false }
 */
export const ParamsFromJsonSchema: Schema.Codec<Params, JsonSchema> = codec({ strict: false })

/**
 * Parameters from a strict JSON Schema: every property is required, one that may be left out is `null` instead, and no
 * object takes other keys. Encode leaves out defaults, which a strict schema has no place for, and closes objects that
 * would take other keys: what a model then sends is as good for the open one.
 *
 * What may be left out and what may be null are written alike, so decode gives either back as one that is not
 * `required`, without the default that it may have had: keep the params, and {@link validate} fills it in.
 *
 * Fails, with the path and the name: on bare arrays and bare objects, on objects whose other keys have a schema of their
 * own, on what is kept as a `schema`; decode also on a schema that is not strict.
 *
 * Law: encode after decode is the identity on what encode gave.
 *
 * @example
 * Schema.encodeSync(ParamsFromStrictJsonSchema)(Params.make([{ name: "city", type: "string", required: false }]))
 * // => { type: "object", properties: { city: { type: ["string", "null"] } }, required: ["city"], additionalProperties: false }
 */
export const ParamsFromStrictJsonSchema: Schema.Codec<Params, JsonSchema> = codec({ strict: true })
