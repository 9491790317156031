/** Holds how many tokens a model of Anthropic's may answer with at most. */

/**
 * By the model's name without its date.
 *
 * @see https://docs.claude.com/en/docs/about-claude/models/overview
 */
const maxTokens: ReadonlyMap<string, number> = new Map([
  ["claude-fable-5-1", 128_000],
  ["claude-fable-5", 128_000],
  ["claude-opus-5-5", 128_000],
  ["claude-opus-5", 128_000],
  ["claude-sonnet-5-5", 128_000],
  ["claude-sonnet-5", 128_000],
  ["claude-opus-4-8", 128_000],
  ["claude-opus-4-7", 128_000],
  ["claude-opus-4-6", 128_000],
  ["claude-sonnet-4-6", 64_000],
  ["claude-opus-4-5", 64_000],
  ["claude-sonnet-4-5", 64_000],
  ["claude-haiku-4-5", 64_000],
  ["claude-opus-4-1", 32_000],
  ["claude-opus-4", 32_000],
  ["claude-sonnet-4", 64_000],
  ["claude-3-7-sonnet", 64_000],
  ["claude-3-5-sonnet", 8192],
  ["claude-3-5-haiku", 8192],
  ["claude-3-opus", 4096],
  ["claude-3-haiku", 4096]
])

/** The model's maximum, if it is known: `claude-opus-4-1`, `claude-opus-4-1-20250805`, `claude-3-5-haiku-latest`. */
export const maxTokensOf = (model: string | undefined): number | undefined =>
  model === undefined ? undefined : maxTokens.get(model.replace(/-(\d{8}|latest|0)$/, ""))
