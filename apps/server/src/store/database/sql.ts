import pg from 'pg'
import { required } from '../../required.ts'

/**
 * SQL text with its values as literals, so that several statements form one message and one
 * implicit transaction. Only the template below creates it: a value can never become syntax.
 */
export interface Sql {
  readonly text: string
}

export type SqlValue = string | number | bigint | boolean | null | Uint8Array | Sql

/**
 * Builds a statement. Every `${value}` becomes a literal; every `${sql`…`}` is inserted unchanged.
 *
 * @throws TypeError for a number that is not a safe integer: money is text, never a float
 */
export function sql(strings: TemplateStringsArray, ...values: readonly SqlValue[]): Sql {
  let text = ''
  for (let index = 0; index < strings.length; index += 1) {
    if (index > 0) text += literal(values[index - 1] as SqlValue)
    text += required(strings[index], 'part of a statement')
  }
  return { text }
}

/** Joins parts with a separator, for lists of values and rows. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  return { text: parts.map((part) => part.text).join(separator) }
}

/** A parenthesised list of values for `in`; never empty, since `in ()` is not SQL. */
export function values(items: readonly SqlValue[]): Sql {
  if (items.length === 0) return { text: '(null)' }
  return { text: `(${items.map(literal).join(',')})` }
}

/** A column of rows as an array of one type, for `unnest`. */
export function column<T>(
  type: 'text' | 'integer' | 'bigint',
  rows: readonly T[],
  pick: (row: T) => SqlValue,
): Sql {
  return { text: `array[${rows.map((row) => literal(pick(row))).join(',')}]::${type}[]` }
}

function literal(value: SqlValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`Not a safe integer: ${value}`)
    return String(value)
  }
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`
  return value.text
}

/** A text literal. */
export function quote(value: string): string {
  // Fast path for values without quote or backslash; the library escapes the others.
  return value.includes("'") || value.includes('\\') ? pg.escapeLiteral(value) : `'${value}'`
}
