/** A small protocol to test the kit on: notes with tags, in a notebook. */
import { Schema } from "effect"
import { as, bag, implied, list, onlyText, protocol, shorthand, Unmodelled, words } from "../../src/codec/index.ts"

const optional = Schema.optionalKey

export const Line = Schema.Struct({ type: Schema.Literal("line"), text: Schema.String, ...bag })
export const Picture = Schema.Struct({
  type: Schema.Literal("picture"),
  url: Schema.String,
  alt: optional(Schema.String),
  ...bag
})
export const Piece = Schema.Union([Line, Picture, Unmodelled])
export const Note = Schema.Struct({
  type: Schema.Literal("note"),
  by: Schema.Literals(["me", "you"]),
  pieces: Schema.Array(Piece),
  mood: optional(Schema.Literals(["glad", "sad"])),
  proof: optional(Schema.String),
  ...bag
})
export const Book = Schema.Struct({
  title: Schema.String,
  notes: Schema.Array(Schema.Union([Note, Unmodelled])),
  size: optional(Schema.Finite),
  shape: optional(Schema.String),
  ...bag
})
export type Book = typeof Book.Type

export const { open, variant } = protocol("demo")

export const LineFromText = variant(Line, { type: "txt" }, { text: "text" })
export const PictureFromImage = variant(Picture, { type: "img" }, {
  url: "href",
  alt: as("alt", Schema.String, { default: "" })
})
export const PieceFromWire = open(Piece, LineFromText, PictureFromImage)
export const Pieces = shorthand(list(PieceFromWire), Schema.String, {
  expand: (text) => [{ type: "txt" as const, text }],
  compress: (pieces) => onlyText(pieces, "txt")
})

const note = <const B extends "me" | "you">(by: B) =>
  variant(
    Note,
    { type: implied("note"), author: by },
    {
      pieces: as("body", Pieces),
      mood: as("mood", words({ up: "glad", down: "sad" })),
      proof: as("seal", Schema.String, { neutral: "" })
    },
    { by },
    ["noise"]
  )

export const BookFromWire = variant(Book, {}, {
  title: "title",
  notes: as("entries", list(open(Schema.Union([Note, Unmodelled]), note("me"), note("you")))),
  size: as("size", Schema.Finite, { default: 1, under: "format" }),
  shape: as("shape", Schema.String, { always: null })
})
