import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result, type Schema } from "effect"
import { McpClient, McpProtocol } from "effect/ai"
import { ChildProcess } from "effect/process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { isRecord } from "../../../src/codec/index.ts"
import type { Target } from "../../../src/params/Fitted.ts"
import * as Strict from "../../../src/params/Strict.ts"
import { fault, fromGemini, validator } from "./Validity.ts"

/** A server of the reference implementations, as it is installed here. */
const client = (name: string, ...args: ReadonlyArray<string>) =>
  McpClient.layerStdio({
    name: "bellows",
    version: "0.0.0",
    command: ChildProcess.make(process.execPath, [
      path.join(import.meta.dirname, `../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`),
      ...args
    ]),
    protocol: McpProtocol.v2025_11_25
  }).pipe(Layer.provide(NodeServices.layer))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(path.join(tmpdir(), "bellows-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

const tools = (name: string, ...args: ReadonlyArray<string>) =>
  McpClient.McpClient.use((client) => client.listTools()).pipe(Effect.provide(client(name, ...args)))

const isFolder = "filesystem"
const servers = [isFolder, "everything", "memory", "sequential-thinking"]

describe("the tools of MCP's reference servers", () => {
  for (const name of servers) {
    it.live(`pass through every target: ${name}`, () =>
      Effect.gen(function*() {
        const listed = yield* tools(name, ...name === isFolder ? [yield* folder] : ["stdio"])
        assert.isAbove(listed.length, 0)
        for (const { inputSchema, name } of listed) {
          const schema = inputSchema as Schema.Json
          assert.isUndefined(fault(schema), name)
          for (const target of ["openai", "anthropic", "gemini"] as const satisfies ReadonlyArray<Target>) {
            for (const strictness of ["prefer", "off"] as const) {
              const { schema: fitted, strict } = Result.getOrThrow(Strict.fit(target, strictness)(schema))
              const sent = target === "gemini" ? fromGemini(fitted, false) : fitted
              assert.isUndefined(fault(sent), `${name} ${JSON.stringify(sent)}`)
              assert.isTrue(isRecord(sent) && sent.type === "object")
              assert.isDefined(validator(sent))
              if (strictness === "off") assert.isFalse(strict)
            }
          }
        }
      }).pipe(Effect.scoped))
  }

  it.live("take the arguments that they were made for", () =>
    Effect.gen(function*() {
      const edit = (yield* tools(isFolder, yield* folder)).find(({ name }) => name === "edit_file")
      assert.isDefined(edit)
      const schema = edit!.inputSchema as Schema.Json
      const args = { path: "/a", edits: [{ oldText: "a", newText: "b" }], dryRun: false }
      const isOwn = validator(schema)
      for (const target of ["openai", "anthropic", "gemini"] as const) {
        const fitted = Result.getOrThrow(Strict.fit(target, "require")(schema))
        const sent = target === "gemini" ? fromGemini(fitted.schema, true) : fitted.schema
        assert.isUndefined(validator(sent)(fitted.apply(args)))
        const back = fitted.undo(fitted.apply(args))
        assert.isUndefined(isOwn(back))
        assert.deepStrictEqual(back, args)
      }
    }).pipe(Effect.scoped))
})
