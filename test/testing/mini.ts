/** A protocol of a few words, to test the tests with. */
import { Schema } from "effect"
import { Event, Failure, Item, Part, Request, Response, Tool } from "../../src/canonical/index.ts"
import { as, expanded, list, onlyText, protocol, shorthand, transform } from "../../src/codec/index.ts"
import type { Protocol } from "../../src/protocol/Protocol.ts"

const { open, variant } = protocol("mini")

const Text = variant(Part.Text, { type: "t" }, { text: "text" })
const content = shorthand(list(open(Part.Part, Text)), Schema.String, {
  expand: (text) => [{ type: "t" as const, text }],
  compress: (parts) => onlyText(parts, "t")
})
const instructions = list(open(Schema.Union([Part.Text, Part.Unmodelled]), Text))
const items = list(
  open(
    Item.Item,
    variant(Item.Message, { type: "m", role: "user" }, { parts: as("content", content) }, { role: "user" })
  )
)
const tools = list(open(Tool.Tool))
const toolChoice = open(Tool.ToolChoice)
const responseFormat = open(Request.ResponseFormat)
const request = variant(Request.Request, {}, { model: "model", items: as("input", items) })
const response = variant(Response.Response, {}, { items: as("output", items), finishReason: "why", model: "model" })

const spelt = (body: Schema.Json): Schema.Json =>
  typeof body === "object" && body !== null && "input" in body && Array.isArray(body.input)
    ? {
      ...body,
      input: body.input.map((item: Schema.Json) =>
        typeof item === "object" && item !== null && "content" in item && typeof item.content === "string"
          ? { ...item, content: [{ type: "t", text: item.content }] }
          : item
      )
    }
    : body

const isEvent = Schema.is(Event.Event)

/** Its events are the canonical ones, as they stand. */
const stream: Protocol["stream"] = {
  request: (wire) => ({ ...Object(wire), stream: true }),
  decode: {
    initial: undefined,
    step: (state, wire) => [state, [isEvent(wire) ? wire : { _tag: "Unmodelled", protocol: "mini", raw: wire }]]
  },
  encode: {
    initial: undefined,
    step: (state, event) => [state, [event._tag === "Unmodelled" ? event.raw : asJson(event)]]
  },
  nameOf: (wire) => isEvent(wire) ? wire._tag : undefined,
  group: (slots) => slots.flat(),
  meaning: (wire) => wire
}
const asJson = Schema.decodeUnknownSync(Schema.Json)

export const mini: Protocol = {
  name: "mini",
  schemas: "openai",
  RequestFromWire: request,
  ResponseFromWire: response,
  FailureFromWire: variant(Failure.Failure, {}, { message: "message" }, { kind: "other" }),
  pieces: { request, content, items, instructions, tools, toolChoice, mcpServers: tools, responseFormat },
  ExpandedFromWire: {
    request: expanded(request),
    content: expanded(content),
    items: expanded(items),
    instructions: expanded(instructions),
    tools: expanded(tools),
    toolChoice: expanded(toolChoice),
    mcpServers: expanded(tools),
    responseFormat: expanded(responseFormat)
  },
  meaning: { request: spelt, response: (body) => body },
  stream,
  defaults: {}
}

/** The same, but it forgets a word that it knows nothing of. */
export const lossy: Protocol = {
  ...mini,
  RequestFromWire: transform(request, Request.Request, {
    decode: ({ providerOptions: _, ...known }) => known,
    encode: (request) => request
  })
}
