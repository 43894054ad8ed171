/**
 * Largest integer in 0 to `most` for which a monotone condition is true: once false, it stays
 * false.
 *
 * It gallops upwards from one, then bisects. So the number of calls grows with the digits of the
 * result and not of `most`.
 *
 * @param holds called for integers above zero; zero is assumed to satisfy it
 */
export function largestWithin(holds: (value: bigint) => boolean, most: bigint): bigint {
  let low = 0n
  let high = 1n
  while (high <= most && holds(high)) {
    low = high
    high *= 2n
  }
  if (high > most) high = most + 1n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}
