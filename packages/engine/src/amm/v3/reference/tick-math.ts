import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from '../tick-math.ts'

/** Greatest tick whose root price is at most `sqrtPriceX96`, by bisection over the definition. */
export function referenceTickAtSqrtRatio(sqrtPriceX96: bigint): number {
  let low = MIN_TICK
  let high = MAX_TICK
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (sqrtRatioAtTick(middle) <= sqrtPriceX96) low = middle
    else high = middle
  }
  return low
}
