/** Derives from a JSON Schema how arguments are held against it, once: what is wrong is told, defaults are filled in. */
import { isRecord } from "../codec/index.ts"
import { Fault, fault, type Place } from "./Fault.ts"
import { expression, isRead, type Rule, rulesOf, typeRule } from "./Keywords.ts"
import { beside } from "./Null.ts"

type Fields = { readonly [key: string]: unknown }

/** What becomes of keys that no param names, and of params that are not there. */
export interface Policy {
  readonly unknownKeys: "drop" | "keep" | "refuse"
  readonly absent: "omit" | "null"
}

/** Tells what is wrong with a value, and gives it with its defaults. */
export type Check = (value: unknown, place: Place | undefined, faults: Array<Fault>) => unknown

const pass: Check = (value) => value

export const check = (schema: unknown, policy: Policy): Check => {
  if (!isRecord(schema)) return pass
  const other = beside(schema)
  if (other !== undefined) {
    const inner = check(other.schema, policy)
    return (value, place, faults) => value === null ? value : inner(value, place, faults)
  }
  const isOfType = typeRule(schema.type as Parameters<typeof typeRule>[0])
  const rules = rulesOf(schema)
  const parts = [choice(schema, policy), members(schema, policy), properties(schema, policy)].filter((part) =>
    part !== undefined
  )
  return (value, place, faults) => {
    const must = isOfType?.(value)
    if (must !== undefined) {
      faults.push(fault(place, must))
      return value
    }
    for (const rule of rules) tell(rule, value, place, faults)
    return parts.reduce((value, part) => part(value, place, faults), value)
  }
}

const tell = (rule: Rule, value: unknown, place: Place | undefined, faults: Array<Fault>): void => {
  const must = rule(value)
  if (must !== undefined) faults.push(fault(place, must))
}

// choices -----------------------------------------------------------------------------------------------------------

const schemasIn = (said: unknown, policy: Policy): ReadonlyArray<Check> | undefined =>
  Array.isArray(said) ? said.map((schema) => check(schema, policy)) : undefined

/**
 * A choice of schemas: the value is as the first gives it that it fits to the last key, or else as the first that it fits
 * under the policy. Where a schema says what only a model reads, it lets too much through to count, or to be excluded.
 */
const choice = (schema: Fields, policy: Policy): Check | undefined => {
  const any = formsOf(schema.anyOf, policy)
  const one = formsOf(schema.oneOf, policy)
  const all = schemasIn(schema.allOf, policy)
  const not = Object.hasOwn(schema, "not") && isRead(schema.not)
    ? check(schema.not, { ...policy, unknownKeys: "refuse" })
    : undefined
  if (any === undefined && one === undefined && all === undefined && not === undefined) return undefined
  const isCounted = isRead(schema.oneOf)
  return (value, place, faults) => {
    let out = value
    for (const forms of [any, one]) {
      if (forms === undefined) continue
      const closely = forms.closely.flatMap((check) => fitting(check, out, place))
      const [fit = first(forms.loosely, out, place)] = closely
      if (fit === undefined) faults.push(fault(place, "must have one of the forms that its schema lists"))
      else if (forms === one && isCounted && closely.length > 1) {
        faults.push(fault(place, "must have only one of the forms that its schema lists"))
      } else out = fit.value
    }
    for (const check of all ?? []) out = check(out, place, faults)
    if (not !== undefined && fitting(not, out, place).length > 0) {
      faults.push(fault(place, "must not have the form that its schema excludes"))
    }
    return out
  }
}

/** The checks of a choice: without a key that none names, and with such as the policy has them. */
const formsOf = (said: unknown, policy: Policy) => {
  const closely = schemasIn(said, { ...policy, unknownKeys: "refuse" })
  const loosely = policy.unknownKeys === "refuse" ? closely : schemasIn(said, policy)
  return closely === undefined || loosely === undefined ? undefined : { closely, loosely }
}

const first = (checks: ReadonlyArray<Check>, value: unknown, place: Place | undefined) => {
  for (const check of checks) {
    const [fit] = fitting(check, value, place)
    if (fit !== undefined) return fit
  }
  return undefined
}

const fitting = (
  check: Check,
  value: unknown,
  place: Place | undefined
): ReadonlyArray<{ readonly value: unknown }> => {
  const faults: Array<Fault> = []
  const out = check(value, place, faults)
  return faults.length === 0 ? [{ value: out }] : []
}

// arrays ------------------------------------------------------------------------------------------------------------

const members = ({ items, prefixItems }: Fields, policy: Policy): Check | undefined => {
  const first = schemasIn(prefixItems, policy) ?? schemasIn(items, policy) ?? []
  const rest = isRecord(items) ? check(items, policy) : undefined
  if (first.length === 0 && rest === undefined) return undefined
  return (value, place, faults) =>
    Array.isArray(value)
      ? value.map((member, key) => (first[key] ?? rest ?? pass)(member, { key, up: place }, faults))
      : value
}

// objects -----------------------------------------------------------------------------------------------------------

interface Property {
  readonly name: string
  readonly check: Check
  readonly isRequired: boolean
  readonly takesNull: boolean
  readonly fallback: (() => unknown) | undefined
}

const propertyOf = (name: string, schema: unknown, isRequired: boolean, policy: Policy): Property => {
  const of = check(schema, policy)
  return {
    name,
    check: of,
    isRequired,
    takesNull: fitting(of, null, undefined).length > 0,
    fallback: isRecord(schema) && Object.hasOwn(schema, "default") ? fallback(schema.default, of) : undefined
  }
}

/** A default as its own defaults complete it; one that does not fit stands as its author wrote it. */
const fallback = (value: unknown, check: Check): () => unknown => {
  const [fit] = fitting(check, value, undefined)
  const whole = fit === undefined ? value : fit.value
  // Whoever gets the arguments may change them, but not the schema.
  return () => structuredClone(whole)
}

const properties = (schema: Fields, policy: Policy): Check | undefined => {
  const { additionalProperties: additional, patternProperties, properties } = schema
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const named = isRecord(properties) ? properties : {}
  const list = Object.entries(named).map(([name, schema]) => propertyOf(name, schema, required.has(name), policy))
  const lacking = [...required].filter((name): name is string =>
    typeof name === "string" && !Object.hasOwn(named, name)
  )
  const others = other(patternProperties, additional, policy)
  if (list.length + lacking.length === 0 && others === undefined) return undefined
  return (value, place, faults) => {
    if (!isRecord(value)) return value
    const out: Array<readonly [string, unknown]> = []
    for (const property of list) {
      const { name } = property
      const child = Object.hasOwn(value, name) ? value[name] : undefined
      const filled = fill(property, child, { key: name, up: place }, faults, policy)
      if (filled !== undefined) out.push([name, filled])
    }
    for (const key of lacking) {
      if (!Object.hasOwn(value, key)) faults.push(fault({ key, up: place }, "is required"))
    }
    for (const [key, child] of Object.entries(value)) {
      if (Object.hasOwn(named, key) || child === undefined) continue
      const kept = others === undefined ? child : others(child, { key, up: place }, faults)
      if (kept !== undefined) out.push([key, kept])
    }
    return Object.fromEntries(out)
  }
}

/** The value of a property: its own, its default, or none. Models send `null` for what they leave out. */
const fill = (
  { check, fallback, isRequired, takesNull }: Property,
  child: unknown,
  place: Place,
  faults: Array<Fault>,
  { absent }: Policy
): unknown => {
  if (child !== undefined && (child !== null || isRequired || takesNull)) return check(child, place, faults)
  if (isRequired) {
    faults.push(fault(place, "is required"))
    return undefined
  }
  return fallback === undefined ? absent === "null" ? null : undefined : fallback()
}

/** What becomes of a key that is not named; nothing where it is dropped. */
const other = (patterns: unknown, additional: unknown, policy: Policy): Check | undefined => {
  const matching = Object.entries(isRecord(patterns) ? patterns : {}).flatMap(([pattern, schema]) => {
    const named = expression(pattern)
    return named === undefined ? [] : [{ named, check: check(schema, policy) }]
  })
  if (matching.length === 0 && (additional === undefined || additional === true)) return undefined
  const rest = additional === false ? unknownKey[policy.unknownKeys] : check(additional, policy)
  return (value, place, faults) => {
    const checks = matching.filter(({ named }) => named.test(String(place?.key)))
    return checks.length === 0
      ? rest(value, place, faults)
      : checks.reduce((value, { check }) => check(value, place, faults), value)
  }
}

const unknownKey: { readonly [P in Policy["unknownKeys"]]: Check } = {
  drop: () => undefined,
  keep: pass,
  refuse: (_, place, faults) => void faults.push(fault(place, "is not known"))
}
