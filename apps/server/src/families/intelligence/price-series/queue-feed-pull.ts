import { queueRun } from '../../../jobs/queue-run.ts'
import type { ProviderPayload } from '../../../outside/providers/chain-providers.ts'
import { hasFeeds } from '../../../outside/providers/feed-providers.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** Queues the next reading of a provider's feeds, unless one is under way by the time it is written. */
export async function queueFeedPull(
  records: TenantRecords,
  providerId: string,
): Promise<Change | null> {
  const current = await records.current<ProviderPayload>('Provider', providerId)
  if (current?.record.status !== 'ACTIVE' || !hasFeeds(current.record.payload)) return null
  return queueRun(records, 'FEED_PULL', current.record)
}
