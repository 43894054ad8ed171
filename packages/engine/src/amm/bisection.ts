/**
 * Largest integer in 0..most for which a condition holds that, once it fails, keeps failing.
 *
 * It gallops from one upwards and then halves the gap, so the number of questions grows with the
 * digits of the answer and not of `most`.
 *
 * @param holds asked for integers above zero; zero is taken to hold
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
