/** An exact decimal number: `digits / 10^scale`. */
export interface Written {
  readonly digits: bigint
  readonly scale: number
}

const plain = /^\d+(?:\.\d+)?$/
const grouped = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)(?:\.\d+)?$/
/** One to three digits, a point and exactly three: a thousand to some, one to others. */
const eitherWay = /^\d{1,3}\.\d{3}$/

/**
 * Parses a number that is unambiguous in every locale.
 *
 * @returns null for `1.000`, `1,00`, `1.000,5` and other locale-dependent forms
 */
export function readNumber(text: string): Written | null {
  if (eitherWay.test(text) || !(plain.test(text) || grouped.test(text))) return null
  const bare = text.replace(/[,_]/g, '')
  const [whole = '', fraction = ''] = bare.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** `value · 10^shift` as an integer; null if it is not an integer. */
export function scaled({ digits, scale }: Written, shift: number): bigint | null {
  const by = shift - scale
  if (by >= 0) return digits * 10n ** BigInt(by)
  const divisor = 10n ** BigInt(-by)
  return digits % divisor === 0n ? digits / divisor : null
}

/**
 * Prints `value / 10^shift` so that `readNumber` accepts it: a fraction of exactly three digits
 * gets a fourth.
 */
export function printNumber(value: bigint, shift: number): string {
  if (shift <= 0) return `${value * 10n ** BigInt(-shift)}`
  const digits = `${value}`.padStart(shift + 1, '0')
  const [whole, fraction] = [digits.slice(0, -shift), digits.slice(-shift).replace(/0+$/, '')]
  if (fraction === '') return whole
  return `${whole}.${fraction.length === 3 && whole.length <= 3 ? `${fraction}0` : fraction}`
}

const secondsOf: Readonly<Record<string, bigint>> = {
  second: 1n,
  minute: 60n,
  hour: 3_600n,
  day: 86_400n,
  week: 604_800n,
}

/** Seconds of a duration; null if not a whole number. */
export function durationSeconds(number: Written, unit: string): bigint | null {
  const { digits, scale } = number
  const seconds = digits * (secondsOf[unit.toLowerCase().replace(/s$/, '')] ?? 0n)
  const divisor = 10n ** BigInt(scale)
  return seconds % divisor === 0n ? seconds / divisor : null
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/**
 * A date as `YYYY-MM-DDTHH:MM:SSZ`. A date without a time starts at midnight UTC. Null for an
 * invalid date.
 */
export function readDate(text: string): string | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)Z)?$/i.exec(text)
  if (!found) return null
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const longest = (daysOfMonth[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)
  if (day < 1 || day > longest) return null
  const time = found[4] === undefined ? '00:00:00' : `${found[4]}:${found[5]}:${found[6]}`
  return `${found[1]}-${found[2]}-${found[3]}T${time}Z`
}

/** Formats Unix seconds in the same form; proleptic Gregorian calendar. */
export function printTime(unixSeconds: bigint): string {
  const days = Number(unixSeconds / 86_400n)
  const rest = Number(unixSeconds % 86_400n)
  let year = 1970
  let left = days
  for (let length = 365; left >= length; length = isLeap(year) ? 366 : 365) {
    left -= length
    year += 1
    if (left < (isLeap(year) ? 366 : 365)) break
  }
  let month = 0
  for (;;) {
    const length = (daysOfMonth[month] ?? 31) + (month === 1 && isLeap(year) ? 1 : 0)
    if (left < length) break
    left -= length
    month += 1
  }
  const two = (value: number) => `${value}`.padStart(2, '0')
  const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`
  return `${year}-${two(month + 1)}-${two(left + 1)}T${clock}Z`
}
