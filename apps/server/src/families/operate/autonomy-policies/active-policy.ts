import type { StandingPolicy } from '@liquidity-os/engine/policy'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { termsOf } from './policy-terms.ts'
import { type Policy, policies, policyOfVault } from './records.ts'

/** The current state of a policy. An expired policy is expired even before the sweep. */
export function stateOf({ status, payload }: Policy, now: number): StandingPolicy['status'] {
  const isOver = Date.parse(payload.expiresAt) <= now
  if (isOver && (status === 'ACTIVE' || status === 'PAUSED')) return 'EXPIRED'
  // All states of a policy.
  return status as StandingPolicy['status']
}

/** The policy that holds the name of its vault, expired or not. */
export async function policyHeldBy(records: TenantRecords, vaultId: string) {
  const id = await records.holder(policyOfVault(vaultId))
  return id === null ? null : policies.current(records, id)
}

/** Current policy of a vault for comparison with a new one; null if none exists. */
export const readPolicyState = (policy: Policy | null, now: number): StandingPolicy | null =>
  policy === null ? null : { status: stateOf(policy, now), terms: termsOf(policy.payload) }
