import type { contract, SourceRef } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { custodyEvidence, isLive } from '../../prove/treasury-custody/api.ts'
import type { Opening } from './opening-balances.ts'

const evidenceType = 'TreasuryCustodyEvidence'

/** Custody evidence behind controlled holdings, without duplicates. */
export function evidenceBehind(openings: readonly Pick<Opening, 'control'>[]): SourceRef[] {
  const refs = openings.flatMap(({ control }) => control.source ?? [])
  return [...new Map(refs.map((ref) => [ref.id, ref])).values()]
}

/**
 * True if holdings that a record counts as controlled are still controlled. Otherwise its figures
 * for controlled holdings are outdated.
 */
export async function isControlLive(
  records: TenantRecords,
  { computation }: { readonly computation: contract.TreasuryComputation },
): Promise<boolean> {
  const ids = computation.sources.flatMap(({ resourceType, id }) =>
    resourceType === evidenceType ? [id] : [],
  )
  if (ids.length === 0) return true
  const found = await custodyEvidence.find(records, { ids })
  return found.length === new Set(ids).size && found.every((one) => isLive(one, records.now))
}

export const controlExpiredText =
  'Its custody evidence has ended. Admit new evidence, then compute again.'
