import { basePath, kinds } from '@liquidity-os/contract/outline'
import type { Outcome } from './handler.ts'

const pathOfPrefix = new Map(kinds.map(({ prefix, path }) => [prefix, path]))

/** Path of the record that a request created; null if it created none, several, or an unreadable one. */
export function locationOf({ record, change }: Outcome): string | null {
  const created = record
    ? [record.id]
    : (change?.records ?? []).flatMap(({ record: { id, sequence } }) =>
        sequence === 1 ? [id] : [],
      )
  const [id] = created
  if (id === undefined || created.length > 1) return null
  const path = pathOfPrefix.get(id.slice(0, id.lastIndexOf('_')))
  return path ? basePath + path.replace(/\{\w+\}$/, id) : null
}
