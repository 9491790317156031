/** Checks the checks of streams: a protocol that keeps to the laws passes, one that does not is found out. */
import { assert, describe, it } from "@effect/vitest"
import * as Event from "../../src/canonical/Event.ts"
import * as Item from "../../src/canonical/Item.ts"
import type { Response } from "../../src/canonical/Response.ts"
import * as Frames from "../../src/pipeline/Frames.ts"
import * as Machine from "../../src/pipeline/Machine.ts"
import type { Machine as Steps, Protocol } from "../../src/protocol/Protocol.ts"
import { RecordedStream } from "../../src/testing/index.ts"
import { mini } from "./mini.ts"

const response: Response = { model: "m", items: [Item.user("hello")], finishReason: "stop" }
const wires = Machine.run(mini.stream.encode)(Event.ofResponse(response))
const sse = wires.map((wire) => Frames.write(Frames.frameOf(mini.stream)(wire))).join("")
const lawsBroken = (protocol: Protocol, text = sse) =>
  RecordedStream.check(protocol, text, "seed").breaches.map(({ law }) => law)

const decoding = (step: Steps<unknown, Event.Event, Event.Event>["step"]): Protocol => ({
  ...mini,
  stream: {
    ...mini.stream,
    decode: {
      initial: undefined,
      step: (state, wire) => {
        const [, [event]] = mini.stream.decode.step(undefined, wire)
        return event === undefined ? [state, []] : step(state, event)
      }
    }
  }
})

describe("check", () => {
  it("passes a protocol that keeps them, and counts what is not modelled", () => {
    const { breaches, unmodelled } = RecordedStream.check(mini, `${sse}data: {"type":"ping"}\n\n`, "seed")
    assert.deepStrictEqual(breaches, [])
    assert.deepStrictEqual([...unmodelled], [["event ping", 1]])
  })

  it("takes slots by their order, not by their numbers", () => {
    const spaced: Protocol = {
      ...mini,
      stream: {
        ...mini.stream,
        encode: {
          initial: undefined,
          step: (state, event) =>
            mini.stream.encode.step(state, "slot" in event ? { ...event, slot: 2 * event.slot + 1 } : event)
        }
      }
    }
    assert.deepStrictEqual(lawsBroken(spaced), [])
  })

  it("finds a stream that cannot be read, or has no end", () => {
    assert.include(lawsBroken(mini, `data: {oops\n\n${sse}`), "framing")
    assert.include(lawsBroken(mini, sse.slice(0, 300)), "6: a stream ends")
  })

  it("finds one that loses text, or stumbles over what it does not know", () => {
    const deaf = decoding((state, event) => [state, event._tag === "SlotDone" ? [{ ...event, items: [] }] : [event]])
    assert.include(lawsBroken(deaf), "6: collect(decode(stream)) means decode(body)")
    const nervous = decoding((state, event) => [
      event._tag === "Unmodelled" ? "lost" : state,
      state === "lost" && event._tag !== "Unmodelled" ? [] : [event]
    ])
    assert.isTrue(lawsBroken(nervous).some((law) => law.startsWith("5: ")))
    const forgetful: Protocol = {
      ...mini,
      stream: {
        ...mini.stream,
        encode: {
          initial: undefined,
          step: (state, event) => event._tag === "TextDelta" ? [state, []] : mini.stream.encode.step(state, event)
        }
      }
    }
    assert.include(lawsBroken(forgetful), "1: decode(encode(events)) is events")
  })
})
