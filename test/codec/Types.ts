/** What the declarations infer, and what must not compile. Checked by the compiler alone. */
import { Schema } from "effect"
import { as, list, protocol, words } from "../../src/codec/index.ts"
import type { BookFromWire, LineFromText, PieceFromWire } from "./demo.ts"
import { Line, Note, Piece } from "./demo.ts"

type Equal<X, Y> = (<T>() => T extends X ? 1 : 2) extends (<T>() => T extends Y ? 1 : 2) ? true : false
const same = <X, Y>(_: Equal<X, Y>): void => undefined

same<typeof LineFromText.Encoded, { readonly type: "txt"; readonly text: string }>(true)
same<typeof PieceFromWire.Type, typeof Piece.Type>(true)
type Wire = typeof BookFromWire.Encoded
same<Wire["title"], string>(true)
same<Wire["shape"], string | null | undefined>(true)
same<Wire["format"], { readonly size?: number | null } | null | undefined>(true)
type Entry = Extract<Wire["entries"][number], { readonly author: "me" }>
same<Entry["type"], "note" | undefined>(true)
same<Entry["mood"], "up" | "down" | null | undefined>(true)
same<Extract<Entry["body"], string>, string>(true)

const { open, variant } = protocol("types")
// @ts-expect-error a required field is not spelt
variant(Line, { type: "x" }, {})
// @ts-expect-error no such field
variant(Line, { type: "x" }, { text: "text", nope: "nope" })
// @ts-expect-error the codec is of another type
variant(Line, { type: "x" }, { text: as("t", Schema.Number) })
// @ts-expect-error the pinned value is of another type
variant(Note, {}, { pieces: "body" }, { by: "nobody" })
// @ts-expect-error a member that is not of the union
open(Piece, variant(Note, { type: "x" }, { pieces: "body" }, { by: "me" }))
// @ts-expect-error a codec that knows fewer words than the field (it would fail on encode)
variant(Note, {}, { pieces: "body", by: words({ m: "me" }) })
export const ok = list(variant(Note, {}, { pieces: "body", by: words({ m: "me", y: "you" }) }))
