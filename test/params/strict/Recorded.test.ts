import { assert, describe, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import { isRecord } from "../../../src/codec/index.ts"
import type { Target } from "../../../src/params/Fitted.ts"
import * as Strict from "../../../src/params/Strict.ts"
import { areThere, exchanges } from "../../Recordings.ts"
import { fault, fromGemini } from "./Validity.ts"

type Json = Schema.Json

const files = [
  "anthropic-messages",
  "gemini",
  "gemini-vertex",
  "llama-server",
  "openai-chat",
  "openai-chat-compat",
  "openai-responses",
  "openai-responses-compat"
]

const listed = (value: unknown): ReadonlyArray<{ readonly [key: string]: unknown }> =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** The schemas of the function tools of a request, in whatever API's words. */
const schemasIn = (request: Json | undefined): ReadonlyArray<Json> =>
  listed(isRecord(request) ? request.tools : undefined).flatMap((tool) => {
    const functions = [tool, tool.function, ...listed(tool.functionDeclarations), ...listed(tool.function_declarations)]
    return functions.filter(isRecord).flatMap((each) =>
      [each.parameters, each.input_schema, each.parametersJsonSchema, each.parameters_json_schema]
        .filter((schema) => isRecord(schema)) as ReadonlyArray<Json>
    )
  })

describe.skipIf(!areThere)("the tools of recorded requests (skipped where the recordings are absent)", () => {
  const all = files.flatMap((file) => exchanges(file).flatMap(({ request }) => schemasIn(request)))
  const different = [...new Map(all.map((schema) => [JSON.stringify(schema), schema])).values()]

  it("are many", () => assert.isAbove(all.length, 1000))

  for (const target of ["openai", "anthropic", "gemini"] as const satisfies ReadonlyArray<Target>) {
    for (const strictness of ["prefer", "off"] as const) {
      it(`are schemas for ${target} (${strictness})`, () => {
        for (const schema of different) {
          const fitted = Result.getOrThrow(Strict.fit(target, strictness)(schema))
          const sent = target === "gemini" ? fromGemini(fitted.schema, false) : fitted.schema
          assert.isUndefined(fault(sent), JSON.stringify({ schema, sent }))
          assert.isTrue(isRecord(sent) && sent.type === "object", JSON.stringify({ schema, sent }))
          if (strictness === "off") assert.isFalse(fitted.strict)
          else if (!fitted.strict) assert.isAbove(fitted.losses.length, 0)
        }
      })
    }
  }
})
