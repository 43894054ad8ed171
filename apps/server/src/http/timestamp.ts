const form =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/**
 * The one form of a time: UTC, to the millisecond.
 *
 * `Date.parse` alone would take a year, a date in words or a time without an offset, and move the 30th of
 * February into March.
 *
 * @param text RFC 3339 with an offset; digits beyond the millisecond are cut off
 * @returns null for any other text, and for a day that is in no calendar
 */
export function instantOf(text: string): string | null {
  const [, year, month, day] = form.exec(text) ?? []
  if (year === undefined) return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // Two digits of a year would be those of the last century.
  date.setUTCFullYear(Number(year))
  if (!date.toISOString().startsWith(`${year}-${month}-${day}`)) return null
  return new Date(text).toISOString()
}
