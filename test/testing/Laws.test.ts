import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Arbitrary } from "effect"
import { Item, Request } from "../../src/canonical/index.ts"
import { Arbitraries, LawBroken, laws, Recorded } from "../../src/testing/index.ts"
import { lossy, mini } from "./mini.ts"

const body = {
  model: "m",
  input: [{ type: "m", role: "user", content: "hi" }, {
    type: "m",
    role: "user",
    content: [{ type: "t", text: "a", z: 1 }]
  }, { type: "zzz" }]
}

describe("a recorded body", () => {
  it("passes where nothing is lost, and tells what was not modelled", () => {
    const { breaches, unmodelled } = Recorded.check(mini, "request", body, "seed")
    assert.deepStrictEqual(breaches, [])
    assert.deepStrictEqual([...unmodelled], [["zzz", 1]])
  })
  it("fails where an unknown field is lost, and says where", () => {
    const { breaches } = Recorded.check(lossy, "request", body, "seed")
    assert.isAbove(breaches.length, 0)
    assert.include(breaches.map(({ law }) => law), "5: unknown fields survive")
    assert.include(breaches.map(({ pointer }) => pointer), "/x_unknown")
  })
  it("fails where it is none of this protocol", () => {
    const { breaches } = Recorded.check(mini, "request", { model: 5 }, "seed")
    assert.strictEqual(breaches.length, 1)
    assert.include(breaches[0]!.message, "Expected string")
  })
  it("fails where it becomes longer", () => {
    const long = { ...mini, RequestFromWire: mini.ExpandedFromWire.request as typeof mini.RequestFromWire }
    const flip = Schema.flip(long.RequestFromWire) as unknown as typeof mini.RequestFromWire
    const { breaches } = Recorded.check({ ...mini, RequestFromWire: flip }, "request", body, "seed")
    assert.include(breaches.map(({ law }) => law), "2: never longer")
  })
})

describe("the laws", () => {
  it.effect("hold of a protocol that keeps them", () => laws(mini, { runs: 200, seed: 1 }))
  it.effect("do not hold of one that does not, and the smallest example is told", () =>
    Effect.gen(function*() {
      const broken = yield* Effect.flip(laws(lossy, { runs: 200, seed: 1 }))
      assert.instanceOf(broken, LawBroken)
      assert.include(broken.message, "a request of mini")
      assert.include(broken.message, "x_unknown")
    }))
})

describe("arbitraries", () => {
  it.effect("are valid, nested, and hold what nobody expects", () =>
    Effect.gen(function*() {
      const requests = yield* Arbitrary.sampleEffect(Arbitraries.Request, { count: 300, seed: 7 })
      for (const request of requests) assert.isTrue(Schema.is(Request.Request)(request))
      const text = JSON.stringify(requests)
      for (const odd of ["👩‍👩‍👧‍👦", "ид-①", "2512292042121000001", `{\\"cut\\":\\"off`, "DATA:text/plain"]) {
        assert.include(text, odd)
      }
      assert.isAbove(
        Math.max(...requests.map((request) => JSON.stringify(request).length)),
        50_000
      )
      const items = yield* Arbitrary.sampleEffect(Arbitraries.Item, { count: 300, seed: 7 })
      assert.deepStrictEqual(
        [...new Set(items.map(({ type }: Item.Item) => type))].toSorted(),
        [
          "compaction",
          "message",
          "reasoning",
          "tool-approval-request",
          "tool-approval-response",
          "tool-call",
          "tool-result",
          "tools",
          "unmodelled"
        ]
      )
    }))
})
