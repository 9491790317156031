/** The minified size of a program that only reads Anthropic's responses. */
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { table } from "../table.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const { metafile, outputFiles } = await build({
  stdin: {
    contents: `
      import { Schema } from "effect"
      import { ResponseFromWire } from "bellows/protocol/anthropic-messages"
      export const read = Schema.decodeUnknownSync(ResponseFromWire)`,
    resolveDir: root
  },
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "neutral",
  metafile: true
})
const [output] = Object.values(metafile.outputs)
const [file] = outputFiles
if (output === undefined || file === undefined) throw new Error("esbuild gave nothing")

const bytesOf = (part: RegExp): number =>
  Object.entries(output.inputs)
    .filter(([path]) => part.test(path))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)
const [own, effect] = [bytesOf(/^dist\//), bytesOf(/node_modules\/effect\//)]
if (own === 0) throw new Error("There is nothing of dist in the bundle")

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
table("a bundle that reads Anthropic's responses", ["minified"], [
  ["in all", kB(file.contents.length)],
  ["in all, gzip", kB(gzipSync(file.contents).length)],
  ["of bellows", kB(own)],
  ["of effect", kB(effect)]
])
