/** A row from the driver: every value as text. */
export type Row = Record<string, string | null>
export type Rows = readonly Row[]

/** A required value. A missing column is a service bug and never becomes an empty text. */
export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (value === undefined) throw new Error(`The row lacks the column ${column}.`)
  if (value === null) throw new Error(`The column ${column} of the row is empty.`)
  return value
}

/** A nullable value; the column itself must exist. */
export function optionalTextOf(row: Row, column: string): string | null {
  const value = row[column]
  if (value === undefined) throw new Error(`The row lacks the column ${column}.`)
  return value
}

/** A count, a sequence or a time in milliseconds: an integer below 2^53. */
export function integerOf(row: Row, column: string): number {
  const value = Number(textOf(row, column))
  if (!Number.isSafeInteger(value)) throw new Error(`The column ${column} is not an integer.`)
  return value
}

/** A nullable integer; the column itself must exist. */
export function optionalIntegerOf(row: Row, column: string): number | null {
  return optionalTextOf(row, column) === null ? null : integerOf(row, column)
}
