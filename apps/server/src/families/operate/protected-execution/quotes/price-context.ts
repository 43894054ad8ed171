import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import {
  type NewestPrice,
  newestPrice,
  policyHeldBy,
  stateOf,
  termsOf,
} from '../../autonomy-policies/api.ts'

/**
 * Reference for price checks: the newest feed price, and the price band of the vault's policy if it
 * has a band.
 */
export interface PriceContext {
  readonly reference: NewestPrice | null
  readonly band: { readonly minX18: bigint | null; readonly maxX18: bigint | null }
}

export async function readPriceContext(
  records: TenantRecords,
  vaultId: string,
  pair: contract.QualifiedVault['pair'],
): Promise<PriceContext> {
  const at = Math.floor(records.now / 1000)
  const [reference, held] = await Promise.all([
    newestPrice(records, pair, at),
    findActiveTerms(records, vaultId),
  ])
  return {
    reference,
    band: {
      minX18: held?.terms.minimumPriceX18 ?? null,
      maxX18: held?.terms.maximumPriceX18 ?? null,
    },
  }
}

/** Active policy terms of a vault, or null. */
export async function findActiveTerms(
  records: TenantRecords,
  vaultId: string,
): Promise<{
  readonly ref: { id: string; resourceVersion: string }
  readonly terms: PolicyTerms
} | null> {
  const held = await policyHeldBy(records, vaultId)
  if (held === null || stateOf(held.record, records.now) !== 'ACTIVE') return null
  const { id, resourceVersion, payload } = held.record
  return { ref: { id, resourceVersion }, terms: termsOf(payload) }
}
