/**
 * The laws of a codec, to be run on yours as on ours.
 *
 * @example
 * it.effect("my request obeys the laws", () => laws(MyRequest, { runs: 500 }))
 */
import { Arbitrary, Effect, type Equivalence, Exit, Schema } from "effect"
import * as Losses from "../canonical/Losses.ts"
import { carried } from "../codec/index.ts"
import * as ProtocolEquivalence from "../protocol/Equivalence.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { check, type Kind } from "./Recorded.ts"
import { parting, spoilt } from "./Roads.ts"

export interface Runs {
  /** Samples for each law; 100 where it is not said. */
  readonly runs?: number
  readonly seed?: string | number
}
export interface Options<A> extends Runs {
  /** The inner values to try: all that the codec says it carries, where it is not said. */
  readonly arbitrary?: Arbitrary.Arbitrary<A>
  /** When two inner values mean the same: when they are structurally equal, where it is not said. */
  readonly equivalence?: Equivalence.Equivalence<A>
}

/** A law that did not hold, and the smallest value found that breaks it. */
export class LawBroken
  extends Schema.TaggedError<LawBroken>()("LawBroken", { law: Schema.String, counterexample: Schema.String })
{
  override get message(): string {
    return `Law broken: ${this.law}\n${this.counterexample}`
  }
}

/**
 * Checks the laws of a codec, or of a whole protocol, on sampled values.
 *
 * Of a codec: `decode(encode(i))` means `i`; `encode` after `decode` changes nothing that `encode` gave; what the
 * outside offers is read the same after it was written again; the derived code and Effect's interpreter answer alike to
 * all of this, and to it with something odd in it. Of a protocol: those, for requests and responses, and
 * the laws that are checked on recordings (edits, unknown fields and members), and that no sample has a loss.
 *
 * @returns nothing, or fails with {@link LawBroken}.
 */
export function laws(protocol: Protocol, options?: Runs): Effect.Effect<void, LawBroken>
export function laws<A, I>(codec: Schema.Codec<A, I>, options?: Options<A>): Effect.Effect<void, LawBroken>
export function laws<A, I>(
  subject: Schema.Codec<A, I> | Protocol,
  options: Options<A> = {}
): Effect.Effect<void, LawBroken> {
  return Schema.isSchema(subject) ? codecLaws(subject, options) : protocolLaws(subject as Protocol, options)
}

const codecLaws = Effect.fn("Laws.codec")(function*<A, I>(codec: Schema.Codec<A, I>, options: Options<A>) {
  const encode = Schema.encodeUnknownEffect(codec)
  const decode = Schema.decodeUnknownEffect(codec)
  const decodeExit = Schema.decodeUnknownExit(codec)
  const equivalence = options.equivalence ?? Schema.toEquivalence(Schema.toType(codec))
  const inside = options.arbitrary ?? Arbitrary.schema(carried(codec))
  const outside = Arbitrary.schema(Schema.toEncoded(codec))

  yield* holds(
    "decode(encode(i)) means i",
    inside,
    options,
    (i) => Effect.map(Effect.flatMap(encode(i), decode), (back) => equivalence(back, i))
  )
  yield* holds("encode(decode(encode(i))) is encode(i)", inside, options, (i) =>
    Effect.gen(function*() {
      const once = yield* encode(i)
      return isSame(yield* Effect.flatMap(decode(once), encode), once)
    }))
  yield* holds("decode(encode(decode(o))) means decode(o)", outside, options, (o) => {
    const i = decodeExit(o)
    // What the codec refuses is no spelling of anything.
    if (Exit.isFailure(i)) return Effect.succeed(true)
    return Effect.map(Effect.flatMap(encode(i.value), decode), (back) => equivalence(back, i.value))
  })

  const part = parting(codec)
  for (const [way, values] of [["decode", outside], ["encode", inside]] as const) {
    yield* holds("the roads agree", values as Arbitrary.Arbitrary<unknown>, options, (value) => {
      for (const one of spoilt(value, 4, JSON.stringify(value) ?? "")) {
        const apart = part(way, one)
        if (apart !== undefined) return Effect.fail(apart)
      }
      return Effect.succeed(true)
    })
  }
})

const protocolLaws = Effect.fn("Laws.protocol")(function*(protocol: Protocol, options: Runs) {
  for (const kind of ["request", "response"] as const) yield* bodyLaws(protocol, kind, options)
  for (const [name, codec] of Object.entries(protocol.ExpandedFromWire)) {
    const expand = Schema.decodeUnknownEffect(codec as Schema.Codec<unknown, unknown>)
    const compress = Schema.encodeUnknownEffect(codec as Schema.Codec<unknown, unknown>)
    const samples = Arbitrary.schema(Schema.toEncoded(codec as Schema.Codec<unknown, unknown>))
    for (const [way, turn] of [["expand", expand], ["compress", compress]] as const) {
      yield* holds(`${way} of ${name} is idempotent`, samples, options, (wire) =>
        Effect.matchEffect(turn(wire), {
          // What is refused once has no spelling to be idempotent about.
          onFailure: () => Effect.succeed(true),
          onSuccess: (once) => Effect.map(turn(once), (twice) => isSame(twice, once))
        }))
    }
  }
})

const bodyLaws = (protocol: Protocol, kind: Kind, options: Runs): Effect.Effect<void, LawBroken> => {
  const codec = (kind === "request" ? protocol.RequestFromWire : protocol.ResponseFromWire) as Schema.Codec<
    unknown,
    Schema.Json
  >
  const frame = kind === "request" ? ProtocolEquivalence.frame(protocol) : { protocol: protocol.name }
  const encode = Schema.encodeUnknownEffect(codec)
  const decode = Schema.decodeUnknownEffect(codec)
  return holds(
    `a ${kind} of ${protocol.name}`,
    Arbitrary.schema(carried(codec)),
    options,
    (i) =>
      Effect.gen(function*() {
        const body = yield* encode(i)
        const { added, losses } = Losses.difference(i, yield* decode(body), frame)
        const { breaches } = check(protocol, kind, body, JSON.stringify(body).slice(0, 100))
        const all = [
          ...[...losses, ...added].map(({ pointer, why }) => `1: decode(encode(i)) means i, at ${pointer}: ${why}`),
          ...breaches.map(({ law, message, pointer }) => `${law}, at ${pointer}: ${message}`)
        ]
        if (all.length > 0) return yield* Effect.fail(`${all.join("\n")}\nbody: ${JSON.stringify(body)}`)
        return true
      })
  )
}

const holds = <A, E>(
  law: string,
  arbitrary: Arbitrary.Arbitrary<A>,
  { runs = 100, seed }: Runs,
  property: (value: A) => Effect.Effect<boolean, E>
): Effect.Effect<void, LawBroken> =>
  Effect.gen(function*() {
    const result = yield* Arbitrary.checkEffect(arbitrary, property, { runs, ...(seed === undefined ? {} : { seed }) })
    const failure = Arbitrary.formatCheckFailure(result)
    if (failure !== undefined) return yield* new LawBroken({ law, counterexample: failure })
  })

const isSame = Schema.toEquivalence(Schema.Unknown)
