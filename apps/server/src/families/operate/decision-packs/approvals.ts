import type { contract } from '@liquidity-os/contract'
import type { Pack } from './pack-types.ts'

type Approval = contract.DecisionApproval

/**
 * How many approvals count. Every user once, and of those who wrote the pack one at most: they do not make a quorum among
 * themselves.
 */
export function countedApprovals(approvals: readonly Approval[]): number {
  const authors = approvals.filter(({ isAuthor }) => isAuthor).length
  return approvals.length - authors + Math.min(1, authors)
}

export const isQuorum = ({ quorum }: Pack, approvals: readonly Approval[]) =>
  countedApprovals(approvals) >= quorum.approvals
