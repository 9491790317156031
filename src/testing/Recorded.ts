/**
 * Holds a protocol's codecs against a recorded body: law 2 (it comes back, and no longer), law 4 (an edit is the only
 * change) and law 5 (what is unknown survives).
 */
import { Result, Schema } from "effect"
import * as Losses from "../canonical/Losses.ts"
import { isRecord, pointerOf } from "../codec/index.ts"
import { frame } from "../protocol/Equivalence.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { editable, edited, pick, places, withField, withFields, withMember } from "./Injection.ts"

type Json = Schema.Json
export type Kind = "request" | "response"

/** A law that a body broke, and where in the body. */
export interface Breach {
  readonly law: string
  readonly pointer: string
  readonly message: string
}
export interface Verdict {
  readonly breaches: ReadonlyArray<Breach>
  /** How many nodes fell to `unmodelled`, by the wire's own word for them. */
  readonly unmodelled: ReadonlyMap<string, number>
}

/** How many random fields, members and edits are tried on each body. */
const rounds = 4

/**
 * Checks one recorded body. `seed` decides where the unknown is put, so that a run can be repeated.
 *
 * @returns the laws it broke; a body that is not one of this protocol is a breach of law 2, with the codec's message.
 */
export const check = (protocol: Protocol, kind: Kind, body: Json, seed: string): Verdict => {
  const codec = (kind === "request" ? protocol.RequestFromWire : protocol.ResponseFromWire) as Schema.Codec<Json, Json>
  const decode = Schema.decodeUnknownResult(codec)
  const encode = Schema.encodeUnknownResult(codec)
  const meaning = protocol.meaning[kind]
  const breaches: Array<Breach> = []
  const breach = (law: string, pointer: string, message: string): void => void breaches.push({ law, pointer, message })

  const through = (law: string, wire: Json): Json | undefined => {
    const canonical = decode(wire)
    if (Result.isFailure(canonical)) return breach(law, "", `decode: ${canonical.failure.message}`), undefined
    const back = encode(canonical.success)
    if (Result.isFailure(back)) return breach(law, "", `encode: ${back.failure.message}`), undefined
    const place = firstDifference(meaning(wire), meaning(back.success))
    if (place !== undefined) breach(law, place.pointer, place.message)
    return back.success
  }

  const back = through("2: encode(decode(o)) means o", body)
  if (back === undefined) return { breaches, unmodelled: new Map() }
  if (kind === "request" && lengthOf(back) > lengthOf(body) && !isJoined(body, back)) {
    breach("2: never longer", "", `${lengthOf(body)} characters became ${lengthOf(back)}`)
  }

  const canonical = Result.getOrThrow(decode(body))
  const again = decode(back)
  if (Result.isFailure(again)) breach("1: decode(encode(i)) means i", "", again.failure.message)
  else {
    const { added, losses } = Losses.difference(
      canonical,
      again.success,
      kind === "request" ? frame(protocol) : { protocol: protocol.name }
    )
    for (const { pointer, why } of [...losses, ...added]) breach("1: decode(encode(i)) means i", pointer, why)
  }

  for (let round = 0; round < rounds; round++) {
    const path = pick(editable(canonical), `${seed} edit ${round}`)
    if (path === undefined) break
    const wire = encode(edited(canonical, path))
    if (Result.isFailure(wire)) breach("4: edits survive", pointerOf(path), wire.failure.message)
    else {
      const changes = differences(meaning(back), meaning(wire.success))
      if (changes.length !== 1) {
        breach(
          "4: an edit is the only change",
          pointerOf(path),
          `${changes.length} places changed: ${changes.slice(0, 3).join(" ")}`
        )
      }
    }
  }

  through("5: unknown fields survive", withFields(body))
  for (let round = 0; round < rounds; round++) {
    const object = pick(places(body, "object"), `${seed} field ${round}`)
    if (object !== undefined) {
      through(`5: an unknown field in ${pointerOf(object) || "the body"} survives`, withField(body, object))
    }
    const list = pick(places(body, "list"), `${seed} member ${round}`)
    if (list !== undefined) {
      through(`5: an unknown member of ${pointerOf(list)} survives`, withMember(body, list, `${seed} at ${round}`))
    }
  }
  return { breaches, unmodelled: unmodelledIn(canonical) }
}

/** Neighbours that share one message from now on are written in its longer spelling. */
const isJoined = (before: Json, after: Json): boolean =>
  isRecord(before) && isRecord(after) &&
  Object.entries(before).some(([key, list]) => {
    const other = after[key]
    return Array.isArray(list) && Array.isArray(other) && other.length < list.length
  })

/** What says nothing does not count: a key whose value is `null`. */
const lengthOf = (body: Json): number =>
  JSON.stringify(body, (_, value: Json) => value === null ? undefined : value).length

/** Where two values of plain data differ, as JSON Pointers. */
export const differences = (a: unknown, b: unknown, pointer = ""): ReadonlyArray<string> => {
  if (a === b) return []
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((value: unknown, index) => differences(value, b[index], `${pointer}/${index}`))
  }
  if (isRecord(a) && isRecord(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
      differences(a[key], b[key], pointer + pointerOf([key]))
    )
  }
  return [pointer]
}

/** The first place where two values of plain data differ, with what is there. */
export const firstDifference = (
  a: unknown,
  b: unknown
): { readonly pointer: string; readonly message: string } | undefined => {
  const [pointer] = differences(a, b)
  if (pointer === undefined) return undefined
  return { pointer, message: `expected ${glimpse(valueAt(a, pointer))}, got ${glimpse(valueAt(b, pointer))}` }
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")).reduce<unknown>(
    (node, key) => isRecord(node) ? node[key] : Array.isArray(node) ? node[Number(key)] : undefined,
    value
  )

const glimpse = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}

/** How many nodes of a canonical value are unmodelled, by the wire's own word for them. */
export const unmodelledIn = (canonical: Json): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const walk = (node: Json): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (!isRecord(node)) return
    if (node.type !== "unmodelled") return Object.values(node).forEach((child) => walk(child as Json))
    const { raw } = node
    const word = isRecord(raw) ? String(raw.type ?? raw.role ?? "object") : typeof raw
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  walk(canonical)
  return counts
}
