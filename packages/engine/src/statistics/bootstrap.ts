import { stationaryBootstrapIndices } from '../random/draws.ts'
import type { DrawStream } from '../random/streams.ts'
import { ascending, quantileOfSorted } from './quantile.ts'

/** Resamples behind every interval that the specification does not say otherwise of. */
export const RESAMPLES = 2000

/** How an interval is resampled. */
export interface BootstrapTerms {
  readonly stream: DrawStream
  /** 1 for independent observations; for a time series its automatic block length. */
  readonly meanBlock: number
  /** Default 2,000. */
  readonly resamples?: number
  /** Two-sided level, default 0.95. */
  readonly confidence?: number
}

/**
 * Percentile bootstrap interval of any statistic of `count` observations.
 *
 * @param statistic value of the statistic on the observations of these indices
 * @see Efron and Tibshirani, “An Introduction to the Bootstrap” (1993), §13.3
 */
export function bootstrapInterval(
  count: number,
  statistic: (indices: Uint32Array) => number,
  terms: BootstrapTerms,
): [low: number, high: number] {
  const { stream, meanBlock, resamples = RESAMPLES, confidence = 0.95 } = terms
  const values = new Float64Array(resamples)
  for (let i = 0; i < resamples; i++) {
    values[i] = statistic(stationaryBootstrapIndices(stream, count, count, meanBlock))
  }
  const sorted = ascending(values)
  const side = (1 - confidence) / 2
  return [quantileOfSorted(sorted, side), quantileOfSorted(sorted, 1 - side)]
}

/** The observations of some indices, in their order. */
export function pick(values: ArrayLike<number>, indices: Uint32Array): Float64Array {
  // Bootstrap indices are below the number of observations.
  return Float64Array.from(indices, (index) => values[index]!)
}
