import type { contract } from '@liquidity-os/contract'
import type { Pack } from './pack-types.ts'

type Approval = contract.DecisionApproval

/**
 * Number of valid approvals. Each user counts once, and all authors together count at most once.
 * Authors alone can therefore not form a quorum.
 */
export function countedApprovals(approvals: readonly Approval[]): number {
  const authors = approvals.filter(({ isAuthor }) => isAuthor).length
  return approvals.length - authors + Math.min(1, authors)
}

export const isQuorum = ({ quorum }: Pack, approvals: readonly Approval[]) =>
  countedApprovals(approvals) >= quorum.approvals
