/** Writes what came of a tool as a canonical result: for the model to read. */
import { Effect, Schema } from "effect"
import * as AiError from "effect/ai/AiError"
import type * as Prompt from "effect/ai/Prompt"
import type * as Tool from "effect/ai/Tool"
import * as Base64 from "effect/encoding/Base64"
import type { ToolCall, ToolResult } from "../canonical/Item.ts"
import * as Part from "../canonical/Part.ts"
import { isJson } from "../codec/index.ts"
import type { AnyTool } from "./Offered.ts"

/** A result of a call: of its id, and of its kind where it has one. */
const resultOf = ({ id, kind }: ToolCall, rest: Pick<ToolResult, "output" | "isError">): ToolResult => ({
  type: "tool-result",
  id,
  ...(kind === undefined ? {} : { kind }),
  ...rest
})

/** An error that the model sees, and may act upon. */
export const failed = (call: ToolCall, why: string): ToolResult =>
  resultOf(call, { output: [Part.text(why)], isError: true })

/** A success as the tool gives it to models: by its `toModelOutput`, a text as text, nothing as nothing, else JSON. */
export const succeeded = <R>(
  call: ToolCall,
  tool: AnyTool<R>,
  { encodedResult, modelOutput, result }: Tool.HandlerResult<AnyTool<R>>
): Effect.Effect<ToolResult, never, R> => {
  if (modelOutput !== undefined) return Effect.succeed(resultOf(call, { output: modelOutput.map(partOf) }))
  if (encodedResult === undefined) return Effect.succeed(resultOf(call, {}))
  if (typeof encodedResult === "string") return Effect.succeed(resultOf(call, { output: [Part.text(encodedResult)] }))
  return Effect.map(
    isJson(encodedResult) ? Effect.succeed(encodedResult as Schema.Json) : jsonOf(tool.successSchema, result),
    (value) => resultOf(call, { output: { type: "json", value } })
  )
}

/** A failure of the tool's own kind, as its schema encodes it. */
export const refused = <R>(call: ToolCall, tool: AnyTool<R>, error: unknown): Effect.Effect<ToolResult, never, R> =>
  Effect.map(
    AiError.isAiError(error) ? Effect.succeed(error.message) : jsonOf(tool.failureSchema, error),
    (value) => failed(call, `The tool failed: ${typeof value === "string" ? value : JSON.stringify(value)}`)
  )

/** A tool that gives what its own schema cannot write is wrong: a defect. */
const jsonOf = <R>(
  schema: Schema.Codec<unknown, unknown, R, R>,
  value: unknown
): Effect.Effect<Schema.Json, never, R> => Effect.orDie(Schema.encodeUnknownEffect(Schema.toCodecJson(schema))(value))

const partOf = (part: Prompt.ToolModelOutputPart): Part.Part => {
  if (part.type === "text") return Part.text(part.text)
  const { data, fileName, mediaType } = part
  const source: Part.Source = data instanceof URL
    ? { type: "url", url: data.href }
    : { type: "base64", mediaType, data: typeof data === "string" ? data : Base64.encode(data) }
  switch (mediaType.split("/")[0]) {
    case "image":
      return { type: "image", source }
    case "audio":
      return { type: "audio", source }
    case "video":
      return { type: "video", source }
    default:
      return { type: "document", source, ...(fileName === undefined ? {} : { filename: fileName }) }
  }
}
