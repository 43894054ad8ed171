import {
  type ClmmState,
  type LoggedMarket,
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  sqrtRatioAtTick,
} from '@liquidity-os/engine/amm'
import { integerSquareRoot, type Rat } from '@liquidity-os/engine/arithmetic'

/** Constant liquidity between two root prices, Q64.96. */
export interface LiquiditySegment {
  readonly from: bigint
  readonly to: bigint
  readonly liquidity: bigint
}

/** A pool as segments of constant liquidity, ascending. */
export interface SegmentedPool {
  readonly sqrtPriceX96: bigint
  readonly segments: readonly LiquiditySegment[]
}

const X36 = 10n ** 36n

/** @returns null for a market that has no liquidity by price range */
export function segmentsOf(market: LoggedMarket): SegmentedPool | null {
  if (market.kind === 'UNISWAP_V3') {
    return { sqrtPriceX96: market.sqrtPriceX96, segments: segmentsOfTicks(market) }
  }
  if (market.kind !== 'UNISWAP_V2') return null
  const { reserve0, reserve1 } = market
  if (reserve0 === 0n) return { sqrtPriceX96: 0n, segments: [] }
  const liquidity = integerSquareRoot(reserve0 * reserve1)
  return {
    sqrtPriceX96: integerSquareRoot((reserve1 << 192n) / reserve0),
    segments: [{ from: MIN_SQRT_RATIO, to: MAX_SQRT_RATIO, liquidity }],
  }
}

function segmentsOfTicks({ ticks }: ClmmState): LiquiditySegment[] {
  let liquidity = 0n
  const segments: LiquiditySegment[] = []
  for (const [itemIndex, { index, liquidityNet }] of ticks.entries()) {
    liquidity += liquidityNet
    const next = ticks[itemIndex + 1]
    if (next === undefined || liquidity === 0n) continue
    segments.push({ from: sqrtRatioAtTick(index), to: sqrtRatioAtTick(next.index), liquidity })
  }
  return segments
}

/** The segment of a position. */
export const segmentOf = (position: {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}): LiquiditySegment => ({
  from: sqrtRatioAtTick(position.tickLower),
  to: sqrtRatioAtTick(position.tickUpper),
  liquidity: position.liquidity,
})

/** Price of the base at a root price, quote atoms per base atom × 10^36, rounded down. */
export const priceX36At = (sqrtPriceX96: bigint, base: number): string => {
  const square = sqrtPriceX96 * sqrtPriceX96
  return `${base === 0 ? (square * X36) >> 192n : (X36 << 192n) / square}`
}

/** A price × 10^36, rounded down. */
export const priceX36Of = ({ num, den }: Rat): bigint => (num * X36) / den
