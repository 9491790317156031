/**
 * Spells content as blocks: texts with their citations, images, documents, and where their bytes are.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { Result, Schema } from "effect"
import { Base64 } from "effect/encoding"
import * as P from "../../canonical/Part.ts"
import * as DataUri from "../../codec/DataUri.ts"
import {
  anyProtocol,
  as,
  carried,
  list,
  onlyText,
  type Part,
  protocol,
  sampled,
  shorthand,
  transform,
  unfit
} from "../../codec/index.ts"

/** The protocol's name: the key of its bag in `providerOptions`, and the owner of its proofs. */
export const name = "anthropic-messages"

export const { open, variant } = protocol(name)

// cache -----------------------------------------------------------------------------------------------------------

/** `5m` goes without saying. */
const TtlFromWire = transform(Schema.String, Schema.String, {
  decode: (ttl) => ttl === "5m" ? unfit : ttl,
  encode: (ttl) => ttl === "5m" ? unfit : ttl,
  carries: Schema.String.check(Schema.makeFilter((ttl) => ttl !== "5m"))
})

export const CacheFromWire = variant(P.Cache, { type: "ephemeral" }, { ttl: TtlFromWire })

/** How every node that may be marked is: `{ …, cache_control: { type: "ephemeral", ttl: "1h" } }`. */
export const cache = as("cache_control", CacheFromWire)

// citations -------------------------------------------------------------------------------------------------------

/** The title of what is cited: the API wants the key even where there is none. */
const titled = <const N extends string>(name: N) => as(name, Schema.String, { always: null })

const ProofFromToken = transform(Schema.String, P.Proof, {
  decode: (token) => ({ protocol: name, token }),
  encode: (proof) => proof.protocol === name ? proof.token : unfit,
  carries: Schema.Struct({ protocol: Schema.Literal(name), token: Schema.String })
})

/** What a text refers to: `char_location`, `page_location`, `content_block_location` and the locations of results. */
export const CitationFromWire = open(
  P.Citation,
  variant(P.LocationCitation, { type: "char_location" }, {
    document: "document_index",
    citedText: "cited_text",
    title: titled("document_title"),
    file: as("file_id", Schema.String, { neutral: null }),
    start: "start_char_index",
    end: "end_char_index"
  }, { unit: "char" }),
  variant(P.LocationCitation, { type: "page_location" }, {
    document: "document_index",
    citedText: "cited_text",
    title: titled("document_title"),
    file: as("file_id", Schema.String, { neutral: null }),
    start: "start_page_number",
    end: "end_page_number"
  }, { unit: "page" }),
  variant(P.LocationCitation, { type: "content_block_location" }, {
    document: "document_index",
    citedText: "cited_text",
    title: titled("document_title"),
    file: as("file_id", Schema.String, { neutral: null }),
    start: "start_block_index",
    end: "end_block_index"
  }, { unit: "block" }),
  variant(P.UrlCitation, { type: "web_search_result_location" }, {
    url: "url",
    title: titled("title"),
    citedText: as("cited_text", Schema.String, { always: "" }),
    proof: as("encrypted_index", ProofFromToken, { needed: true })
  }),
  variant(P.SearchResultCitation, { type: "search_result_location" }, {
    index: "search_result_index",
    source: "source",
    citedText: "cited_text",
    title: titled("title"),
    start: "start_block_index",
    end: "end_block_index"
  })
)

// sources ---------------------------------------------------------------------------------------------------------

const UrlFromWire = variant(P.UrlSource, { type: "url" }, { url: "url" })
const Base64FromWire = variant(P.Base64Source, { type: "base64" }, { mediaType: "media_type", data: "data" })
const FileFromWire = variant(P.FileSource, { type: "file" }, { id: "file_id" })
/** Text of any kind is plain to this API. */
const PlainTextFromWire = variant(P.TextSource, { type: "text", media_type: "text/plain" }, { text: "data" })

/** The API fetches no data URI: its bytes go along. */
const fetched = (source: P.Source): P.Source => {
  const uri = source.type === "url" ? DataUri.parse(source.url) : undefined
  if (uri === undefined) return source
  const { data, mediaType, parameters } = uri
  return { type: "base64", mediaType, data, ...(parameters === "" ? {} : { parameters }) }
}

/** The API takes documents in base64 as PDF only: text is written out, where its bytes are UTF-8. */
const readable = (source: P.Source): P.Source => {
  if (source.type !== "base64" || !source.mediaType.startsWith("text/")) return source
  const text = Result.flatMap(Base64.decode(source.data), (bytes) => Result.try(() => utf8.decode(bytes)))
  return Result.isFailure(text) ? source : { type: "text", text: text.success }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const writing = <I>(
  codec: Schema.Codec<P.Source, I>,
  encode: (source: P.Source) => P.Source
): Schema.Codec<P.Source, I> =>
  transform(codec, P.Source, {
    decode: (source) => source,
    encode,
    carries: carried(codec).check(Schema.makeFilter((source) => encode(source) === source))
  })

const ImageSourceFromWire = writing(open(P.Source, UrlFromWire, Base64FromWire, FileFromWire), fetched)
const DocumentSourceFromWire = writing(
  open(P.Source, UrlFromWire, Base64FromWire, FileFromWire, PlainTextFromWire),
  (source) => readable(fetched(source))
)

// parts -----------------------------------------------------------------------------------------------------------

/** `{ type: "text", text, citations }` */
export const TextFromWire = variant(P.Text, { type: "text" }, {
  text: "text",
  citations: as("citations", list(CitationFromWire), { neutral: null }),
  cache
})

/** `{ type: "image", source: { type: "base64" | "url" | "file", … } }`. The detail of an image has no place here. */
export const ImageFromWire = variant(P.Image, { type: "image" }, { source: ImageSourceFromWire, cache })

/** `{ type: "document", source: { type: "base64" | "text" | "url" | "file", … }, title }` */
export const DocumentFromWire = variant(P.Document, { type: "document" }, {
  source: DocumentSourceFromWire,
  title: "title",
  cache
})

/** One piece of content, outside of any role. */
export const PartFromWire = open(P.Part, TextFromWire, ImageFromWire, DocumentFromWire)

// lists -----------------------------------------------------------------------------------------------------------

export interface PlainText {
  readonly type: "text"
  readonly text: string
}

/** A list of blocks, or a string for one plain text. */
export const content = <A, I extends { readonly type: string }>(
  blocks: Part<ReadonlyArray<A>, ReadonlyArray<I | PlainText>>
): Schema.Codec<ReadonlyArray<A>, string | ReadonlyArray<I | PlainText>> =>
  shorthand(blocks, Schema.String, {
    expand: (text): ReadonlyArray<PlainText> => [{ type: "text", text }],
    compress: (list) => onlyText(list, "text")
  })

/** Content as a person writes it: `"hi"`, or a list of blocks. */
export const ContentFromWire = content(list(PartFromWire))

/** Is it a text that the API refuses, and that says nothing? One with extras is never left out. */
export const isBlank = (block: { readonly type: string }): boolean =>
  block.type === "text" && (block as P.Text).text.trim() === "" && !hasExtras(block as P.Text)

const hasExtras = ({ providerOptions }: P.Text): boolean =>
  providerOptions !== undefined && (name in providerOptions || anyProtocol in providerOptions)

/** The same content; in it, the API's requests hold no blank text. */
export const spoken = <A extends { readonly type: string }>(parts: ReadonlyArray<A>): ReadonlyArray<A> =>
  parts.some(isBlank) ? parts.filter((part) => !isBlank(part)) : parts

const blocksOfTexts = content(list(open(Schema.Union([P.Text, P.Unmodelled]), TextFromWire)))

/** The `system` of a request: a string, or a list of texts. Blank ones are left out. */
export const InstructionsFromWire = transform(blocksOfTexts, P.Texts, {
  decode: (texts) => texts,
  encode: spoken,
  carries: sampled(P.Texts, carried(blocksOfTexts), spoken)
})
