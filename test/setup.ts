/**
 * The same values are made in every run, so that a failure is one for all; `SEED=7 npm test` looks at others, and
 * `SEED=$RANDOM` at new ones.
 */
import * as Arbitrary from "effect/Arbitrary"

const seed = process.env.SEED ?? "bellows"
Arbitrary.configureGlobal({ check: { seed }, sample: { seed } })
