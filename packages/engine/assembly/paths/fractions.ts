// Prices as the fractions they are, quote per base: the square of a root price, or a price from outside over 10^36.

import { divide, hasRemainder, multiply, store256 } from '../arithmetic'
import { clear256, copy192, countLimbs } from '../words'
import {
  assertWithin,
  decrement,
  isNegative,
  negate,
  scale,
  scaleByFloor,
  setBeyond,
} from './numbers'

/** Numerator and denominator, twelve limbs each; their limb counts; which side is 2^192. */
const DENOMINATOR: usize = 48
const LIMBS: usize = 96
const DENOMINATOR_LIMBS: usize = 100
const FORM: usize = 104
/** Whether ⌊fraction · 2^128⌋ is known, and it, in three words. */
const HAS_FLOOR: usize = 108
const FLOOR: usize = 112
export const FRACTION_BYTES: usize = 136
/** Limbs of 2^128 below its leading one, and maximum limbs of a stored ⌊fraction · 2^128⌋. */
const Q128_LIMBS: i32 = 4
const FLOOR_LIMBS: i32 = 6

/** Neither is 2^192, the denominator is, the numerator is. */
const PLAIN: i32 = 0
const UPRIGHT: i32 = 1
const INVERSE: i32 = 2
/** Limbs of 2^192 below its one, and their bytes. */
const Q192_LIMBS: i32 = 6
const Q192_BYTES: usize = 24
/** Limbs of a price from outside at most. */
const OUTSIDE_LIMBS: i32 = 10

/** 10^36, written by the host. */
export const X36: usize = memory.data(48, 8)
const ROOT: usize = memory.data(32, 8)
const SQUARE: usize = memory.data(64, 8)
const MAGNITUDE: usize = memory.data(40, 8)
const DIVIDEND: usize = memory.data(160, 8)
const QUOTIENT: usize = memory.data(160, 8)

/** A root price of the pool as quote per base. */
export function setFractionOfRoot(fraction: usize, root: usize, isBaseFirst: bool): void {
  clear256(ROOT)
  copy192(ROOT, root)
  const limbs = countLimbs(ROOT, 5)
  memory.fill(fraction, 0, FRACTION_BYTES)
  memory.fill(SQUARE, 0, 64)
  const n = multiply(SQUARE, ROOT, limbs, ROOT, limbs)
  const square = isBaseFirst ? fraction : fraction + DENOMINATOR
  const power = isBaseFirst ? fraction + DENOMINATOR : fraction
  memory.copy(square, SQUARE, 40)
  store<u32>(power, 1, Q192_BYTES)
  store<i32>(fraction, isBaseFirst ? n : Q192_LIMBS + 1, LIMBS)
  store<i32>(fraction, isBaseFirst ? Q192_LIMBS + 1 : n, DENOMINATOR_LIMBS)
  store<i32>(fraction, isBaseFirst ? UPRIGHT : INVERSE, FORM)
  if (!isBaseFirst) setFloor(fraction)
  else if (n <= 8) {
    // A square over 2^192, times 2^128: its lowest word is cut off.
    memory.copy(fraction + FLOOR, fraction + 8, 24)
    store<i32>(fraction, 1, HAS_FLOOR)
  }
}

/** A price from outside, quote per base times 10^36 in 40 bytes. */
export function setFractionOutside(fraction: usize, priceX36: usize): void {
  memory.fill(fraction, 0, FRACTION_BYTES)
  memory.copy(fraction, priceX36, 40)
  memory.copy(fraction + DENOMINATOR, X36, 40)
  store<i32>(fraction, countLimbs(fraction, OUTSIDE_LIMBS), LIMBS)
  store<i32>(fraction, countLimbs(X36, OUTSIDE_LIMBS), DENOMINATOR_LIMBS)
  store<i32>(fraction, PLAIN, FORM)
  setFloor(fraction)
}

/** Divides once for all that will be valued at the price. */
function setFloor(fraction: usize): void {
  const limbs = load<i32>(fraction, LIMBS)
  memory.fill(DIVIDEND, 0, usize(Q128_LIMBS) << 2)
  memory.copy(DIVIDEND + (usize(Q128_LIMBS) << 2), fraction, DENOMINATOR)
  const d = load<i32>(fraction, DENOMINATOR_LIMBS)
  const q = divide(QUOTIENT, DIVIDEND, limbs + Q128_LIMBS, fraction + DENOMINATOR, d)
  if (q > FLOOR_LIMBS) return
  memory.copy(fraction + FLOOR, QUOTIENT, usize(q) << 2)
  store<i32>(fraction, 1, HAS_FLOOR)
}

/** to = ⌊a · fraction⌋ of a signed number. */
export function timesFraction(to: usize, a: usize, fraction: usize): void {
  const form = load<i32>(fraction, FORM)
  if (load<i32>(fraction, HAS_FLOOR) !== 0 && scaleByFloor(to, a, fraction + FLOOR)) return
  if (form === UPRIGHT) {
    scale(to, a, fraction, 12, 192)
    return
  }
  const negative = isNegative(a)
  if (negative) negate(MAGNITUDE, a)
  else memory.copy(MAGNITUDE, a, 32)
  const limbs = countLimbs(MAGNITUDE, 8)
  if (limbs === 0) {
    clear256(to)
    return
  }
  let n = limbs + Q192_LIMBS
  if (form === INVERSE) {
    memory.fill(DIVIDEND, 0, Q192_BYTES)
    memory.copy(DIVIDEND + Q192_BYTES, MAGNITUDE, 32)
  } else n = multiply(DIVIDEND, MAGNITUDE, limbs, fraction, load<i32>(fraction, LIMBS))
  const d = load<i32>(fraction, DENOMINATOR_LIMBS)
  const q = divide(QUOTIENT, DIVIDEND, n, fraction + DENOMINATOR, d)
  if (q > 8) setBeyond(true)
  store256(to, QUOTIENT, q)
  assertWithin(to)
  if (!negative) return
  negate(to, to)
  if (hasRemainder) decrement(to)
}

const UPPER: usize = memory.data(160, 8)
const LOWER: usize = memory.data(160, 8)

/**
 * to = ⌊a · first / present⌋ of n limbs, at most eight; `to` has 128 bytes.
 *
 * @returns the limbs
 */
export function timesRatio(to: usize, a: usize, n: i32, first: usize, present: usize): i32 {
  memory.fill(UPPER, 0, 160)
  memory.fill(LOWER, 0, 160)
  const form = load<i32>(first, FORM)
  if (form !== PLAIN && form === load<i32>(present, FORM)) {
    // Both hold the same power of two, which falls out.
    if (form === UPRIGHT) {
      const product = multiply(UPPER, a, n, first, load<i32>(first, LIMBS))
      return divideTo(to, product, present, load<i32>(present, LIMBS))
    }
    const times = load<i32>(present, DENOMINATOR_LIMBS)
    const product = multiply(UPPER, a, n, present + DENOMINATOR, times)
    return divideTo(to, product, first + DENOMINATOR, load<i32>(first, DENOMINATOR_LIMBS))
  }
  const part = multiply(DIVIDEND, a, n, first, load<i32>(first, LIMBS))
  const over = load<i32>(present, DENOMINATOR_LIMBS)
  const product = multiply(UPPER, DIVIDEND, part, present + DENOMINATOR, over)
  const own = load<i32>(first, DENOMINATOR_LIMBS)
  const d = multiply(LOWER, first + DENOMINATOR, own, present, load<i32>(present, LIMBS))
  return divideTo(to, product, LOWER, d)
}

/** to = ⌊UPPER / divisor⌋. */
function divideTo(to: usize, n: i32, divisor: usize, d: i32): i32 {
  const q = divide(QUOTIENT, UPPER, n, divisor, d)
  if (q > 31) {
    setBeyond(true)
    return 0
  }
  memory.copy(to, QUOTIENT, usize(q) << 2)
  return q
}
