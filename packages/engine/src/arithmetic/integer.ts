/** 2^96 as the unit of a Q96 fixed-point number. */
export const Q96 = 1n << 96n
export const MAX_UINT128 = (1n << 128n) - 1n
export const MAX_UINT160 = (1n << 160n) - 1n
export const MAX_UINT256 = (1n << 256n) - 1n

/** An exact fraction; `den` is above zero. */
export type Rat = { num: bigint; den: bigint }

/** Quotient of two non-negative integers, rounded up. */
export function divideRoundingUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return quotient * divisor === dividend ? quotient : quotient + 1n
}

/** Quotient rounded towards minus infinity; `divisor` is above zero, `dividend` has any sign. */
export function divideFloor(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

/** The value modulo 2^256, as the contracts' unchecked arithmetic leaves it. */
export function wrapUint256(value: bigint): bigint {
  return value < 0n || value > MAX_UINT256 ? value & MAX_UINT256 : value
}

/**
 * Largest integer whose square is at most `value`.
 *
 * Newton's iteration from above, seeded by the float root, which is only a starting point: the
 * result is exact whatever the float said.
 *
 * @param value a non-negative integer
 */
export function integerSquareRoot(value: bigint): bigint {
  if (value < 0n) throw new RangeError('the square root of a negative integer')
  if (value < 2n) return value
  let root = seedAbove(value)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Some integer not below the root of `value`. */
function seedAbove(value: bigint): bigint {
  const approximate = Number(value)
  if (approximate < Number.POSITIVE_INFINITY) {
    return BigInt(Math.ceil(Math.sqrt(approximate) * (1 + 2 ** -50))) + 1n
  }
  return 1n << BigInt((value.toString(16).length * 4 + 1) >> 1)
}
