import type { contract } from '@liquidity-os/contract'
import type { Item } from '../../api/records.ts'
import { State } from '../../ui/state.tsx'
import { dayText, isUndecided } from './proposal-words.ts'

/** State, approvals and expiry, below the title. */
export function ProposalStatus({ item }: { item: Item }) {
  const { phase, approvalCount, review } = item.payload as contract.ProposalWorkspace
  const parts = [
    `${approvalCount} of ${review.required} ${review.required === 1 ? 'approval' : 'approvals'}`,
    ...(isUndecided(phase) || phase === 'APPROVED' ? [`until ${dayText(review.expiresAt)}`] : []),
  ]
  return (
    <>
      <State of={phase} />
      <span>{parts.join(' · ')}</span>
    </>
  )
}
