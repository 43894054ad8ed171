import type { Cell, Column } from '../../../drawing/figure.ts'
import type { HashedReport } from './study-report.ts'

/**
 * Everything with numbers in a report as one table of RFC 4180: each line begins with the name of its part and
 * the number of its row; row 0 has the headings with their units. Amounts are exact, in atoms.
 *
 * Words that a spreadsheet would take for a formula are led by an apostrophe.
 */
export function reportToCsv(report: HashedReport): string {
  const tables: { id: string; columns: Column[]; rows: Cell[][] }[] = [
    summary(report),
    ...report.tables,
    ...report.figures,
  ]
  const width = Math.max(...tables.map(({ columns }) => columns.length))
  const cells = Array.from({ length: width }, (_, index) => `cell ${index + 1}`)
  const lines = [
    ['part', 'row', ...cells],
    ...tables.flatMap(({ id, columns, rows }) => [
      [
        id,
        '0',
        ...padded(
          columns.map(({ name, unit }) => (unit === 'TEXT' ? name : `${name} [${unit}]`)),
          width,
        ),
      ],
      ...rows.map((row, index) => [id, String(index + 1), ...padded(row.map(plainText), width)]),
    ]),
  ]
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('')
}

/** What a reader needs to know before the numbers. */
function summary(report: HashedReport): { id: string; columns: Column[]; rows: Cell[][] } {
  const { study, name, state, headline, contentHash, pair } = report
  const facts: [string, string][] = [
    ['name', name],
    ['study', study.id],
    ['resourceVersion', study.resourceVersion],
    ['state', state],
    ['headline', headline],
    ['contentHash', contentHash],
    ['base', pair.base],
    ['baseDecimals', `${pair.baseDecimals}`],
    ['quote', pair.quote],
    ['quoteDecimals', `${pair.quoteDecimals}`],
    ...report.arms.map(({ armId, label }): [string, string] => [`arm ${armId}`, label]),
    ...report.gaps.map(({ code, detail }): [string, string] => [`gap ${code}`, detail]),
  ]
  const columns: Column[] = [
    { name: 'what', unit: 'TEXT' },
    { name: 'value', unit: 'TEXT' },
  ]
  return { id: 'report', columns, rows: facts }
}

const padded = (cells: readonly string[], width: number) => [
  ...cells,
  ...Array<string>(width - cells.length).fill(''),
]

const plainText = (cell: Cell): string => (cell === null ? '' : String(cell))

/** A field that no spreadsheet runs, quoted where it must be. */
export function field(text: string): string {
  const isNumber = /^-?\d+$/.test(text)
  const harmless = !isNumber && /^[\s]*[=+\-@\t\r|%]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
