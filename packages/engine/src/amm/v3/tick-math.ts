import { integerSquareRoot, MAX_UINT256, Q96 } from '../../arithmetic/integer.ts'
import { PoolRevertError } from '../pool-revert.ts'

export const MIN_TICK = -887272
export const MAX_TICK = 887272
/** Root price at MIN_TICK, Q64.96. */
export const MIN_SQRT_RATIO = 4295128739n
/** Root price at MAX_TICK, Q64.96; no pool price reaches it. */
export const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n

/** 1.0001^(-2^i / 2) for i in 0..19 as Q128, each rounded to the nearest integer. */
export const INVERSE_ROOT_POWERS: readonly bigint[] = deriveInverseRootPowers()

/**
 * Root price of a tick.
 *
 *     √(1.0001^tick) · 2^96, rounded up at the last place
 *
 * The product over the binary digits of |tick| is in Q128, cut after every factor. Positive ticks
 * are the inverse of negative ones. The deployed function has the same cuts.
 *
 * @param tick integer in [MIN_TICK, MAX_TICK]
 * @returns uint160, Q64.96
 * @throws PoolRevertError T if the tick is out of range
 * @see Uniswap v3 whitepaper, §6.1
 */
export function sqrtRatioAtTick(tick: number): bigint {
  const distance = tick < 0 ? -tick : tick
  if (!(distance <= MAX_TICK)) throw new PoolRevertError({ reason: 'T' })
  let ratio = 1n << 128n
  for (let bit = 0; distance >> bit !== 0; bit++) {
    // The table has one entry per digit of MAX_TICK.
    if ((distance >> bit) & 1) ratio = (ratio * INVERSE_ROOT_POWERS[bit]!) >> 128n
  }
  if (tick > 0) ratio = MAX_UINT256 / ratio
  return (ratio + 0xffffffffn) >> 32n
}

/**
 * Greatest tick whose root price is at most the given one.
 *
 * A float logarithm determines the tick. Close to a boundary, the exact root price decides. The
 * float is off by less than 1e-5 of a tick. Its own error contributes 2e-10. The rounding of the
 * lowest root prices, which have 32 bits, contributes 5e-6.
 *
 * @param sqrtPriceX96 in [MIN_SQRT_RATIO, MAX_SQRT_RATIO)
 * @throws PoolRevertError R if the price is out of range
 */
export function tickAtSqrtRatio(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) {
    throw new PoolRevertError({ reason: 'R' })
  }
  const position = (binaryLogarithm(Number(sqrtPriceX96)) - 96) * TICKS_PER_OCTAVE_OF_ROOT
  const tick = Math.floor(position)
  const fraction = position - tick
  if (fraction > BOUNDARY_MARGIN && fraction < 1 - BOUNDARY_MARGIN) return tick
  const boundary = fraction < 0.5 ? tick : tick + 1
  if (boundary > MAX_TICK) return MAX_TICK - 1
  return boundary < MIN_TICK || sqrtRatioAtTick(boundary) <= sqrtPriceX96 ? boundary : boundary - 1
}

/** Twenty times the proven error. About one price in five thousand needs the exact check. */
const BOUNDARY_MARGIN = 1e-4
/** 2 / log2(1.0001). */
const TICKS_PER_OCTAVE_OF_ROOT = 13863.636746827591

const view = new DataView(new ArrayBuffer(8))

/**
 * log2 of a finite normal float, to about 1e-14. It uses only arithmetic that IEEE 754 fixes to the
 * last bit. The result is the exponent plus 2·artanh((m-1)/(m+1))/ln 2 as a series, m in [√½, √2).
 */
function binaryLogarithm(value: number): number {
  view.setFloat64(0, value)
  const high = view.getUint32(0)
  let exponent = ((high >>> 20) & 0x7ff) - 1022
  view.setUint32(0, (high & 0xfffff) | (1022 << 20))
  let mantissa = view.getFloat64(0)
  if (mantissa < Math.SQRT1_2) {
    mantissa *= 2
    exponent -= 1
  }
  const s = (mantissa - 1) / (mantissa + 1)
  const z = s * s
  const tail =
    z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * (1 / 15 + z * (1 / 17 + z * (1 / 19 + z / 21))))))
  const series = 1 + z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + tail)))
  return exponent + 2 * Math.LOG2E * s * series
}

/** Each entry is the square of the one before, carried with 384 guard bits and rounded at the end. */
function deriveInverseRootPowers(): bigint[] {
  const precision = 512n
  const surplus = precision - 128n
  const half = 1n << (surplus - 1n)
  const powers: bigint[] = []
  let power = integerSquareRoot((10_000n << (2n * precision)) / 10_001n)
  for (let bit = 0; bit < 20; bit++) {
    powers.push((power + half) >> surplus)
    power = (power * power) >> precision
  }
  return powers
}

/**
 * Largest liquidity one tick may reference, so that the sum over all ticks fits uint128.
 *
 * @param tickSpacing 1..16383
 * @see Uniswap v3 whitepaper, §6.1
 */
export function maxLiquidityPerTickFor(tickSpacing: number): bigint {
  const usable = Math.floor(MAX_TICK / tickSpacing)
  return ((1n << 128n) - 1n) / BigInt(2 * usable + 1)
}

/** The exact price token1 per token0 of a root price: the square over 2^192. */
export function priceOfSqrtRatio(sqrtPriceX96: bigint): { num: bigint; den: bigint } {
  return { num: sqrtPriceX96 * sqrtPriceX96, den: Q96 * Q96 }
}
