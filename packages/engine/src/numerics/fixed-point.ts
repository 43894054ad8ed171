import { integerSquareRoot, type Rat } from '../arithmetic/integer.ts'

/** One in the fixed point of plans: 36 decimal places. */
export const X36 = 10n ** 36n

/** A value enclosed between two fixed-point numbers. */
export interface Enclosed {
  readonly low: bigint
  readonly high: bigint
}

/** Square root of a non-negative fraction with 36 places, rounded both ways. */
export function rootX36({ num, den }: Rat): Enclosed {
  const low = integerSquareRoot((num * X36 * X36) / den)
  const isExact = low * low * den === num * X36 * X36
  return { low, high: isExact ? low : low + 1n }
}

/** Places carried inside a power, beyond the 36 that leave it. */
const GUARD = 10n ** 12n
const UNIT = X36 * GUARD
/** More than the cut terms and roundings of a power can add up to, in guarded units. */
const SLACK = 10_000n

/**
 * Power of a fraction with 36 decimals, rounded outwards in both directions.
 *
 *     x^w = e^(w·ln x),   ln x = 2·artanh((x − 1)/(x + 1)),   series with 12 guard digits
 *
 * @param x a fraction in [1/4, 4]
 * @param exponent in [0, 1]
 * @throws RangeError outside
 */
export function powerX36(x: Rat, exponent: Rat): Enclosed {
  if (x.num * 4n < x.den || x.num > 4n * x.den || x.num <= 0n) {
    throw new RangeError('a base outside [1/4, 4]')
  }
  if (exponent.num < 0n || exponent.num > exponent.den) {
    throw new RangeError('an exponent outside [0, 1]')
  }
  const value = exponential((logarithm(x) * exponent.num) / exponent.den)
  return { low: (value - SLACK) / GUARD, high: (value + SLACK) / GUARD + 1n }
}

function logarithm({ num, den }: Rat): bigint {
  const y = ((num - den) * UNIT) / (num + den)
  const square = (y * y) / UNIT
  let term = y
  let sum = 0n
  for (let k = 1n; term !== 0n; k += 2n) {
    sum += term / k
    term = (term * square) / UNIT
  }
  return 2n * sum
}

function exponential(x: bigint): bigint {
  let term = UNIT
  let sum = 0n
  for (let k = 1n; term !== 0n; k++) {
    sum += term
    term = (term * x) / UNIT / k
  }
  return sum
}
