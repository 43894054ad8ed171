import { type Sql, sql } from '../../../store/database/sql.ts'
import { type Change, emptyChange, type JobInsert } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import type { VenueProfile } from './venue.ts'

/**
 * Range of an index job. A null start continues after the last run; a null end means the finalized
 * block.
 */
export interface IndexInput {
  readonly mode: 'STATE' | 'EVENTS' | 'FULL'
  readonly fromBlock: number | null
  readonly toBlock: number | null
  readonly reason: string
}

/**
 * Input of a scheduled run. No user requested it, so no event records it. Jobs store this text, and
 * `verify-history` compares it, so it must not change.
 */
export const cadenceInput: IndexInput = {
  mode: 'FULL',
  fromBlock: null,
  toBlock: null,
  reason: 'Read at the cadence of the venue',
}

/** Fails with a conflict if another index job of the venue is in progress at commit. */
function soleJob(organizationId: string, venueId: string, jobId: string): Sql[] {
  return [
    sql`select pg_advisory_xact_lock(hashtextextended(${`${organizationId}|VENUE_INDEX|${venueId}`}, 0))`,
    sql`select require_expected(count(*) = 0) from jobs
      where organization_id = ${organizationId} and kind = 'VENUE_INDEX' and subject_id = ${venueId}
      and status in ('QUEUED', 'RUNNING') and id <> ${jobId}`,
  ]
}

function newJob(
  { now }: TenantRecords,
  { record: { id, resourceType, resourceVersion } }: Current<VenueProfile>,
  input: IndexInput,
): JobInsert {
  return {
    id: newId('job', now),
    kind: 'VENUE_INDEX',
    subject: { resourceType, id, resourceVersion },
    input: { ...input },
  }
}

/** Queues an index job for a user, with the event that records the request. */
export function indexJob(
  records: TenantRecords,
  current: Current<VenueProfile>,
  input: IndexInput,
): { job: JobInsert; change: Change } {
  const job = newJob(records, current, input)
  const change = records.note(current, 'venue.index_queued', { jobId: job.id, ...input })
  const statements = soleJob(records.organizationId, current.record.id, job.id)
  return { job, change: { ...change, jobs: [job], statements } }
}

/** Queues the next scheduled run of a venue, unless one is already pending. */
export async function queueNextIndex(
  records: TenantRecords,
  venueId: string,
): Promise<Change | null> {
  const current = await records.current<VenueProfile>('VenueProfile', venueId)
  if (current?.record.status !== 'VALIDATED') return null
  const job = newJob(records, current, cadenceInput)
  return {
    ...emptyChange(records.organizationId, records.now),
    expects: [{ id: venueId, sequence: current.record.sequence }],
    jobs: [job],
    statements: soleJob(records.organizationId, venueId, job.id),
  }
}
