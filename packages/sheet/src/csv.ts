import { csvField, quoted } from './csv-field.ts'
import { decimalText } from './decimal.ts'
import { headingOf, isAmount, isoTime, type Table, type Value } from './table.ts'

export interface CsvFormat {
  /** Starts with a byte order mark; Excel then reads the file as UTF-8. */
  readonly hasBom?: boolean
  readonly separator?: ',' | ';'
  readonly decimal?: '.' | ','
}

/**
 * Writes a table as CSV: one header line, exact decimals, times in ISO 8601 UTC, lines that end in CRLF.
 *
 * @see RFC 4180
 */
export function tableToCsv(
  { columns, rows }: Table,
  { hasBom = false, separator = ',', decimal = '.' }: CsvFormat = {},
): string {
  const line = (fields: string[]) => `${fields.join(separator)}\r\n`
  const field = (value: Value, kind: string) =>
    isAmount(value)
      ? quoted(decimalText(value.atoms, value.decimals).replace('.', decimal), separator)
      : plainField(value, kind, separator)
  return [
    hasBom ? '\uFEFF' : '',
    line(columns.map((column) => csvField(headingOf(column), separator))),
    ...rows.map((row) => line(columns.map(({ kind }, index) => field(row[index] ?? null, kind)))),
  ].join('')
}

function plainField(value: Exclude<Value, object>, kind: string, separator: string): string {
  if (value === null) return ''
  if (typeof value === 'string') return csvField(value, separator)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return kind === 'TIME' ? isoTime(value) : `${value}`
}

/** Writes a line that ends in CRLF. */
export const csvLine = (fields: readonly string[]): string =>
  `${fields.map((text) => csvField(text)).join(',')}\r\n`
