/** The codecs where code may not be made at run time, beside those where it may: processes of each kind in turn. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { median } from "../measure.ts"
import { table, times } from "../table.ts"

const runs = 3
const flag = "--disallow-code-generation-from-strings"
const codecs = fileURLToPath(new URL("codecs.ts", import.meta.url))

const run = (flags: ReadonlyArray<string>): Readonly<Record<string, readonly [number]>> =>
  JSON.parse(execFileSync(process.execPath, [...flags, codecs, "--json"], { encoding: "utf8" })) as ReturnType<
    typeof run
  >

const all = Array.from({ length: runs }, () => ({ straight: run([]), loops: run([flag]) }))
table(
  "where `new Function` is forbidden, fresh, x JSON",
  ["straight code", "loops", "loops / straight"],
  Object.keys(all[0]!.straight).map((title) => {
    const of = (road: "straight" | "loops") => median(all.map((each) => each[road][title]![0]))
    const [straight, loops] = [of("straight"), of("loops")]
    return [title, times(straight), times(loops), times(loops / straight)]
  })
)
