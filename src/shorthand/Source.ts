/**
 * Reads where the bytes of an image, document, audio or video are: a URL, a data URI, bytes, a file that the provider
 * holds, or text.
 */
import { Base64 } from "effect/encoding"
import * as Part from "../canonical/Part.ts"
import * as DataUri from "../codec/DataUri.ts"
import { expected, oneOf, shown } from "./Expected.ts"
import { type Fields, type Form, plain, record, schema, shortest, within } from "./Form.ts"
import { has, struct, tagged, unmodelled } from "./Struct.ts"

/** A URL with a scheme (also as a `URL`), or a data URI, which is split into its media type and bytes. */
type Text = string
export type Source =
  | Text
  | URL
  | { readonly data: string | Uint8Array; readonly mediaType: string; readonly parameters?: string }
  | { readonly data: string | Uint8Array; readonly media_type: string; readonly parameters?: string }
  | { readonly url: string | URL }
  | { readonly fileId: string }
  | { readonly file_id: string }
  | { readonly text: string; readonly mediaType?: string }
  | Part.Source

const what = "a URL, a data URI, { data, mediaType } or { fileId }"

/** Base64 text, or the bytes themselves. */
const text = plain(Part.Base64Source.fields.data)
const Data: Form<string> = {
  read: (value) => value instanceof Uint8Array ? Base64.encode(value) : text.read(value),
  write: (data) => data
}

/** A URL's text, which may come as a `URL`. */
const Href: Form<string> = {
  read: (value) => value instanceof URL ? value.href : text.read(value),
  write: (url) => url
}

const kinds = tagged<Part.Source>({
  base64: struct(Part.Base64Source, "bytes", { forms: { data: Data } }),
  url: struct(Part.UrlSource, "a source", { forms: { url: Href } }),
  file: struct(Part.FileSource, "a file", { names: { id: ["fileId", "id"] } }),
  text: struct(Part.TextSource, "a text source"),
  unmodelled
})

/** The key that an object of a kind is known by, where it does not name its `type`. */
const marks = { data: "base64", url: "url", fileId: "file", text: "text" } as const

const read = (value: unknown): Part.Source => {
  if (typeof value === "string" || value instanceof URL) return ofText(Href.read(value))
  const object = record(value, what, value instanceof Uint8Array ? "bytes need a media type" : undefined)
  if (object.type === undefined) return inferred(object)
  if (kinds.is(object.type)) return kinds.read(object.type, object)
  throw within("type", () => expected(oneOf(Object.values(marks)), object.type))
}

const ofText = (text: string): Part.Source => {
  const uri = DataUri.parse(text)
  if (uri !== undefined) {
    const { data, mediaType, parameters } = uri
    return { type: "base64", mediaType, data, ...parameters === "" ? undefined : { parameters } }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\/./i.test(text)) return { type: "url", url: text }
  throw expected(
    what,
    text,
    /^[\w-]{1,50}$/.test(text)
      ? `a file id is written { fileId: ${shown(text)} }`
      : "base64 needs a media type: { data, mediaType }"
  )
}

const inferred = (object: Fields): Part.Source => {
  const [one, ...more] = Object.entries(marks).filter(([mark]) => has(object, mark))
  if (one === undefined || more.length > 0) throw expected(what, object)
  const source = kinds.read(one[1], object)
  if (source.type !== "url") return source
  const { type: _, url, ...rest } = source
  return { ...within("url", () => ofText(url)), ...rest }
}

const spellings = (source: Part.Source): ReadonlyArray<unknown> =>
  source.type === "url" ? [source.url] : source.type === "base64" ? [DataUri.format(source)] : []

export const form: Form<Part.Source> = {
  read,
  write: (source) => shortest(source, read, [...spellings(source), ...kinds.spellings(source)])
}

/**
 * Where a medium is: `"https://…"`, `"data:…"`, `{ data, mediaType }`, `{ url }`, `{ fileId }`, `{ text }`, or a
 * canonical source. Fails on a text that is neither URL nor data URI, and on bytes without a media type.
 *
 * @example `Schema.decodeSync(Source)("data:,hi")  // => { type: "base64", mediaType: "text/plain", parameters: ";charset=US-ASCII", data: "aGk=" }`
 */
export const Source = schema<Source>()(Part.Source, form)
