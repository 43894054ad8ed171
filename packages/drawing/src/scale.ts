export interface Scale {
  readonly at: (value: number) => number
  readonly low: number
  readonly high: number
}

/** A straight scale. A domain without extent is widened, so that its value lies in the middle. */
export function linearScale(
  domain: readonly [low: number, high: number],
  range: readonly [from: number, to: number],
): Scale {
  const isFlat = domain[0] === domain[1]
  const widening = Math.abs(domain[0]) / 2 || 1
  const [low, high] = isFlat ? [domain[0] - widening, domain[1] + widening] : domain
  const [from, to] = range
  return { low, high, at: (value) => from + ((value - low) / (high - low)) * (to - from) }
}

/** Least and largest of some numbers; 0 and 1 of none. */
export function extentOf(values: Iterable<number>): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 1] : [low, high]
}

/** Round values within a domain, at least two where it has an extent, their distance 1, 2 or 5 times a power of ten. */
export function niceTicks(
  [low, high]: readonly [number, number],
  count: number,
): { values: number[]; step: number } {
  const ticks = ticksOf([low, high], count)
  // Rounding can leave a tick outside that would have been the second.
  return ticks.values.length < 2 && low < high ? ticksOf([low, high], 2 * count) : ticks
}

function ticksOf(
  [low, high]: readonly [number, number],
  count: number,
): { values: number[]; step: number } {
  const step = niceStep((high - low) / count || Math.abs(high) || 1)
  return { values: ticksEvery(step, [low, high]), step }
}

/** Multiples of a step within a domain. */
export function ticksEvery(step: number, [low, high]: readonly [number, number]): number[] {
  const values: number[] = []
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  for (let index = first; index <= last; index += 1) values.push(index * step)
  return values
}

/** A domain that ends at ticks and holds another one. */
export function niceDomain(
  [low, high]: readonly [number, number],
  count: number,
): [low: number, high: number] {
  if (low === high) return linearDomainAround(low)
  const step = niceStep((high - low) / count)
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step]
}

function linearDomainAround(value: number): [number, number] {
  if (value === 0) return [0, 1]
  return value > 0 ? [0, value * 1.25] : [value * 1.25, 0]
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const lead = rough / power
  if (lead <= 1) return power
  if (lead <= 2) return 2 * power
  return lead <= 5 ? 5 * power : 10 * power
}

/** A power of a thousand that axes are divided by, so that their figures have few digits. */
export interface Magnitude {
  readonly divisor: number
  /** Prefix of the unit; empty for divisor 1. */
  readonly prefix: string
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const superscript = (exponent: number) =>
  `${exponent < 0 ? '⁻' : ''}${[...`${Math.abs(exponent)}`].map((digit) => superscripts[Number(digit)]).join('')}`

/** Axis divisor for amounts up to this size; 1 from a hundredth to a million. */
export function magnitudeOf(largest: number): Magnitude {
  const size = Math.abs(largest)
  if (size === 0 || (size >= 0.01 && size < 1_000_000)) return { divisor: 1, prefix: '' }
  const exponent = Math.floor(Math.log10(size) / 3) * 3
  return { divisor: 10 ** exponent, prefix: `10${superscript(exponent)} ` }
}

/** A number with as many decimals as a step needs, groups of thousands, and a true minus. */
export function printTick(value: number, step: number): string {
  const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))
  return printFixed(value, decimals)
}

/** A number with four significant digits. */
export const printFigure = (value: number): string => printDigits(value, 4)

/** A number with some count of significant digits. */
export function printDigits(value: number, digits: number): string {
  const size = Math.abs(value)
  if (size === 0) return '0'
  const decimals = Math.min(12, Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-12)))
  const fixed = printFixed(value, decimals)
  if (!/[1-9]/.test(fixed)) return '≈ 0'
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed
}

/** A number with three significant digits, times a power of ten where it would be long. */
export function printShort(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 0.0001 && size < 1_000_000)) {
    return printFigure(Number(value.toPrecision(3)))
  }
  const [lead, exponent] = value.toExponential(2).split('e')
  return `${printFigure(Number(lead))}·10${superscript(Number(exponent))}`
}

function printFixed(value: number, decimals: number): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** Units of a time axis, by their length in seconds. */
const timeUnits = [
  { name: 's', seconds: 1 },
  { name: 'min', seconds: 60 },
  { name: 'h', seconds: 60 * 60 },
  { name: 'd', seconds: 24 * 60 * 60 },
] as const

/** The most readable unit for a duration in seconds. */
export function timeUnitOf(seconds: number): { name: string; seconds: number } {
  const fitting = timeUnits.filter((unit) => seconds / unit.seconds >= 2)
  return fitting.at(-1) ?? timeUnits[0]
}
