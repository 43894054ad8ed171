import { YEAR_SECONDS } from '../../arithmetic/time-units.ts'
import { exp } from '../../numerics/exp.ts'
import { streamState } from '../../random/streams.ts'
import type { EstimatorConstants, EstimatorTerms } from './terms.ts'

/** Works out the constants of the inner loop. @throws RangeError for terms outside their range */
export function estimatorConstants(terms: EstimatorTerms): EstimatorConstants {
  const { steps, stepSeconds, annualVolatility: sigma, jumpsPerYear, feePips } = terms
  const { jumpMean, jumpDeviation, lowerRatio, upperRatio } = terms
  if (!Number.isInteger(steps) || steps < 2 || steps % 2 !== 0) {
    throw new RangeError(`${steps} steps; expected an even number of at least 2`)
  }
  if (!Number.isInteger(feePips) || feePips < 0 || feePips > 999_999) {
    throw new RangeError(`a fee of ${feePips} pips; expected a whole number in 0..999999`)
  }
  if (!(lowerRatio > 0 && lowerRatio < upperRatio)) {
    throw new RangeError(`a range from ${lowerRatio} to ${upperRatio}`)
  }
  const years = stepSeconds / YEAR_SECONDS
  const expectedJump = exp(jumpMean + (jumpDeviation * jumpDeviation) / 2) - 1
  const drift = terms.annualDrift - (sigma * sigma) / 2 - jumpsPerYear * expectedJump
  const kept = 1 - feePips / 1_000_000
  const rootKept = Math.sqrt(kept)
  return {
    base: streamState(terms.seed, 0, 'price'),
    steps,
    drift: (drift * years) / 2,
    deviation: (sigma * Math.sqrt(years)) / 2,
    jumpRate: jumpsPerYear * years,
    jumpMean: jumpMean / 2,
    jumpDeviation: jumpDeviation / 2,
    rootKept,
    inverseRootKept: 1 / rootKept,
    feeFactor: (1 - kept) / kept,
    rootLower: Math.sqrt(lowerRatio),
    rootUpper: Math.sqrt(upperRatio),
  }
}
