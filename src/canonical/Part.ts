/** Parts: the pieces of content that a message or a tool result is made of, with their sources and citations. */
import { Schema } from "effect"
import { bag, Unmodelled } from "../codec/index.ts"

export { Unmodelled }

const optional = Schema.optionalKey

/** A point up to which the provider may cache the prompt. `ttl` is the provider's word, such as `5m` or `1h`. */
export const Cache = Schema.Struct({ ttl: optional(Schema.String), ...bag })
export type Cache = typeof Cache.Type

/** What nearly every node may carry: a cache marker and what only one protocol knows. */
export const marked = { cache: optional(Cache), ...bag }

/** An opaque token of the protocol that made it: replayed verbatim there, withheld elsewhere. */
export const Proof = Schema.Struct({ protocol: Schema.String, token: Schema.String, ...bag })
export type Proof = typeof Proof.Type

// sources ---------------------------------------------------------------------------------------------------------

/** Bytes that lie at a URL. */
export const UrlSource = Schema.Struct({ type: Schema.Literal("url"), url: Schema.String, ...bag })
export type UrlSource = typeof UrlSource.Type

/** Bytes as base64. `parameters` are those of a media type as they stand in it, such as `;charset=utf-8`. */
export const Base64Source = Schema.Struct({
  type: Schema.Literal("base64"),
  mediaType: Schema.String,
  data: Schema.String,
  parameters: optional(Schema.String),
  ...bag
})
export type Base64Source = typeof Base64Source.Type

/** A file that the provider holds, by its id. */
export const FileSource = Schema.Struct({ type: Schema.Literal("file"), id: Schema.String, ...bag })
export type FileSource = typeof FileSource.Type

/** A document's plain text. */
export const TextSource = Schema.Struct({
  type: Schema.Literal("text"),
  text: Schema.String,
  mediaType: optional(Schema.String),
  ...bag
})
export type TextSource = typeof TextSource.Type

/** Where the bytes of an image, document, audio or video are. */
export const Source = Schema.Union([UrlSource, Base64Source, FileSource, TextSource, Unmodelled])
export type Source = typeof Source.Type

// citations -------------------------------------------------------------------------------------------------------

/** A web page. `start` and `end` are offsets into the citing text. `proof` is what the provider wants replayed with it. */
export const UrlCitation = Schema.Struct({
  type: Schema.Literal("url"),
  url: Schema.String,
  title: optional(Schema.String),
  citedText: optional(Schema.String),
  start: optional(Schema.Finite),
  end: optional(Schema.Finite),
  proof: optional(Proof),
  ...bag
})
/** A file that a tool read; `index` is its place among the files, or the citation's in the text, as the provider has it. */
export const FileCitation = Schema.Struct({
  type: Schema.Literal("file"),
  id: Schema.String,
  filename: optional(Schema.String),
  index: optional(Schema.Finite),
  ...bag
})
/** A file that a tool made in a container. */
export const ContainerFileCitation = Schema.Struct({
  type: Schema.Literal("container-file"),
  id: Schema.String,
  container: Schema.String,
  filename: optional(Schema.String),
  start: optional(Schema.Finite),
  end: optional(Schema.Finite),
  ...bag
})
/** A file that is named as the answer. */
export const FilePathCitation = Schema.Struct({
  type: Schema.Literal("file-path"),
  id: Schema.String,
  index: optional(Schema.Finite),
  ...bag
})
/** A stretch of a document of the request: characters, pages or blocks from `start` to before `end`. */
export const LocationCitation = Schema.Struct({
  type: Schema.Literal("location"),
  unit: Schema.Literals(["char", "page", "block"]),
  document: Schema.Finite,
  citedText: Schema.String,
  title: optional(Schema.String),
  file: optional(Schema.String),
  start: Schema.Finite,
  end: Schema.Finite,
  ...bag
})
/** A stretch of a search result of the request. */
export const SearchResultCitation = Schema.Struct({
  type: Schema.Literal("search-result"),
  index: Schema.Finite,
  source: Schema.String,
  citedText: Schema.String,
  title: optional(Schema.String),
  start: Schema.Finite,
  end: Schema.Finite,
  ...bag
})
/** What a text refers to, told apart by `type`. */
export const Citation = Schema.Union([
  UrlCitation,
  FileCitation,
  ContainerFileCitation,
  FilePathCitation,
  LocationCitation,
  SearchResultCitation,
  Unmodelled
])
export type Citation = typeof Citation.Type

// parts -----------------------------------------------------------------------------------------------------------

/** A text, and what it refers to. */
export const Text = Schema.Struct({
  type: Schema.Literal("text"),
  text: Schema.String,
  citations: optional(Schema.Array(Citation)),
  ...marked
})
export type Text = typeof Text.Type

/** A picture. `detail` is the provider's word for how closely it is looked at. */
export const Image = Schema.Struct({
  type: Schema.Literal("image"),
  source: Source,
  detail: optional(Schema.String),
  ...marked
})
export type Image = typeof Image.Type

/** A document: a file for OpenAI (`filename` tells it how to read it), a titled document for Anthropic. */
export const Document = Schema.Struct({
  type: Schema.Literal("document"),
  source: Source,
  filename: optional(Schema.String),
  title: optional(Schema.String),
  ...marked
})
export type Document = typeof Document.Type

/** Sound. */
export const Audio = Schema.Struct({ type: Schema.Literal("audio"), source: Source, ...marked })
export type Audio = typeof Audio.Type

/** Moving pictures. */
export const Video = Schema.Struct({ type: Schema.Literal("video"), source: Source, ...marked })
export type Video = typeof Video.Type

/** The model's words for not answering. */
export const Refusal = Schema.Struct({ type: Schema.Literal("refusal"), text: Schema.String, ...bag })
export type Refusal = typeof Refusal.Type

/** A piece of content, told apart by `type`. */
export const Part = Schema.Union([Text, Image, Document, Audio, Video, Refusal, Unmodelled])
export type Part = typeof Part.Type
/** The content of a message or of a tool result, in its order. */
export const Parts = Schema.Array(Part)
export type Parts = typeof Parts.Type

// constructors and readers ----------------------------------------------------------------------------------------

/** @example `Part.text("hi")  // => { type: "text", text: "hi" }` */
export const text = (text: string): Text => ({ type: "text", text })

/** An image at a URL, or from any source. */
export const image = (source: string | Source): Image => ({ type: "image", source: sourceOf(source) })

/** A document at a URL, or from any source. */
export const document = (source: string | Source): Document => ({ type: "document", source: sourceOf(source) })

const sourceOf = (source: string | Source): Source => typeof source === "string" ? { type: "url", url: source } : source

/** Texts, and what stands among them unmodelled. */
export const Texts = Schema.Array(Schema.Union([Text, Unmodelled]))
export type Texts = typeof Texts.Type

/** The texts of the text parts, joined with nothing between them. */
export const textOf = (parts: Parts): string => {
  let out = ""
  for (const part of parts) if (part.type === "text") out += part.text
  return out
}

/** The texts of the text parts as paragraphs of one, or nothing where there are none. */
export const paragraphsOf = (texts: Texts): string | undefined => {
  let out: string | undefined
  for (const part of texts) if (part.type === "text") out = out === undefined ? part.text : `${out}\n\n${part.text}`
  return out
}
