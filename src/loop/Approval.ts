/**
 * Asks before a tool is run: by the tool's own `needsApproval`, and answered by items of the conversation.
 *
 * The calls beside one that waits are run at once. Every API takes the results of a turn in any order, as long as no
 * response comes between: those of the calls that were allowed later stand behind the others, and behind what the user
 * has said in the meantime.
 *
 * @example
 * ```ts
 * const asked = yield* Loop.run(request, toolkit)            // asked.stop: "approval"
 * const items = [...request.items, ...asked.items, ...asked.pending.map((call) => Loop.approve(call))]
 * const run = yield* Loop.run({ ...request, items }, toolkit)
 * ```
 */
import { Effect } from "effect"
import * as Prompt from "effect/ai/Prompt"
import type * as Tool from "effect/ai/Tool"
import type { Items, Message, ToolApprovalRequest, ToolApprovalResponse, ToolCall } from "../canonical/Item.ts"
import { textOf } from "../canonical/Part.ts"

/** What waits for the caller: a call, or a provider that asks whether it may run one of its own. */
export type Pending = ToolCall | ToolApprovalRequest

/** Lets a pending call be run. */
export const approve = ({ id }: Pick<Pending, "id">): ToolApprovalResponse => ({
  type: "tool-approval-response",
  id,
  approve: true
})

/** Does not. The model is told so, with the reason. */
export const deny = ({ id }: Pick<Pending, "id">, reason?: string): ToolApprovalResponse => ({
  type: "tool-approval-response",
  id,
  approve: false,
  ...(reason === undefined ? {} : { reason })
})

/** The calls among the items that wait for an answer: those that no provider runs, and that have no result. */
export const open = (items: Items): ReadonlyArray<ToolCall> => {
  const done = new Set(items.flatMap((item) => item.type === "tool-result" ? [item.id] : []))
  return items.filter((item) => item.type === "tool-call")
    .filter((call) => call.providerExecuted !== true && !done.has(call.id))
}

/** What the items say of calls that were made before the run. */
export interface Resumption {
  /** The items without the answers that are for the run: no API knows of those. */
  readonly items: Items
  /** The calls that have no result. */
  readonly open: ReadonlyArray<ToolCall>
  readonly answers: ReadonlyMap<string, ToolApprovalResponse>
}

/** An answer to a call is for the run; one to a request of a provider is for that. */
export const resumption = (items: Items): Resumption => {
  const ids = new Set(items.flatMap((item) => item.type === "tool-call" ? [item.id] : []))
  for (const item of items) if (item.type === "tool-approval-request") ids.delete(item.id)
  const isAnswer = (item: Items[number]): item is ToolApprovalResponse =>
    item.type === "tool-approval-response" && ids.has(item.id)
  const answers = items.filter(isAnswer)
  return {
    items: answers.length === 0 ? items : items.filter((item) => !isAnswer(item)),
    open: open(items),
    answers: new Map(answers.map((answer) => [answer.id, answer]))
  }
}

/** Does the tool want to be asked for? Its function gets the parameters, and what was said until the call. */
export const isNeeded = (
  { needsApproval = false }: Tool.Any,
  params: unknown,
  { id }: ToolCall,
  items: Items
): Effect.Effect<boolean> => {
  if (typeof needsApproval === "boolean") return Effect.succeed(needsApproval)
  return Effect.suspend(() => {
    const needed = needsApproval(params, {
      toolCallId: id,
      get messages() {
        return items.flatMap((item) => item.type === "message" ? [spoken(item)] : [])
      }
    })
    return Effect.isEffect(needed) ? needed : Effect.succeed(needed)
  })
}

/** A message's text, as `effect/ai` has it. */
const spoken = ({ parts, role }: Message): Prompt.Message => {
  const text = textOf(parts)
  const content = [Prompt.textPart({ text })]
  if (role === "user") return Prompt.userMessage({ content })
  return role === "assistant" ? Prompt.assistantMessage({ content }) : Prompt.systemMessage({ content: text })
}
