/** The engine's own collector, which it lends only when asked to. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect: unknown = runInNewContext("gc")

export const gc = (type: "minor" | "major"): void => {
  if (typeof collect !== "function") throw new Error("The engine does not lend its collector")
  collect({ type })
}
