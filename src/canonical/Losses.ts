/**
 * Tells two canonical values apart as the design does, and names every place where the second lacks what the first has.
 *
 * Two values mean the same when nothing but this differs: what is absent, empty, blank text or a default; the spelling
 * of a call's arguments; where messages of one role are cut; where in a user turn the tool results stand; what belongs
 * to another protocol (withheld).
 */
import { anyProtocol, isRecord, pointerOf } from "../codec/index.ts"

/** A place in the first value, as a JSON Pointer (RFC 6901), and what became of it. */
export interface Loss {
  readonly pointer: string
  readonly why: string
}

/** What is not alike in two values, sorted by whose it is. */
export interface Difference {
  /** What the second value lacks or has otherwise. */
  readonly losses: ReadonlyArray<Loss>
  /** What belongs to another protocol and was rightly kept from this one. */
  readonly withheld: ReadonlyArray<Loss>
  /** What only the second value has. */
  readonly added: ReadonlyArray<Loss>
}

/** What a comparison has to know. */
export interface Frame {
  /** The protocol that the second value came through. */
  readonly protocol: string
  /** Top-level values that say no more than their absence. */
  readonly defaults?: { readonly [key: string]: unknown }
}

/** Compares a canonical value with what came back of it. */
export const difference = (before: unknown, after: unknown, frame: Frame): Difference => {
  const out = { losses: [] as Array<Loss>, withheld: [] as Array<Loss>, added: [] as Array<Loss> }
  new Comparison(frame, out).roots(before, after)
  return out
}

/** What a canonical value loses on its way through a protocol and back: empty when all of it is carried. */
export const losses = (before: unknown, after: unknown, frame: Frame): ReadonlyArray<Loss> =>
  difference(before, after, frame).losses

/** Do the two mean the same to a protocol? */
export const isEquivalent = (a: unknown, b: unknown, frame: Frame): boolean => {
  const { added, losses } = difference(a, b, frame)
  return losses.length === 0 && added.length === 0
}

/** Fields that hold JSON of others. */
const opaque = new Set(["parameters", "schema", "value", "raw", "format", "metadata", "approval"])

type Node = Readonly<Record<string, unknown>>
interface Entry {
  readonly pointer: string
  readonly value: unknown
  /** What it is recognised by on the other side. */
  readonly key: string
}

class Comparison {
  readonly frame: Frame
  readonly out: { readonly losses: Array<Loss>; readonly withheld: Array<Loss>; readonly added: Array<Loss> }
  constructor(frame: Frame, out: Comparison["out"]) {
    this.frame = frame
    this.out = out
  }

  roots(before: unknown, after: unknown): void {
    if (!isRecord(before) || !isRecord(after)) return this.values(before, after, "")
    for (const key of keysOf(before, after)) {
      const standard = this.frame.defaults?.[key]
      const [b, a] = [before[key] ?? standard, after[key] ?? standard]
      if (key === "items") this.sequences(entriesOf(before.items), entriesOf(after.items))
      else if (
        key === "rawFinishReason" && a !== undefined && b !== undefined && a !== b &&
        before.finishReason === after.finishReason
      ) {
        this.out.withheld.push({ pointer: `/${key}`, why: "it is another provider's word for the same reason" })
      } else this.fields(key, b, a, `/${key}`)
    }
  }

  fields(key: string, before: unknown, after: unknown, pointer: string): void {
    if (key === "providerOptions") this.bags(before, after, pointer)
    else if (key === "arguments") this.exact(parsed(before), parsed(after), pointer)
    else if (key === "ttl") this.values(lifetime(before), lifetime(after), pointer)
    else if (opaque.has(key)) this.exact(described(before), described(after), pointer)
    else if (key === "proof" && isRecord(before) && before.protocol !== this.frame.protocol) {
      this.withhold(pointer, before.protocol)
    } else if (!isNothing(before) || !isNothing(after)) this.values(before, after, pointer)
    // An empty thought is still one: it stands for what may not be read.
    else if (key === "content" && (before === undefined) !== (after === undefined)) this.differ(before, after, pointer)
  }

  /** Plain JSON, where nothing goes without saying. */
  exact(before: unknown, after: unknown, pointer: string): void {
    if (before === after) return
    if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
      return before.forEach((value, index) => this.exact(value, after[index], `${pointer}/${index}`))
    }
    if (isRecord(before) && isRecord(after)) {
      for (const key of keysOf(before, after)) this.exact(before[key], after[key], pointer + pointerOf([key]))
    } else this.differ(before, after, pointer)
  }

  values(before: unknown, after: unknown, pointer: string): void {
    if (before === after) return
    if (Array.isArray(before) && Array.isArray(after)) {
      return this.sequences(listed(before, pointer), listed(after, pointer))
    }
    if (isRecord(before) && isRecord(after)) {
      for (const key of keysOf(before, after)) this.fields(key, before[key], after[key], pointer + pointerOf([key]))
      return
    }
    this.differ(before, after, pointer)
  }

  differ(before: unknown, after: unknown, pointer: string): void {
    if (before === undefined) this.out.added.push({ pointer, why: `was not there: ${brief(after)}` })
    else if (after === undefined) this.lose(before, pointer)
    else {this.out.losses.push({
        pointer,
        why: isSecretAt(pointer) ? "became another" : `${brief(before)} became ${brief(after)}`
      })}
  }

  /** Bags are compared for this protocol; those of others are withheld. */
  bags(before: unknown, after: unknown, pointer: string): void {
    const [b, a] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
    const { protocol } = this.frame
    for (const key of Object.keys(b)) {
      if (key !== protocol && !isNothing(b[key])) this.withhold(pointer + pointerOf([key]), key)
    }
    if (!isNothing(b[protocol]) || !isNothing(a[protocol])) {
      this.exact(b[protocol] ?? {}, a[protocol] ?? {}, pointer + pointerOf([protocol]))
    }
  }

  /** Pairs what is alike in the order of both; what finds no partner is lost or added. */
  sequences(before: ReadonlyArray<Entry>, after: ReadonlyArray<Entry>): void {
    const ahead = new Map<string, number>()
    for (const { key } of before) ahead.set(key, (ahead.get(key) ?? 0) + 1)
    let j = 0
    for (const entry of before) {
      ahead.set(entry.key, ahead.get(entry.key)! - 1)
      while (j < after.length && after[j]!.key !== entry.key && !((ahead.get(after[j]!.key) ?? 0) > 0)) {
        this.add(after[j++]!)
      }
      const partner = after[j]
      if (partner?.key === entry.key) {
        this.values(entry.value, partner.value, entry.pointer)
        j++
      } else this.lose(entry.value, entry.pointer)
    }
    for (; j < after.length; j++) this.add(after[j]!)
  }

  add({ pointer, value }: Entry): void {
    if (!isNothing(value)) this.out.added.push({ pointer, why: `was not there: ${brief(value)}` })
  }

  lose(value: unknown, pointer: string): void {
    const { protocol } = this.frame
    const owner = isRecord(value) && typeof value.protocol === "string" ? value.protocol : protocol
    // What a person wrote for any protocol went along, and came back as what it is there.
    if (owner === anyProtocol) return
    if (owner !== protocol && isRecord(value) && isOnlyProof(value)) return this.withhold(pointer, owner)
    const whose = owner === protocol ? "" : ` (it belongs to ${owner})`
    this.out.losses.push({
      pointer,
      why: `${protocol} cannot carry ${isSecretAt(pointer) ? "this" : brief(value)}${whose}`
    })
  }

  withhold(pointer: string, owner: unknown): void {
    this.out.withheld.push({ pointer, why: `it belongs to ${String(owner)}` })
  }
}

/** Reasoning or a compaction of which nothing can be read. */
const isOnlyProof = ({ content, summary, text, type }: Node): boolean =>
  (type === "reasoning" || type === "compaction") && isNothing(content) && isNothing(summary) && isNothing(text)

// sequences -------------------------------------------------------------------------------------------------------

const listed = (values: ReadonlyArray<unknown>, pointer: string): ReadonlyArray<Entry> =>
  values.flatMap((value, index) => isBlank(value) ? [] : [{ pointer: `${pointer}/${index}`, value, key: keyOf(value) }])

/** The conversation as one sequence, in which it does not matter how messages are cut. */
const entriesOf = (items: unknown): ReadonlyArray<Entry> => {
  const out: Array<Entry> = []
  // Where in `out` the parts of the present user turn begin, and how many tool results stand before them.
  let turn: { readonly from: number; results: number } | undefined
  for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
    const pointer = `/items/${index}`
    if (!isRecord(item)) continue
    const isResult = item.type === "tool-result" && item.providerExecuted !== true
    if (!isResult && !(item.type === "message" && item.role === "user")) turn = undefined
    else turn ??= { from: out.length, results: 0 }
    if (item.type === "message" && Array.isArray(item.parts)) {
      const { parts, role, type, ...rest } = item
      out.push(...listed(parts, `${pointer}/parts`).map((entry) => ({ ...entry, key: `${String(role)} ${entry.key}` })))
      if (!isNothing(rest)) out.push({ pointer, value: { type, role, ...rest }, key: `message ${String(role)}` })
    } else if (isResult && turn !== undefined) {
      out.splice(turn.from + turn.results++, 0, { pointer, value: item, key: keyOf(item) })
    } else out.push({ pointer, value: item, key: keyOf(item) })
  }
  return out
}

/** The words that make a thing itself rather than another of its kind. */
const keyOf = (value: unknown): string => {
  if (!isRecord(value)) return JSON.stringify(value) ?? typeof value
  const { id, kind, name, type } = value
  return [type, kind, typeof id === "string" ? id : "", typeof name === "string" ? name : ""].join(" ")
}

// values ----------------------------------------------------------------------------------------------------------

const keysOf = (a: Node, b: Node): Iterable<string> => new Set([...Object.keys(a), ...Object.keys(b)])

const isBlank = (value: unknown): boolean =>
  isRecord(value) && value.type === "text" && typeof value.text === "string" && value.text.trim() === ""

/** Absent, empty, or made of such. */
const isNothing = (value: unknown): boolean => {
  if (value === undefined || value === null || value === "") return true
  if (Array.isArray(value)) return value.every((member) => isBlank(member))
  return isRecord(value) && Object.values(value).every(isNothing)
}

/** A schema that asks for an object and says no more of it is none. */
const described = (schema: unknown): unknown =>
  isRecord(schema) && schema.type === "object" && Object.keys(schema).length === 1 ? undefined : schema

/** A marker that says nothing of its lifetime lives for five minutes. */
const lifetime = (ttl: unknown): unknown => ttl === "5m" ? undefined : ttl

const parsed = (text: unknown): unknown => {
  if (typeof text !== "string") return text
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text, precise)
  } catch {
    return text
  }
}

/** A number that a double cannot hold stays the text that it was, so that its rounding is seen. */
const precise = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && digitsOf(context.source) !== digitsOf(String(value))
    ? context.source
    : value

const digitsOf = (number: string): string => number.replace(/e.*$/i, "").replace(/\D/g, "").replace(/^0+|0+$/g, "")

/** A connection holds tokens and headers. */
const isSecretAt = (pointer: string): boolean => /^\/mcpServers|authorization|headers|token|secret|key$/i.test(pointer)

/** A value in a few words, for a message: never more than a glimpse of what a person wrote. */
const brief = (value: unknown): string => {
  if (isRecord(value) && typeof value.type === "string") {
    return value.type === "unmodelled" ? "what is not modelled" : `this ${value.type}`
  }
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
