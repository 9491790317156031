/** Runs the commands in this process, and once as a program. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Exit, Layer, Sink, Stdio, Stream } from "effect"
import { Command } from "effect/cli"
import { execFile } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { bellows } from "../../src/cli/Bellows.ts"

/** What a run printed, and whether it succeeded. */
const run = (args: ReadonlyArray<string>, stdin = "") =>
  Effect.gen(function*() {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    let stdout = ""
    const write = (text: string | Uint8Array) =>
      Effect.sync(() => void (stdout += typeof text === "string" ? text : new TextDecoder().decode(text)))
    const console: Console.Console = Object.assign(Object.create(globalThis.console), {
      log: (...words: ReadonlyArray<unknown>) => void out.push(words.join(" ")),
      error: (...words: ReadonlyArray<unknown>) => void err.push(words.join(" "))
    })
    const exit = yield* Command.runWith(bellows, { version: "1.2.3" })(args).pipe(
      Effect.provideService(Console.Console, console),
      Effect.provide(Layer.merge(
        NodeServices.layer,
        Stdio.layerTest({
          stdin: stdin === "" ? Stream.empty : Stream.make(new TextEncoder().encode(stdin)),
          stdout: () => Sink.forEach(write)
        })
      )),
      Effect.exit
    )
    return { ok: Exit.isSuccess(exit), out: stdout + out.join("\n"), err: err.join("\n") }
  })

const translate = (from: string, to: string, json: unknown, ...more: ReadonlyArray<string>) =>
  run(["translate", "--from", from, "--to", to, ...more], typeof json === "string" ? json : JSON.stringify(json))

describe("translate", () => {
  it.effect("expands what a person writes", () =>
    Effect.gen(function*() {
      const { err, ok, out } = yield* translate("shorthand", "anthropic-messages", "\"hi\"")
      assert.deepStrictEqual(JSON.parse(out), { model: "model", messages: [{ role: "user", content: "hi" }] })
      assert.deepStrictEqual([ok, err], [true, ""])
      const named = yield* translate("shorthand", "openai-responses", "[\"a\", \"b\"]", "--model", "gpt-5")
      assert.strictEqual(JSON.parse(named.out).model, "gpt-5")
    }))

  it.effect("goes from one wire to the other, and back, and to the forms between", () =>
    Effect.gen(function*() {
      const anthropic = { model: "m", system: "Be brief.", messages: [{ role: "user", content: "hi" }], max_tokens: 9 }
      const openAi = { model: "m", instructions: "Be brief.", input: "hi", max_output_tokens: 9 }
      const there = yield* translate("anthropic-messages", "openai-responses", anthropic)
      assert.deepStrictEqual(JSON.parse(there.out), openAi)
      const back = yield* translate("openai-responses", "anthropic-messages", there.out)
      assert.deepStrictEqual(JSON.parse(back.out), anthropic)
      const shorthand = yield* translate("anthropic-messages", "shorthand", anthropic)
      assert.deepStrictEqual(JSON.parse(shorthand.out), {
        model: "m",
        instructions: "Be brief.",
        input: "hi",
        maxTokens: 9
      })
      const canonical = yield* translate("shorthand", "canonical", shorthand.out)
      const again = yield* translate("canonical", "anthropic-messages", canonical.out)
      assert.deepStrictEqual(JSON.parse(again.out), anthropic)
    }))

  it.effect("names what is lost, a line each; --strict refuses it", () =>
    Effect.gen(function*() {
      const request = {
        model: "m",
        messages: [{ role: "user", content: "hi" }],
        top_k: 5,
        stop_sequences: ["END"],
        max_tokens: 9
      }
      const lenient = yield* translate("anthropic-messages", "openai-responses", request)
      assert.isTrue(lenient.ok)
      assert.deepStrictEqual(JSON.parse(lenient.out), { model: "m", input: "hi", max_output_tokens: 9 })
      assert.sameMembers(lenient.err.split("\n").map((line) => line.split(":")[0]), ["/topK", "/stop"])
      const strict = yield* translate("anthropic-messages", "openai-responses", request, "--strict")
      assert.isFalse(strict.ok)
      assert.strictEqual(strict.out, "")
      assert.include(strict.err, "/topK: ")
      assert.include(strict.err, "2 places are lost in openai-responses.")
      const carried = yield* translate("anthropic-messages", "anthropic-messages", request, "--strict")
      assert.isTrue(carried.ok)
    }))

  it.effect("reads responses, from a file", () =>
    Effect.gen(function*() {
      const file = path.join(mkdtempSync(path.join(tmpdir(), "bellows-")), "response.json")
      const content = [{ type: "text", text: "hello" }]
      writeFileSync(
        file,
        JSON.stringify({
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m",
          content,
          stop_reason: "end_turn"
        })
      )
      const { out } = yield* run([
        "translate",
        "--kind",
        "response",
        "--from",
        "anthropic-messages",
        "--to",
        "canonical",
        file
      ])
      const response = JSON.parse(out)
      assert.deepStrictEqual(response.items, [{ type: "message", role: "assistant", parts: content }])
      assert.strictEqual(response.finishReason, "stop")
    }))

  it.effect("says in words what is wrong", () =>
    Effect.gen(function*() {
      const noJson = yield* translate("shorthand", "canonical", "{\"input\":")
      assert.isFalse(noJson.ok)
      assert.include(noJson.err, "standard input holds no JSON.")
      const wrongRole = yield* translate("shorthand", "canonical", { input: [{ role: "narrator", text: "Once" }] })
      assert.isFalse(wrongRole.ok)
      assert.include(wrongRole.err, "This is no request in the form shorthand.")
      assert.include(wrongRole.err, "role")
      const noShorthand = yield* translate("shorthand", "canonical", {}, "--kind", "response")
      assert.include(noShorthand.err, "There is no shorthand of a response")
      const noModel = yield* translate("shorthand", "anthropic-messages", { input: "hi" })
      assert.include(noModel.err, "anthropic-messages cannot say this request.")
      for (const { err } of [noJson, wrongRole, noShorthand, noModel]) assert.notMatch(err, /\n\s+at .*:\d+:\d+/)
    }))
})

describe("send", () => {
  it.effect("asks Echo unless told otherwise", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run(["send", "What is a bellows?"]), {
        ok: true,
        out: "What is a bellows?",
        err: ""
      })
      const { out } = yield* run(["send", "--json", "--model", "m", "hi"])
      const response = JSON.parse(out)
      assert.deepStrictEqual([response.model, response.finishReason], ["m", "stop"])
    }))

  it.effect("says in words what is wrong", () =>
    Effect.gen(function*() {
      const noModel = yield* run(["send", "--provider", "anthropic", "hi"])
      assert.isFalse(noModel.ok)
      assert.include(noModel.err, "Name a model of anthropic: --model NAME.")
      const noText = yield* run(["send"])
      assert.isFalse(noText.ok)
      assert.include(noText.err, "TEXT")
    }))
})

/** What stands in the `data:` lines of a stream. */
const dataIn = (sse: string): ReadonlyArray<{ readonly type: string; readonly [key: string]: unknown }> =>
  sse.split("\n").filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)))

describe("streams", () => {
  const events = [
    { type: "response.created", response: { id: "r", model: "m", status: "in_progress", output: [] } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { id: "i", type: "message", role: "assistant", content: [] }
    },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "i", delta: "hel" },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "i", delta: "lo" },
    {
      type: "response.completed",
      response: {
        id: "r",
        model: "m",
        status: "completed",
        output: [{ id: "i", type: "message", role: "assistant", content: [{ type: "output_text", text: "hello" }] }]
      }
    }
  ]
  const sse = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")

  it.effect("send --stream prints as it arrives; --json an event a line", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run(["send", "--stream", "What is a bellows?"]), {
        ok: true,
        out: "What is a bellows?\n",
        err: ""
      })
      const { out } = yield* run(["send", "--stream", "--json", "hi there"])
      const tags = out.trim().split("\n").map((line) => JSON.parse(line)._tag)
      assert.deepStrictEqual([tags[0], tags.at(-1)], ["Started", "Finished"])
      assert.strictEqual(tags.filter((tag) => tag === "TextDelta").length, 2)
    }))

  it.effect("translate goes from one wire's events to the other's, and to the forms between", () =>
    Effect.gen(function*() {
      const stream = (from: string, to: string, text: string, ...more: ReadonlyArray<string>) =>
        translate(from, to, text, "--kind", "stream", ...more)
      const there = yield* stream("openai-responses", "anthropic-messages", sse)
      assert.isTrue(there.ok, there.err)
      assert.isTrue(there.out.startsWith("event: message_start\ndata: "))
      assert.deepStrictEqual(dataIn(there.out).map(({ type }) => type), [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop"
      ])
      const back = yield* stream("anthropic-messages", "openai-responses", there.out)
      assert.strictEqual(dataIn(back.out).at(-1)?.type, "response.completed")
      const lines = yield* stream("openai-responses", "canonical", sse)
      assert.deepStrictEqual(
        lines.out.trim().split("\n").map((line) => JSON.parse(line)._tag),
        ["Started", "SlotStarted", "TextDelta", "TextDelta", "SlotDone", "Finished"]
      )
      const again = yield* stream("canonical", "anthropic-messages", lines.out)
      assert.deepStrictEqual(dataIn(again.out), dataIn(there.out))
    }))

  it.effect("translate says in words what is wrong", () =>
    Effect.gen(function*() {
      const stream = (from: string, text: string) => translate(from, "canonical", text, "--kind", "stream")
      const malformed = yield* stream("openai-responses", "data: {oops\n\n")
      assert.isFalse(malformed.ok)
      assert.include(malformed.err, "Event 1 of the stream is no JSON")
      const cut = yield* stream("openai-responses", sse.slice(0, 400))
      assert.isFalse(cut.ok)
      assert.match(cut.err, /broke off/)
      const noForm = yield* stream("shorthand", "\"hi\"")
      assert.include(noForm.err, "There is no shorthand of a stream")
      const noEvent = yield* stream("canonical", "{}")
      assert.include(noEvent.err, "This is no event.")
    }))

  it.effect("check holds the laws against a recorded stream", () =>
    Effect.gen(function*() {
      const file = path.join(mkdtempSync(path.join(tmpdir(), "bellows-")), "log.jsonl")
      const lines = [
        { id: "good", protocol: "openai-responses", sse },
        { id: "cut", protocol: "openai-responses", sse: sse.slice(0, 400) },
        { id: "other", protocol: "unheard-of", sse }
      ]
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"))
      const { ok, out } = yield* run(["check", file])
      assert.isFalse(ok)
      assert.include(out, "openai-responses: 1 passed, 1 failed, 0 skipped")
      assert.include(out, "unheard-of: 0 passed, 0 failed, 1 skipped")
      assert.match(out, /^cut sse .*neither Finished nor Failed$/m)
      assert.notMatch(out, /^good /m)
    }))
})

describe("help", () => {
  it.effect("names every command and every flag", () =>
    Effect.gen(function*() {
      const all = yield* run(["--help"])
      for (const word of ["translate", "send", "check"]) assert.include(all.out, word)
      const one = yield* run(["translate", "--help"])
      for (const word of ["--from", "--to", "--kind", "--strict", "FILE", "anthropic-messages"]) {
        assert.include(one.out, word)
      }
    }))
})

describe("as a program", () => {
  const bin = path.join(import.meta.dirname, "../../src/cli/bin.ts")
  const program = (args: ReadonlyArray<string>, stdin: string) =>
    Effect.callback<{ readonly code: number; readonly out: string; readonly err: string }>((resume) => {
      const child = execFile(
        process.execPath,
        [bin, ...args],
        (error, out, err) => resume(Effect.succeed({ code: error === null ? 0 : Number(error.code), out, err }))
      )
      child.stdin?.end(stdin)
    })

  it.live("exits with 0 and 1", () =>
    Effect.gen(function*() {
      const good = yield* program(["translate", "--from", "shorthand", "--to", "openai-responses"], "\"hi\"")
      assert.deepStrictEqual(JSON.parse(good.out), { model: "model", input: "hi" })
      assert.deepStrictEqual([good.code, good.err], [0, ""])
      const bad = yield* program(["translate", "--from", "shorthand", "--to", "canonical"], "{")
      assert.deepStrictEqual([bad.code, bad.out], [1, ""])
      assert.include(bad.err, "standard input holds no JSON.")
    }))
})
