import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Items } from "../../../src/canonical/Item.ts"
import { RequestFromWire } from "../../../src/protocol/openai-responses/index.ts"

type Wire = ReadonlyArray<{ readonly [key: string]: Schema.Json }>

const decodeRequest = Schema.decodeUnknownSync(RequestFromWire)
const encodeRequest = Schema.encodeSync(RequestFromWire)
const decode = (input: Schema.Json): Items => decodeRequest({ input }).items
const encode = (items: Items): unknown => encodeRequest({ items }).input
const comesBack = (...input: Wire): Items => {
  const items = decode(input)
  assert.deepStrictEqual(encode(items), input)
  return items
}
/** What each item is to a reader. */
const glance = (items: Items): ReadonlyArray<string> =>
  items.map((item) =>
    [
      item.type,
      "id" in item ? item.id : "",
      "kind" in item ? item.kind : "",
      "providerExecuted" in item ? "hosted" : ""
    ].filter(Boolean).join(" ")
  )

describe("messages", () => {
  it("are as short as may be", () => {
    const text = [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }]
    assert.deepStrictEqual(encode(decode(text)), "hi")
    assert.deepStrictEqual(encode(decode([...text, ...text])), [
      { role: "user", content: "hi" },
      { role: "user", content: "hi" }
    ])
    assert.deepStrictEqual(decode("hi"), decode(text))
  })

  it("that the API gave keep their content as a list", () => {
    comesBack(
      { role: "assistant", content: [{ type: "output_text", text: "hi" }], id: "msg_1", status: "completed" },
      { role: "user", content: "x" }
    )
  })

  it("are never compressed when they hold more", () => {
    comesBack({ role: "user", content: "hi", x_unknown: 1 })
    comesBack({
      role: "user",
      content: [{ type: "input_text", text: "hi", prompt_cache_breakpoint: { mode: "explicit" } }]
    })
  })

  it("of the wrong sort are kept as they stand", () => {
    const items = comesBack(
      { role: "wizard", content: "hi" },
      { role: "user", content: null },
      { type: "item_reference", id: "msg_1" },
      { id: "msg_1" },
      { role: "assistant", content: [{ type: "input_text", text: "not the assistant's" }] }
    )
    assert.deepStrictEqual(glance(items), ["unmodelled", "unmodelled", "unmodelled", "unmodelled", "message"])
  })

  it("carry citations of four kinds, and what is new among them", () => {
    const annotations = [
      { type: "file_citation", file_id: "file-1", filename: "g.pdf", index: 9 },
      { type: "url_citation", url: "https://example.com/?a=1", title: "E", start_index: 0, end_index: 3 },
      {
        type: "container_file_citation",
        file_id: "f",
        container_id: "c",
        filename: "o.txt",
        start_index: 0,
        end_index: 3
      },
      { type: "file_path", file_id: "f", index: 0 },
      { type: "future_citation", z: 1 }
    ]
    const [message] = comesBack({ role: "assistant", content: [{ type: "output_text", text: "See.", annotations }] })
    assert.deepStrictEqual(
      message?.type === "message" && message.parts[0]?.type === "text" &&
        message.parts[0].citations?.map(({ type }) => type),
      ["file", "url", "container-file", "file-path", "unmodelled"]
    )
  })
})

describe("sources", () => {
  const content = (...parts: Wire) => decode([{ role: "user", content: parts }])
  const source = (part: Wire[number]): unknown => {
    const [message] = content(part)
    const read = message?.type === "message" ? message.parts[0] : undefined
    return read !== undefined && "source" in read ? read.source : read?.type
  }

  it("are bytes where a data URI can be put together again, else a URL", () => {
    assert.deepStrictEqual(source({ type: "input_image", image_url: "data:image/png;name=a;base64,aGk=" }), {
      type: "base64",
      mediaType: "image/png",
      data: "aGk=",
      parameters: ";name=a"
    })
    for (
      const url of ["data:image/svg+xml,%3Csvg/%3E", "DATA:image/png;base64,aGk=", "https://example.org/a.png?x=1,2"]
    ) {
      assert.deepStrictEqual(source({ type: "input_image", image_url: url }), { type: "url", url })
    }
  })

  it("are files by id, by URL or by their bytes", () => {
    assert.deepStrictEqual(source({ type: "input_image", file_id: "f" }), { type: "file", id: "f" })
    assert.deepStrictEqual(source({ type: "input_file", file_id: "f" }), { type: "file", id: "f" })
    assert.deepStrictEqual(source({ type: "input_file", file_url: "u" }), { type: "url", url: "u" })
    assert.strictEqual(source({ type: "input_file", file_data: "aGk=" }), "unmodelled")
  })

  it("that are bytes get a name, and one made up is no name", () => {
    const file_data = "data:application/pdf;base64,aGk="
    const document = { type: "base64", mediaType: "application/pdf", data: "aGk=" } as const
    assert.deepStrictEqual(
      encode([{ type: "message", role: "user", parts: [{ type: "document", source: document }] }]),
      [{
        role: "user",
        content: [{ type: "input_file", file_data, filename: "document.pdf" }]
      }]
    )
    assert.deepStrictEqual(content({ type: "input_file", file_data, filename: "document.pdf" }), [{
      type: "message",
      role: "user",
      parts: [{ type: "document", source: document }]
    }])
    assert.deepStrictEqual(encode(content({ type: "input_file", file_data })), [{
      role: "user",
      content: [{ type: "input_file", file_data, filename: null }]
    }])
  })

  it("that are text are sent as bytes", () => {
    assert.deepStrictEqual(
      encode([{
        type: "message",
        role: "user",
        parts: [{ type: "document", source: { type: "text", text: "é" }, filename: "a.txt" }]
      }]),
      [{ role: "user", content: [{ type: "input_file", file_data: "data:text/plain;base64,w6k=", filename: "a.txt" }] }]
    )
  })
})

describe("calls", () => {
  it("keep their arguments to the letter", () => {
    const [call] = comesBack(
      { type: "function_call", call_id: "c", name: "f", arguments: `{ "id" : 2512292042121000001 }` },
      { type: "function_call", call_id: "c", name: "f", arguments: `{"cut":"off` },
      { type: "function_call", call_id: "c", name: "f", arguments: "" },
      { type: "custom_tool_call", call_id: "d", name: "g", input: "x = 1" }
    )
    assert.deepStrictEqual(call, {
      type: "tool-call",
      id: "c",
      name: "f",
      arguments: `{ "id" : 2512292042121000001 }`
    })
  })

  it("without arguments have empty ones", () => {
    assert.deepStrictEqual(encode([{ type: "tool-call", id: "c", name: "f" }]), [
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" }
    ])
  })

  it("have outputs that are text, parts or data", () => {
    const items = comesBack(
      { type: "function_call_output", output: "21 °C", call_id: "a" },
      {
        type: "function_call_output",
        output: [{ type: "input_image", image_url: "https://example.org/a.png" }],
        call_id: "b"
      },
      { type: "function_call_output", output: { celsius: 21 }, call_id: "c" },
      { type: "function_call_output", output: "", call_id: "d" },
      { type: "custom_tool_call_output", output: "done", call_id: "e" }
    )
    assert.deepStrictEqual(items.map((item) => item.type === "tool-result" ? item.output : item.type), [
      [{ type: "text", text: "21 °C" }],
      [{ type: "image", source: { type: "url", url: "https://example.org/a.png" } }],
      { type: "json", value: { celsius: 21 }, providerOptions: { "openai-responses": { verbatim: true } } },
      undefined,
      [{ type: "text", text: "done" }]
    ])
  })

  it("of the provider's own may be edited to text", () => {
    const [call, result] = decode([{
      type: "mcp_call",
      id: "m",
      name: "f",
      server_label: "s",
      arguments: "{}",
      output: "o"
    }])
    assert.deepStrictEqual<unknown>(
      encode([call!, { ...result!, output: [{ type: "text", text: "EDITED" }] } as Items[number]]),
      [{ type: "mcp_call", id: "m", name: "f", server_label: "s", arguments: "{}", output: "EDITED" }]
    )
  })

  it("have data of ours as the text of its JSON, which is what the API takes", () => {
    const output = (value: Schema.Json): Items[number] => ({
      type: "tool-result",
      id: "c",
      output: { type: "json", value }
    })
    for (const value of [{ celsius: 21 }, 3, false, null, ["a"]]) {
      assert.deepStrictEqual<unknown>(encode([output(value)]), [
        { type: "function_call_output", call_id: "c", output: JSON.stringify(value) }
      ])
    }
  })

  it("are run by whoever their item says", () => {
    const action = { commands: ["ls"] }
    const items = comesBack(
      { type: "local_shell_call", call_id: "1", action: { type: "exec", command: ["ls"], env: {} } },
      { type: "local_shell_call_output", id: "1", output: "a" },
      { type: "shell_call", call_id: "2", action, environment: { type: "local" } },
      { type: "shell_call", call_id: "3", action, environment: { type: "container_reference", container_id: "c" } },
      { type: "apply_patch_call", call_id: "4", operation: { type: "delete_file", path: "a" } },
      { type: "apply_patch_call_output", status: "failed", call_id: "4", output: "no" },
      { type: "computer_call", call_id: "5", action: { type: "screenshot" }, pending_safety_checks: [] },
      { type: "computer_call", call_id: "6", actions: [{ type: "screenshot" }] },
      { type: "computer_call_output", call_id: "5", output: { type: "computer_screenshot", file_id: "f" } },
      { type: "program", call_id: "7", code: "1", fingerprint: "x" },
      { type: "program_output", result: "2", call_id: "7" }
    )
    assert.deepStrictEqual(glance(items), [
      "tool-call 1 local_shell_call",
      "tool-result 1 local_shell_call_output",
      "tool-call 2 shell_call",
      "tool-call 3 shell_call hosted",
      "tool-call 4 apply_patch_call",
      "tool-result 4 apply_patch_call_output",
      "tool-call 5 computer_call",
      "tool-call 6 computer_call",
      "tool-result 5 computer_call_output",
      "tool-call 7 program hosted",
      "tool-result 7 program_output hosted"
    ])
    assert.deepStrictEqual(
      items.map((item) => item.type === "tool-call" ? item.arguments : undefined).filter(Boolean),
      [
        `{"type":"exec","command":["ls"],"env":{}}`,
        `{"commands":["ls"]}`,
        `{"commands":["ls"]}`,
        `{"type":"delete_file","path":"a"}`,
        `{"type":"screenshot"}`,
        `{"actions":[{"type":"screenshot"}]}`,
        `{"code":"1"}`
      ]
    )
    assert.strictEqual(items[5]?.type === "tool-result" && items[5].isError, true)
  })

  it("of tool search are paired by the item's own id where they have no other", () => {
    const items = comesBack(
      {
        type: "tool_search_call",
        execution: "server",
        id: "t1",
        arguments: { q: 1 },
        call_id: null,
        status: "completed"
      },
      {
        type: "tool_search_output",
        execution: "server",
        id: "t2",
        tools: [{ type: "function", name: "f" }],
        call_id: null
      },
      { type: "tool_search_call", call_id: "c", arguments: { q: 1 }, execution: "client", id: "t3" },
      { type: "tool_search_output", call_id: "c", tools: [], execution: "client" }
    )
    assert.deepStrictEqual(glance(items), [
      "tool-call t1 tool_search_call hosted",
      "tool-result t2 tool_search_output hosted",
      "tool-call c tool_search_call",
      "tool-result c tool_search_output"
    ])
  })
})

describe("hosted calls", () => {
  const search = {
    type: "web_search_call",
    id: "ws",
    action: { type: "search", query: "q", sources: [{ type: "url", url: "u" }] },
    results: [{ url: "u" }],
    status: "completed"
  }

  it("hold call and result in one item", () => {
    const items = comesBack(
      search,
      { type: "web_search_call", id: "ws2", action: { type: "open_page" } },
      { type: "file_search_call", id: "fs", queries: ["a"], results: [{ file_id: "f" }] },
      {
        type: "code_interpreter_call",
        id: "ci",
        code: "1+1",
        outputs: [{ type: "logs", logs: "2" }],
        container_id: "c"
      },
      { type: "image_generation_call", id: "ig", result: "aGk=" },
      { type: "image_generation_call", id: "ig2" },
      { type: "mcp_call", id: "m", name: "find", server_label: "crm", arguments: "{}", output: "ok", error: null },
      { type: "mcp_call", id: "m2", name: "find", server_label: "crm", arguments: "{}", error: "boom", output: null }
    )
    assert.deepStrictEqual(glance(items), [
      "tool-call ws web_search_call hosted",
      "tool-result ws web_search_call hosted",
      "tool-call ws2 web_search_call hosted",
      "tool-call fs file_search_call hosted",
      "tool-result fs file_search_call hosted",
      "tool-call ci code_interpreter_call hosted",
      "tool-result ci code_interpreter_call hosted",
      "tool-call ig image_generation_call hosted",
      "tool-result ig image_generation_call hosted",
      "tool-call ig2 image_generation_call hosted",
      "tool-call m mcp_call hosted",
      "tool-result m mcp_call hosted",
      "tool-call m2 mcp_call hosted",
      "tool-result m2 mcp_call hosted"
    ])
    assert.deepStrictEqual(items.at(-1), {
      type: "tool-result",
      id: "m2",
      kind: "mcp_call",
      providerExecuted: true,
      isError: true,
      output: { type: "json", value: "boom" }
    })
  })

  it("show an edit of either, and nothing else changes", () => {
    const [call, result] = decode([search])
    assert(call?.type === "tool-call" && result?.type === "tool-result")
    assert.deepStrictEqual(encode([{ ...call, arguments: `{"query":"r"}` }, result]), [
      { ...search, action: { query: "r" } }
    ])
    assert.deepStrictEqual(encode([call, { ...result, output: { type: "json", value: [] } }]), [
      { ...search, results: [] }
    ])
  })

  it("find their result across other items, and a result without its call has no place", () => {
    const [call, result] = decode([search])
    const [hello] = decode("hello")
    assert.deepStrictEqual(encode([result!, hello!, call!]), [{ role: "user", content: "hello" }, search])
    assert.deepStrictEqual(encode([result!, hello!]), "hello")
  })

  it("of one id keep each its own result", () => {
    comesBack({ type: "web_search_call", id: "" }, { type: "web_search_call", id: "", results: [1] }, {
      type: "web_search_call",
      id: ""
    })
  })

  it("refuse arguments that are no JSON, at their place among the items", () => {
    const items = decode([search, search, search])
    const broken = items.map((item, index) =>
      index === 4 && item.type === "tool-call" ? { ...item, arguments: "{no" } : item
    )
    assert.throws(
      () => encode(broken),
      /Expected arguments that are JSON, got "\{no"\s+at \["items"\]\[4\]\["arguments"\]/
    )
  })
})

describe("other items", () => {
  it("come back, with what is unknown in their lists", () => {
    const items = comesBack(
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "s" }, { type: "x_unknown" }],
        content: [{ type: "reasoning_text", text: "c" }],
        encrypted_content: "e",
        id: "rs"
      },
      { type: "reasoning", summary: [], content: [] },
      { type: "reasoning", summary: [] },
      {
        type: "mcp_list_tools",
        server_label: "crm",
        tools: [{ name: "f", input_schema: {}, annotations: null }, 7],
        id: "l"
      },
      { type: "additional_tools", role: "developer", tools: [{ type: "x_unknown" }] },
      { type: "mcp_approval_request", id: "a", name: "f", arguments: "{}", server_label: "crm" },
      { type: "mcp_approval_response", approval_request_id: "a", approve: false, reason: "no" },
      { type: "compaction", encrypted_content: "e", id: "c" },
      { type: "compaction_trigger" }
    )
    assert.deepStrictEqual(glance(items).map((line) => line.split(" ")[0]), [
      "reasoning",
      "reasoning",
      "reasoning",
      "tools",
      "tools",
      "tool-approval-request",
      "tool-approval-response",
      "compaction",
      "unmodelled"
    ])
    assert.deepStrictEqual(items[1], { type: "reasoning", protocol: "openai-responses", content: [] })
    assert.deepStrictEqual(items[2], { type: "reasoning", protocol: "openai-responses" })
  })

  it("of another protocol are left out", () => {
    assert.deepStrictEqual(
      encode([
        { type: "reasoning", protocol: "anthropic-messages", content: [{ type: "text", text: "hm" }] },
        { type: "unmodelled", protocol: "anthropic-messages", raw: { type: "fallback" } },
        {
          type: "tool-call",
          id: "s",
          name: "web_search",
          kind: "server_tool_use",
          arguments: "{}",
          providerExecuted: true
        }
      ]),
      []
    )
  })
})
