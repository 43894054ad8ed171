import type { contract } from '@liquidity-os/contract'

type Payload = contract.ProposalWorkspace

/** A proposal that ends in a phase: what of it is not executed will not be agreed to any more. */
export const ended = (payload: Payload, phase: contract.ProposalPhase): Payload => ({
  ...payload,
  phase,
  packets: payload.packets.map((packet) =>
    packet.state === 'OPEN' ? { ...packet, state: 'REVOKED' as const } : packet,
  ),
})

/**
 * How many approvals count: each person once, and whoever prepared the packet only where one approval is enough.
 */
export function countedApprovals({ approvals, review }: Pick<Payload, 'approvals' | 'review'>) {
  return approvals.filter(({ self }) => !self || review.required === 1).length
}
