import { integerOf, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Swept } from './swept.ts'

/** The last completed sweep, with the time covered per venue in Unix seconds. */
export interface LastSweep extends Pick<Swept, 'sweptTo' | 'overtaken' | 'comparedTo'> {
  readonly jobId: string
  readonly finishedAt: string
}

/** Null if the organization has no completed sweep. */
export async function lastSweep(records: TenantRecords): Promise<LastSweep | null> {
  const [rows = []] = await records.query([
    sql`select id, finished_at, result from jobs where organization_id = ${records.organizationId}
      and kind = 'ANOMALY_SWEEP' and status = 'COMPLETED' order by finished_at desc limit 1`,
  ])
  const [last] = rows
  if (!last) return null
  const lastResult = JSON.parse(textOf(last, 'result')) as Partial<Swept>
  const { sweptTo = {}, overtaken = {}, comparedTo = {} } = lastResult
  return {
    jobId: textOf(last, 'id'),
    finishedAt: new Date(integerOf(last, 'finished_at')).toISOString(),
    sweptTo,
    overtaken,
    comparedTo,
  }
}
