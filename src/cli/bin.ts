#!/usr/bin/env node
/** Runs `bellows` on Node. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Schema } from "effect"
import { Command } from "effect/cli"
import { fileURLToPath } from "node:url"
import { bellows } from "./Bellows.ts"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const manifest = yield* fs.readFileString(fileURLToPath(new URL("../../package.json", import.meta.url)))
  const { version } = yield* Schema.decodeEffect(Manifest)(manifest)
  yield* Command.run(bellows, { version })
}).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
