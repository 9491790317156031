/**
 * Turns the `error` event into a body of a failure and back. It has its words beside its type; what has no place there,
 * such as the type of the error itself, stands in an object of its own, as some servers write all of it.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming/error
 */
import { isRecord } from "../../codec/index.ts"
import type { Obj } from "./Made.ts"

/** The words that stand beside the event's type. */
const isWord = (key: string): boolean => key === "code" || key === "message" || key === "param"

/** The body of the failure that an event tells, its words in an object of their own wherever they stood. */
export const nested = ({ error, ...event }: Obj): Obj => {
  if (isRecord(error)) {
    const inner = error as Obj
    const isSaid = (key: string) =>
      (event[key] ?? null) === null || event[key] === inner[key] || key === "code" && event.code === inner.type
    return { ...without(event, (key) => isWord(key) && isSaid(key)), error: inner }
  }
  const { code, detail, message, param, type, ...rest } = event
  const text = [error, message, detail].find((text) => typeof text === "string")
  const said = Object.entries({ type, code, param, message: text }).filter(([, word]) => word != null)
  return { ...rest, error: Object.fromEntries(said) as Obj }
}

/** The event that tells of a failure with that body. */
export const flat = (body: Obj): Obj => {
  const { error, ...beside } = isRecord(body.error) ? body : nested(body)
  const said: Obj = isRecord(error) ? error as Obj : {}
  const { code = said.type ?? null, message = "", param = null } = said
  const isMore = Object.keys(said).some((key) => !isWord(key))
  return { ...beside, type: "error", code, message, param, ...(isMore ? { error: said } : {}) }
}

const without = (event: Obj, drops: (key: string) => boolean): Obj =>
  Object.fromEntries(Object.entries(event).filter(([key]) => !drops(key)))
