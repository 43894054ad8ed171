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
 * The float root is the start. Each correction divides the remainder in floats and doubles the
 * digits, without integer division. The squares of both neighbors then decide the result, so float
 * errors cannot affect it.
 *
 * @param value a non-negative integer
 */
export function integerSquareRoot(value: bigint): bigint {
  if (value < 0n) throw new RangeError('the square root of a negative integer')
  const approximate = Number(value)
  if (approximate === Number.POSITIVE_INFINITY) return rootOfLarge(value)
  let root = BigInt(Math.floor(Math.sqrt(approximate)))
  let rest = value - root * root
  for (;;) {
    const step = BigInt(Math.trunc(Number(rest) / (2 * Number(root) + 1)))
    if (step === 0n) break
    root += step
    rest = value - root * root
  }
  while (rest < 0n) {
    rest += 2n * root - 1n
    root -= 1n
  }
  while (rest > 2n * root) {
    rest -= 2n * root + 1n
    root += 1n
  }
  return root
}

/** The same where a float cannot hold the value: Newton’s iteration from above. */
function rootOfLarge(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
