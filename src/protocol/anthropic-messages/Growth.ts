/** Takes a block apart into what it is when it is opened and what is added to it piece by piece. */
import type { Citation } from "../../canonical/Part.ts"
import type { Block } from "./Item.ts"

/** How a block grows: one that comes `whole` does not. */
export type Kind = "text" | "thought" | "call" | "compaction" | "whole"

export const kindOf = (block: Block): Kind => {
  switch (block.type) {
    case "text":
      return "text"
    case "reasoning":
      return block.content === undefined ? "whole" : "thought"
    case "tool-call":
      return "call"
    case "compaction":
      return "compaction"
    default:
      return "whole"
  }
}

/** What can be added to a block; `text` is a call's arguments, too. */
export interface Said {
  readonly text: string
  readonly proof: string
  readonly citations: ReadonlyArray<Citation>
}

export const said = (block: Block): Said => {
  switch (block.type) {
    case "text":
      return { ...nothing, text: block.text, citations: block.citations ?? [] }
    case "reasoning": {
      const { content, proof = "" } = block
      if (content === undefined) return nothing
      const texts = content.flatMap((text) => text.type === "text" ? [text.text] : [])
      return { ...nothing, text: texts.join("\n\n"), proof }
    }
    case "tool-call":
      return { ...nothing, text: block.arguments ?? "" }
    case "compaction":
      return { ...nothing, text: block.text ?? "", proof: block.proof ?? "" }
    default:
      return nothing
  }
}
const nothing: Said = { text: "", proof: "", citations: [] }

/** The block before anything was added to it. */
export const opening = (block: Block): Block => {
  switch (block.type) {
    case "text":
      return { ...block, text: "", ...block.citations === undefined ? {} : { citations: [] } }
    case "reasoning": {
      if (block.content === undefined) return block
      const { proof: _, ...thought } = block
      return { ...thought, content: [] }
    }
    case "tool-call": {
      const { arguments: _, ...call } = block
      return call
    }
    case "compaction": {
      const { proof: _, text: __, ...compaction } = block
      return compaction
    }
    default:
      return block
  }
}
