/** Joins what arrives for one slot of a stream to the items that it holds. */
import type { Event } from "../canonical/Event.ts"
import type { Item, Items } from "../canonical/Item.ts"
import type { Citation, Part, Parts, Texts } from "../canonical/Part.ts"

/** The events that belong to a slot. */
export type SlotEvent = Extract<Event, { readonly slot: number }>

/** One slot. What closes it whole stands above all that came before. */
export class Slot {
  readonly protocol: string
  #opened: Items = []
  #closed: Items | undefined
  #parts = new Places<Spoken>(() => ({ text: new Text(), refusal: new Text(), citations: [] }))
  #content = new Places(() => new Text())
  #summary = new Places(() => new Text())
  #args = new Text()
  #proof = new Text()

  constructor(protocol: string) {
    this.protocol = protocol
  }

  add(event: SlotEvent): void {
    switch (event._tag) {
      case "SlotStarted":
        this.#opened = event.items
        return
      case "SlotDone":
        if (event.items !== undefined) this.#close(event.items)
        return
    }
    if (this.#closed !== undefined) return
    switch (event._tag) {
      case "TextDelta":
        return this.#parts.at(event.part).text.add(event.text)
      case "RefusalDelta":
        return this.#parts.at(event.part).refusal.add(event.text)
      case "CitationAdded":
        return void this.#parts.at(event.part).citations.push(event.citation)
      case "ReasoningDelta":
        return (event.of === "content" ? this.#content : this.#summary).at(event.part).add(event.text)
      case "ArgumentsDelta":
        return this.#args.add(event.text)
      case "ProofDelta":
        return this.#proof.add(event.text)
    }
  }

  /** The slot's items as far as they are told. */
  items(): Items {
    if (this.#closed !== undefined) return this.#closed
    return [this.#spoken, this.#thought, this.#called, this.#proven].reduce((items, f) => f(items), this.#opened)
  }

  #close(items: Items): void {
    this.#closed = items
    for (const places of [this.#parts, this.#content, this.#summary]) places.clear()
    this.#args = this.#proof = new Text()
  }

  readonly #spoken = (items: Items): Items => {
    if (this.#parts.isEmpty) return items
    const target = items.findLast((item) => item.type === "message" || item.type === "compaction")
    if (target?.type === "compaction") {
      const text = (target.text ?? "") + this.#parts.entries().map(([, { text }]) => text.join()).join("")
      return replaced(items, target, { ...target, text })
    }
    const message = target ?? { type: "message" as const, role: "assistant" as const, parts: [] }
    return replaced(items, target, { ...message, parts: this.#partsOnto(message.parts) })
  }

  #partsOnto(opened: Parts): Parts {
    const parts: Array<Part> = [...opened]
    for (const [place, { citations, refusal, text }] of this.#parts.entries()) {
      const at = opened[place]
      if (!text.isEmpty || citations.length > 0) put(parts, at, "text", text.join(), citations)
      if (!refusal.isEmpty) put(parts, at, "refusal", refusal.join(), [])
    }
    return parts
  }

  readonly #thought = (items: Items): Items => {
    if (this.#content.isEmpty && this.#summary.isEmpty) return items
    const target = items.findLast((item) => item.type === "reasoning")
    const reasoning = target ?? { type: "reasoning" as const, protocol: this.protocol }
    return replaced(items, target, {
      ...reasoning,
      ...(this.#summary.isEmpty ? {} : { summary: paragraphsOnto(reasoning.summary, this.#summary) }),
      ...(this.#content.isEmpty ? {} : { content: paragraphsOnto(reasoning.content, this.#content) })
    })
  }

  readonly #called = (items: Items): Items => {
    if (this.#args.isEmpty) return items
    const target = items.findLast((item) => item.type === "tool-call" || item.type === "tool-approval-request")
    const text = this.#args.join()
    // Of a call that was never opened nothing else is known.
    const call = target ?? { type: "tool-call" as const, id: "", name: "" }
    return replaced(
      items,
      target,
      call.type === "tool-call" && call.input !== undefined
        ? { ...call, input: call.input + text }
        : { ...call, arguments: (call.arguments ?? "") + text }
    )
  }

  readonly #proven = (items: Items): Items => {
    if (this.#proof.isEmpty) return items
    const target = items.findLast((item) => item.type === "reasoning" || item.type === "compaction")
    const item = target ?? { type: "reasoning" as const, protocol: this.protocol }
    return replaced(items, target, { ...item, proof: (item.proof ?? "") + this.#proof.join() })
  }
}

interface Spoken {
  readonly text: Text
  readonly refusal: Text
  readonly citations: Array<Citation>
}

const replaced = (items: Items, target: Item | undefined, item: Item): Items =>
  target === undefined ? [...items, item] : items.map((each) => each === target ? item : each)

/** Adds to the part that was opened at a place, if it is of that kind, or else puts a new one at the end. */
const put = (
  parts: Array<Part>,
  at: Part | undefined,
  type: "text" | "refusal",
  text: string,
  more: ReadonlyArray<Citation>
): void => {
  const index = at === undefined ? -1 : parts.indexOf(at)
  const opened = at?.type === "text" || at?.type === "refusal" ? at : undefined
  if (opened === undefined || (opened.type !== type && opened.text !== "")) {
    parts.push(type === "text" ? { type, text, ...cited([], more) } : { type, text })
  } else if (type === "refusal") {
    parts[index] = { ...(opened.type === type ? opened : {}), type, text: opened.text + text }
  } else {
    const citations = opened.type === type ? opened.citations ?? [] : []
    parts[index] = {
      ...(opened.type === type ? opened : {}),
      type,
      text: opened.text + text,
      ...cited(citations, more)
    }
  }
}

const cited = (citations: ReadonlyArray<Citation>, more: ReadonlyArray<Citation>) =>
  citations.length + more.length === 0 ? {} : { citations: [...citations, ...more] }

const paragraphsOnto = (opened: Texts = [], paragraphs: Places<Text>): Texts => {
  const out = [...opened]
  for (const [place, text] of paragraphs.entries()) {
    const at = opened[place]
    if (at?.type === "text") out[place] = { ...at, text: at.text + text.join() }
    else out.push({ type: "text", text: text.join() })
  }
  return out
}

/** What is told of the places within a slot. */
class Places<A> {
  readonly #make: () => A
  readonly #all = new Map<number, A>()
  constructor(make: () => A) {
    this.#make = make
  }
  get isEmpty(): boolean {
    return this.#all.size === 0
  }
  at(place: number): A {
    const there = this.#all.get(place)
    if (there !== undefined) return there
    const made = this.#make()
    this.#all.set(place, made)
    return made
  }
  entries(): ReadonlyArray<readonly [place: number, value: A]> {
    return [...this.#all].toSorted(([a], [b]) => a - b)
  }
  clear(): void {
    this.#all.clear()
  }
}

/** A text in pieces. They are joined a thousand at a time, so that memory holds the text and not its pieces. */
class Text {
  #joined: Array<string> = []
  #recent: Array<string> = []
  get isEmpty(): boolean {
    return this.#recent.length === 0 && this.#joined.length === 0
  }
  add(piece: string): void {
    if (this.#recent.push(piece) < 1024) return
    this.#joined.push(this.#recent.join(""))
    this.#recent = []
  }
  join(): string {
    return this.#joined.concat(this.#recent).join("")
  }
}
