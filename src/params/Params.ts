/** Parameters of tools as data, to and from JSON Schema, and the arguments of a call held against them. */
export { Fault, InvalidArguments } from "./Fault.ts"
export { ParamsFromJsonSchema, ParamsFromStrictJsonSchema } from "./JsonSchema.ts"
export { JsonSchema, make, Param, Params, Scalar, Type, TypeName } from "./Param.ts"
export { type Options, validate } from "./Validate.ts"
export type { Arguments, Value } from "./Values.ts"
