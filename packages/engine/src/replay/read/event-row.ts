import type { EventPlace, PoolEvent } from '../events.ts'
import { ReplayInputError, showCell } from './input-error.ts'
import { parseSmall, parseWhole } from './whole-number.ts'

/** Every name a column may have, the preferred one first. Case does not matter. */
const COLUMN_NAMES = {
  block: ['block', 'blockNumber', 'block_number'],
  timestamp: ['timestamp', 'blockTimestamp', 'block_timestamp', 'date'],
  logIndex: ['logIndex', 'log_index'],
  type: ['type', 'event', 'eventName'],
  owner: ['owner', 'recipientOrOwner'],
  sender: ['sender'],
  amount0: ['amount0'],
  amount1: ['amount1'],
  sqrtPriceX96: ['sqrtPriceX96'],
  liquidity: ['liquidity'],
  tick: ['tick'],
  amountSpecified: ['amountSpecified', 'amount_specified'],
  tickLower: ['tickLower'],
  tickUpper: ['tickUpper'],
  positionLiquidity: ['positionLiquidity', 'liquidityDelta', 'amount'],
  paid0: ['paid0'],
  paid1: ['paid1'],
  feeProtocol0: ['feeProtocol0', 'feeProtocol0New'],
  feeProtocol1: ['feeProtocol1', 'feeProtocol1New'],
  feeProtocol0Old: ['feeProtocol0Old'],
  feeProtocol1Old: ['feeProtocol1Old'],
  observationCardinalityNext: ['observationCardinalityNext', 'observationCardinalityNextNew'],
  fee: ['fee', 'feePips'],
  amount0In: ['amount0In'],
  amount1In: ['amount1In'],
  amount0Out: ['amount0Out'],
  amount1Out: ['amount1Out'],
  reserve0: ['reserve0'],
  reserve1: ['reserve1'],
} as const

type ColumnName = keyof typeof COLUMN_NAMES

/** One row of a recording: the text of a cell, or undefined when the recording has no such column. */
export interface RowSource {
  readonly file: string
  readonly line: number
  cell(column: ColumnName): string | undefined
}

/**
 * Maps header names to the known columns, in any order. Ignores other columns.
 *
 * @throws ReplayInputError without a block or type column
 */
export function bindColumns(
  header: readonly string[],
  file: string,
): (cells: readonly string[], line: number) => RowSource {
  const lowered = header.map((name) => name.trim().toLowerCase())
  const slots = new Map<ColumnName, number>()
  for (const [column, names] of Object.entries(COLUMN_NAMES)) {
    for (const name of names) {
      const slot = lowered.indexOf(name.toLowerCase())
      if (slot >= 0 && !slots.has(column as ColumnName)) slots.set(column as ColumnName, slot)
    }
  }
  for (const column of ['block', 'type'] as const) {
    if (slots.has(column)) continue
    throw new ReplayInputError({
      file,
      line: 1,
      column,
      expected: `a column named ${COLUMN_NAMES[column].join(' or ')}`,
      found: `the columns ${header.join(', ')}`,
    })
  }
  return (cells, line) => ({
    file,
    line,
    cell(column) {
      const slot = slots.get(column)
      return slot === undefined ? undefined : (cells[slot] ?? '').trim()
    },
  })
}

/** A row given as an object, from a line of NDJSON. Numbers must be whole and at most 2^53. */
export function bindObject(
  values: Readonly<Record<string, unknown>>,
  file: string,
  line: number,
): RowSource {
  const byName = new Map<string, unknown>()
  for (const [name, value] of Object.entries(values)) byName.set(name.toLowerCase(), value)
  return {
    file,
    line,
    cell(column) {
      const name = COLUMN_NAMES[column].find((alias) => byName.has(alias.toLowerCase()))
      if (name === undefined) return undefined
      const value = byName.get(name.toLowerCase())
      if (value === null) return ''
      if (typeof value === 'string') return value.trim()
      if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
      throw new ReplayInputError({
        file,
        line,
        column: name,
        expected: 'a string, or a whole number of at most 2^53',
        found: JSON.stringify(value),
      })
    },
  }
}

/**
 * Reads one event. A Mint or Burn can leave an amount empty, which skips its comparison.
 *
 * @throws ReplayInputError with file, line, column, expected and found value
 */
export function readEventRow(row: RowSource): PoolEvent {
  const kind = (row.cell('type') ?? '').toUpperCase().replaceAll('_', '')
  const place: EventPlace = {
    block: readSmall(row, 'block', 'a block number'),
    timestamp: readTime(row),
    logIndex: row.cell('logIndex') ? readSmall(row, 'logIndex', 'a log index') : null,
    line: row.line,
  }
  switch (kind) {
    case 'SWAP':
      return readSwap(row, place)
    case 'MINT':
    case 'BURN':
      return readLiquidity(row, place, kind === 'MINT' ? 'Mint' : 'Burn')
    case 'SYNC':
      return { type: 'Sync', ...place, ...readUnsignedPair(row, 'reserve0', 'reserve1') }
    case 'COLLECT':
      return {
        type: 'Collect',
        ...place,
        ...readRange(row),
        ...readPair(row, 'amount0', 'amount1'),
      }
    default:
      return readAdministration(row, place, kind)
  }
}

function readAdministration(row: RowSource, place: EventPlace, kind: string): PoolEvent {
  switch (kind) {
    case 'INITIALIZE':
      return {
        type: 'Initialize',
        ...place,
        sqrtPriceX96: readBig(row, 'sqrtPriceX96', 'a square-root price'),
        ...(row.cell('tick') ? { tick: readSmall(row, 'tick', 'the tick of the price') } : {}),
      }
    case 'FLASH':
      return {
        type: 'Flash',
        ...place,
        ...readPair(row, 'amount0', 'amount1'),
        ...readPair(row, 'paid0', 'paid1'),
      }
    case 'SETFEEPROTOCOL':
      return {
        type: 'SetFeeProtocol',
        ...place,
        feeProtocol0: readSmall(row, 'feeProtocol0', '0 or 4..10'),
        feeProtocol1: readSmall(row, 'feeProtocol1', '0 or 4..10'),
        ...readOldShare(row, 'feeProtocol0Old'),
        ...readOldShare(row, 'feeProtocol1Old'),
      }
    case 'COLLECTPROTOCOL':
      return { type: 'CollectProtocol', ...place, ...readPair(row, 'amount0', 'amount1') }
    case 'INCREASEOBSERVATIONCARDINALITYNEXT':
      return {
        type: 'IncreaseObservationCardinalityNext',
        ...place,
        observationCardinalityNext: readSmall(row, 'observationCardinalityNext', 'a uint16'),
      }
    case 'FEECHANGE':
    case 'SETFEE':
      return { type: 'FeeChange', ...place, feePips: readSmall(row, 'fee', 'a fee in pips') }
    default:
      return fail(
        row,
        'type',
        'SWAP, MINT, BURN, COLLECT, FLASH, SYNC, INITIALIZE, SET_FEE_PROTOCOL, COLLECT_PROTOCOL, ' +
          'INCREASE_OBSERVATION_CARDINALITY_NEXT or FEE_CHANGE',
      )
  }
}

function readOldShare(row: RowSource, column: 'feeProtocol0Old' | 'feeProtocol1Old') {
  return row.cell(column) ? { [column]: readSmall(row, column, 'the previous fee share') } : {}
}

function readSwap(row: RowSource, place: EventPlace): PoolEvent {
  if (row.cell('amount0In') !== undefined) {
    return {
      type: 'Swap',
      ...place,
      ...readUnsignedPair(row, 'amount0In', 'amount1In'),
      ...readUnsignedPair(row, 'amount0Out', 'amount1Out'),
    }
  }
  return {
    type: 'Swap',
    ...place,
    ...readPair(row, 'amount0', 'amount1'),
    sqrtPriceX96: readBig(row, 'sqrtPriceX96', 'the square-root price after the swap'),
    liquidity: readBig(row, 'liquidity', 'the liquidity in range after the swap'),
    tick: readSmall(row, 'tick', 'the tick after the swap'),
    ...(row.cell('amountSpecified')
      ? { amountSpecified: readBig(row, 'amountSpecified', 'the requested amount') }
      : {}),
  }
}

function readLiquidity(row: RowSource, place: EventPlace, type: 'Mint' | 'Burn'): PoolEvent {
  if (!row.cell('tickLower') && !row.cell('tickUpper')) return readPairLiquidity(row, place, type)
  const column = row.cell('positionLiquidity') === undefined ? 'liquidity' : 'positionLiquidity'
  const optional = (name: 'amount0' | 'amount1') =>
    row.cell(name) === '' ? null : readBig(row, name, 'an amount in atomic units')
  return {
    type,
    ...place,
    ...readRange(row),
    liquidity: readBig(row, column, 'the liquidity added or removed'),
    amount0: optional('amount0'),
    amount1: optional('amount1'),
  }
}

/** A v2 Mint or Burn has no range. The other columns identify a v3 row that lacks its range. */
function readPairLiquidity(row: RowSource, place: EventPlace, type: 'Mint' | 'Burn'): PoolEvent {
  if (row.cell('sqrtPriceX96') !== undefined)
    return fail(row, 'tickLower', 'a tick, a whole number')
  const column = row.cell('positionLiquidity') ? 'positionLiquidity' : 'liquidity'
  const liquidity = row.cell(column)
    ? { liquidity: readBig(row, column, 'the LP tokens minted or burned') }
    : {}
  return { type, ...place, ...readUnsignedPair(row, 'amount0', 'amount1'), ...liquidity }
}

function readRange(row: RowSource): { owner: string; tickLower: number; tickUpper: number } {
  return {
    owner: row.cell('owner') || row.cell('sender') || '',
    tickLower: readSmall(row, 'tickLower', 'a tick'),
    tickUpper: readSmall(row, 'tickUpper', 'a tick'),
  }
}

function readPair<A extends ColumnName, B extends ColumnName>(
  row: RowSource,
  first: A,
  second: B,
): Record<A | B, bigint> {
  // The two names are the two keys of the record.
  return {
    [first]: readBig(row, first, 'an amount in atomic units'),
    [second]: readBig(row, second, 'an amount in atomic units'),
  } as Record<A | B, bigint>
}

/** As `readPair`, for amounts that have no sign. */
function readUnsignedPair<A extends ColumnName, B extends ColumnName>(
  row: RowSource,
  first: A,
  second: B,
): Record<A | B, bigint> {
  const pair = readPair(row, first, second)
  for (const column of [first, second]) {
    if (pair[column] < 0n) fail(row, column, 'an amount in atomic units, not negative')
  }
  return pair
}

function readBig(row: RowSource, column: ColumnName, what: string): bigint {
  return parseWhole(row.cell(column) ?? '') ?? fail(row, column, `${what}, a whole number`)
}

function readSmall(row: RowSource, column: ColumnName, what: string): number {
  const value = parseSmall(row.cell(column) ?? '')
  return value ?? fail(row, column, `${what}, a whole number of at most 2^53`)
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?: ?(?:Z|UTC|\+00:?00))?$/i

/** Seconds since 1970, given as a number or as a UTC date and time; null if absent. */
function readTime(row: RowSource): number | null {
  const cell = row.cell('timestamp')
  if (cell === undefined || cell === '') return null
  if (parseWhole(cell) !== null) return readSmall(row, 'timestamp', 'a time in seconds')
  return (
    parseUtc(cell) ?? fail(row, 'timestamp', 'seconds since 1970, or YYYY-MM-DD HH:MM:SS in UTC')
  )
}

/** Seconds since 1970 of a UTC date and time, or null for other text. */
export function parseUtc(text: string): number | null {
  const match = DATE_TIME.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

function fail(row: RowSource, column: ColumnName, expected: string): never {
  const found = showCell(row.cell(column))
  throw new ReplayInputError({ file: row.file, line: row.line, column, expected, found })
}
