import { assertTokens, type Market, type Orientation } from '../amm/market.ts'
import { midPrice, swapToPrice } from '../amm/swap.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import { quoterOfPool, type SwapQuoter } from '../amm/v3/swap.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../amm/v3/tick-math.ts'
import { integerSquareRoot } from '../arithmetic/integer.ts'

export type Side = 'BUY' | 'SELL'

/** Quote volume between the mid price and a band around it, one side. */
export interface Depth {
  readonly bandPips: number
  readonly side: Side
  /** BUY: quote paid, fee included. SELL: quote received. */
  readonly quote: bigint
}

const MILLION = 1_000_000n
const X10 = 10n ** 10n
/** int256: only the price stops the swap. */
const UNLIMITED_INPUT = (1n << 255n) - 1n

/**
 * Depth on both sides of the marginal price P without fee, for each band b.
 *
 *     BUY:  gross quote paid by the swap that ends at P·(1 + b)
 *     SELL: quote received by the swap that ends at P·(1 − b)
 *
 * A v3 pool moves exactly to the root price isqrt of the target. A v2 pair and a StableSwap pool
 * take the largest input whose resulting price does not pass the target. For an order book, P is
 * the mid, and every displayed order up to the target counts.
 *
 * @param o base token; P is its price in the other token
 * @param bandsPips each in 1..1,000,000
 * @throws RangeError for another band
 */
export function depthLadder(m: Market, o: Orientation, bandsPips: readonly number[]): Depth[] {
  assertTokens(m, o.base, o.quote)
  if (m.kind === 'UNISWAP_V3') return poolDepthLadder(loadPool(m), o, bandsPips)
  return eachBand(bandsPips, (bandPips, side) => depthByPrice(m, o, bandPips, side))
}

/** As `depthLadder`, on the working form of a v3 pool, which is not changed, or on other quotes of the same. */
export function poolDepthLadder(
  pool: Pool,
  o: Orientation,
  bandsPips: readonly number[],
  quote: SwapQuoter = quoterOfPool(pool),
): Depth[] {
  const { sqrtPriceX96 } = pool
  return eachBand(bandsPips, (bandPips, side) => poolDepth(sqrtPriceX96, quote, o, bandPips, side))
}

/**
 * Depth in the definition of targets: a buy by the amount paid without the fee, rounded down; a
 * sell by the amount received.
 *
 * @param feeX10 swap fee, part of the input; 10^10 is the whole input
 */
export function depthNetOfFee(
  { side, quote }: Pick<Depth, 'side' | 'quote'>,
  feeX10: bigint,
): bigint {
  return side === 'BUY' ? (quote * (X10 - feeX10)) / X10 : quote
}

function eachBand(
  bandsPips: readonly number[],
  measure: (bandPips: bigint, side: Side) => bigint,
): Depth[] {
  return bandsPips.flatMap((bandPips) => {
    if (!Number.isInteger(bandPips) || bandPips < 1 || bandPips > 1_000_000) {
      throw new RangeError(`a band of ${bandPips} pips; expected a whole number in 1..1000000`)
    }
    const sides: Side[] = ['BUY', 'SELL']
    return sides.map((side) => ({ bandPips, side, quote: measure(BigInt(bandPips), side) }))
  })
}

function poolDepth(
  sqrtPriceX96: bigint,
  quote: SwapQuoter,
  o: Orientation,
  bandPips: bigint,
  side: Side,
): bigint {
  const target = targetRoot(sqrtPriceX96, o, bandPips, side)
  const zeroForOne = (side === 'SELL') === (o.base === 0)
  const moves = zeroForOne ? target < sqrtPriceX96 : target > sqrtPriceX96
  if (!moves) return 0n
  const { amountIn, amountOut } = quote({
    zeroForOne,
    amountSpecified: UNLIMITED_INPUT,
    sqrtPriceLimitX96: target,
  })
  return side === 'BUY' ? amountIn : amountOut
}

/** Root of the target price in the pool's own terms: inverted when the base is token1. */
function targetRoot(sqrtPriceX96: bigint, o: Orientation, bandPips: bigint, side: Side): bigint {
  const factor = side === 'BUY' ? MILLION + bandPips : MILLION - bandPips
  if (factor === 0n) return o.base === 0 ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n
  const square = sqrtPriceX96 * sqrtPriceX96
  const scaled = o.base === 0 ? (square * factor) / MILLION : (square * MILLION) / factor
  const root = integerSquareRoot(scaled)
  if (root <= MIN_SQRT_RATIO) return MIN_SQRT_RATIO + 1n
  return root >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : root
}

function depthByPrice(
  m: Exclude<Market, { kind: 'UNISWAP_V3' }>,
  o: Orientation,
  bandPips: bigint,
  side: Side,
): bigint {
  const mid = midPrice(m, o)
  const factor = side === 'BUY' ? MILLION + bandPips : MILLION - bandPips
  const swap = swapToPrice<Market>(m, o, { num: mid.num * factor, den: mid.den * MILLION })
  return side === 'BUY' ? swap.amountIn : swap.amountOut
}
