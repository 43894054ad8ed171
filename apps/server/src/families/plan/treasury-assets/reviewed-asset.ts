import type { contract } from '@liquidity-os/contract'
import { endOverdue } from '../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../services.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { assetEnding } from './asset-sweep.ts'

/**
 * Reviewed version of a token's record. A due change is recorded first, with its event and email.
 *
 * @throws Failure 404, 412
 */
export async function reviewedAsset(
  records: TenantRecords,
  services: RecordSweeping,
  id: string,
  precondition: string | null,
): Promise<Current<contract.TreasuryAsset>> {
  await endOverdue(services, [records.organizationId], assetEnding)
  return records.reviewed<contract.TreasuryAsset>('TreasuryAsset', id, precondition)
}
