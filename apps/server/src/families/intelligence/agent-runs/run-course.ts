import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { secondMilliseconds } from '../../../units.ts'
import type { Run, Trial } from './records.ts'

type Command = contract.RunCommandName

export type Step =
  | 'PLAN'
  | 'CAPTURE'
  | 'DRAFT'
  | 'NARRATE'
  | 'VERIFY'
  | `TRIAL:${contract.TrialKey}`

const phases: Readonly<Record<string, contract.RunPhase>> = {
  PLAN: 'PLANNING',
  CAPTURE: 'CAPTURING',
  DRAFT: 'DRAFTING',
  NARRATE: 'DRAFTING',
  VERIFY: 'VERIFYING',
}

export const phaseOf = (step: Step): contract.RunPhase => phases[step] ?? 'ANALYSING'

export const trialStep = (trialKey: contract.TrialKey): Step => `TRIAL:${trialKey}`

/** The trial key of a step; null for any other step. */
export const trialKeyOf = (step: string): string | null =>
  step.startsWith('TRIAL:') ? step.slice('TRIAL:'.length) : null

/**
 * Returns the next trial to run. Returns the draft step after the last trial, or if the baseline
 * has no outcome.
 */
export function stepAfterTrials(trials: readonly Trial[]): Step {
  const baseline = trials.find(({ trialKey }) => trialKey === 'baseline')
  const next = trials.find(({ state }) => state === 'PENDING' || state === 'RUNNING')
  const isPointless = baseline?.state === 'FAILED' || baseline?.state === 'INCOMPATIBLE'
  return next && !isPointless ? trialStep(next.trialKey) : 'DRAFT'
}

/** True if settled steps have used the full budget. */
export const isExhausted = ({ usage, budget }: Pick<Run, 'usage' | 'budget'>): boolean =>
  usage.steps >= budget.maximumSteps ||
  usage.milliseconds >= budget.maximumSeconds * secondMilliseconds

/**
 * Activates the next step, or pauses the run if the budget is used up or the mode is stepwise.
 *
 * @param by SETTLED after a completed step, PERSON after a user command
 */
export function goOn(
  payload: Run,
  step: Step,
  by: 'SETTLED' | 'PERSON',
): { payload: Run; status: 'ACTIVE' | 'PAUSED' } {
  const next: Run = { ...payload, phase: phaseOf(step), nextStep: step, halted: null }
  if (isExhausted(next)) {
    const { steps, milliseconds } = next.usage
    const detail = `budget exhausted after ${steps} steps and ${milliseconds} ms`
    return {
      payload: { ...next, halted: { code: 'BUDGET_EXHAUSTED', step, detail } },
      status: 'PAUSED',
    }
  }
  if (by === 'SETTLED' && next.mode === 'STEPWISE') return { payload: next, status: 'PAUSED' }
  return { payload: { ...next, trials: begun(next.trials, step) }, status: 'ACTIVE' }
}

function begun(trials: readonly Trial[], step: Step): Trial[] {
  return trials.map((trial) =>
    trialStep(trial.trialKey) === step
      ? { ...trial, state: 'RUNNING' as const, attempts: trial.attempts + 1 }
      : trial,
  )
}

/** Stops the run at the current step. The running trial becomes pending again. */
export function stopped(payload: Run, halted: Run['halted']): Run {
  const trials = payload.trials.map((trial) =>
    trial.state === 'RUNNING' ? { ...trial, state: 'PENDING' as const } : trial,
  )
  return { ...payload, trials, halted }
}

export function allowedCommands({
  status,
  payload,
}: Pick<VersionedRecord<Run>, 'status' | 'payload'>): Command[] {
  if (status === 'DRAFT' || status === 'ACTIVE') return ['PAUSE', 'CANCEL']
  if (status !== 'PAUSED') return []
  const always: Command[] = ['EXTEND_BUDGET', 'CANCEL']
  if (isExhausted(payload)) return always
  if (payload.phase === 'AWAITING_APPROVAL') {
    const asks = payload.plan?.clarifications.length ? (['ANSWER'] as const) : []
    const isReady = payload.plan?.protocolHash && isFeasible(payload)
    return [...(isReady ? (['APPROVE_PLAN'] as const) : []), 'REVISE_PLAN', ...asks, ...always]
  }
  const { halted } = payload
  return [halted && halted.code !== 'BUDGET_EXHAUSTED' ? 'RETRY_STEP' : 'RESUME', ...always]
}

/** True if a baseline for the comparison exists. */
const isFeasible = ({ plan }: Run): boolean =>
  plan?.feasibility.some(({ trialKey, ok }) => trialKey === 'baseline' && ok) ?? false
