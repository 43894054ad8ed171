import type { ArmOutcome } from '../montecarlo/run-path.ts'
import { roundHalfEven } from '../numerics/half-even.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'

/** Metrics for trials: one value of one arm per path. */
export const trialMetrics = [
  'NET_VS_HOLD',
  'NET',
  'FEES',
  'LVR',
  'DIVERGENCE_LOSS',
  'GAS',
  'MAX_DRAWDOWN',
  'TIME_IN_RANGE',
  'DEPTH_MEDIAN',
] as const
export type TrialMetric = (typeof trialMetrics)[number]

const MILLION = 1_000_000

/**
 * A metric of an arm on one path, in quote atoms. TIME_IN_RANGE is in millionths of the samples,
 * rounded down.
 *
 * @throws RangeError for DEPTH_MEDIAN of an arm without measured depth
 */
export function valueOfMetric(outcome: ArmOutcome, metric: TrialMetric): bigint {
  const { holder, maker, samples } = outcome
  switch (metric) {
    case 'NET_VS_HOLD':
      return outcome.netVsHold
    case 'NET':
      return outcome.net
    case 'FEES':
      return holder.fees
    case 'LVR':
      return maker.lvr
    case 'DIVERGENCE_LOSS':
      return holder.divergenceLoss
    case 'GAS':
      return holder.gas
    case 'MAX_DRAWDOWN':
      return samples.maxDrawdown
    case 'TIME_IN_RANGE':
      return BigInt(
        samples.samples === 0
          ? 0
          : Math.floor((samples.inRangeSamples * MILLION) / samples.samples),
      )
    case 'DEPTH_MEDIAN':
      return depthOfBand(outcome)
  }
}

/**
 * Median over the path of the whole market's smaller side depth in the first band, quote atoms:
 * type 7, rounded half to even. The HODL benchmark has no market and no depth.
 *
 * @throws RangeError without measured depth
 */
export function depthOfBand({ armId, samples }: ArmOutcome): bigint {
  const depth = samples.depth[0]?.quote
  if (!depth || depth.length === 0) throw new RangeError(`no depth measured for ${armId}`)
  return roundHalfEven(quantileOfSorted(ascending(depth), 0.5))
}
