/**
 * A map that does not change, and is mostly asked for the entry that was set last: that one is held apart from the
 * others, so that to find it takes one comparison and to set it anew one object. A stream grows one slot for long.
 */
import { HashMap, Option } from "effect"

export interface Latest<K, V> extends Iterable<readonly [K, V]> {
  readonly key: K | undefined
  readonly value: V | undefined
  readonly others: HashMap.HashMap<K, V>
}

class Entries<K, V> implements Latest<K, V> {
  readonly key: K | undefined
  readonly value: V | undefined
  readonly others: HashMap.HashMap<K, V>
  constructor(key: K | undefined, value: V | undefined, others: HashMap.HashMap<K, V>) {
    this.key = key
    this.value = value
    this.others = others
  }
  *[Symbol.iterator](): Iterator<readonly [K, V]> {
    yield* this.others
    if (this.key !== undefined) yield [this.key, this.value as V]
  }
}

/** A map without entries. */
export const empty = <K extends string | number, V>(): Latest<K, V> =>
  new Entries<K, V>(undefined, undefined, HashMap.empty())

export const get = <K extends string | number, V>(map: Latest<K, V>, key: K): V | undefined =>
  map.key === key ? map.value : Option.getOrUndefined(HashMap.get(map.others, key))

export const has = <K extends string | number, V>(map: Latest<K, V>, key: K): boolean =>
  map.key === key || HashMap.has(map.others, key)

export const set = <K extends string | number, V>(map: Latest<K, V>, key: K, value: V): Latest<K, V> => {
  if (map.key === key || map.key === undefined) return new Entries(key, value, map.others)
  return new Entries(key, value, HashMap.set(HashMap.remove(map.others, key), map.key, map.value as V))
}

/** The entries in the order of their numbers. */
export const ordered = <V>(map: Latest<number, V>): ReadonlyArray<readonly [number, V]> =>
  [...map].toSorted(([a], [b]) => a - b)
