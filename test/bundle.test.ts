/** A program that uses one protocol does not carry the others: `sideEffects` says the truth. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"

const bundle = (program: string): Effect.Effect<string> =>
  Effect.promise(() =>
    build({
      stdin: { contents: program, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "neutral",
      external: ["effect", "effect/*"],
      metafile: true
    })
  ).pipe(
    Effect.map(({ metafile }) =>
      Object.keys(metafile.inputs).filter((path) => usedBytes(metafile, path) > 0).join("\n")
    )
  )

const usedBytes = (metafile: Awaited<ReturnType<typeof build>>["metafile"] & {}, path: string): number =>
  Object.values(metafile.outputs).reduce((sum, output) => sum + (output.inputs[path]?.bytesInOutput ?? 0), 0)

/** What an entry imports of `effect`, before anything unused is dropped. */
const importsOf = (entry: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() =>
    build({
      entryPoints: [new URL(`../src/${entry}/index.ts`, import.meta.url).pathname],
      bundle: true,
      write: false,
      format: "esm",
      platform: "neutral",
      external: ["effect", "effect/*"],
      ignoreAnnotations: true,
      metafile: true
    })
  ).pipe(
    Effect.map(({ metafile }) =>
      Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
    )
  )

describe("an import", () => {
  it.effect("of a protocol loads none of Effect's AI modules; that of the loop, those that it needs", () =>
    Effect.gen(function*() {
      for (const entry of ["protocol/anthropic-messages", "protocol/openai-responses", "canonical", "shorthand"]) {
        assert.deepStrictEqual((yield* importsOf(entry)).filter((path) => path.startsWith("effect/ai")), [])
      }
      const loop = yield* importsOf("loop")
      assert.include(loop, "effect/ai/Tool")
      assert.notInclude(loop, "effect/ai")
    }))
})

describe("a bundle", () => {
  it.effect("of one protocol holds no other, and no provider", () =>
    Effect.gen(function*() {
      const files = yield* bundle(`
        import { Schema } from "effect"
        import { AnthropicMessages } from "../src/index.ts"
        console.log(Schema.decodeUnknownSync(AnthropicMessages.ResponseFromWire)(JSON.parse("{}")))
      `)
      assert.include(files, "protocol/anthropic-messages")
      assert.notInclude(files, "protocol/openai-responses")
      assert.notInclude(files, "src/provider/")
      assert.notInclude(files, "src/shorthand/")
      assert.notInclude(files, "src/testing/")
      assert.notInclude(files, "src/loop/")
    }))
  it.effect("of a provider holds its own protocol alone", () =>
    Effect.gen(function*() {
      const files = yield* bundle(`import { Client, OpenAi } from "../src/index.ts"
        export const ask = [Client.send, OpenAi.layerConfig]`)
      assert.include(files, "protocol/openai-responses")
      assert.notInclude(files, "protocol/anthropic-messages")
    }))
  it.effect("of all of it holds all of it", () =>
    Effect.gen(function*() {
      const files = yield* bundle(`import * as bellows from "../src/index.ts"
        console.log(bellows)`)
      for (const folder of ["anthropic-messages", "openai-responses", "src/provider", "src/shorthand"]) {
        assert.include(files, folder)
      }
    }))
})
