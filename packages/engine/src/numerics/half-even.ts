/**
 * A float as a whole number of atoms, rounded half to even. This is how statistics leave the floats.
 *
 * @param value finite
 * @throws RangeError when not finite
 */
export function roundHalfEven(value: number): bigint {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not an amount`)
  const below = Math.floor(value)
  const rest = value - below
  if (rest < 0.5) return BigInt(below)
  if (rest > 0.5) return BigInt(below) + 1n
  return below % 2 === 0 ? BigInt(below) : BigInt(below) + 1n
}

/** A float as a whole `number`, rounded half to even. @throws RangeError beyond 2^53 */
export function roundHalfEvenToInteger(value: number): number {
  const whole = roundHalfEven(value)
  if (whole > 9007199254740991n || whole < -9007199254740991n) {
    throw new RangeError(`${value} is outside the safe integer range`)
  }
  return Number(whole)
}

/** A share or ratio as millionths, rounded half to even. */
export function toPips(ratio: number): number {
  return roundHalfEvenToInteger(ratio * 1_000_000)
}

/** Exact quotient of two integers rounded half to even; `divisor` is above zero. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const cut = dividend / divisor
  const below = dividend < 0n && cut * divisor !== dividend ? cut - 1n : cut
  const rest = 2n * (dividend - below * divisor)
  if (rest < divisor) return below
  if (rest > divisor) return below + 1n
  return below % 2n === 0n ? below : below + 1n
}
