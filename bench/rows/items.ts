/** What one item costs in short and in long conversations. */
import type * as Request from "../../src/canonical/Request.ts"
import { canonical } from "../bodies.ts"
import { fresh, type Job, json, measure, parsed } from "../measure.ts"
import { type Name, names, protocols, translate } from "../protocols.ts"
import { type Line, table, times } from "../table.ts"

const counts = [10, 100, 1000, 5000] as const

const ways = ["decode", "encode", "translate", "JSON"] as const

/** All counts are measured at once, as they are compared with each other. */
const rowsOf = async (name: Name): Promise<ReadonlyArray<Line>> => {
  const { items, maxTokens, model } = canonical(name, 2800)
  if (items.length < 5000) throw new Error(`Only ${items.length} items`)
  const { decode, encode } = protocols[name].request
  const jobs: Record<string, Job> = {}
  for (const count of counts) {
    const request = parsed<Request.Request>(JSON.stringify({ model, maxTokens, items: items.slice(0, count) }))
    const wire = JSON.stringify(encode(request()))
    const body = parsed<unknown>(wire)
    jobs[`decode ${count}`] = fresh(body, decode)
    jobs[`encode ${count}`] = fresh(request, encode)
    jobs[`translate ${count}`] = fresh(body, translate[name])
    jobs[`JSON ${count}`] = json(wire)
  }
  const taken = await measure(jobs, { rounds: 9 })
  return ways.map((way) => [
    `${way} ${name}`,
    ...counts.map((count) => {
      const [time, hundred] = [taken[`${way} ${count}`]! / count, taken[`${way} 100`]! / 100]
      return `${time.toFixed(2)} us ${times(time / hundred)}`
    })
  ])
}

table("an item, x one of 100, fresh", counts.map((count) => `${count} items`), [
  ...await rowsOf(names[0]),
  ...await rowsOf(names[1])
])
