/**
 * Gives the normal form of a body: two bodies mean the same to the API exactly when these are equal.
 *
 * It is written in terms of the raw JSON, apart from the codecs, so that they can be held against it. What is not named
 * here counts as it stands.
 */
import { Predicate, type Schema } from "effect"

type Json = Schema.Json
type Obj = { readonly [key: string]: Json }
type Rule = (value: Json) => Json | undefined

const isObject = (value: Json | undefined): value is Obj => Predicate.isObject(value)

/** An object with each named field put through its rule; a rule may leave a field out. */
const fields = (rules: { readonly [key: string]: Rule }) => (value: Json): Json =>
  !isObject(value) ? value : Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const kept = Object.hasOwn(rules, key) ? rules[key]!(child) : child
      return kept === undefined ? [] : [[key, kept]]
    })
  )

const each = (rule: (value: Json) => Json): Rule => (value) => Array.isArray(value) ? value.map(rule) : value

/** Are they one value, or both empty? Nothing longer than an empty list or object goes without saying. */
const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || isEmpty(a) && isEmpty(b) && Array.isArray(a) === Array.isArray(b)
const isEmpty = (value: Json | undefined): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** The value is the same as no value, and so is `null`; any other follows the rule. */
const absent = (nothing: Json | undefined, rule: Rule = (value) => value): Rule => (value) =>
  value === null || isSame(value, nothing) ? undefined : rule(value)
const nullable = absent(undefined)
const nullables = (...keys: ReadonlyArray<string>) => Object.fromEntries(keys.map((key) => [key, nullable]))

const byType = (rules: { readonly [type: string]: (value: Json) => Json }) => (value: Json): Json => {
  const type = isObject(value) ? value.type : undefined
  return typeof type === "string" && Object.hasOwn(rules, type) ? rules[type]!(value) : value
}

// content ---------------------------------------------------------------------------------------------------------

const texts = (type: string, rule: (value: Json) => Json): Rule => (value) =>
  typeof value === "string" ? [rule({ type, text: value })] : each(rule)(value)

const names: { readonly [mediaType: string]: string } = {
  "application/json": ".json",
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "text/csv": ".csv",
  "text/html": ".html",
  "text/markdown": ".md",
  "text/plain": ".txt"
}

/** Bytes without a name are sent under one that only says what they are. */
const file = (value: Json): Json => {
  const rest = fields(nullables("file_data", "file_url", "file_id", "filename"))(value)
  if (!isObject(rest) || typeof rest.file_data !== "string") return rest
  const mediaType = /^data:([^;,]*)/i.exec(rest.file_data)?.[1]?.toLowerCase() ?? ""
  return fields({ filename: absent(`document${names[mediaType] ?? ""}`) })(rest)
}

const inputPart = byType({
  input_image: fields({ ...nullables("image_url", "file_id"), detail: absent("auto") }),
  input_file: file
})

const annotation = fields(nullables("title", "start_index", "end_index", "filename", "index"))
const outputPart = byType({ output_text: fields({ annotations: absent([], each(annotation)) }) })

const output = absent("", texts("input_text", inputPart))

// items -----------------------------------------------------------------------------------------------------------

/** The text of some JSON; blank is none. */
const json: Rule = (value) => {
  if (typeof value !== "string") return value
  try {
    return value.trim() === "" ? {} : JSON.parse(value) as Json
  } catch {
    return value
  }
}

const messageOf = (content: Rule) => fields({ type: () => undefined, phase: nullable, content })
const inputMessage = messageOf(texts("input_text", inputPart))
const messages: { readonly [role: string]: (value: Json) => Json } = {
  user: inputMessage,
  system: inputMessage,
  developer: inputMessage,
  assistant: messageOf(texts("output_text", outputPart))
}

const tool = byType({
  function: fields(nullables("description", "parameters", "strict", "defer_loading")),
  custom: fields(nullables("description", "format", "defer_loading")),
  mcp: fields({
    ...nullables("server_description", "require_approval"),
    allowed_tools: absent(
      undefined,
      (allowed) =>
        isObject(allowed) && Object.keys(allowed).length === 1 && Array.isArray(allowed.tool_names)
          ? allowed.tool_names
          : allowed
    ),
    ...nullables("server_url", "connector_id", "authorization", "headers")
  })
})
const listed = (value: Json): Json =>
  isObject(value) && value.type === undefined ? fields(nullables("description", "input_schema"))(value) : value

const typed = byType({
  reasoning: fields({ ...nullables("content", "encrypted_content"), summary: absent([]) }),
  function_call: fields({ arguments: json }),
  function_call_output: fields({ output }),
  custom_tool_call_output: fields({ output }),
  web_search_call: fields(nullables("action", "results")),
  file_search_call: fields(nullables("queries", "results")),
  code_interpreter_call: fields(nullables("code", "outputs")),
  image_generation_call: fields(nullables("result", "error")),
  mcp_call: fields({ ...nullables("output", "error", "server_label"), arguments: absent(undefined, json) }),
  computer_call: fields(nullables("action", "actions")),
  computer_call_output: fields({ output: absent(undefined, fields(nullables("image_url", "file_id"))) }),
  local_shell_call: fields(nullables("action")),
  local_shell_call_output: fields({ id: nullable, output: absent("") }),
  shell_call: fields(nullables("action")),
  shell_call_output: fields(nullables("output")),
  apply_patch_call: fields(nullables("operation")),
  apply_patch_call_output: fields({ output: nullable, status: absent("completed") }),
  tool_search_call: fields(nullables("call_id", "arguments")),
  tool_search_output: fields(nullables("call_id", "tools")),
  program: fields(nullables("code")),
  program_output: fields({ result: absent("") }),
  mcp_list_tools: fields({ server_label: nullable, tools: each(listed) }),
  additional_tools: fields({ role: nullable, tools: each(tool) }),
  mcp_approval_request: fields({ server_label: nullable, arguments: json }),
  mcp_approval_response: fields(nullables("reason"))
})

const item = (value: Json): Json => {
  if (!isObject(value)) return value
  const role = typeof value.role === "string" && (value.type === undefined || value.type === "message")
    ? value.role
    : ""
  return Object.hasOwn(messages, role) ? messages[role]!(value) : typed(value)
}

// request ---------------------------------------------------------------------------------------------------------

export const request: (body: Json) => Json = fields({
  ...nullables("model", "instructions", "max_output_tokens", "max_tool_calls", "metadata", "safety_identifier"),
  ...nullables("previous_response_id"),
  input: absent(
    undefined,
    (input) => each(item)(typeof input === "string" ? [{ role: "user", content: input }] : input)
  ),
  tools: absent(undefined, each(tool)),
  tool_choice: absent("auto"),
  text: absent(undefined, (text) => {
    const format = fields(nullables("name", "description", "strict"))
    const rest = fields({ format: absent(undefined, format) })(text)
    return isSame(rest, {}) ? undefined : rest
  }),
  reasoning: absent(undefined, fields(nullables("effort", "summary"))),
  conversation: absent(
    undefined,
    (conversation) => typeof conversation === "string" ? { id: conversation } : conversation
  ),
  background: absent(false),
  include: absent([]),
  parallel_tool_calls: absent(true),
  service_tier: absent("auto"),
  store: absent(true),
  temperature: absent(1),
  top_p: absent(1),
  truncation: absent("disabled")
})

// response --------------------------------------------------------------------------------------------------------

/** An item without an id is one of another's making, whose status says nothing either. */
const outputItem = (value: Json): Json =>
  item(
    isObject(value) && (value.id ?? "") === ""
      ? fields({ id: () => undefined, status: absent("completed") })(value)
      : value
  )

const details = (key: string): Rule =>
  absent({}, (value) => {
    const rest = fields(nullables(...key.split(" ")))(value)
    return isSame(rest, {}) ? undefined : rest
  })

const usage = (value: Json): Json => {
  if (!isObject(value)) return value
  const { input_tokens, output_tokens, ...rest } = value
  const [input, output] = [input_tokens ?? 0, output_tokens ?? 0]
  const sum = typeof input === "number" && typeof output === "number" ? input + output : undefined
  return fields({
    input_tokens_details: details("cached_tokens cache_write_tokens"),
    output_tokens_details: details("reasoning_tokens"),
    total_tokens: absent(sum)
  })({ ...rest, input_tokens: input, output_tokens: output })
}

export const response = (body: Json): Json => {
  const rest = fields({
    ...nullables("access_programs", "error", "instructions", "metadata", "temperature", "top_p", "status"),
    object: absent("response"),
    id: absent(""),
    model: absent(""),
    created_at: absent(0),
    incomplete_details: details("reason"),
    output: absent([], each(outputItem)),
    parallel_tool_calls: absent(true),
    tool_choice: absent("auto"),
    tools: absent([]),
    usage: absent(undefined, usage)
  })(body)
  if (!isObject(rest) || rest.status !== undefined) return rest
  return {
    ...rest,
    status: isObject(rest.incomplete_details) && "reason" in rest.incomplete_details ? "incomplete" : "completed"
  }
}

// event -----------------------------------------------------------------------------------------------------------

/** An item under an id that only numbers it is one of another's making. */
const numbered = (value: Json): Json => {
  if (!isObject(value) || typeof value.id !== "string" || !/^item_\d+$/.test(value.id)) return outputItem(value)
  const { id: _, status, ...rest } = value
  return item(status === undefined || status === "in_progress" || status === "completed" ? rest : { ...rest, status })
}

/** Numbers, ids and padding are made anew on the way out. */
const anew: Rule = () => undefined
const failing = nullables("code", "param", "type", "message")

export const event: (wire: Json) => Json = (wire) =>
  fields({
    ...failing,
    sequence_number: anew,
    obfuscation: anew,
    item_id: anew,
    output_index: anew,
    annotation_index: anew,
    content_index: absent(0),
    summary_index: absent(0),
    logprobs: absent([]),
    error: absent(undefined, fields(failing)),
    item: numbered,
    annotation,
    part: (part) => fields({ logprobs: absent([]) })(outputPart(part)),
    response: (body) => {
      const { output, ...rest } = isObject(body) ? body : { output: undefined }
      return isObject(body)
        ? response(Array.isArray(output) ? { ...rest, output: output.map(numbered) } : body)
        : body
    }
  })(wire)
