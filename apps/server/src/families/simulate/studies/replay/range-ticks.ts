import {
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  MIN_TICK,
  type Orientation,
  tickAtSqrtRatio,
} from '@liquidity-os/engine/amm'
import { integerSquareRoot } from '@liquidity-os/engine/arithmetic'

/**
 * Ticks of a range given by its distances from the start price, rounded outwards to the spacing. The edges
 * are √(P·(1 ± distance)); with the base as token1 the pool's price runs the other way.
 */
export function ticksAround(
  sqrtPriceX96: bigint,
  tickSpacing: number,
  range: { lowerPips: number; upperPips: number },
  orientation: Orientation,
): { tickLower: number; tickUpper: number } {
  const million = 1_000_000n
  const factor = (pips: number, sign: bigint) => million + sign * BigInt(pips)
  const [low, high] = [factor(range.lowerPips, -1n), factor(range.upperPips, 1n)]
  const root = (num: bigint, den: bigint) => integerSquareRoot((sqrtPriceX96 ** 2n * num) / den)
  const isBase0 = orientation.base === 0
  const below = isBase0 ? root(low, million) : root(million, high)
  const above = isBase0 ? root(high, million) : root(million, low === 0n ? 1n : low)
  const lowest = Math.ceil(MIN_TICK / tickSpacing) * tickSpacing
  const floor = (tick: number) => Math.floor(tick / tickSpacing) * tickSpacing
  const ceil = (tick: number) => Math.ceil(tick / tickSpacing) * tickSpacing
  const clamp = (tick: number) => Math.min(Math.max(tick, lowest), -lowest)
  return {
    tickLower: clamp(floor(tickOf(below))),
    tickUpper: clamp(ceil(tickOf(above) + 1)),
  }
}

function tickOf(root: bigint): number {
  const highest = MAX_SQRT_RATIO - 1n
  return tickAtSqrtRatio(root < MIN_SQRT_RATIO ? MIN_SQRT_RATIO : root > highest ? highest : root)
}
