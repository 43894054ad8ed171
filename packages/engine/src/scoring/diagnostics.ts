import { meanOf } from '../numerics/compensated-sum.ts'
import { type LinearFit, leastSquares } from '../statistics/least-squares.ts'

/** A slope with its error. */
export interface Slope {
  readonly value: number
  readonly standardError: number
}

/**
 * Kyle's λ: slope of the mid return of an interval on its signed quote flow, with
 * autocorrelation-robust errors.
 *
 * @param returns per interval, as fractions
 * @param signedFlow quote bought less sold in the same intervals
 * @returns null if the flow is constant
 * @see Kyle, “Continuous auctions and insider trading”, Econometrica 53 (1985)
 */
export function kyleLambda(
  returns: ArrayLike<number>,
  signedFlow: ArrayLike<number> & Iterable<number>,
): Slope | null {
  const isMoving = Array.from(signedFlow).some((flow) => flow !== signedFlow[0])
  if (!isMoving || returns.length < 10) return null
  const fit: LinearFit = leastSquares(returns, [signedFlow])
  // Intercept first, then the one slope.
  return { value: fit.coefficients[1]!, standardError: fit.standardErrors[1]! }
}

/**
 * Amihud's illiquidity: mean of |return| over volume per day. Skips days without volume.
 *
 * @returns null without a day of volume
 * @see Amihud, “Illiquidity and stock returns”, Journal of Financial Markets 5 (2002)
 */
export function amihudIlliquidity(
  returns: ArrayLike<number>,
  volumes: ArrayLike<number>,
): number | null {
  const ratios = Array.from(returns).flatMap((r, day) => {
    const volume = volumes[day] ?? 0
    return volume > 0 ? [Math.abs(r) / volume] : []
  })
  return ratios.length === 0 ? null : meanOf(ratios)
}

/**
 * Roll's spread, as a fraction of the price: 2·√−cov of neighboring trade returns. Zero if the
 * covariance is not negative.
 *
 * @param returns between trades, at least three
 * @see Roll, “A simple implicit measure of the effective bid-ask spread”, Journal of Finance 39
 * (1984)
 */
export function rollSpread(returns: ArrayLike<number> & Iterable<number>): number {
  const centre = meanOf(returns)
  const products = Array.from({ length: Math.max(returns.length - 1, 0) }, (_, i) => {
    return (returns[i]! - centre) * (returns[i + 1]! - centre)
  })
  const covariance = products.length === 0 ? 0 : meanOf(products)
  return covariance < 0 ? 2 * Math.sqrt(-covariance) : 0
}
