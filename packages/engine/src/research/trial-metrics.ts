import type { ArmOutcome } from '../montecarlo/run-path.ts'
import { roundHalfEven } from '../numerics/half-even.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'

/** What a trial can be judged by: one figure of one arm on each path. */
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
 * A metric of an arm on one path: quote atoms, but for TIME_IN_RANGE, which is millionths of the samples, rounded down.
 *
 * @throws RangeError for DEPTH_MEDIAN of an arm of whose market no depth was measured
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
 * Median over the path of the thinner side's depth of the whole market in the first band, quote atoms: type 7, rounded half
 * to even. An arm that only holds has no market, so there is none to measure.
 *
 * @throws RangeError where none was measured
 */
export function depthOfBand({ armId, samples }: ArmOutcome): bigint {
  const depth = samples.depth[0]?.quote
  if (!depth || depth.length === 0) throw new RangeError(`no depth was measured of ${armId}`)
  return roundHalfEven(quantileOfSorted(ascending(depth), 0.5))
}
