import type { Rat } from '../arithmetic/integer.ts'

/** Bits of the start price; the relative error of 2^-128 is far below a pool's price resolution. */
const PRICE_BITS = 128
/** Scale of a path's ratio: all the bits of a double. */
const RATIO_SCALE = 4503599627370496
const LARGEST_RATIO = 1099511627776

/**
 * External prices of a path as fractions: the start price with 128 bits times the ratio per step.
 * The ratio is cut to 2^-52, and the product is cut to 2^-128 of the start.
 *
 * @param start quote per base at the start
 * @param ratio a price over the start price, in (2^-40, 2^40)
 * @throws RangeError for a ratio outside, which a study does not support
 */
export function referencePrices(start: Rat): (ratio: number) => Rat {
  const { num, shift } = startPrice(start)
  const den = 1n << BigInt(Math.max(shift, 0))
  const scale = shift >= 0 ? 1n : 1n << BigInt(-shift)
  return (ratio) => {
    if (!isRatioKnown(ratio)) throw new RangeError(`a price of ${ratio} times the start price`)
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

/** Whether a study supports this ratio to the start price. */
export function isRatioKnown(ratio: number): boolean {
  return ratio > 1 / LARGEST_RATIO && ratio < LARGEST_RATIO
}

function bitLength(value: bigint): number {
  return value.toString(2).length
}
