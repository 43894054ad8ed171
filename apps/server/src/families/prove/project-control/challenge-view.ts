import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'

type Payload = contract.ProjectControlChallenge

/** Whether the time of a challenge is over, written down or not. */
export const isOver = ({ expiresAt }: Payload, now: number): boolean => Date.parse(expiresAt) <= now

/** A challenge as it is answered, with its state at this moment. */
export function viewOf(
  { id, status, payload }: VersionedRecord<Payload>,
  now: number,
): contract.ProjectControlChallengeView {
  const isConsumed = status === 'COMPLETED'
  const isOpen = status === 'ACTIVE' && !isOver(payload, now)
  return { id, status: isConsumed ? 'CONSUMED' : isOpen ? 'OPEN' : 'EXPIRED', ...payload }
}
