import { Q96 } from '../../arithmetic/integer.ts'
import type { ClmmState } from './state.ts'
import { sqrtRatioAtTick } from './tick-math.ts'

/**
 * Maximum liquidity that a range gets from amounts of both tokens at the pool's price. The owner
 * retains the rest. Rounded down, so a mint never needs more.
 *
 *     below the range a0·√a·√b/(√b − √a), above it a1/(√b − √a), inside the smaller of the two parts
 *
 * @param lo,hi ticks, lo below hi
 * @param a0,a1 atomic units of token0 and token1
 * @see Uniswap v3 whitepaper, §6.2.2 and §6.3
 */
export function liquidityForAmounts(
  m: Pick<ClmmState, 'sqrtPriceX96' | 'tick'>,
  lo: number,
  hi: number,
  a0: bigint,
  a1: bigint,
): bigint {
  const lower = sqrtRatioAtTick(lo)
  const upper = sqrtRatioAtTick(hi)
  // The mint decides the case by the tick, and so must this: at a boundary price they can differ.
  if (m.tick < lo) return liquidityOfAmount0(lower, upper, a0)
  if (m.tick >= hi) return liquidityOfAmount1(lower, upper, a1)
  const from0 = liquidityOfAmount0(m.sqrtPriceX96, upper, a0)
  // Exactly on its lower edge a range needs token0 alone, and the span of token1 has no length.
  if (m.sqrtPriceX96 === lower) return from0
  const from1 = liquidityOfAmount1(lower, m.sqrtPriceX96, a1)
  return from0 < from1 ? from0 : from1
}

/** The liquidity token0 alone gives between two root prices, the exact quotient rounded down. */
function liquidityOfAmount0(lower: bigint, upper: bigint, amount0: bigint): bigint {
  return (amount0 * lower * upper) / ((upper - lower) << 96n)
}

/** The liquidity token1 alone gives between two root prices, rounded down. */
function liquidityOfAmount1(lower: bigint, upper: bigint, amount1: bigint): bigint {
  return (amount1 * Q96) / (upper - lower)
}
