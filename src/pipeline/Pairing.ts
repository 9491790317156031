/** Holds calls against results before a request goes out: an API refuses one without the other. */
import type { Items } from "../canonical/Item.ts"
import type { Request } from "../canonical/Request.ts"

/** What has no partner: a JSON Pointer to it, and what to do. */
export interface Unpaired {
  readonly pointer: string
  readonly detail: string
}

/**
 * The results whose calls, and the calls whose results, are not among the items: where the first of them stands, and all
 * by their ids. Calls that the provider runs need none, and what came before may lie on the server, where the request
 * names it.
 */
export const unpaired = ({ conversation, items, previousResponseId }: Request): Unpaired | undefined => {
  if (previousResponseId !== undefined || conversation !== undefined) return undefined
  const calls = idsOf(items, "tool-call")
  const results = idsOf(items, "tool-result")
  const lone: Array<{ readonly pointer: string; readonly missing: string }> = []
  for (const [index, item] of items.entries()) {
    if (item.type !== "tool-result" && item.type !== "tool-call" || item.providerExecuted === true) continue
    const [partners, what] = item.type === "tool-result"
      ? [calls, "call for the result"]
      : [results, "result for the call"]
    if (partners.has(item.id)) continue
    const pointer = `/items/${index}`
    lone.push({ pointer, missing: `a ${what} ${JSON.stringify(item.id)} at ${pointer}` })
  }
  const [first] = lone
  if (first === undefined) return undefined
  const told = lone.slice(0, most).map(({ missing }) => missing)
  const more = lone.length > most ? [`${lone.length - most} more`] : []
  return { pointer: first.pointer, detail: `Expected ${[...told, ...more].join(" and ")}, got none` }
}
/** How many are told one by one. */
const most = 5

const idsOf = (items: Items, type: "tool-call" | "tool-result"): ReadonlySet<string> =>
  new Set(items.flatMap((item) => item.type === type ? [item.id] : []))
