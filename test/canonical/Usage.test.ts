/** Adds up what responses cost. */
import { assert, describe, it } from "@effect/vitest"
import * as Usage from "../../src/canonical/Usage.ts"

describe("what responses cost together", () => {
  it("is the sum of each count, where one that is absent adds nothing", () => {
    const first = { input: 10, output: 5, cacheRead: 4 }
    const second = { input: 1, output: 2, cacheRead: 1, reasoning: 2 }
    assert.deepStrictEqual(Usage.add(first, second), { input: 11, output: 7, cacheRead: 5, reasoning: 2 })
    assert.deepStrictEqual(Usage.add(second, first), Usage.add(first, second))
  })

  it("has no total but one that is not the sum, and no bag", () => {
    const odd = { input: 1, output: 1, total: 5, providerOptions: { "openai-responses": { x: 1 } } }
    assert.deepStrictEqual(Usage.add(odd, { input: 2, output: 3 }), { input: 3, output: 4, total: 10 })
    assert.deepStrictEqual(Usage.add({ ...odd, total: 2 }, { input: 2, output: 3 }), { input: 3, output: 4 })
  })
})
