import { type PlanLimits, simulatePlan } from '@liquidity-os/engine/migration'
import type { PlanPayload, StepRecord } from '../plan-types.ts'
import { limitsOf } from '../planning/make-plan.ts'
import { brokenFloors, depthOf } from '../planning/measured-depth.ts'
import { planStepOf } from '../planning/plan-step.ts'
import { hasPrice } from '../planning/target-worlds.ts'
import { farFromReference, outOfBand } from './price-checks.ts'
import type { Situation } from './situation.ts'

/** Failed preconditions, by code. */
export type PreconditionFaults = Record<string, string[]>

/**
 * Failed preconditions of a step that is about to be sent. During rollback only the contract can
 * refuse, because a rollback cannot wait for a better price.
 *
 * @param now milliseconds since 1970
 * @param verifiedAt time of verification of the previous step, null for the first
 */
export function validatePrecondition(
  plan: PlanPayload,
  record: StepRecord,
  situation: Situation,
  terms: { way: 'FORWARD' | 'BACK'; now: number; verifiedAt: string | null },
): PreconditionFaults {
  const faults: PreconditionFaults = {}
  const note = (code: string, fault: string | null) => {
    if (fault !== null) faults[code] = [fault]
  }
  const { constraints } = plan.request
  const world = record.venueId === null ? undefined : situation.worlds[record.venueId]
  if (terms.way === 'FORWARD') {
    if (Date.parse(constraints.deadline) <= terms.now) note('DEADLINE', 'the deadline has passed')
    note('MINIMUM_WAIT', waitFault(constraints.minSecondsBetweenSteps, terms))
    if (world && hasPrice(world)) {
      note('PRICE_IN_BAND', outOfBand(world, limitsOf(plan.request)))
      note('PRICE_NEAR_REFERENCE', farFromReference(world, plan))
    }
  }
  note('SIMULATION', simulationFault(plan, record, situation, terms.way))
  return faults
}

function waitFault(
  seconds: number,
  { now, verifiedAt }: { now: number; verifiedAt: string | null },
): string | null {
  if (verifiedAt === null) return null
  const waited = Math.floor((now - Date.parse(verifiedAt)) / 1000)
  return waited >= seconds ? null : `${waited} of ${seconds} seconds have passed`
}

function simulationFault(
  plan: PlanPayload,
  record: StepRecord,
  { worlds, wallet }: Situation,
  way: 'FORWARD' | 'BACK',
): string | null {
  if (record.kind === 'CREATE_POOL') {
    const there = record.venueId === null ? undefined : worlds[record.venueId]
    return there && hasPrice(there) ? 'the pool already exists' : null
  }
  const step = planStepOf(record)
  if (step === null) return null
  // A step that adds liquidity cannot violate a depth minimum and may restore it.
  const takes = record.kind === 'REMOVE' || record.kind === 'SWAP'
  const limits = limitsOf(plan.request)
  const bounds = way === 'BACK' ? anything : takes ? limits : { ...limits, minDepth: [] }
  // The approval was already sent, so the simulation includes it.
  const approved = 'world' in step ? [{ kind: 'APPROVE', world: step.world } as const] : []
  const outcomes = simulatePlan(worlds, wallet, [...approved, step], {
    ...bounds,
    minDepth: [],
  })
  const outcome = outcomes.at(-1)
  const broken = outcome ? brokenFloors(depthOf(outcome.worlds, bounds), bounds) : []
  if (broken.length > 0) return broken.join('; ')
  const refusal = outcome?.refusal ?? null
  return refusal === null ? null : `refused: ${refusal}`
}

const anything: PlanLimits = {
  minDepth: [],
  priceBand: { lowest: { num: 0n, den: 1n }, highest: { num: 1n, den: 0n } },
  maxSlippagePips: 1_000_000,
}
