import type { contract, FieldErrors } from '@liquidity-os/contract'
import { TimelineError, timedSteps } from '@liquidity-os/engine/launch'
import { Failure } from '../../../../failure.ts'
import { type Step, startOf } from './fold-timeline.ts'

type StepInput = contract.TimelineStepInput

const maxSteps = 500

/**
 * Checks that steps can be appended to a timeline.
 *
 * @throws Failure 409, 422
 */
export function requireAppendable(
  steps: readonly Step[],
  added: readonly StepInput[],
  launchAt: string,
  at: string,
): void {
  const faults: FieldErrors = {}
  for (const { key, offsetSeconds, plannedAt } of added) {
    const before = steps.find((step) => step.key === key)
    if (before?.doneAt != null) {
      throw new Failure('LIQUIDITY_LAUNCH_STEP_DONE', {
        fieldErrors: { [`${at}key`]: [`must be an open step, got ${key}`] },
      })
    }
    if ((offsetSeconds === undefined) === (plannedAt === undefined)) {
      faults[`${at}plannedAt`] = [
        'is required if offsetSeconds is not set, and must be omitted otherwise',
      ]
    }
  }
  const after = new Map<string, Pick<Step, 'key' | 'dependsOn' | 'durationSeconds'>>(
    [...steps, ...added].map((step) => [step.key, step]),
  )
  if (after.size > maxSteps) faults[`${at}key`] = [`must result in at most ${maxSteps} steps`]
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_LAUNCH_STEP_INVALID', { fieldErrors: faults })
  }
  requireOrder([...after.values()], added, launchAt, at)
}

function requireOrder(
  all: readonly Pick<Step, 'key' | 'dependsOn' | 'durationSeconds'>[],
  added: readonly StepInput[],
  launchAt: string,
  at: string,
): void {
  try {
    timedSteps(
      all.map(({ key, dependsOn, durationSeconds }) => ({
        key,
        dependsOn,
        durationSeconds,
        doneAt: null,
        isAppointment: true,
        plannedAt: Math.floor(startOf(added.find((one) => one.key === key) ?? {}, launchAt) / 1000),
      })),
      0,
    )
  } catch (error) {
    if (!(error instanceof TimelineError)) throw error
    const isRing = error.kind === 'CYCLE'
    const code = isRing ? 'LIQUIDITY_LAUNCH_TIMELINE_CYCLE' : 'LIQUIDITY_LAUNCH_DEPENDENCY_UNKNOWN'
    const message = isRing
      ? `must not form a cycle: ${error.keys.join(' → ')}`
      : `must name steps of the timeline, got ${error.keys.at(-1)} for ${error.keys[0]}`
    throw new Failure(code, { fieldErrors: { [`${at}dependsOn`]: [message] } })
  }
}
