/**
 * Start of a month in milliseconds since 1970, UTC.
 *
 * @param month YYYY-MM
 * @param later offset in months
 */
export function monthStart(month: string, later = 0): number {
  const { year, index } = monthParts(month)
  return Date.UTC(year, index + later, 1)
}

/** Months between two months; negative if the second is earlier. */
export function monthsBetween(from: string, to: string): number {
  const [a, b] = [monthParts(from), monthParts(to)]
  return 12 * (b.year - a.year) + b.index - a.index
}

/**
 * Months from one month to the month of a time, UTC; negative if it is earlier. @param at
 * milliseconds since 1970
 */
export function monthsUntil(from: string, at: number): number {
  const { year, index } = monthParts(from)
  const date = new Date(at)
  return 12 * (date.getUTCFullYear() - year) + date.getUTCMonth() - index
}

function monthParts(month: string): { year: number; index: number } {
  const [year, number] = month.split('-').map(Number)
  if (!year || !number) throw new RangeError(`${month} is not a month.`)
  return { year, index: number - 1 }
}

/**
 * The same time of day a number of months later; the last day of the month if the day does not
 * exist.
 */
export function addMonths(milliseconds: number, months: number): number {
  const date = new Date(milliseconds)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const time = milliseconds - Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
  return Date.UTC(year, month, Math.min(date.getUTCDate(), days)) + time
}
