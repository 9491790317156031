import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema, SchemaAST } from "effect"
import {
  as,
  bag,
  carried,
  complete,
  either,
  expanded,
  list,
  parsed,
  protocol,
  refuse,
  shorthand,
  suspend,
  transform,
  unfit,
  word,
  wordBut,
  words
} from "../../src/codec/index.ts"
import { laws } from "../../src/testing/index.ts"
import { Book, BookFromWire, Line, LineFromText, Note, Picture, PieceFromWire } from "./demo.ts"

const decode = Schema.decodeUnknownSync(BookFromWire)
const encode = Schema.encodeSync(BookFromWire)
const roundTrip = (wire: unknown): unknown => encode(decode(wire))
const message = (f: () => unknown): string => {
  try {
    f()
  } catch (error) {
    return String((error as Error).cause ?? error)
  }
  return "no failure"
}

describe("variant", () => {
  it("renames, implies, and keeps unknown keys where they were", () => {
    const wire = {
      title: "t",
      shape: "square",
      format: { size: 3, paper: "thick" },
      entries: [{ author: "me", body: "hi", mood: "up", x: { y: null } }],
      "ключ": [1]
    }
    assert.deepStrictEqual(decode(wire), {
      title: "t",
      notes: [{
        type: "note",
        by: "me",
        mood: "glad",
        pieces: [{ type: "line", text: "hi" }],
        providerOptions: { demo: { x: { y: null } } }
      }],
      size: 3,
      shape: "square",
      providerOptions: { demo: { format: { paper: "thick" }, "ключ": [1] } }
    })
    assert.deepStrictEqual(roundTrip(wire), wire as never)
  })
  it("reads null as absent, and writes what the wire always has", () => {
    assert.deepStrictEqual(decode({ title: "t", entries: [], shape: null, format: null }), { title: "t", notes: [] })
    assert.deepStrictEqual(encode({ title: "t", notes: [] }), { title: "t", entries: [], shape: null })
  })
  it("leaves out a documented default when it compresses, and only then", () => {
    const book: Book = { title: "t", notes: [], size: 1 }
    assert.deepStrictEqual(encode(book), { title: "t", entries: [], shape: null })
    assert.deepStrictEqual(Schema.encodeSync(complete(BookFromWire))(book), {
      title: "t",
      entries: [],
      shape: null,
      format: { size: 1 }
    })
  })
  it("writes implied tags and neutral values in complete bodies, and reads them as absent", () => {
    const full = Schema.encodeSync(complete(BookFromWire))(
      decode({ title: "t", entries: [{ author: "you", body: [] }] })
    )
    assert.deepStrictEqual(full, {
      title: "t",
      entries: [{ type: "note", author: "you", body: [], seal: "" }],
      shape: null
    })
    assert.deepStrictEqual(decode(full), { title: "t", notes: [{ type: "note", by: "you", pieces: [] }] })
  })
  it("drops the keys that say nothing", () =>
    assert.deepStrictEqual(roundTrip({ title: "t", entries: [{ author: "me", body: "x", noise: 1 }], shape: null }), {
      title: "t",
      entries: [{ author: "me", body: "x" }],
      shape: null
    } as never))
  it("takes a hostile __proto__ for data, on the object and in its nested JSON", () => {
    const wire: unknown = JSON.parse(`{"title":"t","entries":[],"shape":null,"__proto__":{"x":{"__proto__":2}}}`)
    assert.strictEqual(JSON.stringify(roundTrip(wire)), JSON.stringify(wire))
    assert.isTrue(Object.hasOwn(decode(wire).providerOptions!.demo!, "__proto__"))
    assert.strictEqual(Object.getPrototypeOf(roundTrip(wire)), Object.prototype)
  })
  it("sends a bag to its own protocol only, beside what is modelled and never over it", () => {
    const book: Book = {
      title: "t",
      notes: [],
      size: 2,
      providerOptions: {
        demo: { title: "evil", format: { paper: "thin", size: 9 } },
        other: { secret: 1 },
        "*": { everywhere: true }
      }
    }
    assert.deepStrictEqual(encode(book), {
      title: "t",
      entries: [],
      shape: null,
      format: { paper: "thin", size: 2 },
      everywhere: true
    } as never)
  })
  it("does not fit without a field that it needs", () => {
    const { variant } = protocol("demo")
    const Sealed = variant(Note, { author: "me" }, {
      pieces: as("body", list(PieceFromWire)),
      proof: as("seal", Schema.String, { needed: true })
    }, {
      by: "me"
    })
    assert.include(
      message(() => Schema.encodeSync(Sealed)({ type: "note", by: "me", pieces: [] })),
      "Expected a value the other side can carry"
    )
    assert.include(message(() => Schema.decodeUnknownSync(Sealed)({ author: "me", body: [] })), `["seal"]`)
  })
  it("refuses, when it is declared, a plain struct that would lose keys", () => {
    const { variant } = protocol("demo")
    const Loose = Schema.Struct({ type: Schema.Literal("loose"), inner: Schema.Struct({ a: Schema.String }), ...bag })
    assert.throws(
      () => variant(Loose, { type: "loose" }, { inner: "inner" }),
      "A plain struct would lose its unknown keys"
    )
  })
})

describe("open", () => {
  it("keeps what has no known tag, or a known one in another shape, verbatim and in place", () => {
    const strangers = [{ type: "zzz", a: [1] }, { type: "img" }, { text: "t" }, "text", 5, null, [1], {
      type: "txt",
      text: 5
    }]
    const body = [{ type: "txt", text: "a" }, ...strangers]
    const wire = { title: "t", shape: null, entries: [{ author: "me", body }, { author: "nobody" }, 7] }
    assert.deepStrictEqual(roundTrip(wire), wire as never)
    const [note] = decode(wire).notes
    assert.strictEqual(
      note?.type === "note" && note.pieces.filter(({ type }) => type === "unmodelled").length,
      strangers.length
    )
  })
  it("shares what it keeps with the body it came from", () => {
    const raw = { type: "zzz" }
    const decoded = Schema.decodeUnknownSync(PieceFromWire)(raw)
    assert.strictEqual(decoded.type === "unmodelled" && decoded.raw, raw)
  })
  it("gives an unmodelled member to its own protocol only", () => {
    const foreign = { type: "unmodelled", protocol: "other", raw: { a: 1 } } as const
    assert.deepStrictEqual(encode({ title: "t", notes: [foreign] }), { title: "t", entries: [], shape: null })
  })
})

describe("words", () => {
  it("maps vocabularies, passes open words, and picks the first spelling that fits", () => {
    const Choice = words({ any: "required", auto: "auto" })
    assert.strictEqual(Schema.decodeSync(Choice)("any"), "required")
    assert.strictEqual(Schema.encodeSync(Choice)("required"), "any")
    assert.strictEqual(Schema.decodeSync(word("low", "high"))("other"), "other")
    assert.strictEqual(Schema.encodeSync(wordBut("theirs"))("new"), "new")
    assert.include(
      message(() => Schema.encodeSync(wordBut("theirs"))("theirs")),
      "Expected a value the other side can carry"
    )
    const Even = transform(Schema.Finite, Schema.String, {
      decode: (n) => n % 2 === 0 ? `even ${n}` : unfit,
      encode: (text) => text.startsWith("even ") ? Number(text.slice(5)) : unfit
    })
    const Any = either(
      Schema.String,
      Even,
      transform(Schema.Boolean, Schema.String, { decode: String, encode: (text) => text === "true" })
    )
    assert.strictEqual(Schema.decodeSync(Any)(4), "even 4")
    assert.strictEqual(Schema.encodeSync(Any)("even 4"), 4)
    assert.strictEqual(Schema.encodeSync(Any)("true"), true)
  })
  it("compresses only what loses nothing by it, and expands the rest", () => {
    const One = shorthand(Schema.Array(Schema.Finite), Schema.Finite, {
      expand: (n) => [n],
      compress: (ns) => ns.length === 1 ? ns[0]! : unfit
    })
    assert.deepStrictEqual(Schema.decodeSync(One)(1), [1])
    assert.strictEqual(Schema.encodeSync(One)([1]), 1)
    assert.deepStrictEqual(Schema.encodeSync(One)([1, 2]), [1, 2])
    assert.deepStrictEqual(
      roundTrip({ title: "t", shape: null, entries: [{ author: "me", body: [{ type: "txt", text: "a", z: 1 }] }] }),
      {
        title: "t",
        shape: null,
        entries: [{ author: "me", body: [{ type: "txt", text: "a", z: 1 }] }]
      } as never
    )
  })
  it("expands on the inside and compresses on the outside", () => {
    const Expanded = expanded(BookFromWire)
    const short = { title: "t", shape: null, entries: [{ author: "me", body: "hi" }] } as const
    const long = {
      title: "t",
      shape: null,
      entries: [{ type: "note", author: "me", body: [{ type: "txt", text: "hi" }] }]
    } as const
    assert.deepStrictEqual(Schema.decodeSync(Expanded)(short), long)
    assert.deepStrictEqual(Schema.encodeSync(Expanded)(long), short)
  })
  it("lets a codec contain itself", () => {
    interface Tree {
      readonly type: "tree"
      readonly name: string
      readonly kids: ReadonlyArray<Tree>
      readonly providerOptions?: NonNullable<typeof Line.Type.providerOptions>
    }
    const fields = {
      type: Schema.Literal("tree"),
      name: Schema.String,
      kids: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)),
      ...bag
    }
    const Tree: Schema.Codec<Tree> & { readonly fields: typeof fields } = Schema.Struct(fields)
    const TreeFromNode: Schema.Codec<Tree, unknown> = protocol("demo").variant(Tree, { t: "node" }, {
      name: "n",
      kids: list(suspend((): Schema.Codec<Tree, unknown> => TreeFromNode))
    })
    const wire = { t: "node", n: "a", kids: [{ t: "node", n: "b", kids: [], z: 1 }] }
    assert.deepStrictEqual(Schema.encodeSync(TreeFromNode)(Schema.decodeUnknownSync(TreeFromNode)(wire)), wire)
    assert.strictEqual(
      message(() =>
        Schema.decodeUnknownSync(TreeFromNode)({ t: "node", n: "a", kids: [{ t: "node", n: 1, kids: [] }] })
      ),
      `SchemaError(Expected string\n  at ["kids"][0]["n"])`
    )
  })
})

describe("errors", () => {
  it("name a path in wire terms on decode, in canonical terms on encode", () => {
    assert.strictEqual(message(() => decode({ title: 1, entries: [] })), `SchemaError(Expected string\n  at ["title"])`)
    assert.strictEqual(
      message(() =>
        Schema.encodeUnknownSync(BookFromWire)({
          title: "t",
          notes: [{ type: "note", by: "me", pieces: [{ type: "line" }] }]
        })
      ),
      `SchemaError(Missing key\n  at ["notes"][0]["pieces"][0]["text"])`
    )
  })
  it("are all told when all are asked for", () =>
    assert.strictEqual(
      message(() => Schema.decodeUnknownSync(BookFromWire)({ entries: 1 }, { errors: "all" })),
      `SchemaError(Missing key\n  at ["title"]\nExpected array\n  at ["entries"])`
    ))
  it("carry the path of a refusal through lists and variants, moved to where the value came from", () => {
    const { variant } = protocol("demo")
    const Loud = variant(Line, { type: "loud" }, {
      text: transform(Schema.String, Schema.String, {
        decode: (text) => text,
        encode: (text) => text === "" ? refuse("Expected something to say") : text
      })
    })
    const Reversed = transform(list(Loud), Schema.Array(Line), {
      decode: (lines) => lines.toReversed(),
      encode: (lines) => lines.toReversed(),
      locate: (lines, [index, ...rest]) => [lines.length - 1 - Number(index), ...rest]
    })
    assert.strictEqual(
      message(() =>
        Schema.encodeSync(Reversed)([{ type: "line", text: "a" }, { type: "line", text: "b" }, {
          type: "line",
          text: ""
        }])
      ),
      `SchemaError(Expected something to say\n  at [2]["text"])`
    )
  })
})

describe("the fast road", () => {
  // The fast road looks at the wire value itself, which must be plain; the interpreter reads from a copy that it made.
  const reads = (schema: Schema.Codec<unknown, unknown>, wrap: (wire: object) => unknown): number => {
    let n = 0
    const wire = new Proxy({ title: "t", entries: [] }, {
      getPrototypeOf: (wire) => {
        n++
        return Object.getPrototypeOf(wire)
      }
    })
    Schema.decodeUnknownSync(schema)(wrap(wire))
    return n
  }
  it("is taken inside a user's schema and behind suspend", () => {
    const codec: Schema.Codec<Book, unknown> = BookFromWire
    const alone = reads(codec, (wire) => wire)
    assert.notStrictEqual(alone, reads(codec.annotate({}), (wire) => wire))
    assert.strictEqual(reads(Schema.Struct({ a: codec }), (a) => ({ a })), alone)
    assert.strictEqual(reads(Schema.Array(codec), (a) => [a]), alone)
    assert.strictEqual(
      reads(Schema.Struct({ a: Schema.optionalKey(Schema.suspend(() => codec)) }), (a) => ({ a })),
      alone
    )
  })
  it.effect("is the same for what is JSON for certain, well formed or not", () =>
    Effect.gen(function*() {
      const bodies = yield* Arbitrary.sampleEffect(Arbitrary.schema(Schema.toEncoded(BookFromWire)), {
        count: 200,
        seed: 3
      })
      const read = parsed(BookFromWire)
      for (const body of [...bodies, {}, { title: 1 }, { title: "t", shape: null, entries: 5 }, 5, null, []]) {
        const told = message(() => decode(body))
        assert.strictEqual(message(() => read(body)), told)
        if (told === "no failure") assert.deepStrictEqual(read(body), decode(body))
      }
    }))
  it("stands on the flip", () => {
    const flipped = Schema.flip(BookFromWire)
    assert.strictEqual(flipped.ast, SchemaAST.flip(BookFromWire.ast))
    assert.deepStrictEqual(Schema.decodeUnknownSync(flipped)({ title: "t", notes: [] }), {
      title: "t",
      entries: [],
      shape: null
    })
  })
  it("gives way to onExcessProperty: error", () =>
    assert.include(
      message(() =>
        Schema.encodeUnknownSync(BookFromWire)({ title: "m", notes: [], nope: 1 }, { onExcessProperty: "error" })
      ),
      "nope"
    ))
})

describe("laws", () => {
  it.effect("hold for each word of the kit at 500 runs", () =>
    Effect.gen(function*() {
      yield* laws(LineFromText, { runs: 500 })
      yield* laws(PieceFromWire, { runs: 500, equivalence: (a, b) => same(plain(a), plain(b)) })
      yield* laws(BookFromWire, { runs: 500, equivalence: (a, b) => same(plain(a), plain(b)) })
      yield* laws(words({ a: "x", b: "y" }), { runs: 50 })
    }))
  it.effect("are broken by a codec that loses something, and say what", () =>
    Effect.gen(function*() {
      const Lossy = transform(Schema.String, Schema.String, { decode: (text) => text.trim(), encode: (text) => text })
      const broken = yield* Effect.flip(laws(Lossy, { runs: 500, seed: 1 }))
      assert.strictEqual(broken._tag, "LawBroken")
      assert.include(broken.message, "decode(encode(i)) means i")
    }))
  it("say what is carried: a field that is not spelt is not sampled", () => {
    const Bare = protocol("demo").variant(Picture, { type: "img" }, { url: "href" })
    assert.isFalse(
      "alt" in
        (carried(Bare) as unknown as { readonly ast: SchemaAST.Objects }).ast.propertySignatures.map(({ name }) => name)
    )
    assert.deepStrictEqual(
      (carried(Bare).ast as SchemaAST.Objects).propertySignatures.map(({ name }) => name),
      ["type", "url", "providerOptions"]
    )
  })
})

const same = Schema.toEquivalence(Schema.Unknown)
/** Without what says no more than its absence in the demo: a default, a neutral value. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, child]) => !(key === "size" && child === 1 || (key === "alt" || key === "proof") && child === ""))
      .map(([key, child]) => [key, plain(child)])
  )
}
