/** Gives nodes the forms that an API takes, and tells what that costs. */
import type { Schema } from "effect"
import type { SchemaLoss } from "../Fitted.ts"
import { areApart, tellApart } from "./Alike.ts"
import { shortened } from "./Fold.ts"
import { below, type Extent, extentOf, isBeyond, type Place, top } from "./Inline.ts"
import { Matching } from "./Matches.ts"
import { make as makeNode, type Node, type Scalar } from "./Node.ts"
import { objectForm } from "./ObjectForm.ts"
import { type Obstacle, Report } from "./Report.ts"
import { type Root, wrapper } from "./Root.ts"
import type { Rules } from "./Rules.ts"
import { type Form, make, reachable, type Shape } from "./Shape.ts"
import { textsOf } from "./Texts.ts"
import { boundsOf, isIdle } from "./Told.ts"

type Json = Schema.Json

export interface Shaped {
  readonly root: Shape
  readonly losses: ReadonlyArray<SchemaLoss>
  readonly obstacles: ReadonlyArray<Obstacle>
}

export const shaped = ({ node, wrapped }: Root, rules: Rules): Shaped => new Shaping(node, rules).run(wrapped)

class Shaping {
  readonly #root: Node
  readonly #rules: Rules
  readonly #extent: Extent | undefined
  readonly #known = new Map<Node, Map<number, Shape>>()
  readonly #report: Report
  readonly #unions: Array<Shape> = []
  readonly #todo: Array<() => void> = []

  constructor(root: Node, rules: Rules) {
    this.#root = root
    this.#rules = rules
    this.#report = new Report(rules.name)
    this.#extent = rules.references === "inlined" ? extentOf(root) : undefined
  }

  run(wrapped: boolean): Shaped {
    const inner = this.#shape(this.#root, top)
    for (let fill = this.#todo.pop(); fill !== undefined; fill = this.#todo.pop()) fill()
    const root = wrapped ? make(this.#root, { kind: "wrapped", key: wrapper, shape: inner }) : inner
    if (this.#rules.maps !== "kept") this.#tellApart(root)
    return { root, losses: this.#report.losses, obstacles: this.#report.obstacles }
  }

  #shape(node: Node, place: Place): Shape {
    const extent = this.#extent
    if (extent !== undefined && isBeyond(node, extent, place)) return this.#cut(node)
    const at = this.#known.get(node) ?? new Map<number, Shape>()
    this.#known.set(node, at)
    const key = extent === undefined ? 0 : place.level * 8 + place.rounds
    const before = at.get(key)
    if (before !== undefined) return before
    const shape = make(node)
    at.set(key, shape)
    if (extent === undefined && node.name !== undefined) this.#todo.push(() => this.#fill(shape, place))
    else this.#fill(shape, place)
    return shape
  }

  #fill(shape: Shape, place: Place): void {
    const { node } = shape
    if (
      !this.#rules.recursion && this.#rules.references === "kept" && node.cycle !== undefined && node.name !== undefined
    ) {
      this.#report.refuse(node.pointer, "a schema that contains itself", "Say how deep it goes instead.")
    }
    const inner = (child: Node): Shape => this.#shape(child, this.#extent === undefined ? top : below(child, place))
    shape.form = this.#formOf(node, shape, inner)
    shape.words.push(...node.about.notes)
    if (shape.form.kind === "entries") shape.words.push("an object, as the list of its entries")
    if (shape.form.kind === "text") shape.words.push("any JSON value, as JSON text")
    this.#bound(shape)
    if (shape.form.kind === "union") this.#unions.push(shape)
  }

  #formOf(node: Node, shape: Shape, inner: (child: Node) => Shape): Form {
    const { body, pointer } = node
    switch (body.kind) {
      case "any":
        if (body.why !== undefined) this.#report.refuse(pointer, body.why, "Correct the schema.")
        return this.#anything(pointer, body.why === undefined)
      case "never":
        this.#report.refuse(pointer, "a schema that no value fits", "Leave it out.")
        return { kind: "any" }
      case "scalar":
        return { kind: "scalar", type: body.type }
      case "literals":
        return this.#literals(pointer, body.type, body.values)
      case "union":
        return this.#union(pointer, body.members, inner)
      case "list": {
        const { prefix, rest } = body
        const form: Form = {
          kind: "list",
          prefix: prefix.map(inner),
          ...rest === undefined ? {} : { rest: inner(rest) }
        }
        if (
          prefix.length > 0 && this.#rules.tuples === "mixed" &&
          new Set([...prefix, rest]).size > (rest === undefined ? 2 : 1)
        ) {
          this.#report.lose(pointer, "which item stands where")
          shape.words.push(`items in this order: ${prefix.map((item) => wordFor(item)).join(", ")}`)
        }
        return form
      }
      case "object":
        // Where objects are not closed, one without properties may have any. A tool without arguments is given none.
        if (
          body.fields.size === 0 && body.others === "closed" && this.#rules.anything === "text" && node !== this.#root
        ) {
          this.#report.lose(pointer, "that an object has no keys")
        }
        return objectForm(node, body, this.#rules, inner, this.#report)
    }
  }

  #anything(pointer: string, meant: boolean): Form {
    if (this.#rules.anything === "text") return { kind: "text" }
    if (this.#rules.anything === "refused" && meant) {
      this.#report.refuse(pointer, "a value of any kind", "Say its type, its properties or its items.")
    }
    return { kind: "any" }
  }

  #literals(pointer: string, type: Scalar, values: ReadonlyArray<Json>): Form {
    if (this.#rules.literals === "kept") {
      return { kind: "literals", type, values: values.map((value) => [value, value]) }
    }
    const texts = textsOf(values)
    if (texts !== undefined) return { kind: "literals", type: "string", values: texts }
    this.#report.lose(pointer, `one of ${shortened(values)}`)
    return { kind: "scalar", type }
  }

  /** Where all listed values become text, those of several types become one list of them. */
  #union(pointer: string, members: ReadonlyArray<Node>, inner: (child: Node) => Shape): Form {
    const listed = members.filter(({ body }) => body.kind === "literals")
    const values = listed.flatMap(({ body }) => body.kind === "literals" ? body.values : [])
    const texts = this.#rules.literals === "texts" && listed.length > 1 ? textsOf(values) : undefined
    if (texts === undefined) return { kind: "union", members: members.map(inner) }
    const together = make(makeNode(pointer, { kind: "union", members: listed }), {
      kind: "literals",
      type: "string",
      values: texts
    })
    return { kind: "union", members: [together, ...members.filter((member) => !listed.includes(member)).map(inner)] }
  }

  /** Tells the API the bounds that it takes, and the model the others. */
  #bound(shape: Shape): void {
    const { kept, told } = boundsOf(shape, this.#rules)
    shape.limits = kept
    for (const { keyword, pointer, value } of told) {
      this.#report.lose(pointer, `${keyword}: ${shortened(value)}`)
      if (!isIdle(keyword, value)) shape.words.push(`${keyword}: ${shortened(value)}`)
    }
  }

  /** Sees to it that a member of a union is known again by what the model writes. */
  #tellApart(root: Shape): void {
    tellApart(root, this.#unions)
    if (this.#rules.absent === "null") allowNull(root)
    for (const { node, words } of this.#unions) {
      if (node.body.kind !== "union" || node.body.exclusive === undefined || areApart(node.body.members)) continue
      this.#report.lose(node.body.exclusive, "that exactly one of these holds")
      words.push("exactly one of these")
    }
  }

  #cut(node: Node): Shape {
    const what = node.name === undefined ? "" : ` (${node.name})`
    this.#report.refuse(
      node.pointer,
      `a schema${what} that nests too deeply to be written out`,
      "Say how deep it goes instead."
    )
    const shape = make(node, { kind: node.body.kind === "object" ? "free" : "text" })
    if (node.name !== undefined) shape.words.push(`a ${node.name} again, as above`)
    return shape
  }
}

/** What is optional takes `null`, also where a member of its union that took it has a key of its own now. */
const allowNull = (root: Shape): void => {
  const matching = new Matching()
  for (const { form } of reachable(root).keys()) {
    if (form.kind !== "object") continue
    for (const field of form.fields.values()) {
      if (field.optional && !matching.matches(field.shape, null, false)) field.nulled = true
    }
  }
}

/** A word for what a node is, for a reader. */
const wordFor = ({ about, body, name }: Node): string =>
  about.title ?? name ??
    (body.kind === "scalar" ? body.type : body.kind === "literals" ? shortened(body.values) : body.kind)
