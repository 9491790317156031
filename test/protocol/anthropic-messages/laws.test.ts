import { describe, it } from "@effect/vitest"
import { Losses } from "../../../src/canonical/index.ts"
import * as AnthropicMessages from "../../../src/protocol/anthropic-messages/index.ts"
import { laws } from "../../../src/testing/index.ts"
import { protocol } from "./Oracle.ts"

describe("Anthropic Messages", () => {
  it.effect("obeys the laws of a protocol", () => laws(protocol, { runs: 500 }))

  const { content, instructions, responseFormat, toolChoice, tools } = AnthropicMessages.pieces
  const runs = {
    runs: 500,
    equivalence: (a: unknown, b: unknown) => Losses.isEquivalent(a, b, { protocol: protocol.name })
  }
  it.effect("obeys the laws of a codec in its content", () => laws(content, runs))
  it.effect("obeys the laws of a codec in its instructions", () => laws(instructions, runs))
  it.effect("obeys the laws of a codec in its tools", () => laws(tools, runs))
  it.effect("obeys the laws of a codec in its tool choice", () => laws(toolChoice, runs))
  it.effect("obeys the laws of a codec in its response format", () => laws(responseFormat, runs))
})
