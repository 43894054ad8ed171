import {
  findBreakeven,
  type MonteCarloData,
  type MonteCarloSpec,
  monteCarloSpec,
  netVsHoldByArm,
  runPaths,
  scaled,
} from '@liquidity-os/engine/montecarlo'
import { roundHalfEven } from '@liquidity-os/engine/numerics'
import { runInPoolDomain } from './pool-domain.ts'

/** Changes a parameter of a study: once for all candidates, or until one candidate breaks even. */
export type SensitivityTask = { data: MonteCarloData; paths: number } & (
  | { ask: 'MEANS'; factors: { volume?: number; volatility?: number; gas?: number } }
  | { ask: 'BREAKEVEN'; armId: string; parameter: 'volume' | 'volatility' }
)

/**
 * Means of net vs HODL by arm, quote atoms. Or a factor in millionths, or the reason why none
 * exists.
 */
export type SensitivityAnswer =
  | { ask: 'MEANS'; means: Record<string, string> }
  | {
      ask: 'BREAKEVEN'
      factorPips: number | null
      reason: 'ALWAYS_ABOVE' | 'ALWAYS_BELOW' | 'NOT_APPLICABLE' | null
    }

/** Search range of the breakeven factor, and number of bisections on its logarithm. */
const [lowest, highest] = [0.1, 10]
export const breakevenRounds = 8

/**
 * Runs the first paths again with another parameter. Pure, on the same random numbers.
 *
 * @throws RangeError for MEANS if a path leaves the domain of the pool
 */
export default function changeParameter(task: SensitivityTask): SensitivityAnswer {
  const spec = monteCarloSpec(task.data)
  if (task.ask === 'MEANS') {
    const means = meansOf(scaled(spec, task.factors), task.paths)
    return {
      ask: 'MEANS',
      means: Object.fromEntries(
        [...means].map(([armId, mean]) => [armId, `${roundHalfEven(mean)}`]),
      ),
    }
  }
  const { armId, parameter, paths } = task
  const alone = { ...spec, arms: () => spec.arms().filter((arm) => arm.armId === armId) }
  const meanAt = (factor: number) =>
    meansOf(scaled(alone, { [parameter]: factor }), paths).get(armId) ?? 0
  try {
    const found = findBreakeven(meanAt, lowest, highest, breakevenRounds)
    return found.found
      ? { ask: 'BREAKEVEN', factorPips: Math.round(found.factor * 1_000_000), reason: null }
      : { ask: 'BREAKEVEN', factorPips: null, reason: found.reason }
  } catch (error) {
    // Ten times the volatility or the volume can leave the domain of the pool; then no result exists.
    if (!(error instanceof RangeError)) throw error
    return { ask: 'BREAKEVEN', factorPips: null, reason: 'NOT_APPLICABLE' }
  }
}

function meansOf(spec: MonteCarloSpec, paths: number): Map<string, number> {
  const outcomes = runInPoolDomain(() => runPaths(spec, 0, paths))
  return new Map(
    netVsHoldByArm(outcomes).map(({ armId, values }) => [
      armId,
      values.reduce((sum, value) => sum + value, 0) / values.length,
    ]),
  )
}
