import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fs from "node:fs"
import * as OpenAiResponses from "../../../src/protocol/openai-responses/index.ts"
import { check, type Kind } from "../../../src/testing/Recorded.ts"

/** An optional folder of recorded exchanges beside the project. */
const shared = new URL("../../../../shared/recordings/", import.meta.url)

interface Exchange {
  readonly id: string
  readonly protocol: string
  readonly status?: number
  readonly request?: Schema.Json
  readonly response?: Schema.Json
}

const recorded = (file: string): ReadonlyArray<Exchange> =>
  fs.readFileSync(new URL(`${file}.jsonl`, shared), "utf8").split("\n").filter(Boolean)
    .map((line): Exchange => JSON.parse(line))
    .filter(({ protocol }) => protocol === OpenAiResponses.name)

const codecs = { request: OpenAiResponses.RequestFromWire, response: OpenAiResponses.ResponseFromWire }

const again = (kind: Kind, body: Schema.Json): void => {
  const codec = codecs[kind] as Schema.Codec<object, unknown>
  const defaults = kind === "request" ? OpenAiResponses.defaults : {}
  const canonical = Schema.decodeUnknownSync(codec)(body)
  const back = Schema.decodeUnknownSync(codec)(Schema.encodeSync(codec)(canonical))
  assert.deepStrictEqual({ ...defaults, ...back }, { ...defaults, ...canonical })
}

describe.skipIf(!fs.existsSync(shared))("recordings (skipped where ../shared is absent)", () => {
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
