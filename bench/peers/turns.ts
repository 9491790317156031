/** The conversation as peers cut it: what the assistant says in a row is one message. */
import type * as Item from "../../src/canonical/Item.ts"
import * as Part from "../../src/canonical/Part.ts"
import type * as Request from "../../src/canonical/Request.ts"

export type Said =
  | { readonly type: "part"; readonly part: Part.Part }
  | { readonly type: "reasoning"; readonly text: string; readonly item: Item.Reasoning; readonly index: number }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: unknown }

export type Turn =
  | { readonly role: "assistant"; readonly said: ReadonlyArray<Said> }
  | { readonly role: string; readonly parts: Part.Parts }
  | { readonly role: "tool"; readonly id: string; readonly name: string | undefined; readonly output: Part.Parts }

export const turnsOf = (items: Item.Items): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  let said: Array<Said> | undefined
  const names = new Map<string, string>()
  const say = (...more: ReadonlyArray<Said>): void => {
    if (said === undefined) turns.push({ role: "assistant", said: said = [] })
    said.push(...more)
  }
  for (const [index, item] of items.entries()) {
    if (item.type === "message" && item.role === "assistant") {
      say(...item.parts.map((part) => ({ type: "part" as const, part })))
    } else if (item.type === "reasoning") {
      const text = Part.textOf([...item.summary ?? [], ...item.content ?? []])
      say({ type: "reasoning", text, item, index })
    } else if (item.type === "tool-call") {
      names.set(item.id, item.name)
      say({ type: "call", id: item.id, name: item.name, input: JSON.parse(item.arguments ?? "{}") })
    } else {
      said = undefined
      turns.push(heard(item, names))
    }
  }
  return turns
}

const heard = (item: Item.Item, names: ReadonlyMap<string, string>): Turn => {
  if (item.type === "message") return { role: item.role, parts: item.parts }
  if (item.type !== "tool-result") throw new Error(`The conversation has no ${item.type}`)
  const { id, output = [] } = item
  if (!("length" in output)) throw new Error("The conversation's results are parts")
  return { role: "tool", id, name: names.get(id), output }
}

/** The tools, all of which are functions. */
export const functionsOf = (tools: Request.Request["tools"] = []) =>
  tools.map((tool) => {
    if (tool.type !== "function") throw new Error(`The conversation has no ${tool.type} tool`)
    const { description, name, parameters } = tool
    return { name, description, parameters }
  })
