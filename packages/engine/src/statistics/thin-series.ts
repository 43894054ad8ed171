/**
 * Reduces a line to at most `size` points that preserve its shape: largest-triangle-three-buckets.
 * The first and last point remain. The points in between are divided into size − 2 buckets of equal
 * count. Each bucket retains the point with the largest triangle to the previous retained point and
 * the mean of the next bucket. On ties the earliest point wins, so the same line always gives the
 * same points.
 *
 * @param x ascending positions, such as seconds
 * @param y equally many values
 * @param size at least 2
 * @returns indices of the remaining points, ascending; all indices for up to `size` points
 * @throws RangeError for sequences of different length, a value that is not finite, or another size
 * @see Steinarsson, “Downsampling Time Series for Visual Representation”, University of Iceland
 * (2013), §4.2
 */
export function thinSeries(x: ArrayLike<number>, y: ArrayLike<number>, size: number): number[] {
  const count = x.length
  if (y.length !== count) throw new RangeError(`${count} positions and ${y.length} values`)
  if (!Number.isInteger(size) || size < 2) throw new RangeError(`a line of ${size} points`)
  for (let index = 0; index < count; index++) {
    // Both sequences have this index.
    if (!Number.isFinite(x[index]!) || !Number.isFinite(y[index]!)) {
      throw new RangeError(`point ${index} is not finite`)
    }
  }
  if (count <= size) return Array.from({ length: count }, (_, index) => index)
  // Bucket k of 0..size − 3 holds the points [startOf(k), startOf(k + 1)); after the last comes the last point.
  const startOf = (bucket: number) => 1 + Math.floor((bucket * (count - 2)) / (size - 2))
  const kept = [0]
  for (let bucket = 0; bucket < size - 2; bucket++) {
    const from = startOf(bucket)
    const until = startOf(bucket + 1)
    const next = meanPoint(x, y, until, Math.min(startOf(bucket + 2), count))
    kept.push(farthest(x, y, kept.at(-1) ?? 0, from, until, next))
  }
  kept.push(count - 1)
  return kept
}

/** Mean of the points [from, until); there is at least one. */
function meanPoint(x: ArrayLike<number>, y: ArrayLike<number>, from: number, until: number) {
  let [sumX, sumY] = [0, 0]
  for (let index = from; index < until; index++) {
    sumX += x[index]!
    sumY += y[index]!
  }
  return { x: sumX / (until - from), y: sumY / (until - from) }
}

/** First point in [from, until) with the largest triangle to `before` and `next`. */
function farthest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  before: number,
  from: number,
  until: number,
  next: { x: number; y: number },
): number {
  let best = from
  let largest = -1
  for (let index = from; index < until; index++) {
    // Twice the area; every index lies in the sequences.
    const area = Math.abs(
      (x[before]! - next.x) * (y[index]! - y[before]!) -
        (x[before]! - x[index]!) * (next.y - y[before]!),
    )
    if (area > largest) {
      largest = area
      best = index
    }
  }
  return best
}
