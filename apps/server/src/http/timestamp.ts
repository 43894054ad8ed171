const form =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/**
 * Normalizes a time to UTC with milliseconds.
 *
 * `Date.parse` alone accepts a bare year, textual dates and times without an offset, and turns
 * February 30 into March.
 *
 * @param text RFC 3339 with an offset; truncated to milliseconds
 * @returns null for other formats and for invalid calendar days
 */
export function instantOf(text: string): string | null {
  const [, year, month, day] = form.exec(text) ?? []
  if (year === undefined) return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // JavaScript maps a two-digit year to the 20th century.
  date.setUTCFullYear(Number(year))
  if (!date.toISOString().startsWith(`${year}-${month}-${day}`)) return null
  return new Date(text).toISOString()
}
