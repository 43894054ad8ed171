import type { contract } from '@liquidity-os/contract'
import type { LiveCustody } from '../../prove/treasury-custody/api.ts'
import { controlOf } from '../treasury-entries/api.ts'
import { type Entry, refOf } from './read-sources.ts'
import { ageOf } from './summary-freshness.ts'

export type SummaryHolding = contract.TreasurySummary['holdings'][number]

/**
 * A holding for the summary; empty if it was never observed.
 *
 * @param custody live evidence, because the summary shows only current control
 */
export function summaryHolding(
  entry: Entry,
  custody: readonly LiveCustody[],
  now: number,
): SummaryHolding[] {
  const { payload } = entry
  if (payload.entryKind !== 'ASSET' || payload.observed === null || payload.split === null)
    return []
  const { asset: assetKey, tier, purpose, observed, split, value, computation } = payload
  const observedAt = computation.snapshot?.asOf ?? entry.createdAt
  return [
    {
      entry: refOf(entry),
      assetKey,
      tier,
      purpose,
      quantity: observed.quantity,
      value,
      unrestricted: split.unrestricted,
      restricted: split.restricted,
      reserved: split.reserved,
      proof: observed.proof,
      evidenceHash: observed.evidenceHash,
      observedAt,
      ageSeconds: ageOf(observedAt, now),
      control: controlOf(payload, custody),
    },
  ]
}
