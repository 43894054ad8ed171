import { basePath, kinds, type OperationOutline } from '@liquidity-os/contract/outline'
import type { Outcome } from './handler.ts'

const kindOfPrefix = new Map(kinds.map((kind) => [kind.prefix, kind]))
const kindOf = (id: string) => kindOfPrefix.get(id.slice(0, id.lastIndexOf('_')))

/**
 * Path of the record that a request created: of several, the one of the family of the operation.
 * Without a new record, path of the job that it queued. Null otherwise.
 */
export function locationOf(
  { module }: Pick<OperationOutline, 'module'>,
  { record, change }: Outcome,
): string | null {
  const created = record
    ? [record.id]
    : (change?.records ?? []).flatMap(({ record: { id, sequence } }) =>
        sequence === 1 ? [id] : [],
      )
  if (created.length === 0) return jobLocationOf(change)
  const own = created.filter((id) => kindOf(id)?.module === module)
  const [id, ...others] = created.length === 1 ? created : own
  const path = id === undefined || others.length > 0 ? null : kindOf(id)?.path
  return path ? basePath + path.replace(/\{\w+\}$/, `${id}`) : null
}

function jobLocationOf(change: Outcome['change']): string | null {
  const [job, ...others] = change?.jobs ?? []
  return job && others.length === 0 ? `${basePath}/jobs/${job.id}` : null
}
