import { divide, increment, multiply } from './arithmetic'
import { isBelow192 } from './words'

export const MIN_TICK: i32 = -887272
export const MAX_TICK: i32 = 887272

/** 1.0001^(-2^i / 2) for i in 0..19 as Q128, 16 bytes each: the host writes the table once. */
export const ROOT_POWERS: usize = memory.data(320, 8)
/** The root prices at both ends of the range, Q64.96 in 24 bytes, written by the host. */
export const MIN_SQRT_RATIO: usize = memory.data(24, 8)
export const MAX_SQRT_RATIO: usize = memory.data(24, 8)

const RATIO: usize = memory.data(48, 8)
const PRODUCT: usize = memory.data(48, 8)
const ONES: usize = memory.data(48, 8)
const BOUNDARY: usize = memory.data(48, 8)

/**
 * Root price of a tick in [MIN_TICK, MAX_TICK] as Q64.96, 24 bytes.
 *
 *     √(1.0001^tick) · 2^96, the product over the binary digits of |tick| cut after every factor
 *
 * @see Uniswap v3 whitepaper, §6.1
 */
export function sqrtRatioAtTick(to: usize, tick: i32): void {
  const distance = abs(tick)
  memory.fill(RATIO, 0, 24)
  store<u64>(RATIO, 1, 16)
  let n = 5
  for (let bit: i32 = 0; distance >> bit !== 0; bit++) {
    if (((distance >> bit) & 1) === 0) continue
    const power = ROOT_POWERS + (usize(bit) << 4)
    n = multiply(PRODUCT, RATIO, n, power, 4) - 4
    memory.copy(RATIO, PRODUCT + 16, 20)
  }
  if (tick > 0) {
    for (let at: usize = 0; at < 32; at += 8) store<u64>(ONES + at, u64.MAX_VALUE)
    n = divide(PRODUCT, ONES, 8, RATIO, n)
    memory.copy(RATIO, PRODUCT, usize(n) << 2)
  }
  const isCut = load<u32>(RATIO) !== 0
  memory.fill(to, 0, 24)
  for (let limb: i32 = 1; limb < n; limb++) {
    store<u32>(to + (usize(limb - 1) << 2), load<u32>(RATIO + (usize(limb) << 2)))
  }
  if (isCut) increment(to, 5)
}

/** Twenty times the proven error. About one price in five thousand needs the exact check. */
const BOUNDARY_MARGIN: f64 = 1e-4
/** 2 / log2(1.0001). */
const TICKS_PER_OCTAVE_OF_ROOT: f64 = 13863.636746827591

/**
 * Greatest tick whose root price is at most the given one, in [MIN_SQRT_RATIO, MAX_SQRT_RATIO).
 *
 * A float logarithm determines the tick. Close to a boundary, the exact root price decides. The
 * float is off by less than 1e-5 of a tick. Its own error contributes 2e-10. The rounding of the
 * lowest root prices, which have 32 bits, contributes 5e-6.
 */
export function tickAtSqrtRatio(price: usize): i32 {
  const position = (binaryLogarithm(toFloat192(price)) - 96) * TICKS_PER_OCTAVE_OF_ROOT
  const below = floor(position)
  const tick = i32(below)
  const fraction = position - below
  if (fraction > BOUNDARY_MARGIN && fraction < 1 - BOUNDARY_MARGIN) return tick
  const boundary = fraction < 0.5 ? tick : tick + 1
  if (boundary > MAX_TICK) return MAX_TICK - 1
  if (boundary < MIN_TICK) return boundary
  sqrtRatioAtTick(BOUNDARY, boundary)
  return isBelow192(price, BOUNDARY) ? boundary - 1 : boundary
}

/** 2^64. */
export const WORD: f64 = 1.8446744073709552e19

/** The nearest float of a 192-bit number, but for the last bit. */
export function toFloat192(a: usize): f64 {
  return f64(load<u64>(a)) + f64(load<u64>(a, 8)) * WORD + f64(load<u64>(a, 16)) * (WORD * WORD)
}

/**
 * log2 of a finite normal float, to about 1e-14: exponent plus 2·artanh((m-1)/(m+1))/ln 2 as a
 * series, m in [√½, √2).
 */
function binaryLogarithm(value: f64): f64 {
  const bits = reinterpret<u64>(value)
  let exponent = f64(i32((bits >> 52) & 0x7ff) - 1022)
  let mantissa = reinterpret<f64>((bits & 0xfffffffffffff) | (u64(1022) << 52))
  if (mantissa < Math.SQRT1_2) {
    mantissa *= 2
    exponent -= 1
  }
  const s = (mantissa - 1) / (mantissa + 1)
  const z = s * s
  const tail =
    z *
    (1.0 / 9 +
      z *
        (1.0 / 11 +
          z * (1.0 / 13 + z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21)))))))
  const series = 1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + tail)))
  return exponent + 2 * Math.LOG2E * s * series
}

/** The nearest float of a 256-bit number, but for the last bits. */
export function toFloat256(a: usize): f64 {
  return toFloat192(a) + f64(load<u64>(a, 24)) * (WORD * WORD * WORD)
}
