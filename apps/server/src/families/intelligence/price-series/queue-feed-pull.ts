import type { ProviderPayload } from '../../../outside/providers/chain-providers.ts'
import { hasFeeds } from '../../../outside/providers/feed-providers.ts'
import { sql } from '../../../store/database/sql.ts'
import { type Change, emptyChange } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** Queues the next reading of a provider's feeds, unless one is under way by the time it is written. */
export async function queueFeedPull(
  records: TenantRecords,
  providerId: string,
): Promise<Change | null> {
  const current = await records.current<ProviderPayload>('Provider', providerId)
  if (current?.record.status !== 'ACTIVE' || !hasFeeds(current.record.payload)) return null
  const { id, resourceType, resourceVersion, sequence } = current.record
  const job = {
    ...{ id: newId('job', records.now), kind: 'FEED_PULL' },
    ...{ subject: { resourceType, id, resourceVersion }, input: {} },
  }
  const underWay = sql`select require_expected(count(*) = 0) from jobs
    where organization_id = ${records.organizationId} and kind = 'FEED_PULL' and subject_id = ${id}
    and status in ('QUEUED', 'RUNNING') and id <> ${job.id}`
  return {
    ...emptyChange(records.organizationId, records.now),
    ...{ expects: [{ id, sequence }], jobs: [job], statements: [underWay] },
  }
}
