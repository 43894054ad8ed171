/** A copy in ascending order. */
export function ascending(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort()
}

/**
 * Sample quantile, type 7 of Hyndman and Fan: linear between the order statistics around 1 + (n − 1)p.
 *
 * @param sorted ascending, at least one
 * @param p      in [0, 1]
 * @throws RangeError for no values or another p
 * @see Hyndman and Fan, “Sample quantiles in statistical packages”, The American Statistician 50 (1996)
 */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError('a quantile of no values')
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile at ${p}; expected a place in [0, 1]`)
  const place = (sorted.length - 1) * p
  const below = Math.floor(place)
  // place lies in 0..n − 1.
  const low = sorted[below]!
  const high = sorted[below + 1] ?? low
  return low + (place - below) * (high - low)
}

/** As `quantileOfSorted` for values in any order. */
export function quantile(values: Iterable<number>, p: number): number {
  return quantileOfSorted(ascending(values), p)
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: Iterable<number>): number {
  return quantile(values, 0.5)
}
