import { decimalText, numberText } from './decimal.ts'
import {
  type Column,
  type Fact,
  headingOf,
  isAmount,
  type Source,
  type Table,
  type TableRow,
  type Value,
  type Workbook,
} from './table.ts'
import { type Cell, columnLetters, quotedSheet, type Sheet, writeXlsx } from './xlsx.ts'

const headingRows = 1
/** Rows of the summary above the facts: the title and an empty row. */
const titleRows = 2
const maxWidth = 60

/**
 * A workbook with the sheets Summary, one per table, Units and Sources. Amounts are numbers of at
 * most 15 significant digits, next to their exact integers as text. Times are serial numbers in UTC.
 */
export function workbookToXlsx(workbook: Workbook): Uint8Array {
  const { title, facts, tables, sources } = workbook
  const places = new Map<string, Place>()
  const named = sheetNames(tables)
  for (const [index, table] of tables.entries()) {
    places.set(table.id, placeOf(table, named[index] ?? table.title))
  }
  const summary: Sheet = {
    name: 'Summary',
    rows: [
      [{ text: title, style: 'TITLE' }],
      [],
      ...facts.map((fact) => [fact.label, factCell(fact, places), fact.unit ?? null]),
    ],
    widths: [28, 44, 14],
    frozenRows: 1,
  }
  const names = facts.flatMap(({ name }, index) =>
    name === undefined ? [] : [{ name, refersTo: `Summary!$B$${index + 1 + titleRows}` }],
  )
  const data = tables.map((table, index) => tableSheet(table, named[index] ?? table.title))
  return writeXlsx([summary, ...data, unitsSheet(tables), sourcesSheet(sources)], names)
}

/** Position of the columns of a table on its sheet. */
interface Place {
  readonly sheet: string
  readonly letters: ReadonlyMap<string, string>
  readonly rows: number
}

function placeOf({ columns, rows }: Table, sheet: string): Place {
  return { sheet: quotedSheet(sheet), letters: lettersOf(columns), rows: rows.length }
}

/** The letters of each column. An exact integer takes the column to the right. */
function lettersOf(columns: readonly Column[]): Map<string, string> {
  const letters = new Map<string, string>()
  let index = 0
  for (const { key, exact } of columns) {
    letters.set(key, columnLetters(index))
    index += exact === undefined ? 1 : 2
  }
  return letters
}

/**
 * Excel accepts 31 characters, without some signs, and each name once without regard to case. It
 * reserves History for itself.
 */
function sheetNames(tables: readonly Table[]): string[] {
  const taken = new Set(['summary', 'units', 'sources', 'history'])
  return tables.map(({ title }) => {
    const plain = title.replaceAll(/[[\]:*?/\\']/g, ' ').trim() || 'Data'
    for (let copy = 1; ; copy += 1) {
      const ending = copy === 1 ? '' : ` ${copy}`
      const name = `${plain.slice(0, 31 - ending.length).trim()}${ending}`
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  })
}

function tableSheet({ columns, rows }: Table, name: string): Sheet {
  const headings = columns.flatMap((column) => {
    const heading: Cell = { text: headingOf(column), style: 'HEADING' }
    if (column.exact === undefined) return [heading]
    const exact = headingOf({ title: column.title, unit: column.exact.unit })
    return [heading, { text: exact, style: 'HEADING' } as const]
  })
  const letters = lettersOf(columns)
  function* lines(): Generator<readonly Cell[]> {
    yield headings
    for (const [index, row] of rows.entries()) {
      yield rowCells(row, columns, letters, index + 1 + headingRows)
    }
  }
  return { name, rows: lines(), widths: widthsOf(columns, rows), frozenRows: headingRows }
}

function rowCells(
  row: TableRow,
  columns: readonly Column[],
  letters: ReadonlyMap<string, string>,
  number: number,
): Cell[] {
  const cells: Cell[] = []
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index] as Column
    const value = row[index] ?? null
    const { formula, exact } = column
    const plain = cellOf(value, column)
    cells.push(
      formula !== undefined && isAmount(value)
        ? liveCell(
            formula.replace(/\{([^}]+)\}/g, (_, key) => placed(letters, key, number)),
            plain,
          )
        : plain,
    )
    if (exact) cells.push(isAmount(value) ? { text: `${value.atoms}`, style: 'TEXT' } : null)
  }
  return cells
}

function placed(letters: ReadonlyMap<string, string>, key: string, number: number): string {
  const column = letters.get(key)
  if (column === undefined) throw new Error(`A formula uses the unknown column ${key}.`)
  return `${column}${number}`
}

/** A formula with its cached result, which is empty for missing data. */
function liveCell(formula: string, plain: Cell): Cell {
  if (plain === null) return { formula, cached: null }
  if (typeof plain !== 'object' || !('number' in plain)) return plain
  const { number, style } = plain
  return { formula, cached: number, ...(style ? { style } : {}) }
}

function cellOf(value: Value, { kind, unit }: Pick<Column, 'kind' | 'unit'>): Cell {
  if (value === null || typeof value === 'boolean') return value
  if (isAmount(value)) {
    // A percentage is stored as a fraction and shown with the format of the cell.
    if (unit === '%') {
      return { number: numberText(value.atoms, value.decimals + 2), style: 'PERCENT' }
    }
    return { number: numberText(value.atoms, value.decimals) }
  }
  if (typeof value === 'string') return value === '' ? null : value
  return kind === 'TIME' ? { number: serialOf(value), style: 'TIME' } : { number: `${value}` }
}

const dayMilliseconds = 86_400_000n
/** Days from 1899-12-30, day 0 of a spreadsheet, to 1970-01-01. */
const epochDays = 25_569n

const serialDecimals = 10
const serialScale = 10n ** BigInt(serialDecimals)

/** Serial number of an instant: days with ten decimals, rounded to the nearest; an error below 5 µs. */
function serialOf(milliseconds: number): string {
  const time = BigInt(Math.trunc(milliseconds)) + epochDays * dayMilliseconds
  const scaled = (time * serialScale + dayMilliseconds / 2n) / dayMilliseconds
  return decimalText(scaled, serialDecimals)
}

function factCell(fact: Fact, places: ReadonlyMap<string, Place>): Cell {
  const plain = cellOf(fact.value, {
    kind: fact.kind ?? 'TEXT',
    ...(fact.unit ? { unit: fact.unit } : {}),
  })
  if (fact.formula === undefined) return plain
  const formula = fact.formula.replace(
    /\{(\w[\w-]*)\.(\w+)(?:#(\d+))?\}/g,
    (_, table: string, key: string, row: string | undefined) => {
      const place = places.get(table)
      const column = place?.letters.get(key)
      if (!place || column === undefined) {
        throw new Error(`A formula uses the unknown column ${table}.${key}.`)
      }
      if (row !== undefined) return `${place.sheet}!${column}${Number(row) + headingRows}`
      const last = Math.max(1, place.rows) + headingRows
      return `${place.sheet}!${column}${1 + headingRows}:${column}${last}`
    },
  )
  return liveCell(formula, plain)
}

/** Wide enough for the heading and the first rows. */
function widthsOf(columns: readonly Column[], rows: readonly TableRow[]): number[] {
  const shown = rows.slice(0, 50)
  return columns.flatMap((column, index) => {
    const { kind, exact } = column
    const texts = kind === 'TEXT' ? shown.map((row) => `${row[index] ?? ''}`.length) : []
    const least = kind === 'TIME' ? 19 : 10
    const width = Math.min(maxWidth, Math.max(least, headingOf(column).length + 2, ...texts))
    return exact === undefined ? [width] : [width, 26]
  })
}

function unitsSheet(tables: readonly Table[]): Sheet {
  return {
    name: 'Units',
    rows: [
      headingCells(['Sheet', 'Column', 'Unit', 'Exact column', 'Definition']),
      ...tables.flatMap(({ title, columns }) =>
        columns.map(({ title: column, kind, unit, exact, about }): Cell[] => [
          title,
          column,
          unit ?? kindUnits[kind],
          exact ? headingOf({ title: column, unit: exact.unit }) : null,
          about ?? null,
        ]),
      ),
    ],
    widths: [24, 28, 18, 34, 60],
    frozenRows: 1,
  }
}

const kindUnits: Readonly<Record<Column['kind'], string>> = {
  TEXT: 'text',
  AMOUNT: 'number',
  COUNT: 'count',
  TIME: 'UTC',
  FLAG: 'true or false',
}

function sourcesSheet(sources: readonly Source[]): Sheet {
  return {
    name: 'Sources',
    rows: [
      headingCells(['Kind', 'ID', 'Version', 'Hash', 'Block', 'URL']),
      ...sources.map(({ kind, id, version, hash, block, url }): Cell[] => [
        kind,
        id,
        version,
        hash,
        block,
        url,
      ]),
    ],
    widths: [22, 34, 60, 60, 20, 50],
    frozenRows: 1,
  }
}

const headingCells = (texts: readonly string[]): Cell[] =>
  texts.map((text) => ({ text, style: 'HEADING' }))
