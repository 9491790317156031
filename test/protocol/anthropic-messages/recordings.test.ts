/** Holds the codecs against recorded exchanges: an optional folder of test data beside the package. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { isRecord } from "../../../src/codec/index.ts"
import * as AnthropicMessages from "../../../src/protocol/anthropic-messages/index.ts"
import { Recorded } from "../../../src/testing/index.ts"

type Json = Schema.Json
interface Body {
  readonly id: string
  readonly kind: "request" | "response"
  readonly body: Json
}

const recordings = new URL("../../../../shared/recordings/", import.meta.url)

const bodies = (): ReadonlyArray<Body> =>
  ["anthropic-messages", "llama-server"]
    .flatMap((file) => readFileSync(new URL(`${file}.jsonl`, recordings), "utf8").split("\n").filter(Boolean))
    .map((line) => JSON.parse(line))
    .filter(({ protocol, status }) => protocol === AnthropicMessages.name && (status ?? 200) === 200)
    .flatMap(({ id, request, response }): ReadonlyArray<Body> => [
      ...request === undefined ? [] : [{ id, kind: "request" as const, body: request }],
      ...response === undefined ? [] : [{ id, kind: "response" as const, body: response }]
    ])

const codecs = { request: AnthropicMessages.RequestFromWire, response: AnthropicMessages.ResponseFromWire }
const decode = {
  request: Schema.decodeUnknownSync(codecs.request),
  response: Schema.decodeUnknownSync(codecs.response)
}
const encode = {
  request: Schema.encodeUnknownSync(codecs.request),
  response: Schema.encodeUnknownSync(codecs.response)
}
const through = ({ body, kind }: Body): unknown => encode[kind](decode[kind](body))

const length = (body: unknown): number =>
  JSON.stringify(body, (_, value: Json) => value === null ? undefined : value).length

/** An unknown member in every list of objects with a type, wherever it lies. */
const withMembers = (value: Json): Json => {
  if (Array.isArray(value)) {
    const members = value.map(withMembers)
    return value.length > 0 && value.every((member) => isRecord(member) && typeof member.type === "string")
      ? [{ type: "x_unknown", a: 1 }, ...members, { type: "x_unknown", a: [null] }]
      : members
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withMembers(child as Json)]))
    : value
}

describe("recorded exchanges", () => {
  if (!existsSync(recordings)) return it.skip("need ../shared/recordings", () => {})

  it("come back with their meaning, and requests no longer than they were", () => {
    const all = bodies()
    assert.isAbove(all.length, 500)
    for (const it of all) {
      const back = through(it)
      assert.deepStrictEqual(
        AnthropicMessages.meaning[it.kind](back as Json),
        AnthropicMessages.meaning[it.kind](it.body),
        it.id
      )
      if (it.kind === "request") assert.isAtMost(length(back), length(it.body), it.id)
    }
  })

  it("are the same canonical value after another round, defaults aside", () => {
    for (const it of bodies()) {
      const defaults = it.kind === "request" ? AnthropicMessages.defaults : {}
      const canonical = decode[it.kind](it.body)
      const again = decode[it.kind](encode[it.kind](canonical))
      assert.deepStrictEqual<unknown>({ ...defaults, ...again }, { ...defaults, ...canonical }, it.id)
    }
  })

  it("keep unknown fields, unknown members and edits", () => {
    for (const { body, id, kind } of bodies()) {
      assert.deepStrictEqual(Recorded.check(AnthropicMessages, kind, body, id).breaches, [], id)
    }
  })

  it("keep an unknown member in every list at once", () => {
    for (const it of bodies()) {
      const body = withMembers(it.body)
      const back = through({ ...it, body })
      assert.deepStrictEqual(
        AnthropicMessages.meaning[it.kind](back as Json),
        AnthropicMessages.meaning[it.kind](body),
        it.id
      )
    }
  })
})
