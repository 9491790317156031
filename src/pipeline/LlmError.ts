/** Says that no response came, and why: one error for all of the package, with a tagged `reason`. */
import { Schema } from "effect"
import { Reason } from "./Reason.ts"

/**
 * @example
 * ```ts
 * Client.send(request).pipe(
 *   Effect.catchReason("LlmError", "RateLimited", ({ retryAfter }) => …)
 * )
 * ```
 */
export class LlmError extends Schema.TaggedError<LlmError>()("LlmError", { reason: Reason }) {
  override get message() {
    return this.reason.message
  }
  /** May the same request succeed when it is sent again? */
  get retryable(): boolean {
    return this.reason.retryable
  }
}

/** The error without secrets that a provider, or `fetch`, may have repeated in it. */
export const withoutSecrets = (secrets: ReadonlyArray<string>) => (error: LlmError): LlmError => {
  const text = encode(error)
  const clean = secrets.reduce((out, secret) => out.replaceAll(JSON.stringify(secret).slice(1, -1), "<redacted>"), text)
  return clean === text ? error : decode(clean)
}
const Text = Schema.fromJsonString(Schema.toCodecJson(LlmError))
const encode = Schema.encodeSync(Text)
const decode = Schema.decodeSync(Text)
