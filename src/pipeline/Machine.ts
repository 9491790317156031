/** Runs the step functions of a protocol's streams over lists. */
import type { Machine } from "../protocol/Protocol.ts"

/**
 * All that comes out for what goes in.
 *
 * @example `Machine.run(AnthropicMessages.stream.decode)(wireEvents)  // => canonical events`
 */
export const run = <S, I, O>({ initial, step }: Machine<S, I, O>) => (inputs: Iterable<I>): ReadonlyArray<O> => {
  const outputs: Array<O> = []
  let state = initial
  for (const input of inputs) {
    const [after, output] = step(state, input)
    state = after
    for (const each of output) outputs.push(each)
  }
  return outputs
}
