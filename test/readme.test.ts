/** Runs the examples of the README: what stands after `// =>` is what comes out. */
import { assert, describe, it } from "@effect/vitest"
import * as effect from "effect"
import { readFileSync } from "node:fs"
import * as bellows from "../src/index.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!).filter((code) =>
  code.includes("// =>")
)

/** The statements of a block, each with what is said to come out of it. */
const run = (code: string): ReadonlyArray<readonly [got: unknown, said: unknown]> => {
  const lines = code.split("\n").filter((line) => line !== "" && !line.startsWith("import "))
  const body = lines.map((line, i) => {
    const [, said] = /^\/\/ => (.*)$/.exec(line) ?? []
    if (said !== undefined) return ""
    const next = /^\/\/ => (.*)$/.exec(lines[i + 1] ?? "")?.[1]
    return next === undefined ? line : `pairs.push([${line}, (${next})]);`
  }).join("\n")
  const names = { ...effect, ...bellows }
  const pairs: Array<readonly [unknown, unknown]> = []
  new Function("names", "pairs", `with (names) { ${body} }`)(names, pairs)
  return pairs
}

describe("the README", () => {
  it("has examples", () => assert.isAbove(blocks.length, 0))
  for (const [index, code] of blocks.entries()) {
    it(`says what comes out of example ${index + 1}`, () => {
      const pairs = run(code)
      assert.isAbove(pairs.length, 0)
      for (const [got, said] of pairs) assert.deepStrictEqual(got, said)
    })
  }
})
