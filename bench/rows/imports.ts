/**
 * What an import of the built package takes beyond `effect`: a process first imports `effect`, then what else of it the
 * entry reaches, then the entry. Every number is the median of processes that take turns.
 */
import { build } from "esbuild"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { median } from "../measure.ts"
import { ms, table } from "../table.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const entries = [
  "bellows",
  "bellows/loop",
  "bellows/protocol/anthropic-messages",
  "bellows/protocol/openai-responses"
] as const
const runs = 9
if (!existsSync(`${root}/dist/index.js`)) throw new Error("There is no dist: run `npm run build`")

/** The modules of `effect` that are imported anywhere below the entry. */
const effectOf = async (entry: string): Promise<ReadonlyArray<string>> => {
  const { metafile } = await build({
    stdin: { contents: `import ${JSON.stringify(entry)}`, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: ["effect", "effect/*"],
    ignoreAnnotations: true,
    metafile: true
  })
  return [
    ...new Set(
      Object.values(metafile.inputs).flatMap(({ imports }) =>
        imports.flatMap(({ external, path }) => external === true ? [path] : [])
      )
    )
  ].toSorted()
}

/** Milliseconds for each of these in turn. */
const time = (steps: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> => {
  const program = `
    const taken = []
    for (const modules of ${JSON.stringify(steps)}) {
      const start = performance.now()
      for (const module of modules) await import(module)
      taken.push(performance.now() - start)
    }
    console.log(JSON.stringify(taken))`
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: root, encoding: "utf8" })
  return JSON.parse(out) as ReadonlyArray<number>
}

const all = await Promise.all(entries.map(async (entry) => ({
  entry,
  steps: [["effect"], await effectOf(entry), [entry]],
  taken: [] as Array<ReadonlyArray<number>>
})))
for (let run = 0; run < runs; run++) for (const { steps, taken } of all) taken.push(time(steps))

table(
  "import, cold",
  ["effect", "more of effect", "bellows"],
  all.map(({ entry, steps, taken }) => [entry, ...steps.map((_, i) => ms(median(taken.map((each) => each[i]!))))])
)
