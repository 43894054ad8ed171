import type { PlanPayload, Realized, StepRecord } from '../plan-types.ts'
import { limitsOf } from '../planning/make-plan.ts'
import { brokenFloors, depthOf } from '../planning/measured-depth.ts'
import type { Situation } from './situation.ts'

/** Tolerance in atoms per token: periphery deposits may round the other way. */
const ATOMS = 2n

/**
 * Deviations of a step from its plan beyond the tolerance; empty if none exist.
 *
 * @param realized effects in its receipt
 */
export function stepFindings(
  plan: PlanPayload,
  record: StepRecord,
  realized: Omit<Realized, 'depth'>,
  situation: Situation,
  way: 'FORWARD' | 'BACK',
): string[] {
  const { expected, tolerancePips, kind } = record
  const isOff = (found: string, planned: string, pips = tolerancePips) => {
    const gap = magnitude(BigInt(found) - BigInt(planned))
    return gap > (magnitude(BigInt(planned)) * BigInt(pips)) / 1_000_000n + ATOMS
  }
  const findings: string[] = []
  for (const token of ['base', 'quote'] as const) {
    const [found, planned] = [realized.delta[token], expected.delta[token]]
    if (isOff(found, planned)) findings.push(`${token} moved ${found}, planned ${planned}`)
  }
  const liquidityPips = kind === 'REMOVE' ? 0 : tolerancePips
  if (isOff(realized.liquidity, expected.liquidity, liquidityPips)) {
    findings.push(`liquidity ${realized.liquidity}, planned ${expected.liquidity}`)
  }
  return way === 'BACK' ? findings : [...findings, ...depthFindings(plan, record, situation)]
}

/**
 * Depth below the plan minus the tolerance, or below the required minimum. More depth is harmless.
 */
export function depthFindings(
  plan: PlanPayload,
  { expected, tolerancePips }: StepRecord,
  { worlds }: Situation,
): string[] {
  const limits = limitsOf(plan.request)
  const depth = depthOf(worlds, limits)
  const short = expected.depth.flatMap(({ bandPips, side, quote }) => {
    const found = depth.find((rung) => rung.bandPips === bandPips && rung.side === side)
    const observed = found?.quote ?? 0n
    const min = (BigInt(quote) * BigInt(1_000_000 - tolerancePips)) / 1_000_000n
    return observed >= min
      ? []
      : [`depth within ${bandPips} pips (${side}) is ${observed}, planned ${quote}`]
  })
  return [...brokenFloors(depth, limits), ...short]
}

const magnitude = (value: bigint) => (value < 0n ? -value : value)
