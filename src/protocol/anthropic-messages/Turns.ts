/**
 * Spells a conversation as turns: the `messages` of a request, the `content` of a response. How items are grouped into
 * them is said in `Grouping.ts`.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
import { Equal, Schema } from "effect"
import { Items } from "../../canonical/Item.ts"
import { Unmodelled } from "../../canonical/Part.ts"
import { as, carried, implied, list, listOfSome, type Part, remembered, sampled, transform } from "../../codec/index.ts"
import { content, open, variant } from "./Content.ts"
import { Assistant, blockOf, isSeam, itemsOf, roleOf, System, turnsOf, User, written } from "./Grouping.ts"
import { AssistantBlockFromWire, type Block, SystemBlockFromWire, UserBlockFromWire } from "./Item.ts"

// turns -----------------------------------------------------------------------------------------------------------

const type = implied("message", { written: false })

const blocks = <A, I extends { readonly type: string }>(block: Part<A, I>) => as("content", content(listOfSome(block)))

/** What a response's message says of itself means nothing in a request. */
const replayed = [
  "id",
  "model",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "usage",
  "container",
  "context_management"
]

/** `{ role: "user" | "assistant" | "system", content }` */
const TurnFromWire = open(
  Schema.Union([User, Assistant, System, Unmodelled]),
  variant(User, { role: "user", type }, { blocks: blocks(UserBlockFromWire) }, {}, replayed),
  variant(Assistant, { role: "assistant", type }, { blocks: blocks(AssistantBlockFromWire) }, {}, replayed),
  variant(System, { role: "system", type }, { blocks: blocks(SystemBlockFromWire) }, {}, replayed)
)

// codecs ----------------------------------------------------------------------------------------------------------

/** Where in the items a block, and a path in it, came from. */
const origin = (
  items: Items,
  block: Block | undefined,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<PropertyKey> => {
  for (const [index, item] of items.entries()) {
    if (item.type === "message") {
      const part = item.parts.findIndex((part) => part === block)
      if (part >= 0) return [index, "parts", part, ...path]
    } else if (item === block || item.type !== "unmodelled" && Equal.equals(blockOf(item), block)) {
      return [index, ...path]
    }
  }
  return path
}

const TurnsFromWire = list(TurnFromWire)

/**
 * The conversation of a request: `[{ role, content }, …]` and its items. A blank text, and a turn that holds nothing
 * else, is not written. A message of any other role is kept as an unmodelled item.
 */
export const ItemsFromMessages = remembered(
  transform(TurnsFromWire, Items, {
    decode: itemsOf,
    encode: turnsOf,
    locate: (turns, [index, , block, ...path], items) => {
      const turn = turns[Number(index)]
      return origin(items, turn !== undefined && "blocks" in turn ? turn.blocks[Number(block)] : undefined, path)
    },
    carries: sampled(Items, carried(TurnsFromWire), (turns) => itemsOf(turnsOf(itemsOf(turns))))
  }),
  { isSeam }
)

const BlocksFromWire = list(AssistantBlockFromWire)

/** The items of one turn of the assistant's. */
export const itemsOfBlocks = (blocks: ReadonlyArray<Block>): Items =>
  blocks.length === 0 ? [] : itemsOf([{ type: "turn", role: "assistant", blocks }])

/** What of the items stands in a turn of the assistant's, as its blocks. */
export const blocksOfItems = (items: Items): ReadonlyArray<Block> =>
  items.flatMap((item) =>
    item.type === "unmodelled" || roleOf(item) !== "assistant"
      ? []
      : item.type === "message"
      ? item.parts.map(written)
      : [blockOf(item)]
  )

/** The items of the blocks of a stream, grouped as those of one response. */
export const itemsOfSlots = (slots: ReadonlyArray<Items>): Items =>
  itemsOfBlocks(slots.flat().flatMap((item): ReadonlyArray<Block> => item.type === "message" ? item.parts : [item]))

/** The content of a response, which is one turn of the assistant's: blank texts are a part of it. */
export const ItemsFromBlocks = transform(BlocksFromWire, Items, {
  decode: itemsOfBlocks,
  encode: blocksOfItems,
  locate: (blocks, [block, ...path], items) => origin(items, blocks[Number(block)], path),
  carries: sampled(Items, carried(BlocksFromWire), itemsOfBlocks)
})
