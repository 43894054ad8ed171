import { isFinalLeg } from '@liquidity-os/engine/execution'
import { overdueNames, sweepOverdue } from '../../../../jobs/overdue.ts'
import { limits } from '../../../../limits.ts'
import type { ProviderAccess, RecordSweeping } from '../../../../services.ts'
import { sql } from '../../../../store/database/sql.ts'
import type { Change } from '../../../../store/records/change.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { executionPlans } from '../records.ts'
import { type DecidedMove, legsOf, transitionChange } from './append-transitions.ts'
import { deadlineOf, isOverdue, type LegHistory, moved, noEvidence } from './leg-chain.ts'
import { dueKind, flightKind } from './leg-names.ts'
import { type LegChain, observeLeg, openLegChain } from './observe-leg.ts'

/** Expires unsent legs after their deadline. */
export function expireLegs(services: RecordSweeping): Promise<void> {
  return sweepOverdue(services, {
    overdue: overdueNames(dueKind),
    actor: 'execution-clock',
    end: async (records, planId) => {
      const current = await executionPlans.current(records, planId)
      if (current?.record.status !== 'ACTIVE') return null
      const legs = await legsOf(records, current)
      const moves = legs.flatMap((leg): DecidedMove[] => {
        const deadline = deadlineOf(current.record.payload, leg.legIndex)
        if (!isOverdue(leg, deadline, records.now)) return []
        const evidence = { ...noEvidence, note: `The deadline was ${deadline}.` }
        return [
          { legIndex: leg.legIndex, to: 'EXPIRED', evidence, reason: 'The deadline has passed' },
        ]
      })
      return moves.length === 0 ? null : transitionChange(records, current, legs, moves).change
    },
  })
}

/** Checks the transactions of sent legs and records their state. */
export function followLegs(services: RecordSweeping & ProviderAccess): Promise<void> {
  return sweepOverdue(services, {
    actor: 'execution-follower',
    overdue: (organizationId) => sql`select record_id as id from names
      where organization_id = ${organizationId} and kind = ${flightKind}
      order by name limit ${limits.sweptRecords}`,
    end: (records, planId) => followPlan(records, services, planId),
  })
}

async function followPlan(
  records: TenantRecords,
  services: ProviderAccess,
  planId: string,
): Promise<Change | null> {
  const current = await executionPlans.current(records, planId)
  if (current?.record.status !== 'ACTIVE') return null
  const { payload } = current.record
  const legs = await legsOf(records, current)
  const chain = await openLegChain(records, services, payload.chainId)
  const moves: DecidedMove[] = []
  for (const leg of legs) moves.push(...(await movesOf(chain, payload, leg)))
  return moves.length === 0 ? null : transitionChange(records, current, legs, moves).change
}

/** Advances a leg as far as the chain allows: found, finalized, reconciled. */
async function movesOf(
  chain: LegChain,
  plan: Parameters<typeof observeLeg>[1],
  leg: LegHistory,
): Promise<DecidedMove[]> {
  const moves: DecidedMove[] = []
  for (let at = leg; !isFinalLeg(at.state); ) {
    const observed = await observeLeg(chain, plan, at)
    if (observed.to === null) break
    const { to, evidence } = observed
    moves.push({ legIndex: leg.legIndex, to, evidence, reason: 'Read from the chain' })
    const isBack = at.state === 'INCLUDED' && to === 'SUBMITTED'
    const transition = { evidence, to, sequence: at.sequence + 1, transitionHash: '' }
    at = moved(at, transition as Parameters<typeof moved>[1])
    if (isBack) break
  }
  return moves
}
