import { deserialize, serialize } from 'node:v8'
import type { contract } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { reachFaultPoint } from '../../../../fault-points.ts'
import { JobFailure, type JobRun } from '../../../../jobs/job-run.ts'
import { textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { type PathPart, packing } from './path-part.ts'
import type { BatchStore } from './run-monte-carlo.ts'

/** Origin of a batch: batches of another engine build or packing format are not reused. */
const maker = () => `${engineBuildHash()} ${packing}`

/**
 * Batches of a study in the database.
 *
 * Saving a batch also checks that the job still belongs to this attempt. A canceled job, or one
 * taken over by another attempt, ends here between two batches.
 */
export function jobBatches(
  { records, organizationId, jobId, attempt, now }: JobRun,
  noteOf: (estimates: contract.StudyEstimates) => readonly Sql[] = () => [],
): BatchStore {
  const madeBy = maker()
  const isMine = sql`exists (select from jobs where organization_id = ${organizationId} and id = ${jobId}
    and status = 'RUNNING' and attempts = ${attempt})`
  return {
    load: (batch) => readStoredParts(records, { organizationId, jobId, batch }),
    save: async (batch, parts, estimates) => {
      const [mine = []] = await records.query([
        sql`select 1 from jobs where organization_id = ${organizationId} and id = ${jobId}
          and status = 'RUNNING' and attempts = ${attempt} for update`,
        sql`delete from study_batches where organization_id = ${organizationId}
          and job_id = ${jobId} and batch = ${batch} and ${isMine}`,
        ...parts.map(
          (part, index) => sql`insert into study_batches
            (organization_id, job_id, batch, part, made_by, content, created_at)
            select ${organizationId}, ${jobId}, ${batch}, ${index}, ${madeBy},
              ${Uint8Array.from(serialize(part))}, ${now} where ${isMine}`,
        ),
        ...noteOf(estimates),
      ])
      if (mine.length === 0) throw new JobTakenError()
      reachFaultPoint('study:batch-kept', () => `batch ${batch}`)
    },
  }
}

/** A stored batch of any study of the organization, from the same engine build; null if missing. */
export async function readStoredParts(
  records: JobRun['records'],
  { organizationId, jobId, batch }: { organizationId: string; jobId: string; batch: number },
): Promise<PathPart[] | null> {
  const [rows = []] = await records.query([
    sql`select encode(content, 'base64') as content from study_batches
      where organization_id = ${organizationId} and job_id = ${jobId} and batch = ${batch}
      and made_by = ${maker()} order by part`,
  ])
  if (rows.length === 0) return null
  return rows.map((row) => {
    const { encoded, figures } = deserialize(Buffer.from(textOf(row, 'content'), 'base64'))
    return { encoded, figures } as PathPart
  })
}

/** Stores batches and the job's interim results in one transaction. */
export function studyBatches(run: JobRun): BatchStore {
  const { organizationId, jobId, attempt, services } = run
  const batches = jobBatches(run, (estimates) => [
    sql`update jobs set preliminary = ${JSON.stringify(estimates)}
      where organization_id = ${organizationId} and id = ${jobId}
      and status = 'RUNNING' and attempts = ${attempt}`,
  ])
  return {
    ...batches,
    save: async (...batchParts) => {
      await batches.save(...batchParts)
      services.committed.emit('change', organizationId)
    },
  }
}

/**
 * Stores a marker row for an attempt, with a negative batch number. A regular end removes it, so
 * remaining markers belong to crashed workers.
 *
 * @returns number of earlier crashes
 */
export async function beginAttempt({
  records,
  organizationId,
  jobId,
  attempt,
  now,
}: JobRun): Promise<number> {
  const [, rows = []] = await records.query([
    sql`insert into study_batches
      (organization_id, job_id, batch, part, made_by, content, created_at)
      values (${organizationId}, ${jobId}, ${-attempt}, 0, 'attempt', '', ${now})
      on conflict do nothing`,
    sql`select 1 from study_batches where organization_id = ${organizationId}
      and job_id = ${jobId} and batch < 0 and batch > ${-attempt}`,
  ])
  return rows.length
}

/** Removes the marker of an attempt after a regular end, with any outcome. */
export async function endAttempt({ records, organizationId, jobId, attempt }: JobRun) {
  await records.query([
    sql`delete from study_batches where organization_id = ${organizationId}
      and job_id = ${jobId} and batch = ${-attempt}`,
  ])
}

export const forgetBatches = ({ organizationId, jobId }: JobRun): Sql =>
  sql`delete from study_batches where organization_id = ${organizationId} and job_id = ${jobId}`

/**
 * The job was canceled, or another attempt has it. The current attempt drops its remaining work.
 */
export class JobTakenError extends JobFailure {
  constructor() {
    super('LIQUIDITY_INTERNAL_ERROR', 'The job was canceled, or another attempt has it.', {
      retryable: false,
    })
  }
}
