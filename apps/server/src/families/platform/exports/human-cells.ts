import type { Column, Value } from '@liquidity-os/sheet'
import { fixedDecimals } from '../../../market/prices/price-scale.ts'
import type { HumanColumn } from './human-columns.ts'

export interface Token {
  readonly symbol: string | null
  readonly decimals: number | null
}

/** Decimal places and unit per measure, for measures without an asset. */
const plainUnits: Readonly<Record<string, readonly [decimals: number, unit: string]>> = {
  PIPS: [4, '%'],
  MONTHS_X3: [3, 'months'],
  DAYS_X3: [3, 'days'],
  DAYS: [0, 'days'],
  SECONDS: [0, 's'],
  COUNT: [0, ''],
  MULTIPLE_X3: [3, '×'],
  MULTIPLE_X6: [6, '×'],
  MULTIPLE_X18: [18, '×'],
}

const priceDecimals: Readonly<Record<string, number>> = { PRICE_X18: 18, PRICE_X36: 36 }

/** An amount has a second column with the symbol of its token. */
export function unitColumns({ path, title, unit }: HumanColumn): Column[] {
  const key = `shown:${path}`
  if (unit === null) {
    return [{ key, title, kind: isTimeName(path) ? 'TIME' : 'TEXT' }]
  }
  if (unit === 'ATOMS') {
    const asset = `${title}, token`
    return [
      { key, title, kind: 'AMOUNT', about: 'In whole tokens.' },
      { key: `token:${path}`, title: asset, kind: 'TEXT' },
    ]
  }
  const plain = plainUnits[unit]?.[1] ?? 'quote/base'
  return [{ key, title, kind: 'AMOUNT', ...(plain === '' ? {} : { unit: plain }) }]
}

export function unitCells(
  row: object,
  column: HumanColumn,
  tokens: ReadonlyMap<string, Token>,
): Value[] {
  const value = flatMember(row, column.path)
  const { unit, path } = column
  if (unit === null) return [wordsOf(value, path)]
  const atoms = integerOf(value)
  if (unit === 'ATOMS') {
    const token = tokenOf(row, column, tokens)
    const isKnown = atoms !== null && token?.decimals !== null && token !== null
    return [
      isKnown ? { atoms, decimals: token.decimals ?? 0 } : null,
      atoms === null ? null : (token?.symbol ?? null),
    ]
  }
  if (atoms === null) return [null]
  const [decimals] = plainUnits[unit] ?? []
  if (decimals !== undefined) return [{ atoms, decimals }]
  const pair = pairIn(row)
  const places = priceDecimals[unit]
  if (!pair || places === undefined) return [null]
  return [{ atoms, decimals: places + pair.quoteDecimals - pair.baseDecimals }]
}

/** Reads the field at a path. */
export function flatMember(row: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | null)?.[name], row)
}

const isTimeName = (path: string) => /(At|\.to|\.from|deadline|Until|expires)$/.test(path)

const stateWords: Readonly<Record<string, string>> = {
  COMPLETED: 'Complete',
  ABSTAINED: 'Withheld',
}

/** Formats a name, a state or a time. */
function wordsOf(value: unknown, path: string): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'string') return value as Value
  if (isTimeName(path)) {
    const time = Date.parse(value)
    return Number.isNaN(time) ? null : time
  }
  if (!/^[A-Z][A-Z0-9_]*$/.test(value) || !isStateName(path)) return value
  const words = value.toLowerCase().replaceAll('_', ' ')
  return stateWords[value] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const isStateName = (path: string) =>
  /(^status|\.(state|phase|kind|severity|outcome|verdict|class|entryKind|purpose|side))$/.test(path)

function integerOf(value: unknown): bigint | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : null
}

/** Finds the token of an amount by the asset key or address at its pointer. */
function tokenOf(
  row: object,
  { path, asset }: HumanColumn,
  tokens: ReadonlyMap<string, Token>,
): Token | null {
  if (asset === null) return null
  const parts = path.split('.')
  const [, up, rest = ''] = /^(\d+)\/(.*)$/.exec(asset) ?? []
  const pointer =
    up === undefined
      ? asset.slice(1).split('/')
      : [...parts.slice(0, -Number(up)), ...rest.split('/')]
  const named = flatMember(row, pointer.join('.'))
  if (typeof named !== 'string') return null
  const key = named.startsWith('0x') ? keyOfAddress(row, pointer, named) : named
  const known = key === null ? undefined : tokens.get(key)
  if (known?.decimals !== undefined && known.decimals !== null) return known
  const pair = pairIn(row)
  const address = named.toLowerCase().split('erc20:').at(-1)
  if (pair !== null && pair.base.toLowerCase() === address) {
    return { symbol: known?.symbol ?? null, decimals: pair.baseDecimals }
  }
  if (pair !== null && pair.quote.toLowerCase() === address) {
    return { symbol: known?.symbol ?? null, decimals: pair.quoteDecimals }
  }
  const fixed = key === null ? null : fixedDecimals(key)
  if (fixed === null) return null
  const [, currency = null] = /^iso4217:(.*)$/.exec(named) ?? []
  return { symbol: known?.symbol ?? currency, decimals: fixed }
}

/** The asset key of an address, by the `chainId` next to it. */
function keyOfAddress(row: object, pointer: readonly string[], address: string): string | null {
  const chainId = flatMember(row, [...pointer.slice(0, -1), 'chainId'].join('.'))
  return chainId === undefined ? null : `eip155:${chainId}/erc20:${address.toLowerCase()}`
}

interface Pair {
  readonly base: string
  readonly quote: string
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

/** Finds the first pair in a record. */
function pairIn(value: unknown): Pair | null {
  if (typeof value !== 'object' || value === null) return null
  const own = value as Partial<Pair>
  if (typeof own.baseDecimals === 'number' && typeof own.quoteDecimals === 'number') {
    return own as Pair
  }
  for (const inner of Object.values(value)) {
    const found = pairIn(inner)
    if (found) return found
  }
  return null
}
