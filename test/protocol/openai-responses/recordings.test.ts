import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as OpenAiResponses from "../../../src/protocol/openai-responses/index.ts"
import { check, type Kind } from "../../../src/testing/Recorded.ts"
import { areThere, exchanges } from "../../Recordings.ts"

const recorded = (file: string) => exchanges(file).filter(({ protocol }) => protocol === OpenAiResponses.name)

const codecs = { request: OpenAiResponses.RequestFromWire, response: OpenAiResponses.ResponseFromWire }

const again = (kind: Kind, body: Schema.Json): void => {
  const codec = codecs[kind] as Schema.Codec<object, unknown>
  const defaults = kind === "request" ? OpenAiResponses.defaults : {}
  const canonical = Schema.decodeUnknownSync(codec)(body)
  const back = Schema.decodeUnknownSync(codec)(Schema.encodeSync(codec)(canonical))
  assert.deepStrictEqual({ ...defaults, ...back }, { ...defaults, ...canonical })
}

describe.skipIf(!areThere)("recordings (skipped where ../shared is absent)", () => {
  for (const file of ["openai-responses", "openai-responses-compat", "llama-server"]) {
    it(file, () => {
      for (const { id, request, response, status = 200 } of recorded(file)) {
        for (const [kind, body] of [["request", request], ["response", response]] as const) {
          if (body === undefined || status >= 400) continue
          assert.deepStrictEqual(check(OpenAiResponses, kind, body, id).breaches, [], `${id} ${kind}`)
          again(kind, body)
        }
        if (status < 400 || response === undefined) continue
        const failure = Schema.decodeUnknownSync(OpenAiResponses.FailureFromWire)(response)
        assert.notStrictEqual(failure.message, "", id)
        assert.notStrictEqual(failure.kind, "other", id)
      }
    })
  }
})
