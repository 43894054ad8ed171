import { meanOf, sumOfSquares } from '../numerics/compensated-sum.ts'

/** How observations that come in antithetic pairs (2k, 2k + 1) are counted. */
export type Pairing = 'INDEPENDENT' | 'ANTITHETIC_PAIRS'

/**
 * The independent observations behind a sample: the sample itself, or the mean per antithetic pair.
 * A last path without a partner counts alone.
 */
export function independentOf(values: ArrayLike<number>, pairing: Pairing): Float64Array {
  if (pairing === 'INDEPENDENT') return Float64Array.from(values)
  const means = new Float64Array(Math.ceil(values.length / 2))
  for (let k = 0; k < means.length; k++) {
    // The first of a pair exists; the second may not.
    const first = values[2 * k]!
    const second = values[2 * k + 1]
    means[k] = second === undefined ? first : (first + second) / 2
  }
  return means
}

/** A mean with its standard error. */
export interface MeanEstimate {
  readonly mean: number
  /** Zero of fewer than two independent observations. */
  readonly standardError: number
  /** Independent observations. */
  readonly observations: number
}

/** Mean of a sample whose standard error counts an antithetic pair as one observation. */
export function estimateMean(values: ArrayLike<number>, pairing: Pairing): MeanEstimate {
  const observed = independentOf(values, pairing)
  const count = observed.length
  const spread = count < 2 ? 0 : sumOfSquares(observed, meanOf(observed)) / (count - 1)
  return {
    mean: meanOf(Float64Array.from(values)),
    standardError: count < 2 ? 0 : Math.sqrt(spread / count),
    observations: count,
  }
}
