/** Prints aligned plain text: a title, a line of columns, lines of numbers. */
export type Line = readonly [name: string, ...cells: ReadonlyArray<string>]

export const table = (title: string, columns: ReadonlyArray<string>, lines: ReadonlyArray<Line>): void => {
  const all: ReadonlyArray<Line> = [[title, ...columns], ...lines]
  const widths = ["", ...columns].map((_, i) => Math.max(...all.map((line) => line[i]?.length ?? 0)))
  const print = ([name, ...cells]: Line) =>
    [name.padEnd(widths[0]!), ...cells.map((cell, i) => cell.padStart(widths[i + 1]!))].join("   ")
  console.log(`\n${all.map(print).join("\n")}`)
}

export const times = (ratio: number): string => `${ratio.toFixed(2)} x`
export const ms = (milliseconds: number): string => `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
