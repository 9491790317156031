/** Every shorthand both ways: what is written as shorthand reads back as the same value, and is no longer than it. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Hash, Schema } from "effect"
import { carried, isRecord } from "../../src/codec/index.ts"
import * as Shorthand from "../../src/shorthand/index.ts"
import * as Arbitraries from "../../src/testing/Arbitraries.ts"
import { laws } from "../../src/testing/Laws.ts"

const runs = 500

/** Other keys that a person may write, some of which mean something where shorthand is read. */
const others = [
  "name",
  "lang",
  "cache_control",
  "role",
  "type",
  "text",
  "image",
  "content",
  "id",
  "input",
  "tool_use_id",
  "tool_calls",
  "detail"
]

/** Half of the nodes with extras get such as a person wrote: in the bag for any protocol. */
const starred = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(starred)
  if (!isRecord(value)) return value
  const seed = Math.abs(Hash.structure(value))
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) =>
      key === "providerOptions" && isRecord(child) && seed % 2 === 0
        ? [key, { ...child, "*": { [others[seed % others.length]!]: "x", "*": null } }]
        : [key, starred(child)]
    )
  )
}

const samples = <A>(codec: Schema.Codec<A, unknown>): Arbitrary.Arbitrary<A> => {
  const whole = carried(codec)
  const isWhole = Schema.is(whole)
  return Arbitraries.lifelike(whole).pipe(Arbitrary.map((value) => {
    const richer = starred(value)
    return isWhole(richer) ? richer : value
  }))
}

/**
 * The value with the two words that say more in shorthand than their canonical form: a bare cache marker is written
 * `true`, a server that offers nothing says so.
 */
const spoken = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spoken)
  if (!isRecord(value)) return value
  const tools = Array.isArray(value.tools) ? value.tools : []
  const offered = tools.map((tool: unknown) => isRecord(tool) ? tool.server : undefined)
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (key === "cache" && isRecord(child) && Object.keys(child).length === 0) return [key, true]
      if (key !== "mcpServers" || !Array.isArray(child)) return [key, spoken(child)]
      const servers = child.map((server: unknown) =>
        isRecord(server) && !offered.includes(server.name) ? { ...server, tools: false } : server
      )
      return [key, servers]
    })
  )
}

describe("shorthand", () => {
  for (const [name, codec] of Object.entries<Schema.Codec<unknown, unknown>>(Shorthand)) {
    it.effect(`${name} obeys the laws`, () => laws(codec, { runs, arbitrary: samples(codec) }))

    it.effect.prop(
      `${name} is no longer than its canonical form`,
      [samples(codec)],
      ([value]) =>
        Effect.gen(function*() {
          const written = yield* Schema.encodeEffect(codec)(value)
          assert.isAtMost(JSON.stringify(written).length, JSON.stringify(spoken(value)).length)
        }),
      { arbitrary: { runs } }
    )
  }
})
