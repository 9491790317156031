/** Reads recorded exchanges: an optional folder of test data beside the project. */
import type { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"

const folder = new URL("../../shared/recordings/", import.meta.url)
export const areThere = existsSync(folder)

export interface Exchange {
  readonly id: string
  readonly protocol: string
  readonly status?: number
  readonly request?: Schema.Json
  readonly response?: Schema.Json
}

export const exchanges = (file: string): ReadonlyArray<Exchange> =>
  readFileSync(new URL(`${file}.jsonl`, folder), "utf8").split("\n").filter(Boolean)
    .map((line): Exchange => JSON.parse(line))
