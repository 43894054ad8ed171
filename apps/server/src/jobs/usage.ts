import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { integerOf, optionalIntegerOf, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { measureUsage } from '../store/records/measure-usage.ts'
import type { Sweep } from './sweeps.ts'

/**
 * Measures organizations with outdated measurements one by one, never-measured ones first.
 * Organizations over quota are measured more often. A long measurement continues at the next turn.
 */
export async function measureDue(
  services: Pick<Services, 'clock' | 'config' | 'database' | 'log' | 'metrics' | 'usage'>,
): Promise<void> {
  const { config, database, clock, usage, log } = services
  const maxBytes = config.maxOrganizationBytes
  if (maxBytes === null) return
  const now = clock()
  // First report the local counts, which the rows already include.
  await usage.flush()
  const [due = []] = await database.dispatch([
    sql`select o.id, u.measured_at from organizations o left join organization_usage u on u.organization_id = o.id
      where u.measured_at is null or u.measured_at < ${now - limits.usageMeasuredMilliseconds}
        or (u.bytes > coalesce(u.most_bytes, ${maxBytes}) and u.measured_at < ${now - limits.usageRefusedMeasuredMilliseconds})
      order by u.measured_at nulls first, o.id limit ${limits.usageMeasuredAtOnce}`,
  ])
  for (const row of due) {
    const organizationId = textOf(row, 'id')
    const measuredAt = optionalIntegerOf(row, 'measured_at')
    try {
      await measureUsage(database, { organizationId, measuredAt }, now)
    } catch (error) {
      // A slow organization must not delay the others.
      log.warn(
        { err: error, organizationId },
        'Failed to measure the storage use of an organization.',
      )
    }
  }
  await observeFullest(services, maxBytes)
}

/**
 * Exports metrics for the organizations closest to their quota; a bounded number limits the labels.
 */
async function observeFullest(
  { database, metrics }: Pick<Services, 'database' | 'metrics'>,
  maxBytes: number,
): Promise<void> {
  const max = sql`coalesce(most_bytes, ${maxBytes})`
  const [rows = []] = await database.dispatch([
    sql`select organization_id, bytes, ${max} as most_bytes from organization_usage
      order by bytes::double precision / ${max} desc, organization_id limit ${limits.usageObserved}`,
  ])
  metrics.observeUsage(
    rows.map((row) => ({
      organizationId: textOf(row, 'organization_id'),
      usedBytes: integerOf(row, 'bytes'),
      maxBytes: integerOf(row, 'most_bytes'),
    })),
  )
}

export const measuring: Sweep = {
  what: 'usage',
  everyMilliseconds: ({ maxOrganizationBytes }) =>
    maxOrganizationBytes === null ? 0 : limits.usageSweepMilliseconds,
  run: measureDue,
}
