/** Reads the content of one message: text, media, several of them under their keys in one object, and lists of all these. */
import type { Schema } from "effect"
import * as Part from "../canonical/Part.ts"
import { isRecord } from "../codec/index.ts"
import { expected, oneOf } from "./Expected.ts"
import { type Fields, type Form, list, record, schema, shortest, within } from "./Form.ts"
import * as Source from "./Source.ts"
import { cacheNames, camel, struct, tagged, unmodelled } from "./Struct.ts"

/** `true` marks with the provider's own duration, a text such as `"1h"` names one. */
export type Cache = boolean | string | Part.Cache | CacheControl
/** Anthropic's own form of a marker, which may also stand under its own name, `cache_control`. */
interface CacheControl {
  readonly type: "ephemeral"
  readonly ttl?: string | null
}
/** Other keys go along to whichever API the value is sent to. */
export type Others = { readonly [key: string]: unknown }
interface Marked {
  readonly cache?: Cache
  readonly cache_control?: Cache | null
}
export type Keyed = Marked & {
  readonly text?: string
  readonly citations?: ReadonlyArray<Part.Citation>
  readonly image?: Source.Source
  readonly detail?: string
  readonly document?: Source.Source
  readonly filename?: string
  readonly title?: string
  readonly audio?: Source.Source
  readonly video?: Source.Source
}
/** At least one of the content keys. */
export type HasContent =
  | { readonly text: string }
  | { readonly image: Source.Source }
  | { readonly document: Source.Source }
  | { readonly audio: Source.Source }
  | { readonly video: Source.Source }
/** An object with a role is a message, and one with another type something else. */
interface Bare {
  readonly role?: never
  readonly type?: "text" | "image" | "document" | "audio" | "video"
}
export type Piece = string | Part.Part | Bare & Keyed & HasContent & Others
export type Content = Piece | ReadonlyArray<Piece>

// parts -----------------------------------------------------------------------------------------------------------

const cacheStruct = struct(Part.Cache, "a cache marker")
const readCache = (value: unknown): Part.Cache => {
  if (value === true) return {}
  if (typeof value === "string") return { ttl: value }
  const { type, ...rest } = record(value, "true, a duration such as \"1h\", or { ttl }")
  return cacheStruct.read(type === undefined || type === "ephemeral" ? rest : { type, ...rest })
}
export const cacheForm: Form<Part.Cache> = {
  none: false,
  read: readCache,
  write: (cache) => shortest(cache, readCache, [true, cache.ttl, ...cacheStruct.spellings(cache)])
}

const proof = struct(Part.Proof, "a proof")
const citation = tagged<Part.Citation>({
  url: struct(Part.UrlCitation, "a citation of a page", { forms: { proof } }),
  file: struct(Part.FileCitation, "a citation of a file"),
  "container-file": struct(Part.ContainerFileCitation, "a citation of a file in a container"),
  "file-path": struct(Part.FilePathCitation, "a citation of a file path"),
  location: struct(Part.LocationCitation, "a citation of a document"),
  "search-result": struct(Part.SearchResultCitation, "a citation of a search result"),
  unmodelled
})
const readCitation = (value: unknown): Part.Citation => {
  const object = record(value, "a citation { type, … }")
  if (citation.is(object.type)) return citation.read(object.type, object)
  throw within("type", () => expected(oneOf(citation.types), object.type))
}
const citations = list({
  read: readCitation,
  write: (value: Part.Citation) => shortest(value, readCitation, citation.spellings(value))
}, "a list of citations")

const cache = cacheForm
const source = Source.form

const image = struct(Part.Image, "an image", { names: { source: ["image", "source"] }, forms: { cache, source } })

/** The nested form, `{ image: { url, detail } }`, where the detail is the image's. */
const withDetail = (value: unknown): unknown => {
  if (!isRecord(value) || !isRecord(value.image) || !Object.hasOwn(value.image, "detail")) return value
  const { detail, ...source } = value.image
  return { detail, ...value, image: source }
}

/** Under its canonical name a source keeps a `detail` of its own. */
const imageSpellings = (value: Part.Image): ReadonlyArray<Fields> => {
  const short = image.spellings(value)
  return [...short, ...short.map(({ image: source, ...rest }) => ({ ...rest, source }))]
}

const kinds = {
  text: struct(Part.Text, "a text part", { forms: { cache, citations } }),
  image: { ...image, read: (value: unknown) => image.read(withDetail(value)), spellings: imageSpellings },
  document: struct(Part.Document, "a document", {
    names: { source: ["document", "source"] },
    forms: { cache, source }
  }),
  audio: struct(Part.Audio, "audio", { names: { source: ["audio", "source"] }, forms: { cache, source } }),
  video: struct(Part.Video, "a video", { names: { source: ["video", "source"] }, forms: { cache, source } })
} as const
const typed = tagged<Part.Part>({
  ...kinds,
  refusal: struct(Part.Refusal, "a refusal"),
  unmodelled
})

type Kind = keyof typeof kinds
/** The content keys, in the order in which several of them in one object are read. */
export const contentKeys = Object.keys(kinds) as ReadonlyArray<Kind>

export const keysIn = (object: Fields): ReadonlyArray<Kind> => contentKeys.filter((key) => Object.hasOwn(object, key))

/** Is this object a piece of content, and nothing else? */
export const isPiece = (object: Fields): boolean =>
  object.type === undefined ? keysIn(object).length > 0 : typed.is(object.type) && object.type !== "unmodelled"

const what = `text or { ${contentKeys.join(" | ")} }`

const readPiece = (value: unknown): Part.Parts => {
  if (typeof value === "string") return [{ type: "text", text: value }]
  const object = record(value, what)
  const { type } = object
  const keys = keysIn(object)
  if (type !== undefined && !typed.is(type)) {
    throw within(
      "type",
      () => expected(oneOf(Object.keys(kinds)), type, "a part of one API's own form goes through that API's codec")
    )
  }
  if (type === "refusal" || type === "unmodelled") return [typed.read(type, object)]
  const [key] = keys
  if (type !== undefined && key !== undefined && !keys.includes(type)) throw expected(`content of type ${type}`, object)
  if (keys.length > 1) return readSeveral(object, keys)
  const kind = type ?? key
  if (kind === undefined) throw expected(what, object)
  return [typed.read(kind, object)]
}

/**
 * A part for each content key. A known field goes to the part that has it, a cache marker to the last part (it marks all
 * that stands before it), any other key to the first.
 */
const readSeveral = (object: Fields, keys: ReadonlyArray<Kind>): Part.Parts => {
  const pieces = new Map(keys.map((key): [Kind, Record<string, unknown>] => [key, { [key]: object[key] }]))
  for (const [key, child] of Object.entries(object)) {
    if (key === "type" || keys.includes(key as Kind)) continue
    pieces.get(ownerOf(key, keys))![key] = child
  }
  return [...pieces].map(([key, piece]) => typed.read(key, piece))
}

export const isCache = (key: string): boolean => cacheNames.includes(camel(key))

const ownerOf = (key: string, keys: ReadonlyArray<Kind>): Kind =>
  isCache(key) ? keys.at(-1)! : keys.find((kind) => kinds[kind].knows(key)) ?? keys[0]!

/** Does the key belong to the content of an object with these content keys, and not to the message around it? */
export const isOfContent = (key: string, keys: ReadonlyArray<Kind>): boolean =>
  keys.includes(key as Kind) || isCache(key) || keys.some((kind) => kinds[kind].knows(key))

const writePart = (part: Part.Part): unknown => {
  const spellings = typed.spellings(part)
  return shortest<Part.Parts>([part], readPiece, part.type === "text" ? [part.text, ...spellings] : spellings)
}

const read = (value: unknown): Part.Parts =>
  Array.isArray(value) ? value.flatMap((piece, index) => within(index, () => readPiece(piece))) : readPiece(value)

/** The parts with a cache marker on the last. */
export const marked = (parts: Part.Parts, marker: unknown): Part.Parts => {
  const last = parts.at(-1)
  if (last !== undefined && last.type !== "refusal" && last.type !== "unmodelled" && last.cache === undefined) {
    return [...parts.slice(0, -1), { ...last, cache: cache.read(marker) }]
  }
  throw expected("a last part that can be marked", last)
}

/** The pieces, one for each part. */
export const pieces = (parts: Part.Parts): ReadonlyArray<unknown> => parts.map(writePart)

export const form: Form<Part.Parts> = {
  read,
  write: (parts) => parts.length === 1 ? writePart(parts[0]!) : pieces(parts)
}

/**
 * One message's content: text, `{ text }`, `{ image }`, `{ document }`, `{ audio }`, `{ video }`, several of these keys in
 * one object (read in this order), canonical parts, and lists of all these. Known fields stand beside the content key
 * (`detail`, `filename`, `title`, `citations`, `cache`); other keys go along to whichever API the part is sent to.
 *
 * @example `decode(["look", { image: "https://a.example/b.png", detail: "low" }])`
 */
export const Content: Schema.Codec<Part.Parts, Content> = schema<Content>()(Part.Parts, form)

// instructions ----------------------------------------------------------------------------------------------------

/** A block of instructions. */
export type Block = string | Part.Text | Part.Unmodelled | { readonly text: string } & Marked & Others
export type Instructions = Block | ReadonlyArray<Block>

const readBlock = (value: unknown): Part.Texts[number] => {
  const parts = readPiece(value)
  const [part] = parts
  if (parts.length === 1 && (part?.type === "text" || part?.type === "unmodelled")) return part
  throw expected("text or { text }", value)
}

export const instructionsForm: Form<Part.Texts> = {
  read: (value) =>
    Array.isArray(value) ? value.map((block, index) => within(index, () => readBlock(block))) : [readBlock(value)],
  write: form.write
}

/** Instructions: text, a block `{ text, cache? }`, or a list of these. */
export const Instructions: Schema.Codec<Part.Texts, Instructions> = schema<Instructions>()(Part.Texts, instructionsForm)
