import type { TenantRecords } from '../../../../store/records/tenant-records.ts'

/** What a migration needs of a decision packet: a proposal that names the plan. */
interface DecisionPacket {
  readonly phase?: string
  readonly plan?: { readonly id: string; readonly resourceVersion: string }
  readonly review?: { readonly expiresAt: string }
}

/**
 * Whether a decision approves exactly this generation of a plan and still holds. Its current version decides,
 * and must be the one that is named.
 */
export async function isApprovedBy(
  records: TenantRecords,
  decision: { readonly id: string; readonly resourceVersion: string },
  plan: { readonly id: string; readonly resourceVersion: string },
): Promise<boolean> {
  const { id, resourceVersion } = decision
  const found = await records.version<DecisionPacket>('ProposalWorkspace', id, resourceVersion)
  if (!found?.isCurrent || found.record.status !== 'ACTIVE') return false
  const { phase, plan: named, review } = found.record.payload
  return (
    phase === 'APPROVED' &&
    named?.id === plan.id &&
    named.resourceVersion === plan.resourceVersion &&
    review !== undefined &&
    Date.parse(review.expiresAt) > records.now
  )
}
