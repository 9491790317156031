/**
 * What a protocol must say: the codecs of one wire format, and what equality means on it.
 *
 * A protocol knows no URL, no key and no company. For every codec between outside `o` and inside `i`:
 *
 * 1. `decode(encode(i))` means `i`, for every `i` that the protocol carries.
 * 2. `encode(decode(o))` means `o`, and a request is never longer than `o`.
 * 3. Compress is idempotent, and so is expand.
 * 4. An edit of the canonical value is on the wire, and everything else is untouched.
 * 5. Nothing unknown is lost: keys, items, parts, stop reasons, tools.
 */
import type { Schema } from "effect"
import type { Event } from "../canonical/Event.ts"
import type { Failure } from "../canonical/Failure.ts"
import type { Items } from "../canonical/Item.ts"
import type { Parts, Texts } from "../canonical/Part.ts"
import type { Request, ResponseFormat } from "../canonical/Request.ts"
import type { Response } from "../canonical/Response.ts"
import type { ToolChoice, Tools } from "../canonical/Tool.ts"
import type { Target } from "../params/Fitted.ts"

/** The nameable pieces of a request, each a codec of its own. `mcpServers` is what the protocol makes of connections. */
export interface Pieces {
  readonly request: Schema.Codec<Request, unknown>
  readonly content: Schema.Codec<Parts, unknown>
  readonly items: Schema.Codec<Items, unknown>
  readonly instructions: Schema.Codec<Texts, unknown>
  readonly tools: Schema.Codec<(typeof Tools)["Type"], unknown>
  readonly toolChoice: Schema.Codec<ToolChoice, unknown>
  readonly mcpServers: Schema.Codec<unknown, unknown>
  readonly responseFormat: Schema.Codec<ResponseFormat, unknown>
}

/** Any spelling that the API accepts outside, every short one written out inside: decode expands, encode compresses. */
export type Expanded = { readonly [P in keyof Pieces]: Schema.Codec<unknown, unknown> }

/** A step function with its state in the open: what one input means after all before it. Pure. */
export interface Machine<S, in I, out O> {
  readonly initial: S
  step(state: S, input: I): readonly [state: S, output: ReadonlyArray<O>]
}

/** How a protocol streams a response. */
export interface Streaming<D = unknown, E = unknown, out W = unknown> {
  /** The type of a wire event, of which there is no value here. */
  readonly "~wire"?: W
  /** The wire request that asks for a stream. */
  readonly request: (wire: unknown) => unknown
  /** Wire events in, canonical events out. What is not modelled is kept; nothing stops the stream. */
  readonly decode: Machine<D, Schema.Json, Event>
  /** Canonical events in, wire events out, with every number, id and repetition that the wire has. */
  readonly encode: Machine<E, Event, Schema.Json>
  /** The name that a wire event is sent under (`event:`), where it has one. */
  readonly nameOf: (wire: Schema.Json) => string | undefined
  /** The items of the slots in order, as the codec of whole responses would group them. */
  readonly group: (slots: ReadonlyArray<Items>) => Items
  /** The normal form of a wire event, apart from numbers, ids and padding that are made anew on the way out. */
  readonly meaning: (wire: Schema.Json) => Schema.Json
}

/** What an API takes as a name or an id. Every one takes `a-z`, `A-Z`, `0-9`, `_` and `-`. */
export interface Alphabet {
  /** Matches a character that it does not take, where there are such. */
  readonly foreign?: RegExp
  /** How many characters it takes at most. */
  readonly length?: number
}

/** Names that callers choose, and ids that other APIs made, of which this one may not take all. */
export interface Limits {
  /** Names of tools that the caller runs. */
  readonly toolName?: Alphabet
  /** Ids of their calls. */
  readonly callId?: Alphabet
}

/** One wire format. The modules `OpenAiResponses` and `AnthropicMessages` are such values. */
export interface Protocol<out Req = unknown, out Res = unknown, out Fail = unknown> {
  readonly name: string
  /** Whose rules hold for the JSON Schemas of tools and answers. */
  readonly schemas: Target
  readonly RequestFromWire: Schema.Codec<Request, Req>
  readonly ResponseFromWire: Schema.Codec<Response, Res>
  readonly FailureFromWire: Schema.Codec<Failure, Fail>
  readonly pieces: Pieces
  readonly ExpandedFromWire: Expanded
  /**
   * The normal form of a wire body: two bodies mean the same exactly when these are equal. It is written apart from
   * the codecs, in terms of the raw JSON, so that it can be held against them.
   */
  readonly meaning: {
    readonly request: (body: Schema.Json) => Schema.Json
    readonly response: (body: Schema.Json) => Schema.Json
  }
  readonly stream: Streaming
  /** What the API refuses in names and ids; nothing where it is not said. */
  readonly limits?: Limits
  /** Canonical values of request fields that say no more than their absence. */
  readonly defaults: Partial<Request>
}
