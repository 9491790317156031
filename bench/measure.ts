/**
 * Medians of interleaved slices: each round gives every job one slice, so that what disturbs the machine disturbs all
 * alike. Numbers are only good beside others of the same `measure`.
 */
/** Something to time: `prepare` makes what one call consumes, and is not timed. */
export interface Job {
  readonly prepare: () => () => unknown
}

/**
 * Each call gets a value that was made just before, as one that came off the wire is parsed and then used: nothing of it
 * is remembered, and it is where a value is that was parsed a moment ago.
 */
export const fresh = <A>(make: () => A, run: (value: A) => unknown): Job => ({
  prepare: () => {
    const value = make()
    return () => run(value)
  }
})

/** Each call gets the same value. */
export const repeated = (run: () => unknown): Job => ({ prepare: () => run })

export interface Options {
  /** Rounds that count, after those that warm the engine up. */
  readonly rounds?: number
  /** Milliseconds a slice. */
  readonly slice?: number
}
const warmUp = 4
const mostCalls = 400

let sink: unknown

/** Milliseconds for so many calls. */
const time = async ({ prepare }: Job, calls: number): Promise<number> => {
  let taken = 0
  for (let i = 0; i < calls; i++) {
    const call = prepare()
    const start = performance.now()
    sink = call()
    if (sink instanceof Promise) sink = await sink
    taken += performance.now() - start
  }
  return taken
}

/** How many calls fill a slice. */
const callsOf = async (job: Job, slice: number): Promise<number> => {
  for (let calls = 1;; calls *= 2) {
    const taken = await time(job, calls)
    if (taken >= slice || calls >= mostCalls) return Math.max(1, Math.min(mostCalls, Math.round(calls * slice / taken)))
  }
}

export const median = (xs: ReadonlyArray<number>): number => xs.toSorted((a, b) => a - b)[xs.length >> 1] ?? Number.NaN

/** Microseconds a call of each job. */
export const measure = async <K extends string>(
  jobs: Readonly<Record<K, Job>>,
  { rounds = 11, slice = 8 }: Options = {}
): Promise<Readonly<Record<K, number>>> => {
  const all = Object.entries<Job>(jobs).map(([name, job]) => ({ name, job, calls: 1, times: new Array<number>() }))
  for (let round = -warmUp; round < rounds; round++) {
    for (const it of all) {
      // What a call takes is known only once it is warm.
      if (round < 0) it.calls = await callsOf(it.job, slice)
      const taken = await time(it.job, it.calls)
      if (round >= 0) it.times.push(taken * 1000 / it.calls)
    }
  }
  return Object.fromEntries(all.map(({ name, times }) => [name, median(times)])) as Record<K, number>
}

/** The yardstick: `JSON.parse` + `JSON.stringify` of the same text. */
export const json = (text: string): Job => repeated(() => JSON.stringify(JSON.parse(text)))

/** A fresh copy, as it would come off the wire. */
export const parsed = <A>(text: string) => (): A => JSON.parse(text) as A
