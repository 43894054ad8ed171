// Two quotients of a step divide by the liquidity, and an oscillating price meets the same
// liquidities again. So the module caches ⌊(2^256 − 1) / L⌋ and replaces the division with a
// multiplication.

import { divide, multiply } from './arithmetic'
import { clear256, copy128, countLimbs } from './words'

/** Liquidity 16 bytes, reciprocal 32, its limbs 4. */
const ENTRY_BYTES: usize = 56
const ENTRIES: usize = memory.data(56 * 256, 8)
const ONES: usize = memory.data(40, 8)
const PRODUCT: usize = memory.data(96, 8)

/**
 * quotient = ⌊a · 2^(256 − 32·shift) / L⌋ as a · R / 2^(32·shift), where R is below 2^256 / L by
 * one at most. So the product is too small by at most 2^(32·(an − shift)) of a unit. With a ≤ shift
 * − 1 limbs this is below 2^-32. The quotient is exact unless the first 32 bits of its fraction are
 * all ones.
 *
 * @returns the limbs of the quotient at `quotientAt(shift)`, or -1 if the caller must divide
 */
export function quotientByLiquidity(a: usize, an: i32, liquidity: usize, shift: i32): i32 {
  if (an === 0) return 0
  if (an >= shift) return -1
  const entry = reciprocalOf(liquidity)
  const n = multiply(PRODUCT, a, an, entry + 16, load<i32>(entry, 48))
  if (n < shift) return 0
  if (load<u32>(PRODUCT + (usize(shift - 1) << 2)) === u32.MAX_VALUE) return -1
  return n - shift
}

/** Address of the quotient for this shift. */
export function quotientAt(shift: i32): usize {
  return PRODUCT + (usize(shift) << 2)
}

/** The entry of a liquidity, worked out if another one, or none, is there. */
function reciprocalOf(liquidity: usize): usize {
  const low = load<u64>(liquidity)
  const high = load<u64>(liquidity, 8)
  const mixed = u32(low) ^ u32(low >> 32) ^ u32(high) ^ u32(high >> 32)
  const entry = ENTRIES + usize((mixed * 0x9e3779b1) >> 24) * ENTRY_BYTES
  if (load<u64>(entry) === low && load<u64>(entry, 8) === high) return entry
  memory.fill(ONES, 0xff, 32)
  copy128(entry, liquidity)
  clear256(entry + 16)
  store<i32>(entry, divide(entry + 16, ONES, 8, liquidity, countLimbs(liquidity, 4)), 48)
  return entry
}
