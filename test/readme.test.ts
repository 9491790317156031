/** Runs the examples of the README: what stands after `// =>` is what comes out. */
import { assert, describe, it } from "@effect/vitest"
import * as effect from "effect"
import { Effect } from "effect"
import * as ai from "effect/ai"
import { readFileSync } from "node:fs"
import * as bellows from "../src/index.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!).filter((code) =>
  code.includes("// =>")
)

const modules: { readonly [name: string]: object } = { bellows, effect, "effect/ai": ai }

/** What a line imports, by name. */
const imported = (line: string): ReadonlyArray<readonly [name: string, value: unknown]> => {
  const [, names = "", module = ""] = /^import \{ (.*) \} from "(.*)"$/.exec(line) ?? []
  return names.split(", ").map((
    name
  ) => [name, Object.entries(modules[module] ?? {}).find(([key]) => key === name)?.[1]])
}

type Pair = readonly [got: unknown, said: unknown]
const Program = async function() {}.constructor as new(
  ...code: ReadonlyArray<string>
) => (names: object, pairs: Array<Pair>) => Promise<void>

/** The statements of a block, each with what is said to come out of it. */
const run = (code: string): Effect.Effect<ReadonlyArray<Pair>> => {
  const all = code.split("\n")
  const lines = all.filter((line) => line !== "" && !line.startsWith("import "))
  const body = lines.map((line, i) => {
    const [, said] = /^\/\/ => (.*)$/.exec(line) ?? []
    if (said !== undefined) return ""
    const next = /^\/\/ => (.*)$/.exec(lines[i + 1] ?? "")?.[1]
    return next === undefined ? line : `pairs.push([${line}, (${next})]);`
  }).join("\n")
  const names = Object.fromEntries(all.filter((line) => line.startsWith("import ")).flatMap(imported))
  const pairs: Array<Pair> = []
  return Effect.as(Effect.promise(() => new Program("names", "pairs", `with (names) { ${body} }`)(names, pairs)), pairs)
}

describe("the README", () => {
  it("has examples", () => assert.isAbove(blocks.length, 0))
  for (const [index, code] of blocks.entries()) {
    it.effect(`says what comes out of example ${index + 1}`, () =>
      Effect.map(run(code), (pairs) => {
        assert.isAbove(pairs.length, 0)
        for (const [got, said] of pairs) assert.deepStrictEqual(got, said)
      }))
  }
})
