/** Collects what it costs to give a schema the form that an API takes. */
import type { SchemaLoss } from "../Fitted.ts"

/** Why a schema cannot be strict: where, what is there, and what to do about it. */
export interface Obstacle {
  readonly pointer: string
  readonly found: string
  readonly advice: string
}

export class Report {
  readonly #lost = new Map<string, SchemaLoss>()
  readonly #refused = new Map<string, Obstacle>()
  readonly #api: string

  constructor(api: string) {
    this.#api = api
  }

  /** The API has no words for this. */
  lose(pointer: string, what: string): void {
    this.#lost.set(`${pointer} ${what}`, { pointer, why: `${this.#api} cannot say: ${what}` })
  }

  /** Nothing that has this is strict. */
  refuse(pointer: string, found: string, advice: string): void {
    this.#refused.set(`${pointer} ${found}`, { pointer, found, advice })
  }

  get losses(): ReadonlyArray<SchemaLoss> {
    return [...this.#lost.values()]
  }

  get obstacles(): ReadonlyArray<Obstacle> {
    return [...this.#refused.values()]
  }
}
