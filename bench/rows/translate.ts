/** A request of one protocol as a request of the other. */
import { messages, tools, wireText } from "../bodies.ts"
import { fresh, json, measure, parsed, repeated } from "../measure.ts"
import { exchanges, type Kept, keptIn } from "../peers/check.ts"
import * as llmBridge from "../peers/llm-bridge.ts"
import { type Name, translate } from "../protocols.ts"
import { table, times } from "../table.ts"

const rows = async (from: Name, to: Name): Promise<void> => {
  const text = wireText(from)
  const body = parsed<unknown>(text)
  const same = body()
  const kept = {
    bellows: keptIn("bellows", translate[from](body())),
    // What comes of its calls is for the reader to see: the API on the other side refuses a result without its call.
    llmBridge: keptIn("llm-bridge", llmBridge.translate[from](body()))
  }
  const taken = await measure({
    json: json(text),
    fresh: fresh(body, translate[from]),
    repeated: repeated(() => translate[from](same)),
    llmBridge: fresh(body, llmBridge.translate[from])
  })
  const row = (title: string, time: number, { calls, results }: Kept) =>
    [title, times(time / taken.json), `${calls} of ${exchanges}`, `${results} of ${exchanges}`] as const
  table(`${from} to ${to}, ${messages} messages, ${tools} tools`, ["x JSON", "tool calls kept", "results kept"], [
    row("bellows, fresh body", taken.fresh, kept.bellows),
    row("bellows, same body again", taken.repeated, kept.bellows),
    row("llm-bridge, fresh body", taken.llmBridge, kept.llmBridge)
  ])
}

await rows("anthropic-messages", "openai-responses")
await rows("openai-responses", "anthropic-messages")
