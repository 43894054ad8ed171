import type { ClmmState } from '../amm/v3/state.ts'
import { sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import { Q96 } from '../arithmetic/integer.ts'

/**
 * Liquidity that the position manager mints for amounts of both tokens. It also rounds an
 * intermediate product, so the result can be slightly lower than the amounts allow. The mint never
 * needs more than the amounts.
 *
 *     below the range ⌊a0·⌊√a·√b/2^96⌋/(√b − √a)⌋, above it ⌊a1·2^96/(√b − √a)⌋, inside the smaller part
 *
 * @param lower,upper ticks, lower below upper
 * @param amount0,amount1 atomic units of token0 and token1
 * @see Uniswap v3-periphery, contracts/libraries/LiquidityAmounts.sol
 */
export function peripheryLiquidity(
  { sqrtPriceX96: price }: Pick<ClmmState, 'sqrtPriceX96'>,
  lower: number,
  upper: number,
  amount0: bigint,
  amount1: bigint,
): bigint {
  const [low, high] = [sqrtRatioAtTick(lower), sqrtRatioAtTick(upper)]
  if (price <= low) return ofAmount0(low, high, amount0)
  if (price >= high) return ofAmount1(low, high, amount1)
  const [from0, from1] = [ofAmount0(price, high, amount0), ofAmount1(low, price, amount1)]
  return from0 < from1 ? from0 : from1
}

const ofAmount0 = (low: bigint, high: bigint, amount: bigint) =>
  (amount * ((low * high) / Q96)) / (high - low)

const ofAmount1 = (low: bigint, high: bigint, amount: bigint) => (amount * Q96) / (high - low)
