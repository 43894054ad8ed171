import { decimalText } from './decimal.ts'
import { isAmount, isoTime, type Table, type Value } from './table.ts'

type Flat = Record<string, string | number | boolean | null>

/** Flat objects, one per row: exact decimals and integers of amounts as text, times in ISO 8601 UTC. */
export function rowsToJson({ columns, rows }: Pick<Table, 'columns' | 'rows'>): Flat[] {
  return rows.map((row) => {
    const flat: Flat = {}
    for (const [index, { key, kind, exact }] of columns.entries()) {
      const value = row[index] ?? null
      flat[key] = memberOf(value, kind)
      if (exact) flat[exact.key] = isAmount(value) ? `${value.atoms}` : null
    }
    return flat
  })
}

function memberOf(value: Value, kind: string): Flat[string] {
  if (isAmount(value)) return decimalText(value.atoms, value.decimals)
  return kind === 'TIME' && typeof value === 'number' ? isoTime(value) : value
}
