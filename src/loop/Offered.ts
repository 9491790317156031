/** Offers all tools of a toolkit beside those that a request has of its own. */
import { Effect, type Schema, type Stream } from "effect"
import type * as AiError from "effect/ai/AiError"
import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import type { Request } from "../canonical/Request.ts"
import type * as Canonical from "../canonical/Tool.ts"
import type { SchemaLoss } from "../params/Fitted.ts"
import { LlmError } from "../pipeline/LlmError.ts"
import { InvalidRequest } from "../pipeline/Reason.ts"
import * as Offer from "./Offer.ts"

export type Tools = Offer.Tools

/**
 * A toolkit of `effect/ai`: one whose handlers a layer provides (`Toolkit.make`, `toolkit.toLayer`), or one that has them
 * (`yield* toolkit`, `yield* McpClient.toolkit(client)`).
 */
export type Source<T extends Tools, R> =
  | Toolkit.WithHandler<T>
  | Effect.Effect<Toolkit.WithHandler<T>, never, R>

/** What the tools need when they are called. */
export type Services<T extends Tools> =
  | Tool.HandlerServices<T[keyof T]>
  | Tool.ParametersEncodingServices<T[keyof T]>

/** A place in a tool's own parameters of which the schema that is sent says less, or why the tool is not strict. */
export interface ToolLoss extends SchemaLoss {
  readonly tool: string
}

/** Any tool, of which is known only what it needs. */
export interface AnyTool<R> extends
  Tool.Tool<string, {
    readonly parameters: Schema.Codec<unknown, unknown, R, R>
    readonly success: Schema.Codec<unknown, unknown, R, R>
    readonly failure: Schema.Codec<unknown, unknown, R, R>
    readonly failureMode: Tool.FailureMode
  }, R>
{}

/** A tool that can be run: its offer, and how. */
export interface Runnable<R> {
  readonly tool: AnyTool<R>
  readonly offer: Offer.Offer<AnyTool<R>>
  readonly handle: Handle<R>
}

/** `Toolkit.handle`: takes the parameters as the tool's schema encodes them. */
type Handle<R> = (
  params: unknown,
  id: string
) => Effect.Effect<Stream.Stream<Tool.HandlerResult<AnyTool<R>>, unknown, R>, AiError.AiError, R>

/** What a run offers. */
export interface Offered<R> {
  /** The toolkit's tools, then the request's own: a cache marker on the last of them holds for all. */
  readonly tools: ReadonlyArray<Canonical.Tool>
  readonly losses: ReadonlyArray<ToolLoss>
  /** The tool of that name, if it is one of the toolkit. */
  readonly find: (name: string) => Runnable<R> | undefined
  /** Is there a tool of that name that the caller runs? */
  readonly isOwn: (name: string) => boolean
  readonly names: ReadonlyArray<string>
}

/** Fails where a tool cannot be offered, and where two have one name. */
export const make = Effect.fnUntraced(function*<T extends Tools, R>(
  source: Source<T, R>,
  request: Request,
  options: Offer.Options
): Effect.fn.Return<Offered<Services<T>>, LlmError, R> {
  const { handle, tools } = erased(Effect.isEffect(source) ? yield* source : source)
  const own = request.tools ?? []
  const offers = yield* Effect.fromResult(Offer.all(tools, options))
  const twice = own.findIndex((tool) => "name" in tool && tool.name !== undefined && Object.hasOwn(tools, tool.name))
  if (twice >= 0) {
    const detail = "Expected a name that no tool of the toolkit has"
    return yield* new LlmError({ reason: new InvalidRequest({ param: `/tools/${twice}/name`, detail }) })
  }
  const offered = new Map(offers.map((offer) => [offer.tool.name, offer]))
  const names = new Set(own.flatMap((tool) => tool.type === "function" || tool.type === "custom" ? [tool.name] : []))
  return {
    tools: own.length === 0 ? Offer.toolsOf(offers) : Object.freeze([...Offer.toolsOf(offers), ...own]),
    losses: offers.flatMap(({ losses, tool }) => losses.map((loss) => ({ tool: tool.name, ...loss }))),
    find: (name) => {
      // What reading its arguments needs is among what the toolkit needs.
      const offer = offered.get(name) as Runnable<Services<T>>["offer"] | undefined
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
      return offer === undefined || tool === undefined
        ? undefined
        : { tool, offer, handle: (...args) => handle(name, ...args) }
    },
    isOwn: (name) => names.has(name),
    names: [...offered.keys(), ...names]
  }
})

interface Erased<R> {
  readonly tools: { readonly [name: string]: AnyTool<R> }
  readonly handle: (name: string, ...args: Parameters<Handle<R>>) => ReturnType<Handle<R>>
}

/**
 * Calls come by name, at run time: which parameters belong to which tool, the types no longer say. A toolkit is invariant
 * in its tools, so that it cannot be widened without a cast; this is the one place of it.
 */
const erased = <T extends Tools>(toolkit: Toolkit.WithHandler<T>): Erased<Services<T>> =>
  toolkit as unknown as Erased<Services<T>>
