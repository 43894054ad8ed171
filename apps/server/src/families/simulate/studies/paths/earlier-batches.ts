import type { MonteCarloData } from '@liquidity-os/engine/montecarlo'
import type { JobRun } from '../../../../jobs/job-run.ts'
import { textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { readStoredParts } from './batch-store.ts'
import type { EarlierBatches } from './run-monte-carlo.ts'
import { hashStudy, placesIn } from './study-context.ts'

/**
 * Registers the ground of a study. Finds the batches of the organization's last completed study
 * with the same ground. They contain at least the benchmarks.
 *
 * @returns null if no such study is stored
 */
export async function earlierBatches(
  { records, organizationId, jobId, now }: JobRun,
  data: MonteCarloData,
): Promise<EarlierBatches | null> {
  const { ground, arms } = hashStudy(data)
  const [, rows = []] = await records.query([
    sql`insert into study_grounds (organization_id, job_id, ground, arms, created_at)
      values (${organizationId}, ${jobId}, ${ground}, ${JSON.stringify(arms)}, ${now})
      on conflict do nothing`,
    sql`select g.job_id, g.arms from study_grounds g
      join jobs j on j.organization_id = g.organization_id and j.id = g.job_id
      where g.organization_id = ${organizationId} and g.ground = ${ground} and j.status = 'COMPLETED'
      order by j.finished_at desc, g.job_id desc limit 1`,
  ])
  const [row] = rows
  if (!row) return null
  const earlier = textOf(row, 'job_id')
  return {
    places: placesIn(JSON.parse(textOf(row, 'arms')), arms),
    load: (batch) => readStoredParts(records, { organizationId, jobId: earlier, batch }),
  }
}

/**
 * Removes stored batches of the organization's ended studies, because the study that ends now
 * replaces them.
 */
export function keepNewest({ organizationId, jobId }: JobRun): Sql[] {
  const ended = sql`select g.job_id from study_grounds g
    join jobs j on j.organization_id = g.organization_id and j.id = g.job_id
    where g.organization_id = ${organizationId} and g.job_id <> ${jobId}
    and j.status not in ('QUEUED', 'RUNNING')
    and exists (select from study_grounds own where own.organization_id = ${organizationId} and own.job_id = ${jobId})`
  return ['study_batches', 'study_grounds'].map(
    (table) => sql`delete from ${{ text: table }} where organization_id = ${organizationId}
      and job_id in (${ended})`,
  )
}

/** Removes stored batches that are too old for reuse, in all organizations. */
export function purgeStudyHashes(before: number): Sql[] {
  const ended = sql`select g.organization_id, g.job_id from study_grounds g
    join jobs j on j.organization_id = g.organization_id and j.id = g.job_id
    where j.finished_at < ${before} and j.status not in ('QUEUED', 'RUNNING')`
  return ['study_batches', 'study_grounds'].map(
    (table) => sql`delete from ${{ text: table }} where (organization_id, job_id) in (${ended})`,
  )
}
