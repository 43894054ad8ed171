import type { VersionedRecord } from '@liquidity-os/evidence'
import { sql } from '../store/database/sql.ts'
import { type Change, emptyChange } from '../store/records/change.ts'
import { newId } from '../store/records/ids.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

/** Queues the next run of a subject at its current version, unless one is active at commit time. */
export function queueRun(records: TenantRecords, kind: string, subject: VersionedRecord): Change {
  const { id, resourceType, resourceVersion, sequence } = subject
  const job = {
    id: newId('job', records.now),
    kind,
    subject: { resourceType, id, resourceVersion },
    input: {},
  }
  const underWay = sql`select require_expected(count(*) = 0) from jobs
    where organization_id = ${records.organizationId} and kind = ${kind} and subject_id = ${id}
    and status in ('QUEUED', 'RUNNING') and id <> ${job.id}`
  return {
    ...emptyChange(records.organizationId, records.now),
    expects: [{ id, sequence }],
    jobs: [job],
    statements: [underWay],
  }
}
