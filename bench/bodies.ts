/** The bodies that are measured, as JSON text: a fresh copy is one `JSON.parse` away. */
import type * as Request from "../src/canonical/Request.ts"
import { conversation } from "./conversation.ts"
import { type Name, protocols } from "./protocols.ts"

export const messages = 50
export const tools = 8

/** The canonical conversation, with reasoning that is the protocol's own: another's would be left out. */
export const canonical = (name: Name, length = messages): Request.Request => {
  const request = protocols["anthropic-messages"].request.decode(conversation(length))
  const items = request.items.map((item, i) => {
    if (item.type !== "reasoning" || item.protocol === name) return item
    const { content = [], proof } = item
    return {
      type: "reasoning",
      protocol: name,
      summary: content,
      proof,
      providerOptions: { [name]: { id: `rs_${i}` } }
    }
  })
  return JSON.parse(JSON.stringify({ ...request, items })) as Request.Request
}

/** The same on the wire of the protocol. */
export const wireText = (name: Name, length = messages): string =>
  JSON.stringify(protocols[name].request.encode(canonical(name, length)))
