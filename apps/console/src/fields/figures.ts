import { exactDecimal } from './numbers.ts'

const significant = 6
const suffixes = [
  { power: 12, suffix: 'T' },
  { power: 9, suffix: 'B' },
  { power: 6, suffix: 'M' },
] as const
/** Figures from here on, and below a millionth, have a power of ten. */
const maxPower = 15
const minPower = -6
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * An amount with six significant digits, rounded half away from zero: `M`, `B` or `T` from a million
 * on, a power of ten for very small and very large values. Only zero shows as zero.
 *
 * @param decimals of the token, 0 to 80
 */
export function shortFigure(atoms: bigint, decimals: number): string {
  if (atoms === 0n) return '0'
  const size = atoms < 0n ? -atoms : atoms
  const excess = size.toString().length - significant
  const unit = 10n ** BigInt(Math.max(excess, 0))
  const rounded = ((size + unit / 2n) / unit) * unit
  const power = rounded.toString().length - 1 - decimals
  const sign = atoms < 0n ? '−' : ''
  if (power >= maxPower || power < minPower)
    return `${sign}${shiftedDecimal(rounded, decimals + power)}·10${superscriptOf(power)}`
  const scale = suffixes.find((one) => power >= one.power)
  return `${sign}${shiftedDecimal(rounded, decimals + (scale?.power ?? 0))}${scale?.suffix ?? ''}`
}

/** The same as `exactDecimal`, for negative `decimals` too. */
const shiftedDecimal = (size: bigint, decimals: number) =>
  decimals < 0 ? exactDecimal(size * 10n ** BigInt(-decimals), 0) : exactDecimal(size, decimals)

const superscriptOf = (power: number) =>
  `${power < 0 ? '⁻' : ''}${[...`${Math.abs(power)}`].map((digit) => superscripts[Number(digit)]).join('')}`

const space = '\u00a0'

/** A change in millionths as a percentage with sign and two decimals. Only zero shows as zero. */
export function changeText(pips: number): string {
  if (pips === 0) return `0${space}%`
  const hundredths = Math.round(Math.abs(pips) / 100)
  if (hundredths === 0) return pips > 0 ? `< +0.01${space}%` : `> −0.01${space}%`
  const whole = exactDecimal(BigInt(Math.floor(hundredths / 100)), 0)
  const part = `${hundredths % 100}`.padStart(2, '0')
  return `${pips > 0 ? '+' : '−'}${whole}.${part}${space}%`
}

/** Result of a position as a share of all its deposits since it was empty, repeated ones included. */
export const shareOfDeposits = (pips: number): string => `${changeText(pips)} of all deposits`

/** Thousandths of a month as months, rounded down to a tenth. */
export const monthsText = (monthsX3: number): string =>
  exactDecimal(BigInt(Math.floor(monthsX3 / 100)), 1)

const monthNames = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/**
 * Month in which a runway ends. Months have equal weight, so the rest of the first month counts by
 * its share.
 *
 * @param from start of the runway, in milliseconds since 1970
 */
export function runwayEnd(from: number, monthsX3: number): string {
  const start = new Date(from)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  const [begin, end] = [Date.UTC(year, month), Date.UTC(year, month + 1)]
  const elapsed = (from - begin) / (end - begin)
  return monthNames.format(Date.UTC(year, month + Math.floor(elapsed + monthsX3 / 1000)))
}

/** Decimals of a price with 36 more digits than its two tokens imply. */
export const priceDecimals = (base: { decimals: number }, quote: { decimals: number }): number =>
  36 + quote.decimals - base.decimals
