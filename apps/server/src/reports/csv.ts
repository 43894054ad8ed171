import { csvLine } from '@liquidity-os/sheet'
import type { Cell, ReportTable } from '../drawing/figure.ts'
import { textOrEmpty } from '../texts.ts'

type Table = Pick<ReportTable, 'id' | 'columns' | 'rows'>

/**
 * Tables as a single RFC 4180 table. Each line starts with the part name and row number; row 0
 * contains the headings with units. Amounts are exact, in atoms.
 *
 * An apostrophe precedes text that a spreadsheet would evaluate as a formula.
 */
export function tablesToCsv(tables: readonly Table[]): string {
  const width = Math.max(...tables.map(({ columns }) => columns.length))
  const cells = Array.from({ length: width }, (_, index) => `cell ${index + 1}`)
  const lines = [['part', 'row', ...cells], ...tables.flatMap((table) => tableLines(table, width))]
  return csvText(lines)
}

function tableLines({ id, columns, rows }: Table, width: number): string[][] {
  const headings = columns.map(({ name, unit }) => (unit === 'TEXT' ? name : `${name} [${unit}]`))
  return [
    [id, '0', ...padded(headings, width)],
    ...rows.map((row, index) => [id, String(index + 1), ...padded(row.map(plainText), width)]),
  ]
}

/** Pairs of a name and a value as a table. */
export function pairsTable(id: string, pairs: readonly (readonly [string, string])[]): Table {
  const columns: Table['columns'] = [
    { name: 'what', unit: 'TEXT' },
    { name: 'value', unit: 'TEXT' },
  ]
  return { id, columns, rows: pairs.map((pair) => [...pair]) }
}

/** RFC 4180 table with one column per field. A list field has one column per item. */
export function rowsToCsv(rows: readonly object[]): string {
  const flat = rows.map((row) => new Map(Object.entries(row).flatMap(cells)))
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  return csvText([columns, ...flat.map((row) => columns.map((name) => textOrEmpty(row.get(name))))])
}

const csvText = (lines: readonly (readonly string[])[]) => lines.map(csvLine).join('')

const padded = (line: readonly string[], width: number) => [
  ...line,
  ...Array<string>(width - line.length).fill(''),
]

const plainText = (cell: Cell): string => (cell === null ? '' : String(cell))

function cells([name, value]: [string, unknown]): [string, string][] {
  if (!Array.isArray(value)) return [[name, textOf(value)]]
  return value.map((item, index) => [`${name}.${index}`, textOf(item)])
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
