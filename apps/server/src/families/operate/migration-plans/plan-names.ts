import { type MigrationState, terminalPhases } from '@liquidity-os/engine/migration'
import { dueName } from '../../../jobs/overdue.ts'
import type { PlanRequest } from './plan-types.ts'

/** Kind of the names of plans with a future deadline; the names start with it. */
export const deadlineKind = 'migration-deadline'

export const deadlineName = ({ constraints }: PlanRequest, planId: string) => ({
  kind: deadlineKind,
  name: dueName(new Date(constraints.deadline).toISOString(), planId),
})

/**
 * YES if a plan holds its deadline name. EITHER if its deadline no longer has an effect, because a
 * sweep may have released the name.
 */
export function holdsDeadline({
  phase,
  isOverdue,
  done,
  forward,
}: MigrationState): 'YES' | 'NO' | 'EITHER' {
  if (isOverdue || terminalPhases.includes(phase)) return 'NO'
  return phase === 'ROLLING_BACK' || done === forward.length ? 'EITHER' : 'YES'
}

export const walletKind = 'migration-wallet'
export const positionKind = 'migration-position'

/** Names that an active plan holds exclusively: its wallet and every position. */
export function busyNames({ pair, from }: PlanRequest): { kind: string; name: string }[] {
  const positions = from.positions.map(({ venue, tickLower, tickUpper, tokenId }) =>
    // `join` prints undefined as an empty part.
    [pair.chainId, venue.id, from.wallet, tickLower, tickUpper, tokenId].join('|'),
  )
  return [
    { kind: walletKind, name: `${pair.chainId}|${from.wallet}` },
    ...positions.map((name) => ({ kind: positionKind, name })),
  ]
}
