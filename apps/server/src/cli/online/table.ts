import { required } from '../../required.ts'

/** A table as wide as a terminal: the widest column gives way first. */
export function tableOf(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const all = [columns, ...rows]
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => [...required(row[index], 'cell')].length)),
  )
  const gap = 2
  for (;;) {
    const total = widths.reduce((sum, one) => sum + one + gap, -gap)
    const widest = widths.reduce((max, one, index) => (one > (widths[max] ?? 0) ? index : max), 0)
    if (total <= width || (widths[widest] ?? 0) <= 8) break
    widths[widest] = Math.max(8, (widths[widest] ?? 0) - (total - width))
  }
  return all.map((row) =>
    row
      .map((cell, index) => fitted(cell, widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

function fitted(cell: string, width: number): string {
  const letters = [...cell]
  return letters.length <= width
    ? cell + ' '.repeat(width - letters.length)
    : `${letters.slice(0, width - 1).join('')}…`
}
