/** Derives, of a protocol's pieces, what their wire alone can do: be written out, and be shortened. */
import { Record, type Schema } from "effect"
import { expanded } from "../codec/index.ts"

type Codecs = { readonly [piece: string]: Schema.Codec<unknown, unknown> }

/** Of each codec the one on its wire alone: any spelling outside, every short one written out inside. */
export type ExpandedOf<P extends Codecs> = { readonly [K in keyof P]: Schema.Codec<P[K]["Encoded"], P[K]["Encoded"]> }

/** `decode` writes every short spelling out, `encode` gives the shortest. */
export const expandedOf = <P extends Codecs>(pieces: P): ExpandedOf<P> =>
  // Each key has the codec of its own piece.
  Record.map(pieces, (piece) => expanded(piece)) as ExpandedOf<P>
