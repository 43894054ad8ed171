import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { sweep } from './sweep.ts'
import type { Swept } from './swept.ts'

/** Looks for anomalies on everything that was read since the last sweep; it may run again without harm. */
export default async function runAnomalySweep(run: JobRun): Promise<JobEnd> {
  const { records, services, signal, progress } = run
  const result = await sweep({
    records,
    services,
    signal,
    progress,
    ...(await sweptBefore(run)),
  })
  return { change: emptyChange(run.organizationId, run.now), result: { ...result } }
}

async function sweptBefore({
  records,
  organizationId,
}: JobRun): Promise<Pick<Swept, 'sweptTo' | 'overtaken' | 'comparedTo'>> {
  const [rows] = await records.query([
    sql`select result from jobs where organization_id = ${organizationId} and kind = 'ANOMALY_SWEEP'
      and status = 'COMPLETED' order by finished_at desc limit 1`,
  ])
  const last = rows?.[0]
  const result = (last ? JSON.parse(textOf(last, 'result')) : {}) as Partial<Swept>
  const { sweptTo = {}, overtaken = {}, comparedTo = {} } = result
  return { sweptTo, overtaken, comparedTo }
}
