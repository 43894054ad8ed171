import { compensatedSum } from '../numerics/compensated-sum.ts'
import type { MeanEstimate } from './pairs.ts'

/**
 * A mean with updates after each part of its sample. An update costs time for the new part only.
 */
export interface RunningMean {
  /** Takes the next values, in path order. */
  add(values: ArrayLike<number>): void
  /**
   * Equal to `estimateMean` over all values so far, at least one. The error can differ in the last
   * bits.
   */
  estimate(): MeanEstimate
}

/**
 * Mean and standard error of antithetic pairs, with a pair as one observation. Welford's recurrence
 * adds the deviations without storing values.
 *
 * @throws RangeError if a part begins with the second path of a pair
 * @see Welford, “Note on a method for calculating corrected sums of squares and products”,
 * Technometrics 4 (1962)
 */
export function runningMeanOfPairs(): RunningMean {
  const sum = compensatedSum()
  let values = 0
  let observations = 0
  let centre = 0
  let squares = 0
  const observe = (value: number) => {
    observations += 1
    const before = value - centre
    centre += before / observations
    squares += before * (value - centre)
  }
  return {
    add(part) {
      if (values % 2 === 1) throw new RangeError('a part that starts in the middle of a pair')
      for (let k = 0; k < part.length; k += 2) {
        // The first of a pair exists; the last of a study may have no second.
        const first = part[k]!
        const second = part[k + 1]
        sum.add(first)
        if (second !== undefined) sum.add(second)
        observe(second === undefined ? first : (first + second) / 2)
      }
      values += part.length
    },
    estimate: () => ({
      mean: sum.value() / values,
      standardError: observations < 2 ? 0 : Math.sqrt(squares / (observations - 1) / observations),
      observations,
    }),
  }
}
