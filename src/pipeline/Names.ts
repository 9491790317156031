/** Finds for each name that an alphabet does not take another one that it does, and that nothing else is called. */
import type { Alphabet } from "../protocol/Protocol.ts"

/** Would it be refused? */
export const isForeign = (alphabet: Alphabet | undefined, name: string): boolean =>
  alphabet !== undefined &&
  (name === "" || name.length > (alphabet.length ?? Infinity) || alphabet.foreign?.test(name) === true)

/** What each name of a request is called instead, and what each replacement stands for. */
export class Names {
  readonly #alphabet: Alphabet | undefined
  readonly #there: ReadonlySet<string>
  readonly #out = new Map<string, string>()
  readonly #back = new Map<string, string>()

  constructor(alphabet: Alphabet | undefined, there: Iterable<string>) {
    this.#alphabet = alphabet
    this.#there = new Set(there)
  }

  readonly out = (name: string): string => {
    if (!isForeign(this.#alphabet, name)) return name
    const known = this.#out.get(name)
    if (known !== undefined) return known
    const replacement = this.#replacement(name)
    this.#out.set(name, replacement)
    this.#back.set(replacement, name)
    return replacement
  }

  readonly back = (name: string): string => this.#back.get(name) ?? name

  #replacement(name: string): string {
    const good = name.replace(/[^a-zA-Z0-9_-]/gu, "_")
    for (let turn = 0;; turn++) {
      const end = `_${digest(turn === 0 ? name : `${name}\0${turn}`)}`
      const replacement = good.slice(0, (this.#alphabet?.length ?? Infinity) - end.length) + end
      if (!this.#there.has(replacement) && !this.#back.has(replacement)) return replacement
    }
  }
}

/** Ten characters that tell a text from others: two sums of it, each with its own factor. */
const digest = (text: string): string => {
  let [a, b] = [0x7a5c19, 0x3d91f7]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x5bd1e995)
    a ^= a >>> 15
    b = Math.imul(b + code, 0x6f4f2a35)
    b ^= b >>> 13
  }
  const digits = [a, b].map((sum) => (sum >>> 0).toString(36).padStart(7, "0").slice(-5))
  return digits.join("")
}
