/**
 * Open unions: variants told apart by their tag, closed by a member that keeps anything else verbatim.
 *
 * What has no known tag, or has one but not the shape that goes with it, is kept as it stands: one odd member never
 * costs the reader the whole body.
 */
import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import * as Check from "./Check.ts"
import {
  type AnySides,
  make,
  type Malformed,
  malformed,
  type Part,
  type Plain,
  plain,
  type Reading,
  readingOf,
  sidesOf,
  signs,
  type Turn,
  turnOf,
  turns,
  unfit,
  type Way
} from "./Codec.ts"
import { anyProtocol } from "./Spelling.ts"
import * as Straight from "./Straight.ts"

/** What a codec does not model, verbatim. */
export interface Unmodelled {
  readonly type: "unmodelled"
  readonly protocol: string
  readonly raw: Schema.Json
}
/** The member that closes every open union: what the codec of `protocol` does not model, verbatim. */
export const Unmodelled: Schema.Codec<Unmodelled> & { readonly fields: Schema.Struct.Fields } = Schema.Struct({
  type: Schema.Literal("unmodelled"),
  protocol: Schema.String,
  raw: Schema.Json
})

/** A wire object with a tag that is not modelled. */
export interface UnknownTag {
  readonly type: string
  readonly [key: string]: Schema.Json
}

/** One of several variants by its tag; anything else is kept. */
export const open = <A, I>(
  protocol: string,
  canonical: Plain<A | Unmodelled>,
  codecs: ReadonlyArray<Part<A>>
): Schema.Codec<A | Unmodelled, I> => {
  const members = codecs.map((codec): AnySides => sidesOf(codec))
  const wire = anyJson(members)
  const keep = (raw: unknown): Unmodelled | Malformed =>
    Check.isJson(raw) ? { type: "unmodelled", protocol, raw: raw as Schema.Json } : malformed
  const giveBack = (value: Unmodelled): unknown =>
    value.type === "unmodelled" && (value.protocol === protocol || value.protocol === anyProtocol) ? value.raw : unfit
  const groups = Map.groupBy(members, (member): unknown => member.marks!.wire.type)
  const tagless = members.filter((member) => member.marks!.tagless)
  if (tagless.length > 0) groups.set(undefined, tagless)
  const byType = Map.groupBy(members, (member) => member.marks!.canonical.type)

  const read = (): Reading<A | Unmodelled> =>
    Straight.orElse(
      Straight.byTag("type", mapValues(groups, (group) => choose(group, "wire", attempt, () => malformed)), keep),
      keep,
      signs
    ) as Reading<A | Unmodelled>
  const write = (way: Way): Turn<unknown, unknown> =>
    Straight.byTag(
      "type",
      mapValues(byType, (group) => choose(group, "canonical", (members) => inOrder(members, way), () => unfit)),
      giveBack
    )
  return make<A | Unmodelled, I>({
    wire: wire.ast,
    canonical: canonical.ast,
    carried: Schema.Union([...members.map(({ carried }) => plain<unknown>(carried)), unmodelledOf(protocol)]).ast,
    turns: turns(read, write as (way: Way) => Turn<A | Unmodelled, I>)
  })
}

const attempt = (members: ReadonlyArray<AnySides>): Reading<unknown> =>
  Straight.first(members.map((member): Reading<unknown> => readingOf(member)), signs)

/** The canonical value is well formed, so what a member cannot carry it finds unfit itself. */
const inOrder = (members: ReadonlyArray<AnySides>, way: Way): Turn<never, unknown> => {
  const turns = members.map((member) => turnOf(member, way))
  if (turns.length === 1) return turns[0]!
  return (value) => {
    for (const turn of turns) {
      const out = turn(value)
      if (out !== unfit) return out
    }
    return unfit
  }
}

/** Any JSON; sampled, it is one of the members or something that none of them knows. */
const anyJson = (members: ReadonlyArray<AnySides>): Schema.Constraint => {
  const schema = Schema.declareConstructor<unknown>()(
    [],
    () => (value, _, options) =>
      Check.isJson(value)
        ? Effect.succeed(value)
        : Effect.fail(new SchemaIssue.InvalidValue({ message: "Expected JSON" }, value, options)),
    {
      toCodecArbitrary: () =>
        Schema.link<unknown>()(Schema.Union([...members.map(({ wire }) => plain<unknown>(wire)), unknownWire]), {
          decode: SchemaGetter.passthrough(),
          encode: SchemaGetter.passthrough()
        })
    }
  )
  Check.define(schema.ast, Check.of(Schema.Json.ast))
  return schema
}

const unknownWire: Schema.Codec<unknown> = Schema.Union([
  Schema.Struct({
    type: Schema.Literals(["x_unknown", "never_seen.v2", ""]),
    x_value: Schema.optionalKey(Schema.Json)
  }),
  Schema.Literals(["no object", 5, true]),
  Schema.Array(Schema.Finite)
])

const unmodelledOf = (protocol: string): Schema.Codec<unknown> =>
  Schema.Struct({ type: Schema.Literal("unmodelled"), protocol: Schema.Literal(protocol), raw: unknownWire })

const mapValues = <K, V, W>(map: ReadonlyMap<K, V>, f: (value: V) => W): ReadonlyMap<K, W> =>
  new Map([...map].map(([key, value]) => [key, f(value)]))

/** Members that share a tag are told apart by another constant when they have one, and tried in order when not. */
const choose = (
  group: ReadonlyArray<AnySides>,
  side: "wire" | "canonical",
  several: (members: ReadonlyArray<AnySides>) => Turn<never, unknown>,
  none: Turn<never, unknown>
): Turn<never, unknown> => {
  const marks = group.map((member) => member.marks![side])
  const key = group.length > 1 &&
    Object.keys(marks[0]!).find((key) =>
      key !== "type" && marks.every((mark) => key in mark) && new Set(marks.map((mark) => mark[key])).size > 1
    )
  if (typeof key !== "string") return several(group)
  const cases = Map.groupBy(group, (member) => member.marks![side][key])
  return Straight.byTag(key, mapValues(cases, several), none)
}
