import type { PairSymbols } from '../paper.ts'
import { printValue } from './numbers.ts'
import type { ChartAxis, ChartSpec } from './spec.ts'

/** Names the tokens of the pair in the units of a chart: `WETH per ENS` for `quote per base`. */
export function withSymbols(spec: ChartSpec, symbols: PairSymbols | undefined): ChartSpec {
  if (symbols === undefined) return spec
  const unitOf = (unit: string) =>
    unit
      .replace(/\bquote(?: tokens?)?\b/g, symbols.quote)
      .replace(/\bbase(?: tokens?)?\b/g, (side) => symbols.base ?? side)
  const axisOf = (axis: ChartAxis) => ({ ...axis, unit: unitOf(axis.unit) })
  const { x, y, right, table, panels } = spec
  return {
    ...spec,
    x: axisOf(x),
    ...(y ? { y: axisOf(y) } : {}),
    ...(right ? { right: axisOf(right) } : {}),
    ...(panels
      ? {
          panels: panels.map((panel) => ({
            ...panel,
            ...(panel.x ? { x: axisOf(panel.x) } : {}),
            ...(panel.y ? { y: axisOf(panel.y) } : {}),
          })),
        }
      : {}),
    table: {
      ...table,
      columns: table.columns.map((column) => ({ ...column, unit: unitOf(column.unit) })),
    },
  }
}

const counted =
  /(?<![\d.,·])1 (observation|interval|price|scenario|sample|gap|line|venue|payment|check|owner|module|step|event|holding|month|trade)s\b/g

/** A sentence with times in minutes, long numbers with six significant digits, and singulars after 1. */
export const readableSummary = (text: string): string =>
  text
    .replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z/g, '$1 $2 UTC')
    .replace(/(?<![\w.])-?(?:\d+\.\d{7,}|\d{16,}(?:\.\d+)?)(?![\w.]*\w)/g, (number) =>
      printValue(Number(number)),
    )
    .replace(counted, '1 $1')
