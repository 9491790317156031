/** The codec kit: `protocol(name)` gives `variant` and `open`, the rest are words that no protocol changes. */
import type { Schema } from "effect"
import type { Part, Plain } from "./Codec.ts"
import { open, type UnknownTag, type Unmodelled } from "./Open.ts"
import type { Bagged, Constants, Spelling, Spellings, Struct, Value, Whole, Wire } from "./Spelling.ts"
import { variant } from "./Variant.ts"

export { isJson, isRecord } from "./Check.ts"
export { type Part, type Plain, type Refusal, refuse, type Unfit, unfit } from "./Codec.ts"
export * as Latest from "./Latest.ts"
export { type UnknownTag, Unmodelled } from "./Open.ts"
export { pointerOf } from "./Pointer.ts"
export { remembered, type Seams } from "./Remembered.ts"
export { once } from "./Seen.ts"
export { anyProtocol, as, type Bag, type Bagged, implied } from "./Spelling.ts"
export { bag } from "./Variant.ts"
export * from "./Words.ts"

type Pins<A> = { readonly [K in keyof A]?: A[K] | undefined }

/** The words that depend on the protocol: whose unknown keys and whose unknown tags they keep. */
export const protocol = (name: string) => ({
  /**
   * A canonical struct as one wire object: `constants` are the wire's own words (its tag), `spellings` say how each
   * field is written, `pins` are canonical values that go without saying, `dropped` are wire keys that say nothing.
   */
  variant: <A extends Bagged, const C extends Constants, const F extends Spellings<A, P>, const P extends Pins<A> = {}>(
    canonical: Struct<A>,
    constants: C,
    spellings: F & { readonly [K in keyof F]: K extends keyof A ? Whole<Value<A, K>, F[K]> : never },
    pins?: P,
    dropped?: ReadonlyArray<string>
  ): Schema.Codec<A, Wire<A, C, F>> =>
    variant(name, canonical, {
      constants,
      spellings: spellings as { readonly [key: string]: Spelling<unknown> },
      pins: pins ?? {},
      dropped: dropped ?? []
    }),

  /** One of several variants by its `type`; anything else is kept as `unmodelled`. */
  open: <A, const M extends ReadonlyArray<Part<A>>>(
    canonical: Plain<A | Unmodelled>,
    ...members: M
  ): Schema.Codec<A | Unmodelled, M[number]["Encoded"] | UnknownTag> => open(name, canonical, members)
})
