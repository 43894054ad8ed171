const thin = '\u00a0'

/** Integer digits in groups of three. */
const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/**
 * An integer of atomic units as an exact decimal number.
 *
 * @param decimals of the token, 0 to 80
 */
export function exactDecimal(atoms: bigint, decimals: number): string {
  const sign = atoms < 0n ? '−' : ''
  const digits = (atoms < 0n ? -atoms : atoms).toString().padStart(decimals + 1, '0')
  const whole = grouped(digits.slice(0, digits.length - decimals))
  const part = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return part === '' ? sign + whole : `${sign}${whole}.${part}`
}

/**
 * The same with six significant digits, rounded half away from zero. Whole numbers show every
 * digit, and a nonzero value never shows as zero.
 */
export function shortDecimal(atoms: bigint, decimals: number, significant = 6): string {
  if (atoms === 0n) return '0'
  const size = atoms < 0n ? -atoms : atoms
  const smallest = decimals > 6 ? 10n ** BigInt(decimals - 6) : 1n
  if (size < smallest) return `${atoms < 0n ? '> −' : '< '}0.000001`
  const length = size.toString().length
  const dropped = Math.min(Math.max(length - significant, 0), decimals)
  const unit = 10n ** BigInt(dropped)
  const rounded = ((size + unit / 2n) / unit) * unit
  return exactDecimal(atoms < 0n ? -rounded : rounded, decimals)
}

/** Millionths as a percentage, exactly. */
export const percentOf = (pips: number | bigint): string =>
  `${exactDecimal(BigInt(pips), 4)}${thin}%`

/** Millionths as a percentage with two decimals, cut off. Only zero shows as zero. */
export function shortPercent(pips: bigint): string {
  if (pips !== 0n && pips > -100n && pips < 100n) return `${pips < 0n ? '> −' : '< '}0.01${thin}%`
  return `${exactDecimal(pips / 100n, 2)}${thin}%`
}

const spans: readonly [number, string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

export function durationOf(seconds: number): string {
  const size = Math.abs(seconds)
  const at = spans.findIndex(([length]) => size >= length)
  const [length, unit] = spans[at] ?? [1, 's']
  const whole = Math.floor(size / length)
  const rest = Math.floor((size - whole * length) / (spans[at + 1]?.[0] ?? 1))
  const next = spans[at + 1]?.[1]
  const text =
    rest > 0 && next && whole < 10
      ? `${whole}${thin}${unit} ${rest}${thin}${next}`
      : `${whole}${thin}${unit}`
  return seconds < 0 ? `−${text}` : text
}

/** `2026-01-31 12:00:05 UTC`. */
export const utcOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`

/** `2026-01-31 12:00 UTC`, for dates in pages. */
export const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`

/** `12:00:05 UTC`. */
export const timeText = (time: string): string => `${time.slice(11, 19)} UTC`

function coarseOf(seconds: number): string {
  const [length, unit] = spans.find(([size]) => seconds >= size) ?? [1, 's']
  return `${Math.floor(seconds / length)}${thin}${unit}`
}

/** Age, in one unit. */
export function ageOf(time: string, now: number): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000)
  if (Number.isNaN(seconds)) return ''
  const age = coarseOf(Math.abs(seconds))
  return seconds < 0 ? `in ${age}` : `${age} ago`
}

export const shortHash = (hash: string): string => `${hash.slice(0, 10)}…${hash.slice(-8)}`
export const shortAddress = (address: string): string =>
  `${address.slice(0, 6)}…${address.slice(-4)}`

/** Error in a typed amount, with a message for the user. */
export class AmountFault extends Error {}

/**
 * A typed decimal number such as `1,000.5`, in atomic units.
 *
 * @throws AmountFault if invalid, ambiguous, or more precise than the token
 */
export function atomsOf(typed: string, decimals: number): bigint {
  const text = typed.trim().replace(/^−/, '-')
  if (/^-?[1-9]\d{0,2}\.\d{3}$/.test(text) && decimals !== 3) {
    const digits = text.replace('.', '')
    throw new AmountFault(
      `Ambiguous number ${text}. Enter ${digits} or ${text.replace(/0+$/, '').replace(/\.$/, '.0')}.`,
    )
  }
  const match = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d*))?$/.exec(text)
  if (!match) throw new AmountFault('Enter a number, such as 1,000.5.')
  const [, sign, whole = '', part = ''] = match
  if (part.length > decimals) {
    throw new AmountFault(`Enter at most ${decimals} decimals, got ${part.length}.`)
  }
  const atoms = BigInt(whole.replaceAll(',', '') + part.padEnd(decimals, '0'))
  return sign === '-' ? -atoms : atoms
}
