import { studentT4Scale } from '../random/draws.ts'
import type { DrawStream } from '../random/streams.ts'
import { choleskyRoot, exponentialCovariance, type Matrix, shrinkToDiagonal } from './covariance.ts'

/** Adds the log moves of some days to the totals per factor. */
export type AddDays = (stream: DrawStream, days: number, totals: Float64Array) => void

/**
 * Daily log moves of several factors as a multivariate t₄ of unit variance. They use the shrunk
 * covariance of the factors' returns (weights 0.97, a tenth toward the diagonal). All factors share
 * one mixing variable per day, so that they fall together.
 *
 * @param returns daily log returns, one row per day and one column per factor
 * @throws RangeError if the returns have no covariance
 * @see Demarta and McNeil, “The t copula and related copulas” (2005), §2.1, for the normal variance
 * mixture
 */
export function studentMoves(returns: Matrix): AddDays {
  const root = choleskyRoot(shrinkToDiagonal(exponentialCovariance(returns)))
  const shocks = new Float64Array(root.length)
  return (stream, days, totals) => {
    for (let day = 0; day < days; day++) {
      const scale = studentT4Scale(stream)
      for (let k = 0; k < shocks.length; k++) shocks[k] = stream.normal() * scale
      // A row of the root per factor.
      for (const [factor, row] of root.entries()) {
        for (let k = 0; k <= factor; k++) totals[factor]! += row[k]! * shocks[k]!
      }
    }
  }
}
