import { sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'

/** Part of a decision packet that a migration reads: the proposal for the plan. */
interface DecisionPacket {
  readonly phase?: string
  readonly plan?: { readonly id: string; readonly resourceVersion: string }
  readonly review?: { readonly expiresAt: string }
}

/**
 * True if a decision approves exactly this plan version and is still valid. The request must name
 * the decision's current version.
 */
export async function isApprovedBy(
  records: TenantRecords,
  decision: { readonly id: string; readonly resourceVersion: string },
  plan: { readonly id: string; readonly resourceVersion: string },
): Promise<boolean> {
  const { id, resourceVersion } = decision
  const found = await records.version<DecisionPacket>('ProposalWorkspace', id, resourceVersion)
  if (!found?.isCurrent || found.record.status !== 'ACTIVE') return false
  return approves(found.record.payload, plan, records.now)
}

/** True if a decision approves the plan. */
export async function isApproved(
  records: TenantRecords,
  plan: { readonly id: string; readonly resourceVersion: string },
): Promise<boolean> {
  const found = await records.find<DecisionPacket>('ProposalWorkspace', {
    status: ['ACTIVE'],
    where: sql`${member('payload.plan.id')} = ${plan.id}
      and ${member('payload.plan.resourceVersion')} = ${plan.resourceVersion}`,
  })
  return found.some(({ payload }) => approves(payload, plan, records.now))
}

function approves(
  { phase, plan: named, review }: DecisionPacket,
  plan: { readonly id: string; readonly resourceVersion: string },
  now: number,
): boolean {
  return (
    phase === 'APPROVED' &&
    named?.id === plan.id &&
    named.resourceVersion === plan.resourceVersion &&
    review !== undefined &&
    Date.parse(review.expiresAt) > now
  )
}
