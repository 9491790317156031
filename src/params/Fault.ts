/** What is wrong with arguments, and where. */
import { Schema } from "effect"

/** One thing that is wrong: `path` leads from the arguments to the value. */
export const Fault = Schema.Struct({
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  detail: Schema.String
})
export type Fault = typeof Fault.Type

/** `rows[0].q is required`. A name that is no plain word stands in brackets: `["a.b"]`. */
export const sentence = ({ detail, path }: Fault): string =>
  `${path.length === 0 ? "arguments" : spelt(path)} ${detail}`

const spelt = (path: Fault["path"]): string =>
  path
    .map((key, index) =>
      typeof key === "number"
        ? `[${key}]`
        : /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
        ? `${index === 0 ? "" : "."}${key}`
        : `[${JSON.stringify(key)}]`
    )
    .join("")

/** Arguments that are not what the params ask for. The message has every fault, in the order of the params. */
export class InvalidArguments
  extends Schema.TaggedError<InvalidArguments>()("InvalidArguments", { faults: Schema.Array(Fault) })
{
  override get message(): string {
    return this.faults.map(sentence).join("; ")
  }
}

/** A place in the arguments, by the way up. Its path is spelt out only when there is a fault. */
export interface Place {
  readonly key: string | number
  readonly up: Place | undefined
}

export const fault = (place: Place | undefined, detail: string): Fault => {
  const path: Array<string | number> = []
  for (let at = place; at !== undefined; at = at.up) path.push(at.key)
  return { path: path.toReversed(), detail }
}
