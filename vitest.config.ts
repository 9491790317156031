import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"

/** Closes a run with one plain line: `N passed, N failed`. A file that cannot be loaded counts as a failure. */
const closingLine: Reporter = {
  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const unloaded = modules.filter((module) =>
      module.state() === "failed" && [...module.children.allTests()].length === 0
    )
    const count = (state: string) => tests.filter((each) => each === state).length
    const skipped = count("skipped")
    console.log(
      `${count("passed")} passed, ${count("failed") + unloaded.length + errors.length} failed${
        skipped > 0 ? `, ${skipped} skipped` : ""
      }`
    )
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 120_000,
    reporters: ["default", closingLine]
  }
})
