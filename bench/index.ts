/**
 * Runs the rows that are named, or all of them. Each is a process of its own, so that a number does not depend on what
 * else was asked for. The packages that others wrote are installed beside this file on the first run.
 */
import { execSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Those that show what others take, and so need their packages. */
const withPeers = ["translate", "encode", "decode", "growth"]
const alone = ["codecs", "profile", "expand", "tools", "items", "loops", "streams", "heap", "imports", "bundle"]
const rows = [...withPeers, ...alone]

const named = process.argv.slice(2)
const unknown = named.filter((name) => !rows.includes(name))
if (unknown.length > 0) {
  console.error(`No row is named ${unknown.join(", ")}; there are ${rows.join(", ")}`)
  process.exit(1)
}

const asked = named.length > 0 ? named : rows

const here = fileURLToPath(new URL(".", import.meta.url))
if (asked.some((name) => withPeers.includes(name)) && !existsSync(`${here}node_modules`)) {
  execSync("npm ci --ignore-scripts --no-audit --no-fund", { cwd: here, stdio: "inherit" })
}
console.log(`Node ${process.version}. "x JSON": times JSON.parse + JSON.stringify of the same body in the same run.`)
for (const name of asked) {
  const { status } = spawnSync(process.execPath, [`${here}rows/${name}.ts`], { stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
}
