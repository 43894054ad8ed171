import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import {
  advanceMigration,
  draftState,
  type MigrationMove,
  type MigrationState,
  type StepNature,
} from '@liquidity-os/engine/migration'
import { openEvent } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Invariant, Realized, StepRecord } from './plan-types.ts'

type Block = Static<typeof contract.MigrationPlan>['simulatedAt']

export const createdKind = 'migration_plan.created'
export const transitionedKind = 'migration_plan.transitioned'

/** Payload of the first event. Together with the transitions it determines the state. */
export interface CreatedPayload {
  readonly natures: readonly StepNature[]
}

/** Facts about a step that are stored with its effects. */
export type StepSubject = Pick<StepRecord, 'kind' | 'venueId' | 'position' | 'swap'> & {
  readonly simulated: StepRecord['expected']['delta']
}

export const subjectOf = ({
  kind,
  venueId,
  position,
  swap,
  expected,
}: StepRecord): StepSubject => ({
  kind,
  venueId,
  position,
  swap,
  simulated: expected.delta,
})

export interface TransitionPayload {
  readonly transition: string
  readonly from: string
  readonly to: string
  readonly way: 'FORWARD' | 'BACK'
  readonly step: number | null
  readonly move: MigrationMove
  readonly txHash: string | null
  readonly safeTxHash: string | null
  readonly nonce: string | null
  /** Finalized block of the chain read; null without a read. */
  readonly block: Block | null
  readonly realized: Realized | null
  /** The executed step, stored here because a rollback can be planned again with other steps. */
  readonly subject: StepSubject | null
  /** Deviations of a failed or out-of-tolerance step. */
  readonly findings: readonly string[]
  readonly checkpointHash: string | null
  readonly invariants: readonly Invariant[]
  readonly invariantsHash: string
  /** Reason for the transition. Stored here, because most transitions create no plan version. */
  readonly reason: string
  readonly evidenceHashes: readonly string[]
}

export interface CarriedOut {
  readonly way: 'FORWARD' | 'BACK'
  readonly step: number
  readonly isWithin: boolean
  readonly subject: StepSubject | null
  readonly realized: Realized | null
  readonly block: Block | null
  readonly at: string
}

export interface PlanHistory {
  readonly machine: MigrationState
  readonly flight: {
    readonly txHash: string | null
    readonly safeTxHash: string | null
    readonly nonce: string
  } | null
  readonly carriedOut: readonly CarriedOut[]
  readonly checkpoints: readonly {
    readonly checkpoint: number
    readonly checkpointHash: string | null
    readonly block: Block | null
    readonly at: string
  }[]
  readonly invariants: readonly Invariant[]
  readonly invariantsHash: string | null
}

/** The events of a plan, folded in order. */
export async function historyOf(records: TenantRecords, planId: string): Promise<PlanHistory> {
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId}
      and subject_id = ${planId} order by sequence`,
  ])
  return foldEvents(rows.map((row) => openEvent(textOf(row, 'body')) as OperatingSystemEvent))
}

export function foldEvents(events: readonly OperatingSystemEvent[]): PlanHistory {
  const [first] = events
  const created = events.find(({ kind }) => kind === createdKind)
  // This family writes and seals both kinds.
  const natures = (created?.payload as unknown as CreatedPayload | undefined)?.natures ?? []
  const start: PlanHistory = {
    machine: draftState(natures),
    flight: null,
    carriedOut: [],
    checkpoints: first
      ? [{ checkpoint: 0, checkpointHash: null, block: null, at: first.occurredAt }]
      : [],
    invariants: [],
    invariantsHash: null,
  }
  return events
    .filter(({ kind }) => kind === transitionedKind)
    .reduce(
      (history, { payload, occurredAt }) =>
        fold(history, payload as unknown as TransitionPayload, occurredAt),
      start,
    )
}

function fold(history: PlanHistory, payload: TransitionPayload, at: string): PlanHistory {
  const { move, step, way, realized, subject, block, invariants, invariantsHash } = payload
  const machine = advanceMigration(history.machine, move)
  if (typeof machine === 'string') throw new Error(`A sealed transition is invalid: ${machine}.`)
  const next = { ...history, machine, invariants, invariantsHash }
  if (move.kind === 'STEP_SUBMITTED' || move.kind === 'STEP_CONFIRMED') {
    const { txHash, safeTxHash } = payload
    const nonce = payload.nonce ?? history.flight?.nonce ?? '0'
    const flight = { txHash, safeTxHash: safeTxHash ?? history.flight?.safeTxHash ?? null, nonce }
    return { ...next, flight }
  }
  if (move.kind === 'STEP_FAILED') return { ...next, flight: null }
  if (move.kind !== 'STEP_VERIFIED' || step === null) return next
  const isWithin = move.outcome === 'WITHIN'
  const carriedOut = [...history.carriedOut, { way, step, isWithin, subject, realized, block, at }]
  const checkpoint = { checkpoint: step + 1, checkpointHash: payload.checkpointHash, block, at }
  const checkpoints =
    isWithin && way === 'FORWARD' ? [...history.checkpoints, checkpoint] : history.checkpoints
  return { ...next, flight: null, carriedOut, checkpoints }
}
