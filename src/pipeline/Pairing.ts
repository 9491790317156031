/** Holds calls against results before a request goes out: an API refuses one without the other. */
import type { Items } from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"

/** What has no partner: a JSON Pointer to it, and what to do. */
export interface Unpaired {
  readonly pointer: string
  readonly detail: string
}

/**
 * The first result whose call, or call whose result, is not among the items. Calls that the provider runs need none,
 * and what came before may lie on the server, where the request names it.
 */
export const unpaired = ({ conversation, items, previousResponseId }: Request): Unpaired | undefined => {
  if (previousResponseId !== undefined || conversation !== undefined) return undefined
  const calls = idsOf(items, "tool-call")
  const results = idsOf(items, "tool-result")
  for (const [index, item] of items.entries()) {
    const pointer = `/items/${index}`
    if (item.type === "tool-result" && item.providerExecuted !== true && !calls.has(item.id)) {
      return {
        pointer,
        detail: `Expected a tool call with the id ${JSON.stringify(item.id)} for this result, got none`
      }
    }
    if (item.type === "tool-call" && item.providerExecuted !== true && !results.has(item.id)) {
      return { pointer, detail: `Expected a result for the tool call ${JSON.stringify(item.id)}, got none` }
    }
  }
  return undefined
}

const idsOf = (items: Items, type: "tool-call" | "tool-result"): ReadonlySet<string> =>
  new Set(items.flatMap((item) => item.type === type ? [item.id] : []))
