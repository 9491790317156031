/** A map that is asked for its latest entry most: it holds what any map holds, and a version of it stays as it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Latest } from "../../src/codec/index.ts"

const Entry = Schema.Tuple([Schema.Literals([0, 1, 2, 3]), Schema.String])

describe("Latest", () => {
  it.effect.prop("holds what a map holds, in every version", [Schema.Array(Entry)], ([entries]) =>
    Effect.sync(() => {
      let latest = Latest.empty<number, string>()
      const versions: Array<readonly [Latest.Latest<number, string>, ReadonlyMap<number, string>]> = []
      const map = new Map<number, string>()
      for (const [key, value] of entries) {
        latest = Latest.set(latest, key, value)
        map.set(key, value)
        versions.push([latest, new Map(map)])
      }
      for (const [latest, map] of versions) {
        assert.deepStrictEqual(Latest.ordered(latest), [...map].toSorted(([a], [b]) => a - b))
        for (const key of [0, 1, 2, 3]) {
          assert.strictEqual(Latest.get(latest, key), map.get(key))
          assert.strictEqual(Latest.has(latest, key), map.has(key))
        }
      }
    }))

  it("knows the empty key, and an entry that holds nothing", () => {
    const map = Latest.set(Latest.set(Latest.empty<string, undefined>(), "", undefined), "a", undefined)
    assert.isTrue(Latest.has(map, ""))
    assert.strictEqual([...map].length, 2)
  })
})
