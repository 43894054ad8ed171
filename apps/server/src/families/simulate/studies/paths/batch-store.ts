import { deserialize, serialize } from 'node:v8'
import type { contract } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { reachFaultPoint } from '../../../../fault-points.ts'
import { JobFailure, type JobRun } from '../../../../jobs/job-run.ts'
import { textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { type PathPart, packing } from './path-part.ts'
import type { BatchStore } from './run-monte-carlo.ts'

/** Who has made a batch: one that another build of the engine made, or that was packed otherwise, is not taken up. */
const maker = () => `${engineBuildHash()} ${packing}`

/**
 * Batches of a study in the database.
 *
 * To save one is also to ask whether the job still is this attempt's. A job that was cancelled, or that
 * another attempt has taken over, ends here, between two batches.
 */
export function jobBatches(
  { records, organizationId, jobId, attempt, now }: JobRun,
  noteOf: (estimates: contract.StudyEstimates) => readonly Sql[] = () => [],
): BatchStore {
  const madeBy = maker()
  const isMine = sql`exists (select from jobs where organization_id = ${organizationId} and id = ${jobId}
    and status = 'RUNNING' and attempts = ${attempt})`
  return {
    load: (batch) => keptParts(records, { organizationId, jobId, batch }),
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

/** A kept batch of any study of the organization, if this build of the engine has made it; null where there is none. */
export async function keptParts(
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

/** Batches of a study whose job tells what they say, in the transaction that keeps them: both are there, or neither. */
export function studyBatches(run: JobRun): BatchStore {
  const { organizationId, jobId, attempt, services } = run
  const batches = jobBatches(run, (estimates) => [
    sql`update jobs set preliminary = ${JSON.stringify(estimates)}
      where organization_id = ${organizationId} and id = ${jobId}
      and status = 'RUNNING' and attempts = ${attempt}`,
  ])
  return {
    ...batches,
    save: async (...kept) => {
      await batches.save(...kept)
      services.committed.emit('change', organizationId)
    },
  }
}

/**
 * Notes that an attempt begins, among the batches and below all of them. Whoever ends in good order takes the
 * note away, so those that are left are of workers that died.
 *
 * @returns how many died before
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

/** Takes the note of an attempt away that ends in good order, whatever it came to. */
export async function endAttempt({ records, organizationId, jobId, attempt }: JobRun) {
  await records.query([
    sql`delete from study_batches where organization_id = ${organizationId}
      and job_id = ${jobId} and batch = ${-attempt}`,
  ])
}

/** Removes what a study kept on its way. */
export const forgetBatches = ({ organizationId, jobId }: JobRun): Sql =>
  sql`delete from study_batches where organization_id = ${organizationId} and job_id = ${jobId}`

/** The job was cancelled, or another attempt has it; whatever this one would still do is dropped. */
export class JobTakenError extends JobFailure {
  constructor() {
    super('LIQUIDITY_INTERNAL_ERROR', 'The job was cancelled, or another attempt has it.', {
      retryable: false,
    })
  }
}
