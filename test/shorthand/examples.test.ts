/** What may be written, and what it is in canonical form, by example; each is also written back as short as may be. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Item from "../../src/canonical/Item.ts"
import * as Shorthand from "../../src/shorthand/index.ts"

type Example = readonly [name: string, written: unknown, canonical: unknown, back?: unknown]

/** Reads each example, and writes it back as it was, or as its last column says. */
const examples = <A>(codec: Schema.Codec<A, unknown>, rows: ReadonlyArray<Example>): void => {
  const decode = Schema.decodeUnknownSync(codec)
  const encode = Schema.encodeSync(codec)
  for (const [name, written, canonical, back = written] of rows) {
    it(name, () => {
      const value = decode(written)
      assert.deepStrictEqual<unknown>(value, canonical)
      assert.deepStrictEqual(encode(value), back)
    })
  }
}

const url = "https://a.example/b.png?X-Sig=abc%2F==&e=3.6"
const text = (text: string) => ({ type: "text", text })
const image = { type: "image", source: { type: "url", url } }
const base64 = (mediaType: string, data: string, parameters?: string) => ({
  type: "base64",
  mediaType,
  data,
  ...parameters === undefined ? undefined : { parameters }
})

describe("Source", () =>
  examples(Shorthand.Source, [
    ["a URL keeps every byte", url, { type: "url", url }],
    ["any scheme", "gs://bucket/a b", { type: "url", url: "gs://bucket/a b" }],
    ["a data URI", "data:image/png;base64,AAAA", base64("image/png", "AAAA")],
    ["parameters", "data:text/plain;charset=utf-8;base64,AAAA", base64("text/plain", "AAAA", ";charset=utf-8")],
    ["no base64", "data:text/plain,a%20b", base64("text/plain", "YSBi"), "data:text/plain;base64,YSBi"],
    ["capitals", "DATA:image/png;BASE64,AAAA", base64("image/png", "AAAA"), "data:image/png;base64,AAAA"],
    ["an empty payload", "data:application/pdf;base64,", base64("application/pdf", "")],
    [
      "no media type",
      "data:,x",
      base64("text/plain", "eA==", ";charset=US-ASCII"),
      "data:text/plain;charset=US-ASCII;base64,eA=="
    ],
    [
      "base64 by itself",
      { data: "AAAA", mediaType: "image/png" },
      base64("image/png", "AAAA"),
      "data:image/png;base64,AAAA"
    ],
    [
      "in snake case",
      { data: "AAAA", media_type: "image/png" },
      base64("image/png", "AAAA"),
      "data:image/png;base64,AAAA"
    ],
    [
      "bytes",
      { data: new Uint8Array([0, 0, 0]), mediaType: "image/png" },
      base64("image/png", "AAAA"),
      "data:image/png;base64,AAAA"
    ],
    ["a URL object", new URL(url), { type: "url", url }, url],
    ["a URL object in an object", { url: new URL(url) }, { type: "url", url }, url],
    ["a URL in an object", { url }, { type: "url", url }, url],
    [
      "a data URI in an object",
      { url: "data:image/png;base64,AAAA" },
      base64("image/png", "AAAA"),
      "data:image/png;base64,AAAA"
    ],
    ["a canonical URL stays one", { type: "url", url: "data:,x" }, { type: "url", url: "data:,x" }],
    ["a file", { fileId: "file_1" }, { type: "file", id: "file_1" }],
    ["a file in snake case", { file_id: "file_1" }, { type: "file", id: "file_1" }, { fileId: "file_1" }],
    ["a text", { text: "plain" }, { type: "text", text: "plain" }],
    ["a canonical source", base64("image/png", "AAAA"), base64("image/png", "AAAA"), "data:image/png;base64,AAAA"]
  ]))

describe("Content", () =>
  examples(Shorthand.Content, [
    ["text", "hi", [text("hi")]],
    ["empty text is text", "", [text("")]],
    ["a text", { text: "hi" }, [text("hi")], "hi"],
    ["an image", { image: url }, [image]],
    ["a document", { document: url, title: "T", filename: "b.pdf" }, [{
      type: "document",
      source: image.source,
      title: "T",
      filename: "b.pdf"
    }], { document: url, filename: "b.pdf", title: "T" }],
    ["audio and video", [{ audio: url }, { video: url }], [{ type: "audio", source: image.source }, {
      type: "video",
      source: image.source
    }]],
    [
      "several keys in one object, in one order",
      { image: url, text: "hi", detail: "low", lang: "en", cache: true },
      [
        { ...text("hi"), providerOptions: { "*": { lang: "en" } } },
        { ...image, detail: "low", cache: {} }
      ],
      [{ text: "hi", lang: "en" }, { image: url, detail: "low", cache: true }]
    ],
    ["a list", ["a", { text: "b" }, { image: url }], [text("a"), text("b"), image], ["a", "b", { image: url }]],
    ["a cache marker", { text: "hi", cache: "1h" }, [{ ...text("hi"), cache: { ttl: "1h" } }]],
    ["no cache marker", { text: "hi", cache: false }, [text("hi")], "hi"],
    ["other keys go anywhere", { text: "hi", lang: "en" }, [{
      ...text("hi"),
      providerOptions: { "*": { lang: "en" } }
    }]],
    ["Anthropic's cache marker", { text: "hi", cache_control: { type: "ephemeral" } }, [{ ...text("hi"), cache: {} }], {
      text: "hi",
      cache: true
    }],
    ["its duration", { image: url, cache_control: { type: "ephemeral", ttl: "1h" } }, [
      { ...image, cache: { ttl: "1h" } }
    ], { image: url, cache: "1h" }],
    ["its other keys", { text: "hi", cache_control: { type: "ephemeral", scope: "all" } }, [
      { ...text("hi"), cache: { providerOptions: { "*": { scope: "all" } } } }
    ], { text: "hi", cache: { scope: "all" } }],
    ["no marker of Anthropic's", { text: "hi", cache_control: null }, [text("hi")], "hi"],
    ["a canonical key of that name stays", { text: "hi", providerOptions: { "*": { cache_control: { x: 1 } } } }, [
      { ...text("hi"), providerOptions: { "*": { cache_control: { x: 1 } } } }
    ]],
    ["a detail beside the URL is the image's", { image: { url, detail: "low" } }, [{ ...image, detail: "low" }], {
      image: url,
      detail: "low"
    }],
    ["a source keeps a detail of its own", { type: "image", source: { url, detail: "low" } }, [
      { type: "image", source: { ...image.source, providerOptions: { "*": { detail: "low" } } } }
    ]],
    ["a URL object", { image: new URL(url) }, [image], { image: url }],
    ["undefined is absent", { text: "hi", image: undefined, lang: undefined }, [text("hi")], "hi"],
    ["canonical parts", [text("a"), { type: "refusal", text: "no" }], [text("a"), { type: "refusal", text: "no" }], [
      "a",
      {
        type: "refusal",
        text: "no"
      }
    ]],
    ["a type that says no more than the key", { type: "image", image: url }, [image], { image: url }],
    ["nothing at all", [], []]
  ]))

describe("Instructions", () =>
  examples(Shorthand.Instructions, [
    ["text", "be brief", [text("be brief")]],
    ["a block", { text: "be brief", cache: true }, [{ ...text("be brief"), cache: {} }]],
    ["a list", ["a", { text: "b" }], [text("a"), text("b")], ["a", "b"]]
  ]))

describe("Items", () => {
  const user = Item.user
  const call = { type: "tool-call", id: "c", name: "f", arguments: "{\"a\":1}" }
  const free = { type: "tool-call", id: "c", name: "sql", input: "select 1", kind: "custom_tool_call" }
  const chatCall = { id: "c", type: "function", function: { name: "f", arguments: "{\"a\":1}" } }
  const result = { type: "tool-result", id: "c", output: [text("3")] }
  examples(Shorthand.Items, [
    ["text", "hi", [user("hi")]],
    ["content", { image: url }, [{ type: "message", role: "user", parts: [image] }]],
    ["one piece in a list", ["hi"], [user("hi")], "hi"],
    ["several pieces are one message", ["look", { image: url }], [{
      type: "message",
      role: "user",
      parts: [text("look"), image]
    }]],
    [
      "among items, neighbouring pieces are one message",
      ["a", "b", { role: "assistant", text: "c" }, "d"],
      [{ type: "message", role: "user", parts: [text("a"), text("b")] }, Item.assistant("c"), user("d")]
    ],
    ["neighbouring messages of the user stay apart", ["a", { role: "user", text: "b" }], [user("a"), user("b")]],
    ["a message", { role: "developer", content: "hi" }, [Item.developer("hi")], { role: "developer", text: "hi" }],
    ["a message with other keys", { role: "user", text: "hi", name: "ann" }, [{
      ...user("hi"),
      providerOptions: { "*": { name: "ann" } }
    }]],
    ["a message with several content keys", { role: "assistant", text: "hi", image: url }, [{
      type: "message",
      role: "assistant",
      parts: [text("hi"), image]
    }]],
    ["content without a role", { content: "hi" }, [user("hi")], "hi"],
    ["a marker on a message is on its last part", { role: "user", content: ["a", "b"], cache: true }, [{
      type: "message",
      role: "user",
      parts: [text("a"), { ...text("b"), cache: {} }]
    }], ["a", { text: "b", cache: true }]],
    ["Anthropic's marker on a message", { role: "user", content: "a", cache_control: { type: "ephemeral" } }, [{
      type: "message",
      role: "user",
      parts: [{ ...text("a"), cache: {} }]
    }], { text: "a", cache: true }],
    ["Anthropic's marker on a result", { tool_use_id: "c", content: "3", cache_control: { type: "ephemeral" } }, [
      { ...result, cache: {} }
    ], { toolCallId: "c", output: "3", cache: true }],
    ["a call and its result", [{ id: "c", name: "f", input: { a: 1 } }, { toolCallId: "c", output: "3" }], [
      call,
      result
    ]],
    ["arguments keep their text", { id: "c", name: "f", arguments: "{ \"a\" : 1 }" }, [{
      ...call,
      arguments: "{ \"a\" : 1 }"
    }]],
    ["arguments as an object", { id: "c", name: "f", arguments: { a: 1 } }, [call], {
      id: "c",
      name: "f",
      input: { a: 1 }
    }],
    ["free text of a custom tool", { id: "c", name: "sql", input: "select 1" }, [
      free
    ]],
    ["what comes of it", [{ id: "c", name: "sql", input: "select 1" }, { toolCallId: "c", output: "3" }], [
      free,
      { ...result, kind: "custom_tool_call_output" }
    ]],
    ["free text of another kind", [
      { id: "c", name: "sql", input: "select 1", kind: "other" },
      { toolCallId: "c", output: "3" }
    ], [{ ...free, kind: "other" }, result]],
    [
      "canonical free text is of no kind but its own",
      [{ type: "tool-call", id: "c", name: "sql", input: "select 1" }, { toolCallId: "c", output: "3" }],
      [{ type: "tool-call", id: "c", name: "sql", input: "select 1" }, result]
    ],
    ["a canonical result stays of no kind", [
      { id: "c", name: "sql", input: "select 1" },
      { type: "tool-result", id: "c", output: "3" }
    ], [free, result]],
    [
      "calls in a message of the assistant",
      [{ role: "assistant", content: "Let me see.", tool_calls: [chatCall] }, {
        role: "tool",
        tool_call_id: "c",
        name: "f",
        content: "3"
      }],
      [Item.assistant("Let me see."), call, result],
      [{ role: "assistant", text: "Let me see." }, { id: "c", name: "f", input: { a: 1 } }, {
        toolCallId: "c",
        output: "3"
      }]
    ],
    ["calls alone", { role: "assistant", content: null, tool_calls: [chatCall] }, [call], {
      id: "c",
      name: "f",
      input: { a: 1 }
    }],
    ["calls in camel case", { role: "assistant", content: "", toolCalls: [{ id: "c", name: "f", input: { a: 1 } }] }, [
      call
    ], { id: "c", name: "f", input: { a: 1 } }],
    [
      "a custom call in a message",
      {
        role: "assistant",
        tool_calls: [{ id: "c", type: "custom", custom: { name: "sql", input: "select 1" } }]
      },
      [free],
      { id: "c", name: "sql", input: "select 1" }
    ],
    ["no calls in a message", { role: "assistant", content: "a", tool_calls: null }, [Item.assistant("a")], {
      role: "assistant",
      text: "a"
    }],
    ["a tool message", { role: "tool", tool_call_id: "c", content: "3" }, [result], { toolCallId: "c", output: "3" }],
    ["a failed result", { tool_use_id: "c", content: "3", is_error: true }, [{ ...result, isError: true }], {
      toolCallId: "c",
      output: "3",
      isError: true
    }],
    ["a result that is data", { call_id: "c", output: { type: "json", value: { t: 21 } } }, [
      { ...result, output: { type: "json", value: { t: 21 } } }
    ], { toolCallId: "c", output: { type: "json", value: { t: 21 } } }],
    [
      "canonical items",
      [user("a"), Item.assistant("b"), call, result],
      [user("a"), Item.assistant("b"), call, result],
      [
        "a",
        { role: "assistant", text: "b" },
        { id: "c", name: "f", input: { a: 1 } },
        { toolCallId: "c", output: "3" }
      ]
    ],
    ["nothing at all", [], []]
  ])
})

describe("Tools", () => {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
  const weather = { type: "function", name: "weather", parameters }
  const short = { name: "weather", parameters }
  const City = Schema.Struct({ city: Schema.String })
  const Tree = Schema.Struct({
    name: Schema.String,
    children: Schema.Array(Schema.suspend((): Schema.Codec<unknown> => Tree))
  }).annotate({ identifier: "Tree" })
  examples(Shorthand.Tools, [
    ["a name", [{ name: "now" }], [{ type: "function", name: "now" }]],
    ["parameters", [short], [weather]],
    ["inputSchema", [{ name: "weather", inputSchema: parameters }], [weather], [short]],
    ["Anthropic's form", [{ name: "weather", input_schema: parameters, cache_control: { type: "ephemeral" } }], [
      { ...weather, cache: {} }
    ], [{ ...short, cache: true }]],
    ["its type", [{ type: "custom", name: "weather", input_schema: parameters }], [weather], [short]],
    ["OpenAI's flat form", [{ type: "function", name: "weather", parameters, strict: false }], [{
      ...weather,
      strict: false
    }], [
      { ...short, strict: false }
    ]],
    ["OpenAI's nested form", [{ type: "function", function: { name: "weather", parameters, strict: false } }], [
      { ...weather, strict: false }
    ], [{ ...short, strict: false }]],
    ["null is absent", [{ name: "now", description: null, strict: null }], [{ type: "function", name: "now" }], [{
      name: "now"
    }]],
    ["parameters win", [{ name: "weather", parameters, input_schema: {} }], [weather], [short]],
    ["a custom tool", [{ type: "custom", name: "sql", format: { type: "text" } }], [
      { type: "custom", name: "sql", format: { type: "text" } }
    ]],
    ["a hosted tool", [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }], [{
      type: "unmodelled",
      protocol: "*",
      raw: { type: "web_search_20250305", name: "web_search", max_uses: 2 }
    }]],
    ["the tools of a server", [{ type: "mcp", server: "crm" }], [{ type: "mcp", server: "crm" }]],
    ["an Effect Schema", [{ name: "weather", parameters: City }], [
      { ...weather, parameters: { ...parameters, additionalProperties: false } }
    ], [{ ...short, parameters: { ...parameters, additionalProperties: false } }]]
  ])

  const decode = Schema.decodeUnknownSync(Shorthand.Tools)

  it("derives a schema once", () => {
    const [one] = decode([{ name: "a", parameters: City }])
    const [other] = decode([{ name: "b", parameters: City }])
    assert.isTrue(one?.type === "function" && other?.type === "function" && one.parameters === other.parameters)
  })

  it("keeps the definitions of a schema that contains itself, with its type at the root", () => {
    const [tool] = decode([{ name: "plant", parameters: Tree }])
    const tree = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
      required: ["name", "children"],
      additionalProperties: false
    }
    assert.deepStrictEqual<unknown>(tool, {
      type: "function",
      name: "plant",
      parameters: { ...tree, $defs: { Tree: tree } }
    })
  })
})

describe("ToolChoice", () =>
  examples(Shorthand.ToolChoice, [
    ["auto", "auto", { type: "auto" }],
    ["required", "required", { type: "required" }],
    ["any", "any", { type: "required" }, "required"],
    ["none", { type: "none" }, { type: "none" }, "none"],
    ["a name", { name: "f" }, { type: "tool", name: "f" }],
    ["OpenAI's form", { type: "function", name: "f" }, { type: "tool", name: "f" }, { name: "f" }],
    ["its nested form", { type: "function", function: { name: "f" } }, { type: "tool", name: "f" }, { name: "f" }],
    ["a custom tool", { type: "custom", name: "f" }, { type: "tool", name: "f", kind: "custom" }, {
      name: "f",
      kind: "custom"
    }],
    ["other keys", { type: "any", disable_parallel_tool_use: true }, {
      type: "required",
      providerOptions: { "*": { disable_parallel_tool_use: true } }
    }, { type: "required", disable_parallel_tool_use: true }],
    ["some tools", { type: "allowed_tools", mode: "auto", tools: [] }, { type: "allowed", mode: "auto", tools: [] }, {
      type: "allowed",
      mode: "auto",
      tools: []
    }]
  ]))

describe("ResponseFormat", () => {
  const schema = { type: "object" }
  examples(Shorthand.ResponseFormat, [
    ["text", "text", { type: "text" }],
    ["json", "json", { type: "json" }],
    ["json_object", { type: "json_object" }, { type: "json" }, "json"],
    ["a schema", { schema }, { type: "json-schema", name: "response", schema }],
    ["a named schema", { name: "spot", schema, strict: false }, {
      type: "json-schema",
      name: "spot",
      schema,
      strict: false
    }],
    ["the flat form", { type: "json_schema", name: "spot", schema }, { type: "json-schema", name: "spot", schema }, {
      name: "spot",
      schema
    }],
    [
      "the nested form, where what stands outside wins",
      { type: "json_schema", strict: false, json_schema: { name: "spot", schema, strict: true } },
      { type: "json-schema", name: "spot", schema, strict: false },
      { name: "spot", schema, strict: false }
    ],
    ["a canonical schema without a name", { type: "json-schema", schema }, { type: "json-schema", schema }],
    [
      "an Effect Schema",
      Schema.Struct({ city: Schema.String }).annotate({ identifier: "The City" }),
      {
        type: "json-schema",
        name: "The_City",
        schema: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
          additionalProperties: false
        }
      },
      {
        name: "The_City",
        schema: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
          additionalProperties: false
        }
      }
    ]
  ])
})

describe("McpServers", () => {
  const crm = { name: "crm", url: "https://crm.example/mcp" }
  const offered = { type: "mcp", server: "crm" }
  examples(Shorthand.McpServers, [
    ["a server adds its tools", [crm], { mcpServers: [crm], tools: [offered] }],
    ["or not", [{ ...crm, tools: false }], { mcpServers: [crm], tools: [] }],
    [
      "what is said of its tools",
      [{ ...crm, allowed_tools: ["find"], require_approval: "never", headers: { a: "b" } }],
      {
        mcpServers: [{ ...crm, headers: { a: "b" } }],
        tools: [{ ...offered, allowed: ["find"], approval: "never" }]
      },
      [{ ...crm, headers: { a: "b" }, allowedTools: ["find"], approval: "never" }]
    ],
    ["OpenAI's names", [{ type: "mcp", server_label: "crm", server_url: crm.url, authorization: "t" }], {
      mcpServers: [{ ...crm, authorization: "t" }],
      tools: [offered]
    }, [{ ...crm, authorization: "t" }]],
    ["Anthropic's names", [{ type: "url", ...crm, authorization_token: "t", tool_configuration: { enabled: true } }], {
      mcpServers: [{ ...crm, authorization: "t", providerOptions: { "*": { tool_configuration: { enabled: true } } } }],
      tools: [offered]
    }, [{ ...crm, authorization: "t", tool_configuration: { enabled: true } }]],
    ["a connector", [{ name: "drive", connector_id: "connector_googledrive" }], {
      mcpServers: [{ name: "drive", connector: "connector_googledrive" }],
      tools: [{ type: "mcp", server: "drive" }]
    }, [{ name: "drive", connector: "connector_googledrive" }]]
  ])
})

describe("Request", () => {
  const crm = { name: "crm", url: "https://crm.example/mcp" }
  const items = [Item.user("hi")]
  examples(Shorthand.Request, [
    ["the least", { model: "m", input: "hi" }, { model: "m", items }],
    ["other names", { model: "m", messages: ["hi"], system: "s", max_tokens: 5 }, {
      model: "m",
      items,
      instructions: [text("s")],
      maxTokens: 5
    }, { model: "m", instructions: "s", maxTokens: 5, input: "hi" }],
    ["settings", { reasoning: "high", stop: "END", cache: true, temperature: 0, store: false }, {
      items: [],
      reasoning: { effort: "high" },
      stop: ["END"],
      cache: {},
      temperature: 0,
      store: false
    }],
    ["Anthropic's marker of the whole", { input: "hi", cache_control: { type: "ephemeral" } }, { items, cache: {} }, {
      input: "hi",
      cache: true
    }],
    ["a server adds its tools after the others", { input: "hi", tools: [{ name: "f" }], mcps: [crm] }, {
      items,
      tools: [{ type: "function", name: "f" }, { type: "mcp", server: "crm" }],
      mcpServers: [crm]
    }, { tools: [{ name: "f" }], input: "hi", mcpServers: [crm] }],
    ["unless they are there", {
      input: "hi",
      tools: [{ type: "mcp", server: "crm" }, { name: "f" }],
      mcpServers: [crm]
    }, {
      items,
      tools: [{ type: "mcp", server: "crm" }, { type: "function", name: "f" }],
      mcpServers: [crm]
    }],
    ["both lists of servers", { mcpServers: [crm], mcps: [{ name: "b", url: "https://b" }] }, {
      items: [],
      tools: [{ type: "mcp", server: "crm" }, { type: "mcp", server: "b" }],
      mcpServers: [crm, { name: "b", url: "https://b" }]
    }, { mcpServers: [crm, { name: "b", url: "https://b" }] }],
    ["a result of an earlier response's call", { input: { toolCallId: "c", output: "3" }, previousResponseId: "r" }, {
      items: [{ type: "tool-result", id: "c", output: [text("3")] }],
      previousResponseId: "r"
    }],
    ["a canonical request", { model: "m", items }, { model: "m", items }, { model: "m", input: "hi" }],
    ["undefined is absent", { model: "m", input: "hi", tools: undefined, system: undefined }, { model: "m", items }, {
      model: "m",
      input: "hi"
    }]
  ])
})
