/**
 * Decode, encode and both of one protocol's request. Off the fast road is where something has been annotated since, and
 * where a value is at fault. `--json` measures and prints the first column alone.
 */
import type * as Request from "../../src/canonical/Request.ts"
import { canonical, messages, tools, wireText } from "../bodies.ts"
import { fresh, type Job, json, measure, parsed, repeated } from "../measure.ts"
import { type Name, names, protocols } from "../protocols.ts"
import { table, times } from "../table.ts"

const alone = process.argv.includes("--json")

/** Times the jobs as multiples of JSON. */
const roads = async <A>(
  text: string,
  make: () => A,
  run: (value: A) => unknown,
  interpreted: (value: A) => unknown
) => {
  const same = make()
  const jobs: Record<string, Job> = { json: json(text), fresh: fresh(make, run) }
  if (!alone) Object.assign(jobs, { repeated: repeated(() => run(same)), interpreted: fresh(make, interpreted) })
  const { json: yardstick = Number.NaN, ...taken } = await measure(jobs)
  return Object.values(taken).map((time) => time / yardstick)
}

const rowsOf = async (name: Name): Promise<Readonly<Record<string, ReadonlyArray<number>>>> => {
  const text = wireText(name)
  const { interpreted, request: { decode, encode } } = protocols[name]
  const request = parsed<Request.Request>(JSON.stringify(canonical(name)))
  const body = parsed<unknown>(text)
  return {
    [`decode ${name}`]: await roads(text, body, decode, interpreted.decode),
    [`encode ${name}`]: await roads(text, request, encode, interpreted.encode),
    [`decode + encode ${name}`]: await roads(
      text,
      body,
      (it) => encode(decode(it)),
      (it) => interpreted.encode(interpreted.decode(it))
    )
  }
}

const rows: Record<string, ReadonlyArray<number>> = {}
for (const name of names) Object.assign(rows, await rowsOf(name))

if (alone) console.log(JSON.stringify(rows))
else {
  table(
    `requests of ${messages} messages, ${tools} tools, x JSON`,
    ["fresh", "same again", "interpreted"],
    Object.entries(rows).map(([title, row]) => [title, ...row.map(times)])
  )
}
