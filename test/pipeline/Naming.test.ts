/** Names and ids that an API would refuse go out as others, and come back as they were. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, Stream } from "effect"
import * as Event from "../../src/canonical/Event.ts"
import * as Item from "../../src/canonical/Item.ts"
import type { Request } from "../../src/canonical/Request.ts"
import * as Response from "../../src/canonical/Response.ts"
import { isRecord } from "../../src/codec/index.ts"
import * as Client from "../../src/pipeline/Client.ts"
import * as Collect from "../../src/pipeline/Collect.ts"
import * as Naming from "../../src/pipeline/Naming.ts"
import type * as Wire from "../../src/pipeline/Wire.ts"
import * as AnthropicMessages from "../../src/protocol/anthropic-messages/index.ts"
import * as OpenAiResponses from "../../src/protocol/openai-responses/index.ts"
import type { Protocol } from "../../src/protocol/Protocol.ts"
import * as Echo from "../../src/provider/Echo.ts"
import * as InMemory from "../../src/provider/InMemory.ts"
import * as OpenAi from "../../src/provider/OpenAi.ts"
import * as OpenAiCompatible from "../../src/provider/OpenAiCompatible.ts"

const apis: ReadonlyArray<{
  readonly protocol: Protocol
  readonly client: Layer.Layer<Client.Client>
  readonly toolName: RegExp
  readonly callId: RegExp
}> = [
  {
    protocol: OpenAiResponses,
    client: Echo.layer,
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    callId: /^[\s\S]{1,64}$/
  },
  {
    protocol: AnthropicMessages,
    client: Echo.layerAnthropic,
    toolName: /^[a-zA-Z0-9_-]{1,128}$/,
    callId: /^[a-zA-Z0-9_-]+$/
  }
]

const tool = (name: string) => ({ type: "function", name, parameters: { type: "object" } }) as const
const names = ["github.create_issue", "météo/今日", "x".repeat(200), "x".repeat(201), "a.b", "a:b", "a_b", "fine-1", ""]
const ids = ["call_1|fc_2", "toolu:3", "0".repeat(300), "ид-①", "call_4"]

/** A conversation in which every tool has been called, under every id. */
const conversation: Request = {
  model: "m",
  tools: names.map(tool),
  items: [
    Item.user("hi"),
    ...ids.map((id, index) => Item.toolCall(id, names[index]!)),
    ...ids.map((id) => Item.toolResult(id, "done"))
  ]
}

/** Everything under one of these keys, at any depth, but not in a schema. */
const under = (value: unknown, ...keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.flatMap((child: unknown) => under(child, ...keys))
    : isRecord(value)
    ? Object.entries(value).flatMap(([key, child]) =>
      keys.includes(key) && typeof child === "string" ? [child] : under(child, ...keys)
    )
    : []
const namesIn = (wire: unknown) => under(wire, "name")
const idsIn = ({ protocol }: { readonly protocol: Protocol }, wire: unknown) =>
  protocol.name === AnthropicMessages.name
    ? under(isRecord(wire) ? wire.messages : undefined, "id", "tool_use_id")
    : under(wire, "call_id")

for (const api of apis) {
  const { callId, client, protocol, toolName } = api
  /** What goes out for a request, and what comes back. */
  const exchange = (ask: (client: Client.Client) => Effect.Effect<Response.Response, unknown>) =>
    Effect.gen(function*() {
      const seen: Array<Wire.Outgoing> = []
      const tapped = Client.tapWire(yield* Client.Client, (outgoing) => Effect.sync(() => seen.push(outgoing)))
      return { response: yield* ask(tapped), wire: seen[0]!.body }
    }).pipe(Effect.provide(client))
  const ways = {
    whole: (request: Request) => (client: Client.Client) => client.send(request),
    streaming: (request: Request) => (client: Client.Client) => Collect.run(protocol)(client.stream(request))
  }

  describe(`${protocol.name}`, () => {
    for (const [way, ask] of Object.entries(ways)) {
      it.effect(`${way}: every tool is called by the name that its caller gave it`, () =>
        Effect.gen(function*() {
          for (const name of names) {
            const request: Request = { ...conversation, toolChoice: { type: "tool", name } }
            const { response, wire } = yield* exchange(ask(request))
            assert.deepStrictEqual(Response.toolCalls(response).map(({ name }) => name), [name])
            for (const each of namesIn(wire)) assert.match(each, toolName)
            for (const each of idsIn(api, wire)) assert.match(each, callId)
            assert.strictEqual(new Set(namesIn(wire)).size, names.length)
            assert.strictEqual(new Set(idsIn(api, wire)).size, ids.length)
            assert.strictEqual(idsIn(api, wire).length, 2 * ids.length)
            assert.includeMembers([...namesIn(wire)], ["a_b", "fine-1"])
          }
        }))
    }

    it.effect("streaming: no event has another name", () =>
      Effect.gen(function*() {
        const request: Request = { ...conversation, toolChoice: { type: "tool", name: "github.create_issue" } }
        const events = yield* Stream.runCollect(Client.stream(request))
        const told = events.filter(({ _tag }) => _tag === "SlotStarted" || _tag === "SlotDone" || _tag === "Finished")
        const called = told.flatMap((event) => {
          const { items = [], response } = event as {
            readonly items?: Item.Items
            readonly response?: Response.Response
          }
          return [...items, ...response?.items ?? []].flatMap((item) => item.type === "tool-call" ? [item.name] : [])
        })
        assert.isAtLeast(called.length, 1)
        assert.deepStrictEqual([...new Set(called)], ["github.create_issue"])
      }).pipe(Effect.provide(client)))

    it("a name goes out the same each time, also in another conversation", () => {
      const [one, other] = [Naming.named(protocol.limits), Naming.named(protocol.limits)]
      const first = one(conversation).request
      const second = other({ items: [], tools: [tool("other"), tool("github.create_issue")] }).request
      assert.deepStrictEqual(second.tools?.[1], first.tools?.[0])
    })

    it.effect.prop(
      "out and back is the identity, and all that goes out is taken and distinct",
      [Schema.Array(Schema.Union([Schema.String, Schema.Literals(names)])), Schema.Array(Schema.String)],
      ([some, others]) =>
        Effect.sync(() => {
          const own = [...new Set(some)]
          const calls = [...new Set(others)]
          const request: Request = {
            tools: own.map(tool),
            items: [
              ...calls.map((id, index) => Item.toolCall(id, own[index % own.length] ?? "gone.tool")),
              ...calls.map((id) => Item.toolResult(id, "done"))
            ]
          }
          const { request: out, restore } = Naming.named(protocol.limits)(request)
          const sent = out.tools!.map((tool) => tool.type === "function" ? tool.name : "")
          const sentIds = out.items.map((item) =>
            item.type === "tool-call" || item.type === "tool-result" ? item.id : ""
          )
          for (const name of sent) assert.match(name, toolName)
          for (const id of sentIds) assert.match(id, callId)
          assert.strictEqual(new Set(sent).size, own.length)
          assert.strictEqual(new Set(sentIds).size, calls.length)
          assert.deepStrictEqual(sentIds.slice(0, calls.length), sentIds.slice(calls.length))
          if (restore === undefined) return assert.strictEqual(out, request)
          const called = sent.map((name) => Item.toolCall("id", name))
          const back = restore.response({ items: called, finishReason: "tool-calls" })
          assert.deepStrictEqual(Response.toolCalls(back).map(({ name }) => name), own)
        }),
      { arbitrary: { runs: 500 } }
    )
  })
}

describe("a request", () => {
  const named = Naming.named(OpenAiResponses.limits)

  it("with names that are fine is the same object", () => {
    const request: Request = {
      items: [Item.toolCall("call_1", "fine"), Item.toolResult("call_1", "")],
      tools: [tool("fine")]
    }
    assert.deepStrictEqual(named(request), { request })
    assert.strictEqual(named(request).request, request)
  })

  it("that grows has the same objects again, so that their encoding is known", () => {
    const first = named(conversation).request
    const second = named({ ...conversation, items: [...conversation.items, Item.user("more")] }).request
    first.items.forEach((item, index) => assert.strictEqual(second.items[index], item))
    first.tools?.forEach((tool, index) => assert.strictEqual(second.tools?.[index], tool))
    assert.strictEqual(first.items[0], conversation.items[0])
  })

  it("names tools in every place: choices, changes, custom tools, references", () => {
    const { request } = named({
      items: [
        { type: "tools", action: "added", tools: [tool("a.b"), { type: "reference", name: "c.d" }] },
        { type: "tool-call", id: "call_1", name: "e.f", input: "x", kind: "custom_tool_call" }
      ],
      tools: [tool("a.b"), { type: "custom", name: "e.f" }],
      toolChoice: {
        type: "allowed",
        mode: "auto",
        tools: [{ type: "function", name: "a.b" }, { type: "mcp", server_label: "s", name: "g.h" }]
      }
    })
    const out = JSON.stringify(request)
    for (const name of ["a.b", "c.d", "e.f"]) assert.notInclude(out, name)
    assert.strictEqual(new Set(namesIn(request)).size, 4)
  })

  it("leaves alone what a provider names", () => {
    const request: Request = {
      items: [
        { type: "tools", action: "listed", server: "s", tools: [tool("server.tool")] },
        { type: "tool-call", id: "mcp|1", name: "server.tool", server: "s", kind: "mcp_call", providerExecuted: true },
        { type: "tool-result", id: "mcp|1", kind: "mcp_call", providerExecuted: true }
      ]
    }
    assert.strictEqual(Naming.named(AnthropicMessages.limits)(request).request, request)
  })

  it("takes another replacement where the first is somebody's name", () => {
    const replacement = namesIn(named({ items: [], tools: [tool("a.b")] }).request)[0]!
    const sent = namesIn(named({ items: [], tools: [tool(replacement), tool("a.b")] }).request)
    assert.strictEqual(sent[0], replacement)
    assert.match(sent[1]!, /^a_b_\w{10}$/)
    assert.notStrictEqual(sent[1], replacement)
  })

  it("of a protocol without limits goes out as it is", () => {
    assert.strictEqual(Naming.named()(conversation).request, conversation)
  })

  it.effect("keeps ids of any length for a server that may have a meaning for them", () =>
    Effect.gen(function*() {
      const id = `call_1__${"p".repeat(500)}`
      const items = [Item.user("hi"), Item.toolCall(id, "a.b"), Item.toolResult(id, "done")]
      const sent: Array<unknown> = []
      const network = InMemory.layer(({ body }) => {
        sent.push(body)
        return { status: 500 }
      })
      for (const make of [OpenAiCompatible.make(), OpenAi.make({ limits: {} }), OpenAi.make()]) {
        const client = yield* Effect.provide(make, network)
        yield* Effect.flip(client.send({ model: "m", items }))
      }
      const [compatible, any, openAi] = sent
      assert.deepStrictEqual([...under(compatible, "call_id"), ...under(any, "call_id")], [id, id, id, id])
      assert.notInclude(namesIn(compatible), "a.b")
      assert.include(namesIn(any), "a.b")
      assert.strictEqual(under(openAi, "call_id")[0]?.length, 64)
    }))

  it.effect("that is cut off tells what came by the caller's names", () =>
    Effect.gen(function*() {
      let sent = ""
      const network = InMemory.layer(({ body }) => {
        sent = namesIn(body)[0]!
        const wires = Event.ofResponse({ id: "r", items: [Item.toolCall("call_1", sent)], finishReason: "tool-calls" })
          .slice(0, -1)
        let state: unknown = OpenAiResponses.stream.encode.initial
        const lines: Array<string> = []
        for (const event of wires) {
          const [next, out] = OpenAiResponses.stream.encode.step(state as never, event)
          state = next
          lines.push(...out.map((wire) => `data: ${JSON.stringify(wire)}\n\n`))
        }
        return { headers: { "content-type": "text/event-stream" }, text: lines.join("") }
      })
      const client = yield* Effect.provide(OpenAi.make({ apiKey: Redacted.make("sk-0123456789") }), network)
      const request: Request = { model: "m", items: [Item.user("hi")], tools: [tool("a.b")] }
      const error = yield* Effect.flip(Stream.runDrain(client.stream(request)))
      assert.strictEqual(error.reason._tag, "StreamTruncated")
      if (error.reason._tag !== "StreamTruncated") return
      assert.notStrictEqual(sent, "a.b")
      assert.deepStrictEqual(Response.toolCalls(error.reason.collected!).map(({ name }) => name), ["a.b"])
    }))
})
