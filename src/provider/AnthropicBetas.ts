/** Tells from a request body which betas of Anthropic's it uses: the API wants them named in a header. */
import { isRecord } from "../codec/index.ts"

/** Fields at the top of a body. */
const fields = {
  mcp_servers: "mcp-client-2025-11-20",
  context_management: "context-management-2025-06-27",
  output_format: "structured-outputs-2025-11-13",
  speed: "fast-mode-2026-02-01"
} as const

/** Kinds of tools, of edits of the context, and of sources. */
const kinds: ReadonlyMap<unknown, string> = new Map([
  ["computer_20250124", "computer-use-2025-01-24"],
  ["computer_20251124", "computer-use-2025-11-24"],
  ["code_execution_20250522", "code-execution-2025-05-22"],
  ["advisor_20260301", "advisor-tool-2026-03-01"],
  ["compact_20260112", "compact-2026-01-12"],
  ["file", "files-api-2025-04-14"],
  ["container_upload", "files-api-2025-04-14"]
])

/**
 * The betas that a Messages body uses, each once.
 *
 * @see https://docs.claude.com/en/api/beta-headers
 */
export const betasOf = (wire: unknown): ReadonlyArray<string> => {
  if (!isRecord(wire)) return []
  const { container, context_management: context, messages, tools } = wire
  const top = Object.entries(fields).flatMap(([key, beta]) => wire[key] === undefined || wire[key] === null ? [] : beta)
  const skills = isRecord(container) && container.skills !== undefined ? ["skills-2025-10-02"] : []
  const edits = isRecord(context) ? context.edits : []
  const blocks = listOf(messages).flatMap(({ content }) => listOf(content))
  const nested = blocks.flatMap(({ content }) => listOf(content))
  const sources = [...blocks, ...nested].map(({ source }) => source).filter(isRecord)
  const typed = [...listOf(tools), ...listOf(edits), ...blocks, ...sources].flatMap(({ type }) => kinds.get(type) ?? [])
  return [...new Set([...top, ...skills, ...typed])]
}

const listOf = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(value) ? value.filter(isRecord) : []
