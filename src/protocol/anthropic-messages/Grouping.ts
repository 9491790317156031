/**
 * Groups items into turns of one role, and takes turns apart into items.
 *
 * A message is each run of adjacent content, also across neighbouring turns of one role; a turn is written for each
 * maximal run of items of one role. A turn with unknown keys is remembered by its first item, under `turn` in the bag:
 * that item begins a turn, and so does the one that follows the turn.
 */
import { Schema } from "effect"
import type { Item, Items, Message, ToolCall, ToolResult } from "../../canonical/Item.ts"
import type { Part, Unmodelled } from "../../canonical/Part.ts"
import { anyProtocol, type Bag, bag, isRecord } from "../../codec/index.ts"
import { isBlank, name } from "./Content.ts"
import { Block, providerResults } from "./Item.ts"

// turns -----------------------------------------------------------------------------------------------------------

type Role = "user" | "assistant" | "system"

const turnOf = <const R extends Role>(role: R) =>
  Schema.Struct({ type: Schema.Literal("turn"), role: Schema.Literal(role), blocks: Schema.Array(Block), ...bag })

export const User = turnOf("user")
export const Assistant = turnOf("assistant")
export const System = turnOf("system")
/** What one role says at a stretch. */
export type Turn = typeof User.Type | typeof Assistant.Type | typeof System.Type

type Modelled = Exclude<Item, Unmodelled>

// reading ---------------------------------------------------------------------------------------------------------

const isPart = (block: Block): block is Part => {
  switch (block.type) {
    case "text":
    case "image":
    case "document":
    case "audio":
    case "video":
    case "refusal":
    case "unmodelled":
      return true
    default:
      return false
  }
}

/** Takes turns apart into items. */
export const itemsOf = (turns: ReadonlyArray<Turn | Unmodelled>): Items => {
  const items: Array<Item> = []
  let parts: Array<Part> | undefined
  let last: Role | undefined
  let wasOwn = false
  for (const turn of turns) {
    if (turn.type === "unmodelled") {
      items.push(turn)
      parts = last = undefined
      continue
    }
    const { blocks, role } = turn
    const extras = turn.providerOptions?.[name]
    const own = extras !== undefined || blocks.length === 0
    const begins = own || wasOwn && last === role
    if (begins || last !== role) parts = undefined
    const first = items.length
    for (const block of blocks) {
      if (!isPart(block)) {
        items.push(block)
        parts = undefined
        continue
      }
      if (parts === undefined) items.push({ type: "message", role, parts: parts = [] })
      parts.push(block)
    }
    if (blocks.length === 0) items.push({ type: "message", role, parts: [] })
    if (begins) items[first] = beginning(items[first]!, extras ?? {})
    last = role
    wasOwn = own
  }
  return items
}

// writing ---------------------------------------------------------------------------------------------------------

interface Draft {
  readonly role: Role
  blocks: Array<Block>
  /** What stands beside its blocks, or `{}` where it has none of these either: it is a turn of its own. */
  readonly own: Bag | undefined
}

/** Groups items into turns. */
export const turnsOf = (items: Items): ReadonlyArray<Turn | Unmodelled> => {
  const turns: Array<Turn | Unmodelled> = []
  for (const draft of joined(runsOf(items))) {
    if ("raw" in draft) turns.push(draft)
    else {
      const { blocks, own, role } = draft
      const turn = { type: "turn", role, blocks: role === "user" ? resultsFirst(blocks) : blocks } as const
      turns.push(own === undefined ? turn : { ...turn, providerOptions: own })
    }
  }
  return turns
}

/** Between items of different roles that both say something, one turn ends and another begins. */
export const isSeam = (items: Items, index: number): boolean => {
  const [before, after] = [items[index - 1], items[index]]
  if (before === undefined || after === undefined) return false
  const [one, other] = [speaker(before), speaker(after)]
  return one !== undefined && other !== undefined && one !== other
}

/** Whose turn an item stands in, and surely makes one. */
const speaker = (item: Item): Role | undefined =>
  item.type === "unmodelled" || item.type === "message" && item.parts.every((part) => isBlank(written(part)))
    ? undefined :
    roleOf(item)

/** One draft for each maximal run of items of one role. */
const runsOf = (items: Items): ReadonlyArray<Draft | Unmodelled> => {
  const runs: Array<Draft | Unmodelled> = []
  let last: Draft | undefined
  for (const item of items) {
    if (item.type === "unmodelled") {
      if (item.protocol !== name) continue
      runs.push(item)
      last = undefined
      continue
    }
    const role = roleOf(item)
    if (role === undefined) continue
    const turn = ownOf(item)
    const own = turn !== undefined && (hasKeys(turn) || isEmpty(item)) ? turn : undefined
    const follows = last?.own !== undefined && turn !== undefined
    if (last === undefined || last.role !== role || own !== undefined || follows) {
      runs.push(last = { role, blocks: [], own })
    }
    if (item.type === "message") { for (const part of item.parts) last.blocks.push(written(part)) }
    else last.blocks.push(blockOf(item))
  }
  return runs
}

/** Without blank texts, and without the turns that held nothing else; the neighbours of such a turn are one. */
const joined = (runs: ReadonlyArray<Draft | Unmodelled>): ReadonlyArray<Draft | Unmodelled> => {
  const turns: Array<Draft | Unmodelled> = []
  for (const run of runs) {
    const last = turns.at(-1)
    if ("raw" in run) turns.push(run)
    else {
      if (run.blocks.some(isBlank)) {
        run.blocks = run.role === "assistant" ? audible(run.blocks) : run.blocks.filter((block) => !isBlank(block))
      }
      if (run.own !== undefined) turns.push(run)
      else if (run.blocks.length === 0) continue
      else if (last === undefined || "raw" in last || last.role !== run.role || last.own !== undefined) turns.push(run)
      else for (const block of run.blocks) last.blocks.push(block)
    }
  }
  return turns
}

/** In an assistant's turn, white space that touches another text is a part of what was said. */
const audible = (blocks: Array<Block>): Array<Block> => {
  const isText = (block: Block | undefined) => block?.type === "text"
  const out: Array<Block> = []
  for (let from = 0; from < blocks.length;) {
    let to = from + 1
    while (isText(blocks[from]) && isText(blocks[to])) to++
    const run = blocks.slice(from, to)
    const spoken = run.some((block) => !isBlank(block))
    for (const block of run) if (!isBlank(block) || spoken && "text" in block && block.text !== "") out.push(block)
    from = to
  }
  return out
}

/** The API wants the results of calls before anything else that a user says. */
const resultsFirst = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const others = blocks.findIndex((block) => block.type !== "tool-result")
  if (others < 0 || !blocks.some((block, index) => index > others && block.type === "tool-result")) return blocks
  return [
    ...blocks.filter((block) => block.type === "tool-result"),
    ...blocks.filter((block) => block.type !== "tool-result")
  ]
}

/** Whose turn an item stands in; none for what is not this API's. */
export const roleOf = (item: Modelled): Role | undefined => {
  switch (item.type) {
    case "message":
      return item.role === "developer" ? "system" : item.role
    case "tool-call":
      return isPlain(item) || isOurs(item, callKinds) ? "assistant" : undefined
    case "tool-result":
      return isPlain(item) ? "user" : isOurs(item, resultKinds) ? "assistant" : undefined
    case "tools":
      return item.action === "listed" ? "assistant" : "system"
    case "reasoning":
    case "compaction":
      return item.protocol === name ? "assistant" : undefined
    case "tool-approval-request":
    case "tool-approval-response":
      return undefined
  }
}

/** Does the caller run it, and is it a function? */
const isPlain = (item: ToolCall | ToolResult): boolean => item.kind === undefined && item.providerExecuted !== true

const isOurs = ({ kind, providerExecuted }: ToolCall | ToolResult, kinds: ReadonlySet<string>): boolean =>
  providerExecuted === true && kind !== undefined && kinds.has(kind)

const callKinds = new Set(["server_tool_use", "mcp_tool_use"])
const resultKinds = new Set<string>([...providerResults, "mcp_tool_result"])

/** There is no block for a refusal that the model put into words: it said them. */
export const written = (part: Part): Part => part.type === "refusal" ? { type: "text", text: part.text } : part

// extras of a turn ------------------------------------------------------------------------------------------------

const beginning = (item: Item, turn: Bag[string]): Item =>
  item.type === "unmodelled" ? item : {
    ...item,
    providerOptions: { ...item.providerOptions, [name]: { ...item.providerOptions?.[name], turn } }
  }

/** The bag of the turn that an item begins; of a message, which has no block, it is all of its own. */
const ownOf = (item: Modelled): Bag | undefined => {
  const options = item.providerOptions
  if (options === undefined || !(name in options) && !(anyProtocol in options)) return undefined
  const { turn, ...own } = options[name] ?? {}
  const extras = { ...item.type === "message" ? own : {}, ...isRecord(turn) ? turn as Bag[string] : {} }
  const everywhere = item.type === "message" ? options[anyProtocol] : undefined
  if (!isRecord(turn) && Object.keys(extras).length === 0 && everywhere === undefined) return undefined
  return { [name]: extras, ...everywhere === undefined ? {} : { [anyProtocol]: everywhere } }
}

const hasKeys = (own: Bag): boolean => Object.values(own).some((keys) => Object.keys(keys).length > 0)
const isEmpty = (item: Modelled): boolean => item.type === "message" && item.parts.length === 0

/** An item as a block: what it remembers of its turn is not written there. */
export const blockOf = (item: Exclude<Modelled, Message>): Block => {
  const options = item.providerOptions
  if (!isRecord(options?.[name]?.turn)) return item
  const { turn: _, ...own } = options[name]
  return { ...item, providerOptions: { ...options, [name]: own } }
}
