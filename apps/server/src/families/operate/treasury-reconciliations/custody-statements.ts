import type { SourceRef } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** What signed custody evidence says of one container and asset. */
export interface CustodyStatement {
  readonly source: SourceRef
  readonly container: string
  readonly assetKey: string
  readonly quantity: bigint
  /** The block that it speaks of; null for a custodian on no chain. */
  readonly blockNumber: number | null
  readonly isLive: boolean
}

/**
 * The statements of the evidence that a request names.
 *
 * @throws Failure 404 LIQUIDITY_RECONCILIATION_EVIDENCE_UNAVAILABLE for what is no evidence of this organization
 */
export async function readStatements(
  _records: TenantRecords,
  refs: readonly SourceRef[],
  { at }: { readonly at: string },
): Promise<CustodyStatement[]> {
  const [first] = refs
  if (!first) return []
  throw new Failure('LIQUIDITY_RECONCILIATION_EVIDENCE_UNAVAILABLE', {
    fieldErrors: { [`${at}evidence.0`]: [`must name custody evidence, got ${first.id}`] },
  })
}
