/** Checks the arrow of imports: every file below `src` imports only from its own folder and from folders to its left. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"

interface SourceFile {
  /** Relative to the package, with forward slashes: `src/codec/Open.ts`. */
  readonly path: string
  readonly source: string
}

const foundation = ["codec", "canonical", "shorthand", "params", "protocol", "pipeline", "provider"]

/** Folder -> the folders it may import besides itself. */
const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
  codec: [],
  canonical: ["codec"],
  shorthand: ["codec", "canonical"],
  params: ["codec", "canonical"],
  protocol: ["codec", "canonical", "shorthand", "params"],
  pipeline: ["codec", "canonical", "shorthand", "params", "protocol"],
  provider: ["codec", "canonical", "shorthand", "params", "protocol", "pipeline"],
  loop: ["codec", "canonical", "shorthand", "params", "protocol", "pipeline"],
  translate: foundation,
  ai: foundation,
  testing: foundation,
  gateway: [...foundation, "translate"],
  cli: [...foundation, "translate", "ai", "testing", "gateway"]
}

/** Folders that are programs, and so may name the platform they run on. */
const programs = ["gateway", "cli"]

const vagueNames = ["utils", "helpers", "common", "shared", "misc", "types"]

/** The specifiers of a file's imports and re-exports, static and dynamic; comments are passed over. */
const specifiers = (source: string): ReadonlyArray<string> => {
  const code = source.replace(/^[ \t]*(?:\/\/|\/?\*).*$/gm, "")
  return [
    /^(?:import|export)\b[^"'`]*?\bfrom\s*["']([^"']+)["']/gm,
    /^import\s*["']([^"']+)["']/gm,
    /\bimport\(\s*["']([^"']+)["']/g
  ].flatMap((pattern) => Array.from(code.matchAll(pattern), (match) => match[1] ?? ""))
}

/** The folder below `src`; empty for a file directly in `src`. */
const folderOf = (file: string): string => file.split("/").slice(1, -1)[0] ?? ""

/** The protocol's own folder below `src/protocol`; empty for a file directly in it. */
const protocolOf = (file: string): string => file.split("/").slice(2, -1)[0] ?? ""

const packageViolation = (folder: string, specifier: string): string | undefined => {
  const isIn = (name: string) => specifier === name || specifier.startsWith(`${name}/`)
  if (isIn("effect")) return undefined
  if (specifier.startsWith("node:") || isIn("@effect/platform-node")) {
    return programs.includes(folder) ? undefined : `only ${programs.join(" and ")} may name the platform`
  }
  return "not a package that src may import"
}

const protocolViolation = (from: string, to: string): string | undefined => {
  const [own, other] = [protocolOf(from), protocolOf(to)]
  if (from === "src/protocol/index.ts" || (own === other && own !== "")) return undefined
  if (to === "src/protocol/index.ts") return "a protocol may not import the index of protocols"
  return other === "" ? undefined : "a protocol may not be imported by another, nor by what protocols share"
}

const relativeViolation = (from: string, specifier: string): string | undefined => {
  const to = path.posix.join(path.posix.dirname(from), specifier)
  if (!to.startsWith("src/")) return "outside src"
  if (!to.endsWith(".ts")) return "a relative import ends in .ts"
  if (from === "src/index.ts") return undefined
  const [own, other] = [folderOf(from), folderOf(to)]
  if (own === other) return own === "protocol" ? protocolViolation(from, to) : undefined
  const others = allowed[own] ?? []
  return others.includes(other) ? undefined : `${own} may import only ${[own, ...others].join(", ")}`
}

/** One line for each broken rule, naming the file and, where there is one, the specifier. */
const violations = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.flatMap(({ path: file, source }) => {
    const names = file.split("/").slice(1).map((segment) => segment.replace(/\..*$/, "").toLowerCase())
    const vague = names.filter((name) => vagueNames.includes(name)).map((name) => `${file}: "${name}" says nothing`)
    if (file !== "src/index.ts" && !Object.hasOwn(allowed, folderOf(file))) {
      return [...vague, `${file}: not in a known folder`]
    }
    const imports = specifiers(source).flatMap((specifier) => {
      const reason = specifier.startsWith(".")
        ? relativeViolation(file, specifier)
        : packageViolation(folderOf(file), specifier)
      return reason === undefined ? [] : [`${file} imports "${specifier}": ${reason}`]
    })
    return [...vague, ...imports]
  })

const root = path.resolve(import.meta.dirname, "..")

const sourceFiles = (): ReadonlyArray<SourceFile> =>
  readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .map((file) => ({
      path: path.posix.join("src", file.split(path.sep).join("/")),
      source: readFileSync(path.join(root, "src", file), "utf8")
    }))

/** What is said of one made-up file with one import. */
const said = (file: string, specifier: string) =>
  violations([{ path: file, source: `import * as X from "${specifier}"\n` }])

describe("imports", () => {
  it("src keeps to the arrow", () => {
    const files = sourceFiles()
    assert.isNotEmpty(files)
    assert.deepStrictEqual(violations(files), [])
  })

  it("a folder may import folders to its left", () => {
    const permitted = [
      ["src/index.ts", "./cli/Command.ts"],
      ["src/canonical/Item.ts", "../codec/Open.ts"],
      ["src/protocol/one/Item.ts", "../Protocol.ts"],
      ["src/protocol/one/deep/Item.ts", "../Content.ts"],
      ["src/protocol/index.ts", "./one/index.ts"],
      ["src/loop/Run.ts", "../pipeline/Client.ts"],
      ["src/gateway/Server.ts", "../translate/Body.ts"],
      ["src/gateway/Server.ts", "@effect/platform-node/NodeHttpServer"],
      ["src/cli/bin.ts", "../testing/index.ts"],
      ["src/cli/bin.ts", "node:process"],
      ["src/codec/Open.ts", "effect"],
      ["src/codec/Open.ts", "effect/Schema"]
    ] as const
    assert.deepStrictEqual(permitted.flatMap(([file, specifier]) => said(file, specifier)), [])
  })

  it("a made-up violation is caught and named", () => {
    assert.deepStrictEqual(said("src/canonical/Item.ts", "../protocol/Protocol.ts"), [
      "src/canonical/Item.ts imports \"../protocol/Protocol.ts\": canonical may import only canonical, codec"
    ])
    const forbidden = [
      ["src/shorthand/Tools.ts", "../params/Strict.ts"],
      ["src/params/Strict.ts", "../shorthand/Tools.ts"],
      ["src/protocol/one/Item.ts", "../two/Item.ts"],
      ["src/protocol/one/Item.ts", "../index.ts"],
      ["src/protocol/Protocol.ts", "./one/index.ts"],
      ["src/pipeline/Client.ts", "../loop/Run.ts"],
      ["src/loop/Run.ts", "../provider/OpenAi.ts"],
      ["src/translate/Body.ts", "../gateway/Server.ts"],
      ["src/testing/Laws.ts", "../ai/Model.ts"],
      ["src/gateway/Server.ts", "../cli/bin.ts"],
      ["src/codec/Open.ts", "../index.ts"],
      ["src/codec/Open.ts", "./Null"],
      ["src/codec/Open.ts", "../../package.json"],
      ["src/codec/Open.ts", "node:fs"],
      ["src/codec/Open.ts", "effects"],
      ["src/provider/OpenAi.ts", "@effect/platform-node"],
      ["src/cli/bin.ts", "openai"],
      ["src/elsewhere/Item.ts", "effect"],
      ["src/Item.ts", "effect"],
      ["src/codec/utils.ts", "effect"],
      ["src/canonical/shared/Item.ts", "effect"]
    ] as const
    assert.deepStrictEqual(forbidden.filter(([file, specifier]) => said(file, specifier).length !== 1), [])
  })

  it("every form of import is seen, and a comment is not one", () => {
    const source = [
      "/**",
      " * import { a } from \"a\"",
      " */",
      "// import(\"b\")",
      "import { c } from \"c\"",
      "import type {",
      "  d",
      "} from 'd'",
      "import \"e\"",
      "export * as f from \"f\"",
      "export { g } from \"g\"",
      "const h = await import(\"h\")",
      "type I = import(\"i\").I",
      "const text = 'imported from \"j\"'"
    ].join("\n")
    assert.sameMembers([...specifiers(source)], ["c", "d", "e", "f", "g", "h", "i"])
  })
})
