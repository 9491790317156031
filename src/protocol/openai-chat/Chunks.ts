/** Joins the chunks of a streamed chat completion into the completion that they are parts of. */
import type { Schema } from "effect"
import { isRecord } from "../../codec/index.ts"

type Fields = { readonly [key: string]: Schema.Json }

/**
 * The whole completion: texts joined, tool calls put together (a new id opens a new call, even if its index repeats),
 * the last usage that was told.
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 *
 * @example `completion([{ choices: [{ delta: { content: "Hi" } }] }, { choices: [{ delta: {}, finish_reason: "stop" }] }])`
 */
export const completion = (chunks: ReadonlyArray<Fields>): Fields => {
  const choices = new Map<Schema.Json, Choice>()
  let head: Fields = {}
  for (const { choices: list, object: _, usage, ...rest } of chunks) {
    head = { ...rest, ...head, ...(usage === undefined || usage === null ? {} : { usage }) }
    for (const choice of listOf(list)) {
      const index = choice.index ?? 0
      choices.set(index, added(choices.get(index) ?? { message: {}, calls: [] }, choice))
    }
  }
  const { created, id, model, usage, ...others } = head
  return given({
    id,
    object: "chat.completion",
    created,
    model,
    choices: [...choices].map(([index, choice]) => ({ index, ...whole(choice) })),
    usage,
    ...others
  })
}

interface Choice {
  readonly message: Fields
  readonly calls: ReadonlyArray<Fields>
  readonly finish?: Schema.Json
}

const added = ({ calls, message, ...rest }: Choice, { delta, finish_reason: finish }: Fields): Choice => {
  const { tool_calls: more, ...said } = isRecord(delta) ? delta as Fields : {}
  return {
    ...rest,
    message: joined(message, said),
    calls: listOf(more).reduce(withCall, calls),
    ...(finish === undefined || finish === null ? {} : { finish })
  }
}

const withCall = (calls: ReadonlyArray<Fields>, { index, ...part }: Fields): ReadonlyArray<Fields> => {
  const isNew = calls.length === 0 ||
    typeof part.id === "string" && part.id !== "" && !calls.some(({ id }) => id === part.id)
  if (isNew) return [...calls, part]
  const at = typeof part.id === "string" && part.id !== ""
    ? calls.findIndex(({ id }) => id === part.id)
    : typeof index === "number" && index < calls.length
    ? index
    : calls.length - 1
  return calls.with(at, joined(calls[at]!, part))
}

/** Texts are added to texts, objects to objects; anything else is as it was said last. */
const joined = (before: Fields, more: Fields): Fields => {
  const out: Record<string, Schema.Json> = { ...before }
  for (const [key, value] of Object.entries(more)) {
    const there = out[key]
    if (value === null && there !== undefined) continue
    out[key] = typeof there === "string" && typeof value === "string" && !fixed.has(key)
      ? there + value
      : isRecord(there) && isRecord(value)
      ? joined(there as Fields, value as Fields)
      : value
  }
  return out
}
/** What is told whole, and may be told again. */
const fixed = new Set(["role", "id", "type", "name"])

const whole = ({ calls, finish, message }: Choice): Fields => ({
  message: calls.length === 0 ? message : { ...message, tool_calls: calls },
  finish_reason: finish ?? null
})

const listOf = (value: Schema.Json | undefined): ReadonlyArray<Fields> =>
  Array.isArray(value) ? value.filter((member): member is Fields => isRecord(member)) : []

const given = (fields: { readonly [key: string]: Schema.Json | undefined }): Fields =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Schema.Json] => entry[1] !== undefined))
