import type { Rat } from '../arithmetic/integer.ts'

/** Bits of the start price; 2^-128 of it is far below what a pool can show. */
const PRICE_BITS = 128
/** Bits of a path's ratio that are kept, all that a double has. */
const RATIO_SCALE = 4503599627370496
const LARGEST_RATIO = 1099511627776

/**
 * External prices of a path as fractions: the start price with 128 bits, times the ratio of each step cut to
 * 2^-52, the product cut to 2^-128 of the start.
 *
 * @param start quote per base at the start
 * @param ratio a price over the start price, in (2^-40, 2^40)
 * @throws RangeError outside: such a path has left what a study can speak of
 */
export function referencePrices(start: Rat): (ratio: number) => Rat {
  const { num, shift } = startPrice(start)
  const den = 1n << BigInt(Math.max(shift, 0))
  const scale = shift >= 0 ? 1n : 1n << BigInt(-shift)
  return (ratio) => {
    if (!isRatioKnown(ratio)) throw new RangeError(`a price ${ratio} times the start price`)
    // The last 52 bits of the product are below what a double knows; without them every valuation is cheaper.
    return { num: ((num * BigInt(Math.floor(ratio * RATIO_SCALE))) >> 52n) * scale, den }
  }
}

/** The start price with 128 bits: num over 2^shift; a shift below zero multiplies. */
export function startPrice(start: Rat): { num: bigint; shift: number } {
  const shift = PRICE_BITS - (bitLength(start.num) - bitLength(start.den))
  const num =
    shift >= 0
      ? (start.num << BigInt(shift)) / start.den
      : start.num / (start.den << BigInt(-shift))
  return { num, shift }
}

/** Whether a price so many times the start price is one that a study can speak of. */
export function isRatioKnown(ratio: number): boolean {
  return ratio > 1 / LARGEST_RATIO && ratio < LARGEST_RATIO
}

function bitLength(value: bigint): number {
  return value.toString(2).length
}
