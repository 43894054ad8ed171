import type { Column, Value } from '@liquidity-os/sheet'

/** Columns of one file; Excel accepts 16,384. */
const maxColumns = 200

/**
 * The fields of all rows, as sent. An object of the first two levels has a column per field; other
 * objects and lists are JSON. Fields beyond the limit of columns are JSON in one column.
 */
export function exactColumns(rows: readonly object[]): { columns: Column[]; rows: Value[][] } {
  const flat = rows.map((row) => new Map(membersOf(row, '', 0)))
  const paths = [...new Set(flat.flatMap((members) => [...members.keys()]))]
  const shown = paths.slice(0, maxColumns)
  const others = paths.slice(maxColumns)
  const column = (key: string): Column => ({ key, title: key, kind: 'TEXT', about: 'As sent.' })
  const rest = (members: ReadonlyMap<string, Value>) => {
    const found = others.filter((path) => members.has(path))
    return found.length === 0
      ? null
      : JSON.stringify(Object.fromEntries(found.map((path) => [path, members.get(path)])))
  }
  return {
    columns: [...shown.map(column), ...(others.length > 0 ? [column('more')] : [])],
    rows: flat.map((members) => [
      ...shown.map((path) => members.get(path) ?? null),
      ...(others.length > 0 ? [rest(members)] : []),
    ]),
  }
}

function membersOf(value: object, path: string, depth: number): [string, Value][] {
  return Object.entries(value).flatMap(([name, inner]): [string, Value][] => {
    const place = path === '' ? name : `${path}.${name}`
    if (inner === null) return []
    if (typeof inner !== 'object') return [[place, inner as Value]]
    if (Array.isArray(inner) || depth >= 2) return [[place, JSON.stringify(inner)]]
    return membersOf(inner as object, place, depth + 1)
  })
}
