/** A copy in ascending order. */
export function ascending(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort()
}

/**
 * Sample quantile, type 7 of Hyndman and Fan: linear between the order statistics around 1 + (n −
 * 1)p.
 *
 * @param sorted ascending, at least one
 * @param p in [0, 1]
 * @throws RangeError for no values or another p
 * @see Hyndman and Fan, “Sample quantiles in statistical packages”, The American Statistician 50
 * (1996)
 */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError('a quantile requires at least one value')
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile at ${p}; expected a value in [0, 1]`)
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

/** Middle value, or the mean of the two middle values for an even count. */
export function median(values: Iterable<number>): number {
  return quantile(values, 0.5)
}

/**
 * Quantiles of many values, equal to `quantileOfSorted`, without a full sort: only the required
 * ranks are placed.
 *
 * @param values at least one, without NaN; reordered in place
 * @param at probabilities in [0, 1]
 * @throws RangeError for no values or a probability out of range
 * @see Hoare, “Algorithm 65: find”, Communications of the ACM 4 (1961)
 */
export function selectQuantiles(values: Float64Array, at: readonly number[]): number[] {
  const last = values.length - 1
  return at.map((p) => {
    if (p >= 0 && p <= 1) {
      const below = Math.max(Math.floor(last * p), 0)
      putInPlace(values, below)
      if (below < last) putInPlace(values, below + 1)
    }
    return quantileOfSorted(values, p)
  })
}

/**
 * Quickselect: places the value of a rank, with no larger value before and no smaller value after
 * it.
 */
function putInPlace(values: Float64Array, rank: number): void {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = middleOfThree(values[from]!, values[(from + to) >> 1]!, values[to]!)
    let left = from
    let right = to
    while (left <= right) {
      // The pivot is inside the partition, so neither scan leaves it.
      while (values[left]! < pivot) left += 1
      while (values[right]! > pivot) right -= 1
      if (left > right) break
      const value = values[left]!
      values[left] = values[right]!
      values[right] = value
      left += 1
      right -= 1
    }
    if (rank <= right) to = right
    else if (rank >= left) from = left
    else return
  }
}

const middleOfThree = (a: number, b: number, c: number) =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
