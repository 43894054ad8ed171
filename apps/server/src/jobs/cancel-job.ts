import type { OperatingSystemJob } from '@liquidity-os/contract'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { RecordReading, Services } from '../services.ts'
import { ConflictError } from '../store/database/database.ts'
import type { Row } from '../store/database/row.ts'
import { textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { emptyChange } from '../store/records/change.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'
import { jobOf } from './job.ts'

/**
 * Cancels a running or queued job, together with the final change of its subject. Its worker
 * notices within seconds, and its results are discarded. Idempotent.
 *
 * @throws Failure 404 LIQUIDITY_RESOURCE_NOT_FOUND, 409 LIQUIDITY_JOB_ENDED
 */
export async function cancelJob(
  services: RecordReading & Pick<Services, 'committer' | 'families'>,
  job: { organizationId: string; jobId: string; userId: string },
): Promise<OperatingSystemJob> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToCancel(services, job)
    } catch (error) {
      // The worker started or advanced the job in the meantime.
      if (!(error instanceof ConflictError) || attempt === limits.jobCancelAttempts) throw error
    }
  }
}

async function tryToCancel(
  services: RecordReading & Pick<Services, 'committer' | 'families'>,
  { organizationId, jobId, userId }: { organizationId: string; jobId: string; userId: string },
): Promise<OperatingSystemJob> {
  const { database, verified, artifacts, committer, clock } = services
  const read = async () => {
    const [rows] = await database.tenant(organizationId, [
      sql`select * from jobs where organization_id = ${organizationId} and id = ${jobId}`,
    ])
    return rows?.[0]
  }
  const row = await read()
  if (!row) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (row.status === 'CANCELLED') return jobOf(row)
  if (row.status !== 'QUEUED' && row.status !== 'RUNNING') throw new Failure('LIQUIDITY_JOB_ENDED')
  const now = clock()
  const actor = { kind: 'SESSION', id: userId } as const
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
  const { cancellations } = await services.families()
  const code = (await cancellations[textOf(row, 'kind')]?.())?.default
  const { subject } = jobOf(row)
  const change = (await code?.(records, subject.id)) ?? emptyChange(organizationId, now)
  const error = {
    code: 'LIQUIDITY_JOB_CANCELLED',
    message: 'The job was canceled.',
    retryable: false,
  }
  await committer.commit({
    ...change,
    statements: [
      ...change.statements,
      sql`select require_expected(count(*) = 1) from (select from jobs where organization_id = ${organizationId}
        and id = ${jobId} and status in ('QUEUED', 'RUNNING') for update) as open`,
      sql`update jobs set status = 'CANCELLED', preliminary = null, waiting = null, waiting_until = null, finished_at = ${now}, error = ${JSON.stringify(error)}
        where organization_id = ${organizationId} and id = ${jobId}`,
    ],
  })
  return jobOf((await read()) as Row)
}
