import { compareTerms, type TermsComparison } from './order.ts'
import { bottomTerms, isExecutable, type PolicyTerms } from './terms.ts'

/** Current policy of a vault, with its status. */
export interface StandingPolicy {
  readonly status: 'ACTIVE' | 'PAUSED' | 'REVOKED' | 'EXPIRED'
  readonly terms: PolicyTerms
}

export type Admission = 'ADVISORY' | 'NARROWING' | 'EXPANSION'

/** Admission of a new policy, with the comparison behind it. */
export interface AdmissionDecision {
  readonly admission: Admission
  readonly comparison: TermsComparison
}

/**
 * Classifies a new policy of a vault. ADVISORY: it cannot execute. NARROWING: it can execute and
 * grants no more than the ACTIVE policy. EXPANSION: all other cases, which need the owners on
 * chain. A revoked or expired policy counts as an empty one. A paused policy grants no executable
 * authority.
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

/**
 * Whether a policy can resume without the owners. Resuming an executable policy expands authority.
 */
export const mayResume = (
  { level, controlEpoch }: PolicyTerms,
  vaultEpoch: bigint | null,
): boolean => level <= 2 && controlEpoch === vaultEpoch

/** Executable authority that a policy grants without further approval; null if it grants none. */
export function executableAuthority({ status, terms }: StandingPolicy): PolicyTerms | null {
  return status === 'ACTIVE' && isExecutable(terms) ? terms : null
}
