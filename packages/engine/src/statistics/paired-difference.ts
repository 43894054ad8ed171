import { toPips } from '../numerics/half-even.ts'
import { normalCdf } from '../numerics/normal-distribution.ts'
import { type Dist, summarize } from './distribution.ts'
import { holm } from './holm.ts'
import { estimateMean, type Pairing } from './pairs.ts'

/** One arm's outcomes of a metric, larger being better, in path order. */
export interface ArmSample {
  readonly armId: string
  readonly values: ArrayLike<number>
}

/** The arm of a pair that the paths favor, or neither. */
export interface PairedComparison {
  readonly a: string
  readonly b: string
  /** Arm a minus arm b, path by path. */
  readonly diff: Dist
  readonly pHolmPips: number
  readonly verdict: 'A' | 'B' | 'INDISTINGUISHABLE'
}

/**
 * Compares every pair of arms on common random numbers. The p-value is that of the mean difference
 * under the normal distribution, with a pair of antithetic paths as one observation. Holm's
 * adjustment covers all given pairs.
 *
 * @param arms equally many values each
 * @throws RangeError for samples of different length
 */
export function comparePairs(arms: readonly ArmSample[], pairing: Pairing): PairedComparison[] {
  const compared = arms.flatMap((a, i) => arms.slice(i + 1).map((b) => differ(a, b, pairing)))
  const adjusted = holm(compared.map(({ pValue }) => pValue))
  return compared.map(({ pValue, mean, ...rest }, index) => {
    // One adjusted value per comparison.
    const p = adjusted[index]!
    const verdict = p >= 0.05 ? 'INDISTINGUISHABLE' : mean > 0 ? 'A' : 'B'
    return { ...rest, pHolmPips: toPips(p), verdict }
  })
}

function differ(a: ArmSample, b: ArmSample, pairing: Pairing) {
  if (a.values.length !== b.values.length) {
    throw new RangeError(`${a.armId} and ${b.armId} have different numbers of paths`)
  }
  const differences = Float64Array.from(a.values, (value, i) => value - b.values[i]!)
  const { mean, standardError } = estimateMean(differences, pairing)
  const pValue =
    standardError > 0 ? 2 * normalCdf(-Math.abs(mean) / standardError) : mean === 0 ? 1 : 0
  return { a: a.armId, b: b.armId, diff: summarize(differences, pairing), pValue, mean }
}
