/** Whoever loses messages or tools is not measured; what else is lost is shown. */
import { messages, tools } from "../bodies.ts"

/** How many calls of tools, and results of them, the conversation has. */
export const exchanges = 20

export interface Kept {
  readonly calls: number
  readonly results: number
}

interface Tool {
  readonly name: string
  readonly description?: string
  readonly parameters?: Schema
  readonly input_schema?: Schema
}
interface Schema {
  readonly properties?: object
}
interface Body {
  readonly tools?: ReadonlyArray<Tool>
}
const isTool = ({ description, input_schema, name, parameters = input_schema }: Tool): boolean =>
  name.startsWith("tool_") && description !== undefined && Object.keys(parameters?.properties ?? {}).length === 6

/** Throws unless all messages and tools are in the body, and counts the calls and results that are. */
export const keptIn = (who: string, body: unknown): Kept => {
  const text = JSON.stringify(body)
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const said = Array.from({ length: messages }, (_, i) => `Message ${i}: `).filter((start) => text.includes(start))
  if (said.length < messages) throw new Error(`${who} kept ${said.length} of ${messages} messages`)
  const whole = (body as Body).tools?.filter(isTool) ?? []
  if (whole.length < tools) throw new Error(`${who} kept ${whole.length} of ${tools} tools`)
  return {
    calls: count(/"type":"(?:tool_use|function_call)"/g),
    results: count(/"type":"(?:tool_result|function_call_output)"/g)
  }
}

/** Throws unless calls and results are there too. */
export const isWhole = (who: string, body: unknown): void => {
  const { calls, results } = keptIn(who, body)
  if (calls < exchanges || results < exchanges) throw new Error(`${who} kept ${calls} calls and ${results} results`)
}
