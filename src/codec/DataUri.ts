/** Reads and writes data URIs (RFC 2397). */
import { Base64 } from "effect/encoding"

/** What a data URI says. `data` is base64 however the URI spells it; `parameters` stand as they do in it, or are `""`. */
export interface DataUri {
  readonly mediaType: string
  readonly parameters: string
  /** Was the URI itself in base64? */
  readonly base64: boolean
  readonly data: string
}

/**
 * A URI's parts, or nothing where it is no data URI or its bytes cannot be read.
 *
 * @example `parse("data:;charset=utf-8,hi")  // => { mediaType: "text/plain", parameters: ";charset=utf-8", base64: false, data: "aGk=" }`
 */
export const parse = (uri: string): DataUri | undefined => {
  const comma = uri.indexOf(",")
  if (comma < 0 || uri.slice(0, 5).toLowerCase() !== "data:") return undefined
  const [mediaType = "", ...parameters] = uri.slice(5, comma).split(";")
  const base64 = parameters.at(-1)?.trim().toLowerCase() === "base64"
  if (base64) parameters.pop()
  if (mediaType !== "" && !mediaType.includes("/")) return undefined
  const payload = uri.slice(comma + 1)
  const data = base64 ? unspaced(payload) : Base64.encode(bytesOf(payload))
  if (!isBase64.test(data)) return undefined
  return {
    mediaType: mediaType === "" ? "text/plain" : mediaType,
    parameters: mediaType === "" && parameters.length === 0
      ? ";charset=US-ASCII"
      : parameters.map((parameter) => `;${parameter}`).join(""),
    base64,
    data
  }
}

/**
 * The URI of some bytes.
 *
 * @example `format({ mediaType: "image/png", data: "iVBORw0KGgo=" })  // => "data:image/png;base64,iVBORw0KGgo="`
 */
export const format = (it: {
  readonly mediaType: string
  readonly parameters?: string | undefined
  readonly data: string
}): string => `data:${it.mediaType}${it.parameters ?? ""};base64,${it.data}`

const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Base64 may be wrapped, and percent-encoded as any other part of a URI. */
const unspaced = (payload: string): string =>
  /[%\s]/.test(payload)
    ? payload.replace(escape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/\s+/g, "")
    : payload

const escape = /%([0-9A-Fa-f]{2})/g

/** Percent-encoded bytes, and what is not encoded as UTF-8. */
const bytesOf = (payload: string): Uint8Array => {
  const pieces = payload.split(escape)
  const encoder = new TextEncoder()
  return Uint8Array.from(
    pieces.flatMap((piece, index) => index % 2 === 1 ? [Number.parseInt(piece, 16)] : [...encoder.encode(piece)])
  )
}
