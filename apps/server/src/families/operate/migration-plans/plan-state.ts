import type { contract } from '@liquidity-os/contract'
import { advanceMigration, type MigrationMove, nextStep } from '@liquidity-os/engine/migration'
import type { Static } from 'typebox'
import type { PlanHistory } from './plan-events.ts'

type State = Static<typeof contract.MigrationPlanState>
type Name = State['allowedTransitions'][number]

/** Conditions for transitions outside the plan. */
interface Open {
  /** True if a decision approves this version of the plan, and no other plan holds its wallet. */
  readonly mayStart: boolean
  /** True if the caller is an owner. */
  readonly byOwner: boolean
}

/** Defaults for a response that lists no transitions. */
export const nothingOpen: Open = { mayStart: false, byOwner: false }

/** A plan after its transitions. */
export function planStateOf(
  record: { readonly id: string; readonly resourceVersion: string },
  history: PlanHistory,
  open: Open,
): State {
  const { machine, flight, carriedOut, checkpoints, invariants, invariantsHash } = history
  const { phase, inFlight, pause, isOverdue } = machine
  return {
    planId: record.id,
    resourceVersion: record.resourceVersion,
    phase,
    way: machine.back === null ? 'FORWARD' : 'BACK',
    step: nextStep(machine)?.step ?? null,
    inFlight: inFlight && flight ? { state: inFlight, ...flight } : null,
    pause,
    isOverdue,
    checkpoints: checkpoints.map((one) => ({ ...one })),
    invariants: [...invariants],
    invariantsHash,
    allowedTransitions: allowedIn(history, open),
    simulatedVsRealized: carriedOut.flatMap(
      ({ way, step, isWithin, subject, realized, block }): State['simulatedVsRealized'] =>
        subject
          ? [
              {
                way,
                step,
                kind: subject.kind,
                simulated: subject.simulated,
                realized,
                block,
                state: isWithin ? 'VERIFIED' : 'DIVERGED',
              },
            ]
          : [],
    ),
    executionPerformed: false,
  }
}

/** Transitions allowed for the caller now. Chain conditions are checked only on execution. */
function allowedIn({ machine }: PlanHistory, { mayStart, byOwner }: Open): Name[] {
  const { forward, done, checkpoints } = machine
  const step = nextStep(machine)?.step ?? 0
  const moves: readonly (MigrationMove & { kind: Name })[] = [
    { kind: 'VALIDATE', forward },
    { kind: 'START' },
    { kind: 'STEP_SUBMITTED', step },
    { kind: 'STEP_CONFIRMED', step },
    { kind: 'STEP_VERIFIED', step, outcome: 'WITHIN' },
    { kind: 'STEP_FAILED', step },
    { kind: 'PAUSE' },
    { kind: 'RESUME', byOwner, rest: forward.slice(done) },
    { kind: 'ROLLBACK', checkpoint: checkpoints.at(-1) ?? 0, steps: [] },
    { kind: 'COMPLETE' },
    { kind: 'CANCEL' },
  ]
  return moves
    .filter((move) => typeof advanceMigration(machine, move) !== 'string')
    .filter(({ kind }) => kind !== 'START' || mayStart)
    .map(({ kind }) => kind)
}
