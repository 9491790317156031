/**
 * A conversation grown to 200 turns, a request sent at each: whenever the user or a tool has spoken. The items stay the
 * same objects; each turn makes a new list of them. To encode all of it each time costs about 100 times the last request.
 */
import type * as Request from "../../src/canonical/Request.ts"
import { words } from "../answers.ts"
import { canonical } from "../bodies.ts"
import { fresh, type Job, measure, parsed } from "../measure.ts"
import * as aiSdk from "../peers/ai-sdk.ts"
import * as piAi from "../peers/pi-ai.ts"
import { type Name, names, protocols } from "../protocols.ts"
import { table, times } from "../table.ts"

const turns = 200

type Entry = { readonly type?: unknown; readonly role?: unknown }

/** Is it then the model's turn? */
const hands = ({ role, type }: Entry): boolean =>
  role === "user" || role === "tool" || role === "toolResult" || type === "tool-result"

/** The conversation at every turn. */
function* grown(all: ReadonlyArray<Entry>): Iterable<ReadonlyArray<Entry>> {
  let soFar: ReadonlyArray<Entry> = []
  let said: Array<Entry> = []
  for (const entry of all) {
    said.push(entry)
    if (!hands(entry)) continue
    soFar = [...soFar, ...said]
    said = []
    yield soFar
  }
}

/** One request at the end, and one at every turn. */
const jobs = <A>(
  make: () => A,
  list: (value: A) => ReadonlyArray<Entry>,
  send: (value: A, list: ReadonlyArray<Entry>) => unknown
): Readonly<Record<"once" | "grown", Job>> => {
  const sent = [...grown(list(make()))].length
  if (sent !== turns) throw new Error(`Expected ${turns} turns, got ${sent}`)
  return {
    once: fresh(make, (value) => send(value, list(value))),
    // The lists are the caller's: to make them is not what is measured.
    grown: fresh(() => {
      const value = make()
      return { value, lists: [...grown(list(value))] }
    }, ({ lists, value }) => {
      let sent: unknown
      for (const soFar of lists) {
        sent = sent instanceof Promise ? sent.then(() => send(value, soFar)) : send(value, soFar)
      }
      return sent
    })
  }
}

const timesOf = async (name: Name) => {
  const { encode } = protocols[name].request
  const request = parsed<Request.Request>(JSON.stringify(canonical(name, turns * 2 - 1)))
  const ask = aiSdk.ask(name, words[name])
  const options = { rounds: 5 }
  return {
    bellows: await measure(
      jobs(request, (it) => it.items, (it, items) => encode({ ...it, items: items as Request.Request["items"] })),
      options
    ),
    "pi-ai": await measure(
      jobs(
        () => piAi.contextOf(name, request()),
        (it) => it.messages,
        (it, messages) => piAi.encode[name]({ ...it, messages })
      ),
      options
    ),
    "AI SDK": await measure(
      jobs(
        () => aiSdk.callOf(name, request()),
        (it) => it.messages.filter(({ role }) => role !== "system"),
        (it, messages) => {
          const system = it.messages.filter(({ role }) => role === "system")
          return ask({ ...it, messages: [...system, ...messages as aiSdk.Call["messages"]] })
        }
      ),
      options
    )
  }
}

const taken = {
  "anthropic-messages": await timesOf("anthropic-messages"),
  "openai-responses": await timesOf("openai-responses")
}
table(
  `a request at each of ${turns} turns, x the last one alone`,
  names,
  (["bellows", "pi-ai", "AI SDK"] as const).map((who) => [
    who,
    ...names.map((name) => times(taken[name][who].grown / taken[name][who].once))
  ])
)
