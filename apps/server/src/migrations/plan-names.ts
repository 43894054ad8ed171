import { dueName } from '../jobs/overdue.ts'
import type { PlanRequest } from './plan-types.ts'

/** Kind of the names that plans with a deadline ahead hold; they begin with it. */
export const deadlineKind = 'migration-deadline'

export const deadlineName = ({ constraints }: PlanRequest, planId: string) => ({
  kind: deadlineKind,
  name: dueName(new Date(constraints.deadline).toISOString(), planId),
})

/** What one plan under way has for itself: its wallet and every position. */
export function busyNames({ pair, from }: PlanRequest): { kind: string; name: string }[] {
  const positions = from.positions.map(({ venue, tickLower, tickUpper, tokenId }) =>
    [pair.chainId, venue.id, from.wallet, tickLower ?? '', tickUpper ?? '', tokenId ?? ''].join(
      '|',
    ),
  )
  return [
    { kind: 'migration-wallet', name: `${pair.chainId}|${from.wallet}` },
    ...positions.map((name) => ({ kind: 'migration-position', name })),
  ]
}
