/** Runs the one-line examples of the doc comments: what stands after `// =>` is what comes out. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { globSync, readFileSync } from "node:fs"
import * as bellows from "../src/index.ts"

const src = new URL("../src/", import.meta.url)

interface Example {
  readonly file: string
  readonly code: string
  readonly said: string
}

const examples: ReadonlyArray<Example> = globSync("**/*.ts", { cwd: src.pathname }).toSorted().flatMap((file) => {
  const comments = readFileSync(new URL(file, src), "utf8").match(/\/\*\*[\s\S]*?\*\//g) ?? []
  return comments.flatMap((comment) => {
    const text = comment.slice(3, -2).replaceAll(/^ *\* ?/gm, "")
    return [...text.matchAll(/@example `([^`]*?)\s+\/\/ => ([^`]*)`/g)].map(([, code, said]) => ({
      file,
      code: code!,
      said: said!
    }))
  })
})
/** Some say only what it looks like. */
const exact = examples.filter(({ code, said }) => !/[{[,] …|canonical events/.test(code + said))

describe("the examples of the documentation", () => {
  it("are there", () => assert.isAbove(exact.length, 12))
  for (const { code, file, said } of exact) {
    it.effect(`${file}: ${code}`, () =>
      Effect.gen(function*() {
        const own = yield* Effect.promise(() => import(new URL(file, src).href) as Promise<object>)
        const names = { ...own, ...bellows, Schema, ...(file.startsWith("shorthand") ? own : {}) }
        const run = new Function("names", `with (names) { return [(${code}), (${said})] }`) as (
          names: object
        ) => [unknown, unknown]
        const [got, expected] = run(names)
        assert.deepStrictEqual(got, expected)
      }))
  }
})
