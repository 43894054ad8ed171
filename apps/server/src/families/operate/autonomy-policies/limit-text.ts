import { decimalOf } from '@liquidity-os/drawing'
import { daySeconds, hourSeconds, minuteSeconds } from '../../../units.ts'

/** Tokens of the vault's market, for amounts and prices. */
export interface LimitUnits {
  readonly baseDecimals: number
  readonly quoteDecimals: number
  /** Symbol of the quote token; null if unknown. */
  readonly quote: string | null
}

/** Limits from here on admit everything. */
const unlimited = 1n << 200n
const amounts: ReadonlySet<string> = new Set([
  'maximumAmountPerTransaction',
  'maximumDailyTurnover',
])

/** Name of a limit, without its unit. */
export const limitName = (field: string): string =>
  field
    .replace(/(Pips|X18|Seconds|Id|Allowed)$/, '')
    .replace(/Ids$/, 's')
    .replace('SecondsBetween', 'TimeBetween')
    .replaceAll(/(?<=[a-z])(?=[A-Z])|[._]/g, ' ')
    .toLowerCase()

/** Value of a limit in its unit. @param units null if the market of the vault is unknown */
export function limitText(field: string, value: string, units: LimitUnits | null): string {
  if (value === '') return 'none'
  if (field === 'vaultId') return 'this vault'
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(value)
  if (time) return `${time[1]} ${time[2]} UTC`
  if (/Allowed$/.test(field)) return value === 'true' || value === '1' ? 'yes' : 'no'
  if (!/^\d+$/.test(value)) return value
  const number = BigInt(value)
  if (number >= unlimited) return field.startsWith('minimum') ? 'nothing allowed' : 'unlimited'
  if (/Pips$/.test(field)) return `${decimalOf(number, 4)} %`
  if (/Seconds/.test(field)) return durationText(Number(number))
  if (units === null) return value
  if (amounts.has(field))
    return `${decimalOf(number, units.quoteDecimals)} ${units.quote ?? 'quote tokens'}`
  if (/PriceX18$/.test(field))
    return decimalOf(number, 18 + units.quoteDecimals - units.baseDecimals)
  return value
}

function durationText(seconds: number): string {
  const units = [
    [daySeconds, 'd'],
    [hourSeconds, 'h'],
    [minuteSeconds, 'min'],
  ] as const
  const [size, name] = units.find(([length]) => seconds >= length && seconds % length === 0) ?? [
    1,
    's',
  ]
  return `${seconds / size} ${name}`
}
