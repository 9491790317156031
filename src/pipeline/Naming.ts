/**
 * Gives tools and calls names that an API takes, and turns the names that come back into the caller's own.
 *
 * A name that the API would refuse (`github.create_issue`, 200 characters) is replaced by one made of its good characters
 * and of a digest of all of them: the same name, the same replacement, in every request, so that what an API caches stays
 * cached. Names that are fine stay, and a request of such is returned as it is. Ids of calls go out the same way; one
 * that the API made is fine for it, so none has to be turned back.
 *
 * Laws: all replacements are within the limits, and no two names of a request become one; names out and back again are
 * what they were.
 */
import type { Event } from "../canonical/Event.ts"
import type { Item, Items, ToolCall, ToolResult, Tools } from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import type { Tool, ToolChoice } from "../canonical/Tool.ts"
import { isRecord } from "../codec/index.ts"
import type { Limits } from "../protocol/Protocol.ts"
import { LlmError } from "./LlmError.ts"
import { isForeign, Names } from "./Names.ts"
import { StreamTruncated } from "./Reason.ts"

/** A request in an API's names, and the way back for what it answers. */
export interface Named {
  readonly request: Request
  /** The same in the caller's names; absent where every name went out as it is. */
  readonly restore?: {
    readonly response: (response: Response) => Response
    readonly event: (event: Event) => Event
    readonly error: (error: LlmError) => LlmError
  }
}

/**
 * The request in names within these limits. Build the function once: items and tools that are renamed are so
 * once, and their encoding is remembered as that of any others.
 *
 * @example
 * ```ts
 * const { request, restore } = Naming.named(OpenAiResponses.limits)({ items: [], tools: [{ type: "function", name: "a.b" }] })
 * request.tools  // => [{ type: "function", name: "a_b_1k9x…" }]
 * restore?.response(answer)  // calls "a.b"
 * ```
 */
export const named = (limits: Limits = {}): (request: Request) => Named => {
  const memory = new WeakMap<object, Renamed>()
  return (request) => {
    if (!isAnyForeign(request, limits)) return { request }
    const names = new Names(limits.toolName, namesIn(request))
    const ids = new Names(limits.callId, idsIn(request.items))
    const renaming = new Renaming(names, ids, memory)
    return { request: renaming.request(request), restore: restoring(names) }
  }
}

// what has a name ---------------------------------------------------------------------------------------------------

type Call = ToolCall | ToolResult
type Callable = Extract<Tool, { readonly type: "function" | "custom" | "reference" }>

/** Is it answered by the caller? The provider names its own. */
const isCall = (item: Item): item is Call =>
  (item.type === "tool-call" && item.server === undefined || item.type === "tool-result") &&
  item.providerExecuted !== true
const isCallable = (tool: Tool): tool is Callable =>
  tool.type === "function" || tool.type === "custom" || tool.type === "reference"
/** Tools that a server has listed are in its own words. */
const isChange = (item: Item): item is Tools =>
  item.type === "tools" && item.action !== "listed" && item.server === undefined

/** A tool among those that a choice allows. */
const isAllowed = (tool: unknown): tool is { readonly type: string; readonly name: string } =>
  isRecord(tool) && typeof tool.name === "string" && (tool.type === "function" || tool.type === "custom")

const isAnyForeign = ({ items, toolChoice, tools = [] }: Request, { callId, toolName }: Limits): boolean => {
  const isForeignTool = (tool: Tool): boolean => isCallable(tool) && isForeign(toolName, tool.name)
  return tools.some(isForeignTool) ||
    items.some((item) =>
      isCall(item)
        ? isForeign(callId, item.id) || item.type === "tool-call" && isForeign(toolName, item.name)
        : isChange(item) && item.tools.some(isForeignTool)
    ) ||
    toolChoice !== undefined && chosen(toolChoice).some((name) => isForeign(toolName, name))
}

const chosen = (choice: ToolChoice): ReadonlyArray<string> =>
  choice.type === "tool"
    ? [choice.name]
    : choice.type === "allowed"
    ? choice.tools.flatMap((tool) => isAllowed(tool) ? [tool.name] : [])
    : []

/** Every name that a tool goes by, also those that the provider gives. */
const namesIn = ({ items, toolChoice, tools = [] }: Request): Iterable<string> => [
  ...tools.flatMap(nameOf),
  ...items.flatMap((item) =>
    item.type === "tool-call" ? [item.name] : item.type === "tools" ? item.tools.flatMap(nameOf) : []
  ),
  ...(toolChoice === undefined ? [] : chosen(toolChoice))
]
const nameOf = (tool: Tool): ReadonlyArray<string> =>
  isCallable(tool) ? [tool.name] : tool.type === "provider" ? [tool.name ?? tool.kind] : []

const idsIn = (items: Items): Iterable<string> =>
  items.flatMap((item) => item.type === "tool-call" || item.type === "tool-result" ? [item.id] : [])

// out ---------------------------------------------------------------------------------------------------------------

/** What became of an item or a tool, and by which names. */
interface Renamed {
  readonly names: string
  readonly value: object
}

class Renaming {
  readonly #names: Names
  readonly #ids: Names
  readonly #memory: WeakMap<object, Renamed>

  constructor(names: Names, ids: Names, memory: WeakMap<object, Renamed>) {
    this.#names = names
    this.#ids = ids
    this.#memory = memory
  }

  request({ toolChoice, tools, ...request }: Request): Request {
    return {
      ...request,
      items: request.items.map(this.#item),
      ...(tools === undefined ? {} : { tools: tools.map(this.#tool) }),
      ...(toolChoice === undefined ? {} : { toolChoice: this.#choice(toolChoice) })
    }
  }

  readonly #item = (item: Item): Item => {
    if (isChange(item)) {
      const tools = item.tools.map(this.#tool)
      return this.#once(item, tools.flatMap(nameOf), item.tools.flatMap(nameOf), () => ({ ...item, tools }))
    }
    if (!isCall(item)) return item
    const id = this.#ids.out(item.id)
    if (item.type === "tool-result") return this.#once(item, [id], [item.id], () => ({ ...item, id }))
    const name = this.#names.out(item.name)
    return this.#once(item, [id, name], [item.id, item.name], () => ({ ...item, id, name }))
  }

  readonly #tool = (tool: Tool): Tool => {
    if (!isCallable(tool)) return tool
    const name = this.#names.out(tool.name)
    return this.#once(tool, [name], [tool.name], () => ({ ...tool, name }))
  }

  #choice(choice: ToolChoice): ToolChoice {
    if (choice.type === "tool") return { ...choice, name: this.#names.out(choice.name) }
    if (choice.type !== "allowed") return choice
    const tools = choice.tools.map((tool) => isAllowed(tool) ? { ...tool, name: this.#names.out(tool.name) } : tool)
    return { ...choice, tools }
  }

  /** The value itself where its names stay, and where they do not the same new one each time. */
  #once<A extends object>(value: A, names: ReadonlyArray<string>, before: ReadonlyArray<string>, make: () => A): A {
    if (names.every((name, index) => name === before[index])) return value
    const key = names.join("\n")
    const known = this.#memory.get(value)
    // What is remembered under a value was made of it.
    if (known?.names === key) return known.value as A
    const made = make()
    this.#memory.set(value, { names: key, value: made })
    return made
  }
}

// back --------------------------------------------------------------------------------------------------------------

const restoring = ({ back }: Names): Named["restore"] & {} => {
  const tool = (tool: Tool): Tool => isCallable(tool) ? { ...tool, name: back(tool.name) } : tool
  const item = (item: Item): Item =>
    item.type === "tool-call" && isCall(item)
      ? { ...item, name: back(item.name) }
      : isChange(item)
      ? { ...item, tools: item.tools.map(tool) }
      : item
  const response = (response: Response): Response => ({ ...response, items: response.items.map(item) })
  const event = (event: Event): Event => {
    switch (event._tag) {
      case "SlotStarted":
        return { ...event, items: event.items.map(item) }
      case "SlotDone":
        return event.items === undefined ? event : { ...event, items: event.items.map(item) }
      case "Finished":
        return event.response === undefined ? event : { ...event, response: response(event.response) }
      default:
        return event
    }
  }
  const error = (error: LlmError): LlmError => {
    const { reason } = error
    if (reason._tag !== "StreamTruncated" || reason.collected === undefined) return error
    const { _tag, ...told } = reason
    return new LlmError({ reason: new StreamTruncated({ ...told, collected: response(reason.collected) }) })
  }
  return { response, event, error }
}
