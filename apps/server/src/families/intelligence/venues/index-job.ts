import { sql } from '../../../store/database/sql.ts'
import type { Change, JobInsert } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import type { VenueProfile } from './venue.ts'

/** What an index job reads; null from where the last one ended, and null up to the final block. */
export interface IndexInput {
  readonly mode: 'STATE' | 'EVENTS' | 'FULL'
  readonly fromBlock: number | null
  readonly toBlock: number | null
  readonly reason: string
}

/** Queues an index job. The event ties it to this version of the venue; a second one at once conflicts with it. */
export function indexJob(
  records: TenantRecords,
  current: Current<VenueProfile>,
  input: IndexInput,
): { job: JobInsert; change: Change } {
  const { id, resourceType, resourceVersion } = current.record
  const job = {
    ...{ id: newId('job', records.now), kind: 'VENUE_INDEX' },
    ...{ subject: { resourceType, id, resourceVersion }, input: { ...input } },
  }
  const change = records.note(current, 'venue.index_queued', { jobId: job.id, ...input })
  return { job, change: { ...change, jobs: [job] } }
}

/** Queues the next run of a venue that is kept fresh, unless one is under way by the time it is written. */
export async function queueNextIndex(
  records: TenantRecords,
  venueId: string,
): Promise<Change | null> {
  const current = await records.current<VenueProfile>('VenueProfile', venueId)
  if (current?.record.status !== 'VALIDATED') return null
  const { job, change } = indexJob(records, current, {
    ...{ mode: 'FULL', fromBlock: null, toBlock: null, reason: 'Read at the cadence of the venue' },
  })
  const underWay = sql`select require_expected(count(*) = 0) from jobs
    where organization_id = ${records.organizationId} and kind = 'VENUE_INDEX' and subject_id = ${venueId}
    and status in ('QUEUED', 'RUNNING') and id <> ${job.id}`
  return { ...change, statements: [underWay] }
}
