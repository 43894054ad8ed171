import {
  bindColumns,
  bindObject,
  type EventPlace,
  type PoolEvent,
  parseSmall,
  parseUtc,
  parseWhole,
  type RawLog,
  ReplayInputError,
  type RowSource,
  readEventRow,
  showCell,
} from '@liquidity-os/engine/replay'
import { required } from '../../required.ts'
import { textOrEmpty } from '../../texts.ts'
import { parseExactJson } from './exact-json.ts'
import { type OnProgress, readLineBatches, splitCsv } from './read-lines.ts'

/** A line of a table with its cells by lower-case column name. */
export interface TableRow {
  readonly file: string
  readonly line: number
  readonly cells: ReadonlyMap<string, string>
}

export type RecordedRow =
  | { readonly kind: 'EVENT'; readonly event: PoolEvent }
  | {
      readonly kind: 'LOG'
      readonly log: RawLog
      readonly place: EventPlace
      /** Contract address in lower case; null if the recording omits it. */
      readonly address: string | null
    }
  | { readonly kind: 'TABLE'; readonly row: TableRow }

type RowReader = (line: string, number: number) => RecordedRow

/**
 * Reads a recording line by line: event rows, raw logs (with `topics` and `data`) or single v2
 * swaps (with `reserve0Before`). Accepts CSV with a header, or one JSON object per line. A single
 * JSON list is read as a whole; its entries count as lines.
 *
 * @throws ReplayInputError with file, line and column
 */
export async function* readRecording(
  path: string,
  onProgress: OnProgress,
): AsyncGenerator<RecordedRow[]> {
  let reader: RowReader | null = null
  let number = 0
  let list: string[] | null = null
  for await (const lines of readLineBatches(path, onProgress)) {
    const rows: RecordedRow[] = []
    for (const line of lines) {
      number += 1
      if (list !== null) {
        list.push(line)
        continue
      }
      if (line.trim() === '') continue
      if (reader === null && /^\uFEFF?\s*\[/.test(line)) {
        list = [line]
        continue
      }
      if (reader === null && line.trimStart().startsWith('{')) {
        reader = (text, at) => readObjectLine(text, path, at)
      } else if (reader === null) {
        reader = bindHeader(splitCsv(line.replace(/^\uFEFF/, '')), path)
        continue
      }
      rows.push(reader(line, number))
    }
    if (rows.length > 0) yield rows
  }
  if (list !== null) {
    yield parseList(list.join('\n'), path).map((item, index) => readObject(item, path, index + 1))
    return
  }
  if (reader === null) {
    throw new ReplayInputError({
      file: path,
      expected: 'a header line of CSV, or one JSON object per line',
      found: 'an empty file',
    })
  }
}

function bindHeader(header: string[], file: string): RowReader {
  const names = header.map((name) => name.trim().toLowerCase())
  const twice = names.findIndex((name, index) => name !== '' && names.indexOf(name) < index)
  if (twice >= 0) {
    const column = header[twice]!.trim()
    throw new ReplayInputError({
      file,
      line: 1,
      column,
      expected: 'each column once',
      found: 'a duplicate column',
    })
  }
  const split = (text: string, line: number) => splitRow(text, header, { file, line })
  const toRow = (text: string, line: number): TableRow => {
    const cells = split(text, line)
    // A short row leaves its last cells empty.
    const named = names.map((name, index) => [name, textOrEmpty(cells[index])] as const)
    return { file, line, cells: new Map(named) }
  }
  if (names.includes('data') && (names.includes('topics') || names.includes('topic0'))) {
    return (line, number) => readLogRow(toRow(line, number))
  }
  if (names.includes('reserve0before')) {
    return (line, number) => ({ kind: 'TABLE', row: toRow(line, number) })
  }
  refuseDelimiter(header, file)
  const bind = bindColumns(header, file)
  return (line, number) => readEvent(bind(split(line, number), number))
}

const delimiters = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' } as const

function refuseDelimiter(header: readonly string[], file: string): void {
  const text = header.join(',')
  const count = (delimiter: string) => text.split(delimiter).length - 1
  for (const [delimiter, name] of Object.entries(delimiters)) {
    if (count(delimiter) === 0 || count(delimiter) < count(',')) continue
    const expected = 'columns separated by commas'
    throw new ReplayInputError({ file, line: 1, expected, found: `columns separated by ${name}` })
  }
}

/** Times from this value on are milliseconds: as seconds, they are after the year 5000. */
export const leastMilliseconds = 100_000_000_000

export const secondsOnly = (timestamp: number) => ({
  expected: 'a time in seconds',
  found: `${timestamp}, a time in milliseconds`,
})

function readEvent(row: RowSource): RecordedRow {
  const event = readEventRow(row)
  const place = { file: row.file, line: row.line }
  if (event.timestamp !== null && event.timestamp >= leastMilliseconds) {
    throw new ReplayInputError({ ...place, column: 'timestamp', ...secondsOnly(event.timestamp) })
  }
  if ('owner' in event && event.owner !== '' && !isAddress(event.owner)) {
    const column = row.cell('owner') ? 'owner' : 'sender'
    const found = showCell(event.owner)
    throw new ReplayInputError({ ...place, column, expected: 'an address or an empty cell', found })
  }
  return { kind: 'EVENT', event }
}

/** True for an address without regard to its checksum. */
export const isAddress = (text: string) => /^0x[0-9a-f]{40}$/i.test(text)

/** Cells of a row. Rejects more cells than header columns. */
function splitRow(
  text: string,
  header: readonly string[],
  place: { file: string; line: number },
): string[] {
  const cells = splitCsv(text)
  if (cells.length <= header.length) return cells
  throw new ReplayInputError({
    ...place,
    column: `${header.length + 1}`,
    expected: `at most ${header.length} cells, as in the header`,
    found: `${cells.length} cells, the first too many being ${showCell(cells[header.length])}`,
  })
}

function readObjectLine(line: string, file: string, number: number): RecordedRow {
  return readObject(parseObject(line, file, number), file, number)
}

function parseList(text: string, file: string): Record<string, unknown>[] {
  const isObject = (item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
  try {
    const items = parseExactJson(text)
    if (Array.isArray(items) && items.every(isObject)) return items
  } catch {
    // Falls through to the message for anything but a list of objects.
  }
  throw new ReplayInputError({ file, expected: 'a JSON list of objects', found: showCell(text) })
}

function readObject(values: Record<string, unknown>, file: string, number: number): RecordedRow {
  const names = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))
  if (names.has('topics') && names.has('data')) {
    const cells = new Map<string, string>()
    for (const [name, value] of names) {
      cells.set(name, Array.isArray(value) ? value.join(' ') : String(value))
    }
    return readLogRow({ file, line: number, cells })
  }
  if (names.has('reserve0before')) {
    const cells = new Map([...names].map(([name, value]) => [name, String(value)]))
    return { kind: 'TABLE', row: { file, line: number, cells } }
  }
  return readEvent(bindObject(values, file, number))
}

/** Seventeen digits in a row can be a number that JSON would round. */
const hasLongNumber = /[0-9]{16}/

function parseObject(line: string, file: string, number: number): Record<string, unknown> {
  try {
    const value = hasLongNumber.test(line) ? parseExactJson(line) : JSON.parse(line)
    // JSON.parse returns an object for a text that starts with a brace.
    return value as Record<string, unknown>
  } catch {
    throw new ReplayInputError({
      file,
      line: number,
      expected: 'one JSON object',
      found: showCell(line),
    })
  }
}

function readLogRow(row: TableRow): RecordedRow {
  const { line, cells } = row
  const listed = cells.get('topics')
  const text = listed ?? [0, 1, 2, 3].flatMap((index) => cells.get(`topic${index}`) ?? []).join(' ')
  const topics = [...text.matchAll(/0x[0-9a-f]{64}/gi)].map(([word]) => word)
  const data = required(cells.get('data'), 'column data')
  if (topics.length === 0) failCell(row, 'topics', 'a list of 32-byte words in hex')
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(data)) failCell(row, 'data', 'bytes in hex with 0x')
  const time = firstCell(row, 'block_timestamp', 'blocktimestamp', 'timestamp')
  const logIndex = firstCell(row, 'log_index', 'logindex')
  const place = {
    block: readWhole(row, 'block_number', 'blocknumber', 'block'),
    timestamp: time === undefined ? null : readMoment(row, time),
    logIndex: logIndex === undefined ? null : readWhole(row, 'log_index', 'logindex'),
    line,
  }
  const removed = cells.get('removed')
  if (removed !== undefined && !/^(|0|false|null)$/i.test(removed.trim())) {
    failCell(row, 'removed', 'a log that is not removed')
  }
  const address = firstCell(row, 'address', 'contract_address')?.trim().toLowerCase() ?? null
  return { kind: 'LOG', log: { topics, data }, place, address }
}

function readMoment(row: TableRow, text: string): number {
  const seconds = parseSmall(text)
  if (seconds !== null && seconds >= leastMilliseconds) {
    const { file, line } = row
    throw new ReplayInputError({ file, line, column: 'block_timestamp', ...secondsOnly(seconds) })
  }
  if (seconds !== null && seconds >= 0) return seconds
  return parseUtc(text) ?? failCell(row, 'block_timestamp', 'seconds, or a date and time in UTC')
}

/** A whole number in decimal or, as nodes write it, in hex. */
function readWhole(row: TableRow, ...names: [string, ...string[]]): number {
  const cell = firstCell(row, ...names)
  const value = cell === undefined ? null : parseSmall(cell)
  return value !== null && value >= 0 ? value : failCell(row, names[0], 'a whole number')
}

function firstCell(row: TableRow, ...names: string[]): string | undefined {
  return names.map((name) => row.cells.get(name)).find((cell) => cell !== undefined && cell !== '')
}

/** The amount in a named cell. @throws ReplayInputError when it is missing or not a whole number */
export function readAmount(row: TableRow, column: string): bigint {
  const cell = row.cells.get(column.toLowerCase())
  const amount = cell === undefined ? null : parseWhole(cell)
  return amount !== null && amount >= 0n
    ? amount
    : failCell(row, column, 'an amount in atomic units')
}

/** @throws ReplayInputError always */
export function failCell(row: TableRow, column: string, expected: string): never {
  const found = showCell(row.cells.get(column.toLowerCase()))
  throw new ReplayInputError({ file: row.file, line: row.line, column, expected, found })
}
