/** An exact decimal fraction: `digits`·10^`exponent`. Sums and products of decimals are decimals again. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

export const ZERO: Decimal = { digits: 0n, exponent: 0 }

const form = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/**
 * Reads a decimal exactly, without rounding.
 *
 * @param text for example 12, -0.25 or 1.5e-7
 * @throws RangeError for anything else
 */
export function readDecimal(text: string): Decimal {
  const found = form.exec(text)
  if (!found) throw new RangeError(`${text} is not a decimal number`)
  const [, sign, whole = '', fraction = '', power = '0'] = found
  const digits = BigInt(`${whole}${fraction}`)
  return {
    digits: sign === '-' ? -digits : digits,
    exponent: Number(power) - fraction.length,
  }
}

/** The decimal that a float is printed as: the shortest that names it. */
export function decimalOf(value: number): Decimal {
  return readDecimal(String(value))
}

export function plus(a: Decimal, b: Decimal): Decimal {
  if (a.digits === 0n) return b
  if (b.digits === 0n) return a
  const exponent = Math.min(a.exponent, b.exponent)
  return { digits: digitsAt(a, exponent) + digitsAt(b, exponent), exponent }
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, negative(b))
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent }
}

export function negative(a: Decimal): Decimal {
  return { digits: -a.digits, exponent: a.exponent }
}

export function magnitude(a: Decimal): Decimal {
  return a.digits < 0n ? negative(a) : a
}

export function isLess(a: Decimal, b: Decimal): boolean {
  return minus(a, b).digits < 0n
}

export function larger(a: Decimal, b: Decimal): Decimal {
  return isLess(a, b) ? b : a
}

/**
 * How many parts of `1/scale` a is of b, rounded up: ⌈a·scale / b⌉.
 *
 * @param a not below zero
 * @param b above zero
 */
export function partsOf(a: Decimal, b: Decimal, scale: bigint): bigint {
  const exponent = Math.min(a.exponent, b.exponent)
  const divisor = digitsAt(b, exponent)
  return (digitsAt(a, exponent) * scale + divisor - 1n) / divisor
}

function digitsAt(a: Decimal, exponent: number): bigint {
  return a.digits * 10n ** BigInt(a.exponent - exponent)
}
