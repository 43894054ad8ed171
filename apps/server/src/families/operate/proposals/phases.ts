import type { contract } from '@liquidity-os/contract'

type Payload = contract.ProposalWorkspace

/** Closes a proposal in a final phase and revokes its unexecuted packets. */
export const ended = (payload: Payload, phase: contract.ProposalPhase): Payload => ({
  ...payload,
  phase,
  packets: payload.packets.map((packet) =>
    packet.state === 'OPEN' ? { ...packet, state: 'REVOKED' as const } : packet,
  ),
})

/** Valid approvals. Each user counts once. The preparer counts only if one approval is enough. */
export function countedApprovals({ approvals, review }: Pick<Payload, 'approvals' | 'review'>) {
  return approvals.filter(({ self }) => !self || review.required === 1).length
}
