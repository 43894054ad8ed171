import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { hasFeeds } from '../../../integrations/providers/feed-providers.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** Queues the next read of a provider's feeds, unless one is in progress at commit. */
export async function queueFeedPull(
  records: TenantRecords,
  providerId: string,
): Promise<Change | null> {
  const current = await records.current<ProviderPayload>('Provider', providerId)
  if (current?.record.status !== 'ACTIVE' || !hasFeeds(current.record.payload)) return null
  return queueRun(records, 'FEED_PULL', current.record)
}
