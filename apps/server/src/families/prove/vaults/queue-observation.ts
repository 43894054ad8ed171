import type { contract } from '@liquidity-os/contract'
import { queueRun } from '../../../jobs/queue-run.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isLiquidityHolding } from './holdings.ts'

export const observationTask = 'VAULT_SNAPSHOT'

/** Queues the next read of a holding's Safe, unless one is in progress at commit. */
export async function queueObservation(
  records: TenantRecords,
  entryId: string,
): Promise<Change | null> {
  const current = await records.current<contract.TreasuryBucket>('TreasuryBucket', entryId)
  if (current?.record.status !== 'ACTIVE' || !isLiquidityHolding(current.record.payload))
    return null
  return queueRun(records, observationTask, current.record)
}
