/**
 * Puts wire bodies into a normal form: two mean the same exactly when their normal forms are equal.
 *
 * It is written apart from the codecs, in terms of the raw JSON, so that they can be held against it. What it does not
 * name counts, to the letter: inputs, schemas, metadata, whatever is unknown.
 */
import { Predicate, Result, type Schema } from "effect"
import { Base64 } from "effect/encoding"

type Json = Schema.Json
type Body = { readonly [key: string]: Json }
/** What a value means, or nothing. */
type Rule = (value: Json) => Json | undefined

const isObject = (value: Json | undefined): value is Body => Predicate.isObject(value)
const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

// words -----------------------------------------------------------------------------------------------------------

/** Of an object's keys only those that are named have a rule, and may be `null` for nothing. */
const object = (rules: { readonly [key: string]: Rule }): Rule => (value) =>
  isObject(value)
    ? Object.fromEntries(
      Object.entries(value).flatMap(([key, child]) => {
        const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
        const meant = rule === undefined ? child : child === null ? undefined : rule(child)
        return meant === undefined ? [] : [[key, meant]]
      })
    )
    : value

const as: Rule = (value) => value
const list = (rule: Rule): Rule => (value) => isList(value) ? value.map((child) => rule(child) ?? child) : value
const but = (...nothing: ReadonlyArray<string | number | boolean>): Rule => (value) =>
  nothing.some((it) => it === value) ? undefined : value
/** Nothing, if that is what is left. */
const some = (rule: Rule): Rule => (value) => {
  const meant = rule(value)
  return isList(meant) && meant.length === 0 || isObject(meant) && Object.keys(meant).length === 0 ? undefined : meant
}
const byType = (rules: { readonly [type: string]: Rule }): Rule => (value) => {
  const type = isObject(value) && typeof value.type === "string" ? value.type : ""
  return Object.hasOwn(rules, type) ? rules[type]!(value) : value
}

// content ---------------------------------------------------------------------------------------------------------

const cache_control = object({ ttl: but("5m") })
const marked = { cache_control }

const location = object({ title: as, document_title: as, file_id: as })
const citation = byType({
  char_location: location,
  page_location: location,
  content_block_location: location,
  search_result_location: location,
  web_search_result_location: object({ title: as, cited_text: but("") })
})
const text = object({ ...marked, citations: list(citation) })

/** Text in base64 is text. */
const plainText: Rule = (value) => {
  if (!isObject(value) || typeof value.data !== "string") return value
  if (typeof value.media_type !== "string" || !value.media_type.startsWith("text/")) return value
  const text = Result.flatMap(Base64.decode(value.data), (bytes) => Result.try(() => utf8.decode(bytes)))
  return Result.isSuccess(text) ? { type: "text", data: text.success } : value
}
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const source = byType({ text: object({ media_type: but("text/plain") }), base64: plainText })

const parts = { text, image: object(marked), document: object({ ...marked, title: as, source }) }

const texts = (value: Json): Json => typeof value === "string" ? [{ type: "text", text: value }] : value

const isText = (block: Json | undefined): block is Body & { readonly text: string } =>
  isObject(block) && block.type === "text" && typeof block.text === "string"

const isBlank = (block: Json): boolean =>
  isText(block) && block.text.trim() === "" &&
  Object.keys(block).every((key) => ["type", "text", "citations", "cache_control"].includes(key))

const spoken: Rule = (value) => isList(value) ? value.filter((block) => !isBlank(block)) : value

const content = (rule: Rule): Rule => (value) => list(rule)(texts(value))

const result = object({
  ...marked,
  content: some((value) => spoken(content(byType(parts))(value)!)),
  is_error: but(false)
})
const provided = object(marked)

const block = byType({
  ...parts,
  tool_use: object(marked),
  server_tool_use: object(marked),
  mcp_tool_use: object(marked),
  tool_result: result,
  mcp_tool_result: object({ ...marked, content: content(byType(parts)), is_error: but(false) }),
  web_search_tool_result: provided,
  web_fetch_tool_result: provided,
  code_execution_tool_result: provided,
  bash_code_execution_tool_result: provided,
  text_editor_code_execution_tool_result: provided,
  tool_search_tool_result: provided,
  advisor_tool_result: provided,
  thinking: object({ signature: but("") }),
  compaction: object({ ...marked, content: as, encrypted_content: as }),
  tool_addition: object(marked),
  tool_removal: object(marked),
  mcp_tool_listing: object({ tools: list(object({ description: as, input_schema: as })) })
})

// turns -----------------------------------------------------------------------------------------------------------

interface Turn {
  readonly role: string
  readonly content: ReadonlyArray<Json>
  /** Other keys, or nothing said at all: such a turn stands by itself. */
  readonly own: Body | undefined
}

const replayed = new Set([
  "type",
  "id",
  "model",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "usage",
  "container",
  "context_management"
])
const roles = new Set<Json | undefined>(["user", "assistant", "system"])

const turn = (message: Json): Turn | undefined => {
  if (!isObject(message) || !roles.has(message.role) || (message.type ?? "message") !== "message") return undefined
  const blocks = content(block)(message.content ?? null)
  if (!isList(blocks)) return undefined
  const { content: _, role, ...rest } = message
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !replayed.has(key)))
  return {
    role: String(role),
    content: blocks,
    own: Object.keys(own).length > 0 || blocks.length === 0 ? own : undefined
  }
}

/** Neighbours of one role are one turn; what says nothing is not there; a user's tool results come first. */
const messages: Rule = (value) => {
  if (!isList(value)) return value
  const turns = value.map((message) => turn(message) ?? message)
  return joined(
    joined(turns).flatMap((it): ReadonlyArray<Turn | Json> => {
      if (!isTurn(it)) return [it]
      const content = it.role === "assistant" ? audible(it.content) : it.content.filter((block) => !isBlank(block))
      return content.length === 0 && it.own === undefined ? [] : [{ ...it, content }]
    })
  ).map((it): Json => {
    if (!isTurn(it)) return it
    const isResult = (block: Json) =>
      isObject(block) && block.type === "tool_result" && typeof block.tool_use_id === "string"
    const content = it.role === "user"
      ? [...it.content.filter(isResult), ...it.content.filter((block) => !isResult(block))]
      : it.content
    return { ...it.own, role: it.role, content }
  })
}

const isTurn = (it: Turn | Json): it is Turn => typeof it === "object" && it !== null && "own" in it

const joined = (turns: ReadonlyArray<Turn | Json>): ReadonlyArray<Turn | Json> => {
  const out: Array<Turn | Json> = []
  let open: Array<Json> | undefined
  let role: string | undefined
  for (const it of turns) {
    if (!isTurn(it) || it.own !== undefined) {
      out.push(it)
      open = undefined
    } else if (open !== undefined && role === it.role) { for (const block of it.content) open.push(block) }
    else out.push({ ...it, content: open = [...it.content] })
    role = isTurn(it) ? it.role : undefined
  }
  return out
}

/** White space that touches another text of the assistant's counts. */
const audible = (blocks: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const speaks = (index: number, step: number): boolean => {
    for (let i = index + step; isText(blocks[i]); i += step) if (!isBlank(blocks[i]!)) return true
    return false
  }
  return blocks.filter((block, index) =>
    !isBlank(block) || isText(block) && block.text !== "" && (speaks(index, -1) || speaks(index, 1))
  )
}

/** Texts of the system at the start of the conversation are said with `system`. */
const led = (body: Json): Json => {
  if (!isObject(body) || !isList(body.messages)) return body
  const [first, ...rest] = body.messages
  if (!isObject(first) || first.role !== "system" || Object.keys(first).length > 2 || !isList(first.content)) {
    return body
  }
  const end = first.content.findIndex((block) => isObject(block) && isChange(block))
  const texts = end < 0 ? first.content : first.content.slice(0, end)
  if (texts.length === 0) return body
  const messages = texts.length === first.content.length
    ? rest
    : [{ ...first, content: first.content.slice(texts.length) }, ...rest]
  return { ...body, messages, system: [...isList(body.system) ? body.system : [], ...texts] }
}

const isChange = (block: Body): boolean =>
  (block.type === "tool_addition" || block.type === "tool_removal") && isObject(block.tool) &&
  typeof block.tool.name === "string"

// request ---------------------------------------------------------------------------------------------------------

const custom = object({
  ...marked,
  type: but("custom"),
  description: as,
  strict: as,
  defer_loading: as,
  input_schema: (schema) =>
    isObject(schema) && Object.keys(schema).length === 1 && schema.type === "object" ? undefined : schema
})

const tool: Rule = (value) => {
  if (!isObject(value)) return value
  if (value.type === undefined || value.type === "custom") return custom(value)
  return object({ ...marked, name: as, ...value.type === "mcp_toolset" ? { configs: as, default_config: as } : {} })(
    value
  )
}

const choice: Rule = (value) => {
  const meant = object({ disable_parallel_tool_use: but(false) })(value)
  return isObject(meant) && meant.type === "auto" && Object.keys(meant).length === 1 ? undefined : meant
}

const stops: Rule = (value) =>
  isList(value) ? value.filter((stop) => typeof stop !== "string" || stop.trim() !== "") : value

/** What a request's body means. */
export const request = (body: Json): Json =>
  led(
    object({
      model: as,
      max_tokens: as,
      system: some((value) => spoken(content(byType({ text }))(value)!)),
      messages,
      tools: list(tool),
      tool_choice: choice,
      mcp_servers: some(list(byType({ url: object({ authorization_token: as }) }))),
      temperature: as,
      top_p: as,
      top_k: as,
      stop_sequences: some(stops),
      thinking: object({ budget_tokens: as, display: as }),
      output_config: some(object({ format: as, effort: as })),
      metadata: some(object({ user_id: as })),
      service_tier: as,
      cache_control
    })(body) ?? body
  )

// response --------------------------------------------------------------------------------------------------------

const counts = {
  input_tokens: but(0),
  output_tokens: but(0),
  cache_read_input_tokens: as,
  cache_creation_input_tokens: as,
  cache_creation: as,
  inference_geo: as,
  server_tool_use: as,
  service_tier: as,
  speed: as,
  output_tokens_details: some(object({ thinking_tokens: as }))
}

/** What a response's body means. */
export const response = (body: Json): Json =>
  object({
    type: but("message"),
    role: but("assistant"),
    id: but(""),
    model: but(""),
    content: list(block),
    stop_reason: as,
    stop_sequence: as,
    stop_details: as,
    container: as,
    diagnostics: as,
    usage: some(object(counts))
  })(body) ?? body

// events ----------------------------------------------------------------------------------------------------------

const nothing: Rule = () => undefined

/** Before anything was added to it. */
const opened = byType({
  text: object({ ...marked, text: but(""), citations: some(as) }),
  thinking: object({ thinking: but(""), signature: but("") }),
  tool_use: object({ ...marked, input: some(as) }),
  server_tool_use: object({ ...marked, input: some(as) }),
  mcp_tool_use: object({ ...marked, input: some(as) })
})

const delta = byType({
  citations_delta: object({ citation }),
  compaction_delta: object({ content: as, encrypted_content: as })
})

/**
 * What an event of a stream means by itself. Indexes are counted anew on the way out, and of what was counted until
 * then all that the API counts is told again.
 */
export const event = (wire: Json): Json =>
  byType({
    message_start: object({ message: response }),
    content_block_start: object({ index: nothing, content_block: (value) => block(opened(value) ?? value) }),
    content_block_delta: object({ index: nothing, delta }),
    content_block_stop: object({ index: nothing }),
    message_delta: object({
      delta: object({ stop_reason: as, stop_sequence: as, stop_details: as, container: as }),
      usage: some(object({
        ...counts,
        input_tokens: nothing,
        cache_read_input_tokens: nothing,
        cache_creation_input_tokens: nothing
      }))
    }),
    error: object({ request_id: as })
  })(wire) ?? wire
