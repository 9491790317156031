/**
 * Spells the content of messages and of tool outputs.
 *
 * https://platform.openai.com/docs/api-reference/responses/create#responses_create-input
 */
import { Schema } from "effect"
import { Base64 } from "effect/encoding"
import { JsonOutput } from "../../canonical/Item.ts"
import * as Part from "../../canonical/Part.ts"
import * as DataUri from "../../codec/DataUri.ts"
import {
  as,
  carried,
  either,
  list,
  listOfSome,
  onlyText,
  sampled,
  shorthand,
  transform,
  unfit
} from "../../codec/index.ts"
import { extrasOf, name, open, variant, withExtras } from "./Extras.ts"

// sources ---------------------------------------------------------------------------------------------------------

const Link = Schema.Struct({ type: Schema.Literal("url"), url: Schema.String })
const Bytes = Schema.Struct({
  type: Schema.Literal("base64"),
  mediaType: Schema.Literals(["image/png", "application/pdf", "text/plain"]),
  data: Schema.Literals(["", "aGk=", "/9j/4AAQ"]),
  parameters: Schema.optionalKey(Schema.Literals([";charset=utf-8", ";name=a.b;x"]))
})

/** A data URI is taken apart only where the same one can be put together again. */
const bytesOf = (uri: string): Part.Base64Source | undefined => {
  const it = DataUri.parse(uri)
  if (it === undefined || DataUri.format(it) !== uri) return undefined
  const { data, mediaType, parameters } = it
  return parameters === ""
    ? { type: "base64", mediaType, data }
    : { type: "base64", mediaType, data, parameters }
}

const SourceFromUrl = transform(Schema.String, Part.Source, {
  decode: (url): Part.Source => bytesOf(url) ?? { type: "url", url },
  encode: (source) => source.type === "url" ? source.url : source.type === "base64" ? DataUri.format(source) : unfit,
  carries: Schema.Union([Link, Bytes])
})

const SourceFromLink = transform(Schema.String, Part.Source, {
  decode: (url): Part.Source => ({ type: "url", url }),
  encode: (source) => source.type === "url" ? source.url : unfit,
  carries: Link
})

/** A file's text is sent as its bytes: what comes back is bytes. */
const SourceFromBytes = transform(Schema.String, Part.Source, {
  decode: (uri) => bytesOf(uri) ?? unfit,
  encode: (source) =>
    source.type === "base64"
      ? DataUri.format(source)
      : source.type === "text"
      ? DataUri.format({ mediaType: source.mediaType ?? "text/plain", data: Base64.encode(source.text) })
      : unfit,
  carries: Bytes
})

const SourceFromFileId = transform(Schema.String, Part.Source, {
  decode: (id): Part.Source => ({ type: "file", id }),
  encode: (source) => source.type === "file" ? source.id : unfit,
  carries: Schema.Struct({ type: Schema.Literal("file"), id: Schema.String })
})

// input -----------------------------------------------------------------------------------------------------------

export const TextFromInputText = variant(Part.Text, { type: "input_text" }, { text: "text" })

const detail = as("detail", Schema.String, { neutral: "auto" })
const ImageFromUrl = variant(Part.Image, { type: "input_image" }, { source: as("image_url", SourceFromUrl), detail })
const ImageFromFile = variant(Part.Image, { type: "input_image" }, { source: as("file_id", SourceFromFileId), detail })

const NamedDocumentFromBytes = variant(Part.Document, { type: "input_file" }, {
  source: as("file_data", SourceFromBytes),
  filename: "filename"
})
/** Bytes want a name: one that is made up from their media type is no name, and that there was none is kept. */
const DocumentFromBytes = transform(NamedDocumentFromBytes, Part.Document, {
  decode: (document): Part.Document => {
    const { filename, ...rest } = document
    if (filename === undefined) return withExtras(rest, { ...extrasOf(rest), filename: null })
    return filename === standardName(document.source) ? rest : document
  },
  encode: (document) =>
    document.filename === undefined && extrasOf(document).filename !== null
      ? { ...document, filename: standardName(document.source) }
      : document,
  carries: carried(NamedDocumentFromBytes)
})
const DocumentFromUrl = variant(Part.Document, { type: "input_file" }, {
  source: as("file_url", SourceFromLink),
  filename: "filename"
})
const DocumentFromFile = variant(Part.Document, { type: "input_file" }, {
  source: as("file_id", SourceFromFileId),
  filename: "filename"
})

const extensions: { readonly [mediaType: string]: string } = {
  "application/json": "json",
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt"
}

const standardName = (source: Part.Source): string => {
  const mediaType = source.type === "base64" ? source.mediaType : source.type === "text" ? source.mediaType : undefined
  const extension = extensions[mediaType?.toLowerCase() ?? "text/plain"]
  return extension === undefined ? "document" : `document.${extension}`
}

export const PartFromInput = open(
  Part.Part,
  TextFromInputText,
  ImageFromUrl,
  ImageFromFile,
  DocumentFromBytes,
  DocumentFromUrl,
  DocumentFromFile
)
export const PartsFromInputList = listOfSome(PartFromInput)
export const PartsFromInput = shorthand(PartsFromInputList, Schema.String, {
  expand: (text) => [{ type: "input_text", text }],
  compress: (parts) => onlyText(parts, "input_text")
})

// output ----------------------------------------------------------------------------------------------------------

export const CitationFromAnnotation = open(
  Part.Citation,
  variant(Part.UrlCitation, { type: "url_citation" }, {
    url: "url",
    title: "title",
    start: "start_index",
    end: "end_index"
  }),
  variant(Part.FileCitation, { type: "file_citation" }, { id: "file_id", filename: "filename", index: "index" }),
  variant(Part.ContainerFileCitation, { type: "container_file_citation" }, {
    id: "file_id",
    container: "container_id",
    filename: "filename",
    start: "start_index",
    end: "end_index"
  }),
  variant(Part.FilePathCitation, { type: "file_path" }, { id: "file_id", index: "index" })
)

const TextFromOutputText = variant(Part.Text, { type: "output_text" }, {
  text: "text",
  citations: as("annotations", list(CitationFromAnnotation), { neutral: [] })
})
const RefusalFromRefusal = variant(Part.Refusal, { type: "refusal" }, { text: "refusal" })

export const PartFromOutput = open(Part.Part, TextFromOutputText, RefusalFromRefusal)
export const PartsFromOutputList = listOfSome(PartFromOutput)
export const PartsFromOutput = shorthand(PartsFromOutputList, Schema.String, {
  expand: (text) => [{ type: "output_text", text }],
  compress: (parts) => onlyText(parts, "output_text")
})

// reasoning -------------------------------------------------------------------------------------------------------

const Thought = Schema.Union([Part.Text, Part.Unmodelled])
export const TextFromSummary = open(Thought, variant(Part.Text, { type: "summary_text" }, { text: "text" }))
export const TextFromReasoning = open(Thought, variant(Part.Text, { type: "reasoning_text" }, { text: "text" }))

// tool outputs ----------------------------------------------------------------------------------------------------

export const Output = Schema.Union([Part.Parts, JsonOutput])

const verbatim = { [name]: { verbatim: true } }
/** The API takes text for data: its JSON is sent. What a server gave as it stands goes back so. */
const JsonFromOther = transform(Schema.Json, JsonOutput, {
  decode: (value): typeof JsonOutput.Type => ({ type: "json", value, providerOptions: verbatim }),
  encode: (output) => extrasOf(output).verbatim === true ? output.value : JSON.stringify(output.value),
  carries: Schema.Struct({
    type: Schema.Literal("json"),
    value: Schema.Union([Schema.Boolean, Schema.Finite, Schema.Record(Schema.String, Schema.Json)]),
    providerOptions: Schema.Struct({ [name]: Schema.Struct({ verbatim: Schema.Literal(true) }) })
  })
})

/** What came of a call: content, as a string where it is one text, or any other JSON. */
export const OutputFromContent = either(Output, PartsFromInput, JsonFromOther)

/** A result that is always a value of its own on the wire. */
export const OutputFromJson = transform(Schema.Json, Output, {
  decode: (value) => ({ type: "json" as const, value }),
  encode: (output) => "value" in output ? output.value : unfit,
  carries: Schema.Struct({ type: Schema.Literal("json"), value: Schema.Array(Schema.Json) })
})

/** A result that is always one text; several are joined. */
export const OutputFromText = transform(Schema.String, Output, {
  decode: (text): Part.Parts => [{ type: "text", text }],
  encode: (output) => "value" in output ? unfit : Part.textOf(output),
  carries: sampled(Output, Schema.String, (text) => [{ type: "text" as const, text }])
})

const ImageFromScreenshot = open(
  Part.Part,
  variant(Part.Image, { type: "computer_screenshot" }, { source: as("image_url", SourceFromUrl) }),
  variant(Part.Image, { type: "computer_screenshot" }, { source: as("file_id", SourceFromFileId) })
)
/** A result that is always one picture. */
export const OutputFromScreenshot = transform(ImageFromScreenshot, Output, {
  decode: (image): Part.Parts => [image],
  encode: (output) => "value" in output || output.length !== 1 ? unfit : output[0]!,
  carries: sampled(Output, carried(ImageFromScreenshot), (image) => [image])
})
