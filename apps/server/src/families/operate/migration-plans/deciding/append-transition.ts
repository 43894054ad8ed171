import {
  advanceMigration,
  type MigrationMove,
  type MigrationState,
  type MoveRefusal,
  nextStep,
} from '@liquidity-os/engine/migration'
import type { SealedEvent } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import type { Change } from '../../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import {
  type CarriedOut,
  type PlanHistory,
  subjectOf,
  type TransitionPayload,
  transitionedKind,
} from '../plan-events.ts'
import { busyNames, deadlineName } from '../plan-names.ts'
import type { PlanPayload, StepRecord } from '../plan-types.ts'
import { migrationPlans } from '../records.ts'
import { checkpointHashOf } from '../step-records.ts'
import { type Decided, refusalCodes, refusalTexts } from './decide-transition.ts'
import { invariantsHashOf, invariantsOf } from './invariants.ts'

/** Record statuses; a plan in rollback is PAUSED. */
export const statusOf = ({ phase }: MigrationState) => (phase === 'ROLLING_BACK' ? 'PAUSED' : phase)

/**
 * The state after a move.
 *
 * @throws Failure with the rejection code of the state machine
 */
export function advanced(machine: MigrationState, move: MigrationMove): MigrationState {
  const after = advanceMigration(machine, move)
  if (typeof after !== 'string') return after
  throw new Failure(refusalCodes[after], {
    fieldErrors: {
      [refusedMember(machine, move, after)]: [`${move.kind}: ${refusalTexts[after]}`],
    },
  })
}

/** Request field that caused a refusal: the step, or the checkpoint if it is not the open one. */
function refusedMember(machine: MigrationState, move: MigrationMove, refusal: MoveRefusal): string {
  if (refusal === 'NO_CHECKPOINT') return 'payload.checkpoint'
  const isOtherStep = 'step' in move && move.step !== nextStep(machine)?.step
  return refusal === 'STEP_ORDER' && isOtherStep ? 'payload.step' : 'payload.transition'
}

/**
 * The change of a decided transition: one event, and a new version if the status or the plan
 * changes.
 */
export function transitionChange(
  records: TenantRecords,
  terms: {
    current: Current<PlanPayload>
    history: PlanHistory
    decided: Decided
    record: StepRecord | undefined
    reason: string
    evidenceHashes?: readonly string[]
  },
): { event: SealedEvent; change: Change } {
  const { current, history, decided, record, reason, evidenceHashes } = terms
  const { move, step, situation } = decided
  const before = history.machine
  const after = advanced(before, move)
  const plan = decided.payload ?? current.record.payload
  const payload = eventPayload(plan, current.record.id, {
    history,
    decided,
    record,
    before,
    after,
    now: records.now,
    reason,
    evidenceHashes: evidenceHashes ?? [],
  })
  const status = statusOf(after)
  const isSame = status === current.record.status && decided.payload === undefined
  const { change } = isSame
    ? { change: records.note(current, transitionedKind, { ...payload }) }
    : migrationPlans.next(records, current, {
        status,
        payload: plan,
        reason,
        evidenceHashes: evidenceHashes ?? current.record.evidenceHashes,
        event: transitionedKind,
        eventPayload: { ...payload },
      })
  const [event] = change.events
  if (!event) throw new Error(`The transition at ${step} ${situation?.block.number} has no event.`)
  return { event, change: withNames(change, current.record.id, plan, before, after) }
}

/** An active plan has exclusive use of its wallet and positions; an ended plan holds no name. */
function withNames(
  change: Change,
  recordId: string,
  plan: PlanPayload,
  before: MigrationState,
  after: MigrationState,
): Change {
  const busy = busyNames(plan.request)
  const isEnd = ['COMPLETED', 'RETIRED', 'REVOKED', 'EXPIRED'].includes(after.phase)
  const wasStarted = before.phase !== 'DRAFT' && before.phase !== 'VALIDATED'
  const isStarted = after.phase === 'ACTIVE' && !wasStarted
  const isDue = isEnd || (after.isOverdue && !before.isOverdue)
  return {
    ...change,
    claims: [...change.claims, ...(isStarted ? busy.map((name) => ({ ...name, recordId })) : [])],
    releases: [
      ...change.releases,
      ...(isEnd && wasStarted ? busy : []),
      ...(isDue && !before.isOverdue ? [deadlineName(plan.request, recordId)] : []),
    ],
  }
}

function eventPayload(
  plan: PlanPayload,
  planId: string,
  terms: {
    history: PlanHistory
    decided: Decided
    record: StepRecord | undefined
    before: MigrationState
    after: MigrationState
    now: number
    reason: string
    evidenceHashes: readonly string[]
  },
): TransitionPayload {
  const { history, decided, record, before, after, now, reason, evidenceHashes } = terms
  const { move, step, situation, realized = null } = decided
  const way = before.phase === 'ROLLING_BACK' ? 'BACK' : 'FORWARD'
  const block = situation ? blockOf(plan.request.pair.chainId, situation.block) : null
  const subject = record ? subjectOf(record) : null
  const isDone = move.kind === 'STEP_VERIFIED' && step !== null
  const completed: CarriedOut[] = isDone
    ? [
        {
          way,
          step,
          isWithin: move.outcome === 'WITHIN',
          subject,
          realized,
          block,
          at: new Date(now).toISOString(),
        },
      ]
    : []
  const progress = { machine: after, carriedOut: [...history.carriedOut, ...completed] }
  const invariants = invariantsOf(plan, history, progress, situation)
  const isCheckpoint = isDone && way === 'FORWARD' && move.outcome === 'WITHIN'
  return {
    transition: move.kind,
    from: before.phase,
    to: after.phase,
    way,
    step,
    move,
    txHash: decided.txHash ?? null,
    safeTxHash: decided.safeTxHash ?? null,
    nonce: decided.nonce ?? null,
    block,
    realized,
    subject,
    findings: decided.findings ?? [],
    checkpointHash: isCheckpoint
      ? checkpointHashOf({
          planId,
          checkpoint: step + 1,
          block,
          realized,
          previous: history.checkpoints.at(-1)?.checkpointHash ?? null,
          callsHash: record?.callsHash ?? null,
        })
      : null,
    invariants,
    invariantsHash: invariantsHashOf(invariants),
    reason,
    evidenceHashes,
  }
}
