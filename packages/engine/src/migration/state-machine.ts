/** Step type in the state machine: a transaction, a wait, or a chain check. */
export type StepNature = 'CALL' | 'SOAK' | 'CHECK'

export type MigrationPhase =
  | 'DRAFT'
  | 'VALIDATED'
  | 'ACTIVE'
  | 'PAUSED'
  | 'ROLLING_BACK'
  | 'COMPLETED'
  | 'RETIRED'
  | 'REVOKED'
  | 'EXPIRED'

/** Why an active plan rests. */
export type PauseCause = 'OPERATOR' | 'FAILED' | 'DIVERGED' | 'STOP_RULE' | 'DEADLINE'

/** State of a migration. Step indexes start at 0, also for the rollback. */
export interface MigrationState {
  readonly phase: MigrationPhase
  readonly forward: readonly StepNature[]
  /** Steps that were carried out, whether within tolerance or not. */
  readonly done: number
  /** Numbers of steps carried out after which everything was as planned; ascending, from 0. */
  readonly checkpoints: readonly number[]
  readonly inFlight: 'SUBMITTED' | 'CONFIRMED' | null
  readonly everSubmitted: boolean
  readonly pause: PauseCause | null
  readonly isOverdue: boolean
  readonly back: {
    readonly checkpoint: number
    readonly steps: readonly StepNature[]
    readonly done: number
    /** A rollback step ended outside its tolerance, so the rest needs a new plan. */
    readonly isDiverged: boolean
  } | null
}

export type MigrationMove =
  | { readonly kind: 'VALIDATE'; readonly forward: readonly StepNature[] }
  | { readonly kind: 'START' | 'PAUSE' | 'COMPLETE' | 'CANCEL' | 'DEADLINE' }
  | { readonly kind: 'STEP_SUBMITTED'; readonly step: number }
  | { readonly kind: 'STEP_CONFIRMED'; readonly step: number }
  | { readonly kind: 'STEP_FAILED'; readonly step: number }
  | {
      readonly kind: 'STEP_VERIFIED'
      readonly step: number
      readonly outcome: 'WITHIN' | 'OUTSIDE' | 'STOP_RULE'
    }
  | { readonly kind: 'RESUME'; readonly byOwner: boolean; readonly rest: readonly StepNature[] }
  | {
      readonly kind: 'ROLLBACK'
      readonly checkpoint: number
      readonly steps: readonly StepNature[]
    }

/** Why a move is refused. */
export type MoveRefusal =
  | 'TERMINAL'
  | 'NOT_ALLOWED'
  | 'STEP_ORDER'
  | 'IN_FLIGHT'
  | 'FUNDS_IN_TRANSIT'
  | 'OVERDUE'
  | 'OWNER_REQUIRED'
  | 'NO_CHECKPOINT'
  | 'STEPS_LEFT'

export const terminalPhases: readonly MigrationPhase[] = [
  'COMPLETED',
  'RETIRED',
  'REVOKED',
  'EXPIRED',
]

/** A plan that was just made. */
export function draftState(forward: readonly StepNature[]): MigrationState {
  return {
    phase: 'DRAFT',
    forward,
    done: 0,
    checkpoints: [0],
    inFlight: null,
    everSubmitted: false,
    pause: null,
    isOverdue: false,
    back: null,
  }
}

/**
 * The state after a move, or the reason for its rejection. The caller checks chain data (receipt,
 * price, depth) first and passes the result in the move.
 */
export function advance(state: MigrationState, move: MigrationMove): MigrationState | MoveRefusal {
  if (terminalPhases.includes(state.phase)) return 'TERMINAL'
  switch (move.kind) {
    case 'VALIDATE':
      if (state.phase !== 'DRAFT' && state.phase !== 'VALIDATED') return 'NOT_ALLOWED'
      return { ...state, phase: 'VALIDATED', forward: move.forward }
    case 'START':
      return state.phase === 'VALIDATED' ? { ...state, phase: 'ACTIVE' } : 'NOT_ALLOWED'
    case 'STEP_SUBMITTED':
      return submit(state, move.step)
    case 'STEP_CONFIRMED':
    case 'STEP_FAILED':
    case 'STEP_VERIFIED':
      return settle(state, move)
    case 'PAUSE':
      return state.phase === 'ACTIVE'
        ? { ...state, phase: 'PAUSED', pause: 'OPERATOR' }
        : 'NOT_ALLOWED'
    case 'RESUME':
      return resume(state, move)
    case 'ROLLBACK':
      return rollBack(state, move)
    case 'COMPLETE':
      if (state.phase !== 'ACTIVE') return 'NOT_ALLOWED'
      return state.done < state.forward.length ? 'STEPS_LEFT' : { ...state, phase: 'COMPLETED' }
    case 'CANCEL':
      return state.everSubmitted ? 'FUNDS_IN_TRANSIT' : { ...state, phase: 'REVOKED', pause: null }
    case 'DEADLINE':
      return expire(state)
  }
}

/** The next step in the plan's current direction, and its type; null at the end. */
export function nextStep({ phase, forward, done, back }: MigrationState): {
  readonly step: number
  readonly nature: StepNature
} | null {
  const [steps, step] = phase === 'ROLLING_BACK' && back ? [back.steps, back.done] : [forward, done]
  const nature = steps[step]
  return nature === undefined ? null : { step, nature }
}

function submit(state: MigrationState, step: number): MigrationState | MoveRefusal {
  const { phase, inFlight, back } = state
  if (phase !== 'ACTIVE' && phase !== 'ROLLING_BACK') return 'NOT_ALLOWED'
  if (inFlight !== null) return 'IN_FLIGHT'
  if (back?.isDiverged) return 'NOT_ALLOWED'
  const next = nextStep(state)
  if (next?.step !== step || next.nature !== 'CALL') return 'STEP_ORDER'
  return { ...state, inFlight: 'SUBMITTED', everSubmitted: true }
}

type Settling = Extract<MigrationMove, { kind: 'STEP_CONFIRMED' | 'STEP_FAILED' | 'STEP_VERIFIED' }>

/** A transaction that was sent does not wait for a plan that rests, so a paused plan takes its outcome too. */
function settle(state: MigrationState, move: Settling): MigrationState | MoveRefusal {
  const { phase, inFlight } = state
  if (phase !== 'ACTIVE' && phase !== 'PAUSED' && phase !== 'ROLLING_BACK') return 'NOT_ALLOWED'
  const next = nextStep(state)
  if (next?.step !== move.step) return 'STEP_ORDER'
  if (move.kind === 'STEP_CONFIRMED') {
    return inFlight === 'SUBMITTED' ? { ...state, inFlight: 'CONFIRMED' } : 'STEP_ORDER'
  }
  if (move.kind === 'STEP_FAILED') {
    if (inFlight !== 'SUBMITTED') return 'STEP_ORDER'
    return phase === 'ROLLING_BACK'
      ? { ...state, inFlight: null }
      : { ...state, inFlight: null, phase: 'PAUSED', pause: 'FAILED' }
  }
  if (next.nature === 'CALL' && inFlight !== 'CONFIRMED') return 'STEP_ORDER'
  if (next.nature !== 'CALL' && phase === 'PAUSED') return 'NOT_ALLOWED'
  if (next.nature !== 'SOAK' && move.outcome === 'STOP_RULE') return 'NOT_ALLOWED'
  if (phase === 'ROLLING_BACK') return stepBack(state, move.outcome)
  const carriedOut = { ...state, inFlight: null, done: state.done + 1 }
  if (move.outcome === 'WITHIN') {
    return { ...carriedOut, checkpoints: [...state.checkpoints, carriedOut.done] }
  }
  const pause = move.outcome === 'OUTSIDE' ? 'DIVERGED' : 'STOP_RULE'
  return { ...carriedOut, phase: 'PAUSED', pause }
}

function stepBack(
  state: MigrationState,
  outcome: 'WITHIN' | 'OUTSIDE' | 'STOP_RULE',
): MigrationState | MoveRefusal {
  const { back } = state
  if (!back) return 'NOT_ALLOWED'
  const done = back.done + 1
  const isOver = done === back.steps.length
  return {
    ...state,
    phase: isOver ? 'RETIRED' : 'ROLLING_BACK',
    inFlight: null,
    back: { ...back, done, isDiverged: !isOver && outcome !== 'WITHIN' },
  }
}

function resume(
  state: MigrationState,
  { byOwner, rest }: Extract<MigrationMove, { kind: 'RESUME' }>,
): MigrationState | MoveRefusal {
  if (state.phase !== 'PAUSED') return 'NOT_ALLOWED'
  if (state.inFlight !== null) return 'IN_FLIGHT'
  if (state.pause === 'STOP_RULE' && !byOwner) return 'OWNER_REQUIRED'
  if (state.isOverdue && rest.length > 0) return 'OVERDUE'
  const forward = [...state.forward.slice(0, state.done), ...rest]
  return { ...state, phase: 'ACTIVE', pause: null, forward }
}

function rollBack(
  state: MigrationState,
  { checkpoint, steps }: Extract<MigrationMove, { kind: 'ROLLBACK' }>,
): MigrationState | MoveRefusal {
  const { phase } = state
  if (phase !== 'ACTIVE' && phase !== 'PAUSED' && phase !== 'ROLLING_BACK') return 'NOT_ALLOWED'
  if (state.inFlight !== null) return 'IN_FLIGHT'
  if (!state.checkpoints.includes(checkpoint)) return 'NO_CHECKPOINT'
  const isOver = steps.length === 0
  return {
    ...state,
    phase: isOver ? 'RETIRED' : 'ROLLING_BACK',
    pause: null,
    back: { checkpoint, steps, done: 0, isDiverged: false },
  }
}

function expire(state: MigrationState): MigrationState | MoveRefusal {
  const { phase, isOverdue, everSubmitted, done, forward } = state
  if (phase === 'ROLLING_BACK' || isOverdue) return 'NOT_ALLOWED'
  if (!everSubmitted) return { ...state, phase: 'EXPIRED', pause: null, isOverdue: true }
  if (phase === 'ACTIVE' && done === forward.length) return 'NOT_ALLOWED'
  const pause = phase === 'ACTIVE' ? 'DEADLINE' : state.pause
  return { ...state, phase: 'PAUSED', pause, isOverdue: true }
}
