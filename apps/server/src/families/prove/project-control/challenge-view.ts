import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'

type Payload = contract.ProjectControlChallenge

/** True if a challenge has expired, even before the sweep records it. */
export const isOver = ({ expiresAt }: Payload, now: number): boolean => Date.parse(expiresAt) <= now

export function viewOf(
  { id, status, payload }: VersionedRecord<Payload>,
  now: number,
): contract.ProjectControlChallengeView {
  const isConsumed = status === 'COMPLETED'
  const isOpen = status === 'ACTIVE' && !isOver(payload, now)
  return { id, status: isConsumed ? 'CONSUMED' : isOpen ? 'OPEN' : 'EXPIRED', ...payload }
}
