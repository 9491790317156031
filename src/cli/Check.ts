/**
 * Holds the codecs against recorded exchanges: `bellows check FILE.jsonl…`.
 *
 * A line is one exchange: `{ id, protocol, status?, request?, response?, sse? }`. Each request and whole response is
 * decoded, encoded and compared; an edit is made and must be the only change; unknown fields and members are put in
 * and must survive. Each stream is decoded, encoded and decoded again, and collected; an unknown event is put in and
 * must change nothing else.
 */
import { Console, Effect, FileSystem, Result, Schema, Stdio, Stream } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import * as AnthropicMessages from "../protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../protocol/openai-responses/index.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { check as checkBody, type Kind, type Verdict } from "../testing/Recorded.ts"
import { check as checkStream } from "../testing/RecordedStream.ts"

const protocols: ReadonlyMap<string, Protocol> = new Map<string, Protocol>([
  [AnthropicMessages.name, AnthropicMessages],
  [OpenAiResponses.name, OpenAiResponses]
])

const Exchange = Schema.fromJsonString(Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Finite]),
  protocol: Schema.String,
  status: Schema.optionalKey(Schema.Finite),
  request: Schema.optionalKey(Schema.Json),
  response: Schema.optionalKey(Schema.Json),
  sse: Schema.optionalKey(Schema.String)
}))
type Exchange = Omit<typeof Exchange.Type, "id"> & { readonly id: string }

/** What was counted for one protocol of one file. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
  readonly failures: Array<string>
  readonly unmodelled: Map<string, number>
}

/** Counts one line into the tally of its protocol. */
export const tally = (tallies: Map<string, Tally>, line: string, number: number): void => {
  const parsed = Schema.decodeUnknownResult(Exchange)(line)
  if (Result.isFailure(parsed)) {
    const into = tallyOf(tallies, "?")
    into.failed++
    into.failures.push(`line ${number}: ${parsed.failure.message}`)
    return
  }
  const exchange = { ...parsed.success, id: String(parsed.success.id) }
  const into = tallyOf(tallies, exchange.protocol)
  const protocol = protocols.get(exchange.protocol)
  const failed = exchange.status !== undefined && exchange.status >= 400
  for (const kind of ["request", "response"] as const) {
    const body = exchange[kind]
    if (body === undefined) continue
    if (protocol === undefined || failed && kind === "response") into.skipped++
    else count(into, protocol, kind, body, exchange, failed)
  }
  if (exchange.sse === undefined) return
  if (protocol === undefined || failed) into.skipped++
  else add(into, exchange.id, "sse", checkStream(protocol, exchange.sse, exchange.id))
}

/** A request that the provider refused need not be one that we understand. */
const count = (
  into: Tally,
  protocol: Protocol,
  kind: Kind,
  body: Schema.Json,
  { id }: Exchange,
  refused: boolean
): void => {
  if (refused && Result.isFailure(Schema.decodeUnknownResult(protocol.RequestFromWire)(body))) {
    into.skipped++
    return
  }
  add(into, id, kind, checkBody(protocol, kind, body, id))
}

const add = (into: Tally, id: string, kind: Kind | "sse", { breaches, unmodelled }: Verdict): void => {
  if (breaches.length === 0) into.passed++
  else into.failed++
  for (const { law, message, pointer } of breaches) {
    into.failures.push(`${id} ${kind} ${pointer || "/"}: ${law}: ${message}`)
  }
  for (const [word, n] of unmodelled) into.unmodelled.set(word, (into.unmodelled.get(word) ?? 0) + n)
}

const tallyOf = (tallies: Map<string, Tally>, protocol: string): Tally => {
  const tally = tallies.get(protocol) ?? { passed: 0, failed: 0, skipped: 0, failures: [], unmodelled: new Map() }
  tallies.set(protocol, tally)
  return tally
}

/** A tally as it is printed. */
export const report = (file: string, protocol: string, tally: Tally): ReadonlyArray<string> => [
  ...tally.failures,
  `${file} ${protocol}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`,
  ...(tally.unmodelled.size === 0
    ? []
    : [`  unmodelled: ${[...tally.unmodelled].toSorted().map(([word, n]) => `${word} ${n}`).join(", ")}`])
]

const checkFile = Effect.fn("Check.file")(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const stdio = yield* Stdio.Stdio
  const progress = (yield* stdio.stderrIsTerminal)
    ? bar(yield* fs.stat(file).pipe(Effect.map(({ size }) => Number(size))))
    : undefined
  const tallies = new Map<string, Tally>()
  let number = 0
  let bytes = 0
  yield* fs.stream(file).pipe(
    Stream.tap((chunk) => Effect.sync(() => void (bytes += chunk.length))),
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) =>
      Effect.suspend(() => {
        number++
        if (line.trim() !== "") tally(tallies, line, number)
        const shown = progress?.(bytes)
        return shown === undefined ? Effect.void : write(stdio, shown)
      })
    )
  )
  if (progress !== undefined) yield* write(stdio, "\r\u001b[K")
  if (tallies.size === 0) yield* Console.log(`${file}: 0 passed, 0 failed, 0 skipped`)
  for (const [protocol, tally] of tallies) for (const line of report(file, protocol, tally)) yield* Console.log(line)
  return [...tallies.values()].reduce((failed, tally) => failed + tally.failed, 0)
})

const write = (stdio: Stdio.Stdio, text: string) => Stream.run(Stream.succeed(text), stdio.stderr({ endOnDone: false }))

/** A line that says how far we are, in forty steps. */
const bar = (total: number) => {
  let shown = -1
  return (done: number): string | undefined => {
    const step = total === 0 ? 40 : Math.floor(done * 40 / total)
    if (step === shown) return undefined
    shown = step
    return `\r${"█".repeat(step)}${"░".repeat(40 - step)} ${Math.floor(step * 2.5)} %`
  }
}

/** `bellows check FILE.jsonl…`: prints a count for each file and protocol, and fails if anything failed. */
export const check = Command.make(
  "check",
  {
    files: Argument.Path("FILE.jsonl", { mustExist: true }).pipe(
      Argument.withDescription("Recorded exchanges, one JSON object a line"),
      Argument.atLeast(1)
    )
  },
  Effect.fn(function*({ files }) {
    let failed = 0
    for (const file of files) failed += yield* checkFile(file)
    if (failed > 0) return yield* new CliError.UserError({ cause: `${failed} failed` })
  })
).pipe(Command.withDescription("Check the laws on recorded exchanges"))
