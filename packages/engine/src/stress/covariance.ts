/** A symmetric matrix by rows. */
export type Matrix = readonly (readonly number[])[]

/**
 * Exponentially weighted covariance of daily returns, with most weight on the newest day. Means are
 * set to zero, because daily means are noise.
 *
 * @param returns rows in time order, one column per factor
 * @param lambda decay per day, default 0.97
 * @see J.P. Morgan/Reuters, “RiskMetrics Technical Document” (1996), §5.2
 */
export function exponentialCovariance(returns: Matrix, lambda = 0.97): number[][] {
  const width = returns[0]?.length ?? 0
  const sums = Array.from({ length: width }, () => new Array<number>(width).fill(0))
  let weight = 0
  // Every row has a return per factor.
  for (const row of returns) {
    weight = lambda * weight + (1 - lambda)
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) {
        sums[i]![j] = lambda * sums[i]![j]! + (1 - lambda) * row[i]! * row[j]!
      }
    }
  }
  return sums.map((row) => row.map((value) => (weight === 0 ? 0 : value / weight)))
}

/** Pulls the covariance of different factors towards zero. @param share default 0.1 */
export function shrinkToDiagonal(covariance: Matrix, share = 0.1): number[][] {
  return covariance.map((row, i) => row.map((value, j) => (i === j ? value : value * (1 - share))))
}

/** Raises correlations to a minimum, because they rise in stress; volatilities are unchanged. */
export function floorCorrelation(covariance: Matrix, floor: number): number[][] {
  return covariance.map((row, i) =>
    row.map((value, j) => {
      // The diagonal of a covariance matrix has its variances.
      const scale = Math.sqrt(covariance[i]![i]! * covariance[j]![j]!)
      return i === j || scale === 0 ? value : Math.max(value, floor * scale)
    }),
  )
}

/** β of every factor on a given one. */
export function betasOn(covariance: Matrix, factor: number): number[] {
  // The factor is one of the matrix.
  const variance = covariance[factor]![factor]!
  return covariance.map((row) => (variance === 0 ? 0 : row[factor]! / variance))
}

/**
 * Lower triangular root of a covariance: R·Rᵀ. A direction without variance has a zero column.
 *
 * @throws RangeError if the matrix is no covariance
 */
export function choleskyRoot(covariance: Matrix): number[][] {
  const size = covariance.length
  const root = Array.from({ length: size }, () => new Array<number>(size).fill(0))
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = covariance[i]![j]!
      for (let k = 0; k < j; k++) rest -= root[i]![k]! * root[j]![k]!
      const pivot = root[j]![j]!
      if (i === j) {
        if (rest < -1e-12 * covariance[i]![i]!)
          throw new RangeError('the matrix is not a covariance matrix')
        root[i]![i] = Math.sqrt(Math.max(rest, 0))
      } else root[i]![j] = pivot === 0 ? 0 : rest / pivot
    }
  }
  return root
}
