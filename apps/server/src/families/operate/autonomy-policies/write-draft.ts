import type { contract } from '@liquidity-os/contract'
import type { Outcome } from '../../../http/handler.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { policyHeldBy, stateOf } from './active-policy.ts'
import type { Drafted, StatedLimits } from './draft-payload.ts'
import { policyDrafts } from './draft-records.ts'
import { comparisonOf } from './policy-terms.ts'
import type { Policy } from './records.ts'

export async function findActivePolicy(
  records: TenantRecords,
  vaultId: string,
): Promise<Policy | null> {
  const held = await policyHeldBy(records, vaultId)
  return held && stateOf(held.record, records.now) !== 'EXPIRED' ? held.record : null
}

/** Stores a draft and returns its effect on the current policy. */
export function written(
  records: TenantRecords,
  { payload, comparison }: Drafted,
  reason: string,
  artifacts: StatedLimits['artifacts'] = [],
): Outcome {
  const { extractor, coveragePips, missing, unparsed, conflicts, vaultId } = payload
  const { sealed, change } = policyDrafts.first(records, {
    status: 'DRAFT',
    payload,
    reason,
    event: 'policy_intent.drafted',
    eventPayload: {
      vaultId,
      extractor,
      coveragePips,
      missing,
      unparsed: unparsed.length,
      conflicts: conflicts.length,
    },
  })
  const data = {
    draft: sealed.record,
    comparison: comparison && comparisonOf(comparison),
    ...noAuthority,
  }
  const { id, resourceVersion } = sealed.record
  const producer = { resourceType: 'PolicyIntentDraft', id, resourceVersion }
  const stored = { ...change, artifacts: artifacts.map((one) => ({ ...one, producer })) }
  return { status: 201, data, etag: sealed.resourceVersion, change: stored }
}

export const noAuthority: Pick<
  contract.PolicyCheckResult,
  'policyActivated' | 'executionAuthorityGranted'
> = { policyActivated: false, executionAuthorityGranted: false }
