/** Validates the arguments of a call. */
import { Result, Schema } from "effect"
import * as Held from "./Arguments.ts"
import { type Fault, InvalidArguments } from "./Fault.ts"
import { ParamsFromJsonSchema } from "./JsonSchema.ts"
import type { Params } from "./Param.ts"
import type { Arguments } from "./Values.ts"

export interface Options {
  /** What becomes of keys that no param names: `"drop"` where it is not said. An open object keeps them always. */
  readonly unknownKeys?: Held.Policy["unknownKeys"]
  /** What stands for a param that is not there and has no default: nothing (`"omit"`) where it is not said, or `null`. */
  readonly absent?: Held.Policy["absent"]
}

type Absent<O extends Options> = O extends { readonly absent: "null" } ? null : never

const schemaOf = Schema.encodeSync(ParamsFromJsonSchema)

/**
 * Holds arguments, as parsed JSON, against params: gives them typed, with defaults filled in at any depth, or fails with
 * {@link InvalidArguments}, which has every fault and its path. `null` for a param that may be left out, and may not be
 * null, says that it is left out; so params validate what a model wrote for their strict schema as well.
 *
 * Held are types, `enum`, `const`, `minLength`, `maxLength`, `pattern`, `minimum`, `maximum`, their exclusive kin,
 * `multipleOf`, `minItems`, `maxItems`, `uniqueItems`, `minProperties`, `maxProperties`, `prefixItems`,
 * `patternProperties`, `anyOf`, `oneOf`, `allOf` and `not`, also in a `schema` that is kept as it stands. Other keywords
 * (`format`, `$ref`, `if`, `contains`, …) are for the model to read, and so is a pattern that JavaScript cannot.
 *
 * Build the function once for a tool. It throws a `SchemaError` for params that make no sense.
 *
 * @example
 * ```ts
 * const check = Params.validate(Params.make([
 *   { name: "city", type: "string", required: true },
 *   { name: "days", type: "integer", required: false, default: 3 }
 * ]))
 * check({ city: "Malmö" })  // => Result.succeed({ city: "Malmö", days: 3 })
 * check({ days: "4" })      // => fails: city is required; days must be an integer
 * ```
 */
export const validate = <const P extends Params, const O extends Options = {}>(
  params: P,
  options?: O
): (args: unknown) => Result.Result<Arguments<P, Absent<O>>, InvalidArguments> => {
  const { absent = "omit", unknownKeys = "drop" }: Options = options ?? {}
  // What has no fault is what the params ask for.
  return held(schemaOf(params), { absent, unknownKeys }) as ReturnType<typeof validate<P, O>>
}

/** The same for any JSON Schema, of which no more is known than what it says. */
export const held = (
  schema: unknown,
  policy: Held.Policy
): (args: unknown) => Result.Result<unknown, InvalidArguments> => {
  const check = Held.check(schema, policy)
  return (args) => {
    const faults: Array<Fault> = []
    const filled = check(args, undefined, faults)
    return faults.length > 0 ? Result.fail(new InvalidArguments({ faults })) : Result.succeed(filled)
  }
}
