import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { integerOf, optionalTextOf, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { measureUsage } from '../store/records/organization-usage.ts'
import type { Sweep } from './sweeps.ts'

/**
 * Measures the organizations whose measurement is too old, one after the other: those that were never measured first.
 * One that is refused is measured more often.
 */
export async function measureDue({ config, database, clock, usage, log }: Services): Promise<void> {
  const mostBytes = config.organizationBytesMost
  if (mostBytes === null) return
  const now = clock()
  // What this process has committed is in the rows already.
  await usage.tell()
  const [due = []] = await database.dispatch([
    sql`select o.id, u.measured_at from organizations o left join organization_usage u on u.organization_id = o.id
      where u.measured_at is null or u.measured_at < ${now - limits.usageMeasuredMilliseconds}
        or (u.bytes > ${mostBytes} and u.measured_at < ${now - limits.usageRefusedMeasuredMilliseconds})
      order by u.measured_at nulls first, o.id limit ${limits.usageMeasuredAtOnce}`,
  ])
  for (const row of due) {
    const organizationId = textOf(row, 'id')
    const isNew = optionalTextOf(row, 'measured_at') === null
    const measuredAt = isNew ? null : integerOf(row, 'measured_at')
    try {
      await measureUsage(database, { organizationId, measuredAt }, now)
    } catch (error) {
      // One that takes too long keeps no other waiting.
      log.warn({ err: error, organizationId }, 'What an organization keeps was not measured.')
    }
  }
}

export const measuring: Sweep = {
  what: 'usage',
  everyMilliseconds: ({ organizationBytesMost }) =>
    organizationBytesMost === null ? 0 : limits.usageSweepMilliseconds,
  run: measureDue,
}
