/**
 * Where the time of a translation goes: the shares of what a sampling profiler finds, by who does the work. What V8 does
 * by itself (`JSON.parse`, `JSON.stringify`) counts for the function that asks for it.
 */
import { Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"
import { wireText } from "../bodies.ts"
import { parsed } from "../measure.ts"
import { type Name, names, translate } from "../protocols.ts"
import { percent, table } from "../table.ts"

const calls = 20_000
const warmUp = 4000
const source = fileURLToPath(new URL("../../src/", import.meta.url))

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** Who does the work: a file of ours, Effect, the generated code of the kit, the collector. */
const workerOf = ({ functionName, url }: Frame): string | undefined => {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url
  if (path.startsWith(source)) return path.slice(source.length)
  if (path.includes("/effect/")) return "effect"
  if (functionName === "(garbage collector)") return "the collector"
  return path === "" && functionName === "" ? "straight code that the kit made" : undefined
}

/** Microseconds of work by worker. What this file does itself is no part of it. */
const profiled = async (run: () => void): Promise<ReadonlyMap<string, number>> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 50 })
  await session.post("Profiler.start")
  run()
  const { profile: { nodes, samples = [], timeDeltas = [] } } = await session.post("Profiler.stop")
  session.disconnect()
  const workers = new Map(nodes.map(({ callFrame, id }) => [id, workerOf(callFrame)]))
  const work = new Map<string, number>()
  samples.forEach((id, i) => {
    const worker = workers.get(id)
    if (worker !== undefined) work.set(worker, (work.get(worker) ?? 0) + (timeDeltas[i] ?? 0))
  })
  return work
}

let sink: unknown

const rows = async (from: Name): Promise<void> => {
  const body = parsed<unknown>(wireText(from))
  const run = (calls: number) => () => {
    for (let i = 0; i < calls; i++) sink = translate[from](body())
  }
  run(warmUp)()
  const work = await profiled(run(calls))
  const all = [...work.values()].reduce((a, b) => a + b, 0)
  const largest = [...work].toSorted(([, a], [, b]) => b - a).slice(0, 10)
  table(`a translation from ${from}`, ["share"], largest.map(([worker, us]) => [worker, percent(us / all)]))
}

for (const name of names) await rows(name)
if (sink === undefined) throw new Error("Nothing was translated")
