import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { lastSweep } from './last-sweep.ts'
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
}: JobRun): Promise<Pick<Swept, 'sweptTo' | 'overtaken' | 'comparedTo'>> {
  const last = await lastSweep(records)
  const { sweptTo = {}, overtaken = {}, comparedTo = {} } = last ?? {}
  return { sweptTo, overtaken, comparedTo }
}
