import { compareTerms, type TermsComparison } from './order.ts'
import { bottomTerms, isExecutable, type PolicyTerms } from './terms.ts'

/** Where a policy of a vault stands. */
export interface StandingPolicy {
  readonly status: 'ACTIVE' | 'PAUSED' | 'REVOKED' | 'EXPIRED'
  readonly terms: PolicyTerms
}

export type Admission = 'ADVISORY' | 'NARROWING' | 'EXPANSION'

/** How a new policy is admitted, and what it was compared with. */
export interface AdmissionDecision {
  readonly admission: Admission
  readonly comparison: TermsComparison
}

/**
 * Which way a new policy of a vault goes: what can execute nothing is ADVISORY; what can, and grants no more than an ACTIVE
 * policy does, is NARROWING; anything else is an EXPANSION, which needs the owners on chain. A policy that is revoked or
 * expired counts as nothing at all, and one that is paused grants nothing that can be executed.
 */
export function decideAdmission(
  current: StandingPolicy | null,
  terms: PolicyTerms,
): AdmissionDecision {
  const isStanding =
    current !== null && (current.status === 'ACTIVE' || current.status === 'PAUSED')
  const before = isStanding ? current.terms : bottomTerms(terms.vaultId, terms.controlEpoch)
  const comparison = compareTerms(before, terms)
  if (!isExecutable(terms)) return { admission: 'ADVISORY', comparison }
  const grantsNoMore = comparison.relation === 'EQUAL' || comparison.relation === 'NARROWER'
  const isNarrowing = current?.status === 'ACTIVE' && grantsNoMore
  return { admission: isNarrowing ? 'NARROWING' : 'EXPANSION', comparison }
}

/** Whether a policy may be resumed without the owners: what can execute grows from nothing otherwise. */
export const mayResume = (
  { level, controlEpoch }: PolicyTerms,
  vaultEpoch: bigint | null,
): boolean => level <= 2 && controlEpoch === vaultEpoch

/** What a standing policy lets a chain act on by itself; null where it lets it do nothing. */
export function executableAuthority({ status, terms }: StandingPolicy): PolicyTerms | null {
  return status === 'ACTIVE' && isExecutable(terms) ? terms : null
}
