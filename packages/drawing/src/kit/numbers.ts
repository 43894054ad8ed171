import { magnitudeOf, printDigits, printTick } from '../scale.ts'

const suffixes = [
  { from: 1e12, divisor: 1e12, suffix: 'T' },
  { from: 1e9, divisor: 1e9, suffix: 'B' },
  { from: 1e6, divisor: 1e6, suffix: 'M' },
  { from: 1e4, divisor: 1e3, suffix: 'k' },
] as const
/** From here on figures are times a power of ten. */
const largest = 1e15

/** A figure with six significant digits, `k M B T` from a million on, a true minus, and `0` for zero. */
export function printValue(value: number): string {
  const size = Math.abs(value)
  // A figure that rounds up to the next unit is printed in it: 1B, not 1,000M.
  const rounded = Number(size.toPrecision(6))
  if (rounded >= largest || (size > 0 && size < 1e-6)) {
    const { divisor, prefix } = magnitudeOf(rounded)
    return `${printDigits(value / divisor, 6)}·${prefix.trim()}`
  }
  const unit = suffixes.find(({ from }) => rounded >= from && from >= 1e6)
  return unit ? `${printDigits(value / unit.divisor, 6)}${unit.suffix}` : printDigits(value, 6)
}

/** A change with its sign. */
export const printChange = (value: number): string =>
  value > 0 ? `+${printValue(value)}` : printValue(value)

/** Labels of the ticks of one axis, all in one magnitude; `prefix` belongs before the unit in the title. */
export function printTicks(
  values: readonly number[],
  step: number,
): { readonly labels: string[]; readonly prefix: string } {
  const size = Math.max(0, ...values.map(Math.abs))
  const unit = suffixes.find(({ from }) => size >= from)
  const isExtreme = size >= largest || (size > 0 && size < 1e-3)
  const { divisor, prefix } = isExtreme
    ? magnitudeOf(size)
    : { divisor: unit?.divisor ?? 1, prefix: '' }
  const suffix = isExtreme ? '' : (unit?.suffix ?? '')
  const labels = values.map((value) =>
    Math.abs(value) < step / 1e6 ? '0' : `${printTick(value / divisor, step / divisor)}${suffix}`,
  )
  return { labels, prefix }
}

/**
 * Atoms as a decimal number with all its digits.
 *
 * @param decimals below zero for a multiple of ten
 * @throws SyntaxError if `atoms` is not an integer
 */
export function decimalOf(atoms: bigint | string, decimals: number): string {
  const value = BigInt(atoms)
  const sign = value < 0n ? '-' : ''
  const digits = `${value < 0n ? -value : value}`
  if (decimals <= 0) return digits === '0' ? '0' : `${sign}${digits}${'0'.repeat(-decimals)}`
  const padded = digits.padStart(decimals + 1, '0')
  const fraction = padded.slice(-decimals).replace(/0+$/, '')
  return `${sign}${padded.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
