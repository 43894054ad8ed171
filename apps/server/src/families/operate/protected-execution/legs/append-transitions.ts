import type { contract } from '@liquidity-os/contract'
import { type LegState, standingOf } from '@liquidity-os/engine/execution'
import type { SealedEvent } from '@liquidity-os/evidence'
import { type Change, joinChanges } from '../../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { executionPlans } from '../records.ts'
import {
  evidenceHashOf,
  foldLegs,
  type LegEvidence,
  type LegHistory,
  moved,
  type TransitionPayload,
  transitionHashOf,
} from './leg-chain.ts'
import { namesOfLegs } from './leg-names.ts'

export type CurrentPlan = Current<contract.ProtectedExecutionPlan>

export interface DecidedMove {
  readonly legIndex: number
  readonly to: LegState
  readonly evidence: LegEvidence
  readonly reason: string
}

export async function legsOf(
  records: TenantRecords,
  { record }: CurrentPlan,
): Promise<LegHistory[]> {
  return foldLegs(record.payload, await records.events(record.id))
}

/**
 * Records decided transitions: one event each, and a plan version after the last leg ends.
 *
 * @param legs state before the transitions
 */
export function transitionChange(
  records: TenantRecords,
  current: CurrentPlan,
  legs: readonly LegHistory[],
  moves: readonly DecidedMove[],
): { readonly events: readonly SealedEvent[]; readonly change: Change } {
  const { record } = current
  let after = [...legs]
  let head = current
  let change: Change | null = null
  const events: SealedEvent[] = []
  for (const [index, move] of moves.entries()) {
    const appended = payloadOf(records, current, after, move)
    after = after.map((leg) => (leg.legIndex === move.legIndex ? moved(leg, appended) : leg))
    const isLast = index === moves.length - 1
    const status = standingOf(after.map(({ state }) => state))
    const isClosed = isLast && status !== 'ACTIVE'
    const made: Change = isClosed
      ? executionPlans.next(records, head, {
          status,
          payload: record.payload,
          reason: move.reason,
          evidenceHashes: record.evidenceHashes,
          event: 'plan.closed',
          eventPayload: { ...appended },
        }).change
      : records.note(head, 'plan.leg_transitioned', { ...appended })
    const event = made.events[0]
    if (!event) throw new Error(`A transition of ${record.id} has no event.`)
    events.push(event)
    const { sequence, evidenceHash } = event.event
    head = { ...head, lastEvent: { sequence, evidenceHash: evidenceHash as never } }
    // The insertion of the next version checks that the plan is at the previous one.
    change = joined(change, made, isClosed)
  }
  if (change === null) throw new Error('No transition was decided.')
  return { events, change: withNames(change, current, legs, after) }
}

function joined(before: Change | null, made: Change, isClosed: boolean): Change {
  if (before === null) return made
  return joinChanges(isClosed ? { ...before, expects: [] } : before, made)
}

function payloadOf(
  records: TenantRecords,
  { record }: CurrentPlan,
  legs: readonly LegHistory[],
  { legIndex, to, evidence, reason }: DecidedMove,
): TransitionPayload {
  const leg = legs.find((one) => one.legIndex === legIndex)
  if (!leg) throw new Error(`Leg ${legIndex} of ${record.id} does not exist.`)
  const transition = {
    legIndex,
    sequence: leg.sequence + 1,
    from: leg.state,
    to,
    previousTransitionHash: leg.head ?? record.artifactHash,
    evidenceHash: evidenceHashOf(evidence),
    occurredAt: new Date(records.now).toISOString(),
    actor: { kind: records.actor.kind, id: records.actor.id },
  }
  return {
    ...transition,
    evidence,
    reason,
    transitionHash: transitionHashOf(record.id, transition),
  }
}

function withNames(
  change: Change,
  { record }: CurrentPlan,
  before: readonly LegHistory[],
  after: readonly LegHistory[],
): Change {
  const status = standingOf(after.map(({ state }) => state))
  const had = namesOfLegs(record, before)
  const has = namesOfLegs({ ...record, status }, after)
  const without = (some: typeof had, others: typeof had) =>
    some.filter(({ kind, name }) => !others.some((one) => one.kind === kind && one.name === name))
  return {
    ...change,
    claims: [
      ...change.claims,
      ...without(has, had).map(({ kind, name }) => ({ kind, name, recordId: record.id })),
    ],
    releases: [...change.releases, ...without(had, has).map(({ kind, name }) => ({ kind, name }))],
  }
}
