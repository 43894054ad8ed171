import type { contract } from '@liquidity-os/contract'
import { type LoggedMarket, type Orientation, priceOrNull } from '@liquidity-os/engine/amm'
import { integerSquareRoot, type Rat } from '@liquidity-os/engine/arithmetic'
import type { Static } from 'typebox'
import {
  type LiquiditySegment,
  priceX36Of,
  type SegmentedPool,
  segmentOf,
  segmentsOf,
} from './price-ranges.ts'

export type LiquidityBin = Static<typeof contract.LiquidityBin>

export interface BinTerms {
  readonly orientation: Orientation
  /** Largest distance from the price, in pips of it, below 1,000,000. */
  readonly withinPips: number
  /** Even number of bins, half of them on each side. */
  readonly bins: number
}

/** Own liquidity in a pool, by tick range. */
type OwnRanges = readonly { tickLower: number; tickUpper: number; liquidity: bigint }[]

const MILLION = 1_000_000n

/**
 * Amounts behind equal price steps around the price, the lowest price first.
 *
 * Each bin lies on one side of the price, so it holds one token. Between root prices a and b,
 * liquidity L holds
 *
 *     token0: L·2^96·(b − a) / (a·b)      token1: L·(b − a) / 2^96
 *
 * rounded down for each segment of constant liquidity. Uncollected fees are excluded.
 *
 * @param own null if own liquidity is unknown; then no bin states it
 * @returns null if the market has no price, or no liquidity by price range
 * @see Uniswap v3 whitepaper, §6.2.3
 */
export function liquidityBins(
  market: LoggedMarket,
  terms: BinTerms,
  own: OwnRanges | null,
): LiquidityBin[] | null {
  const pool = segmentsOf(market)
  const price = pool && priceOrNull(market, terms.orientation)
  if (!pool || !price || pool.sqrtPriceX96 === 0n) return null
  const { base } = terms.orientation
  const ownSegments = own?.map(segmentOf) ?? null
  return edgesOf(price, pool, terms).map(({ side, low, high }): LiquidityBin => {
    const roots = base === 0 ? [low.root, high.root] : [high.root, low.root]
    const range = { from: roots[0]!, to: roots[1]! }
    const amountOf = (segments: readonly LiquiditySegment[]) =>
      amountWithin(segments, range, (side === 'BUY') === (base === 0) ? 0 : 1)
    const valueInQuote = (amount: bigint) =>
      side === 'BUY' ? (amount * price.num) / price.den : amount
    const amount = amountOf(pool.segments)
    return {
      side,
      lowX36: low.priceX36,
      highX36: high.priceX36,
      base: `${side === 'BUY' ? amount : 0n}`,
      quote: `${side === 'SELL' ? amount : 0n}`,
      valueQuote: `${valueInQuote(amount)}`,
      ownValueQuote: ownSegments && `${valueInQuote(amountOf(ownSegments))}`,
    }
  })
}

interface Edge {
  readonly priceX36: string
  readonly root: bigint
}

/** Bins by price, each with its edges. The price itself is the edge between both sides. */
function edgesOf(
  price: Rat,
  { sqrtPriceX96 }: SegmentedPool,
  { orientation: { base }, withinPips, bins }: BinTerms,
): { side: LiquidityBin['side']; low: Edge; high: Edge }[] {
  const half = bins / 2
  const square = sqrtPriceX96 * sqrtPriceX96
  const edges = Array.from({ length: bins + 1 }, (_, index): Edge => {
    if (index === half) return { priceX36: `${priceX36Of(price)}`, root: sqrtPriceX96 }
    // The factor of the price is num/den.
    const den = MILLION * BigInt(half)
    const num = den + BigInt(index - half) * BigInt(withinPips)
    return {
      priceX36: `${priceX36Of({ num: price.num * num, den: price.den * den })}`,
      root: integerSquareRoot(base === 0 ? (square * num) / den : (square * den) / num),
    }
  })
  return edges.slice(1).map((high, index) => ({
    side: index < half ? 'SELL' : 'BUY',
    low: edges[index]!,
    high,
  }))
}

/** One token of the segments between two root prices, rounded down for each segment. */
function amountWithin(
  segments: readonly LiquiditySegment[],
  range: { from: bigint; to: bigint },
  token: 0 | 1,
): bigint {
  let sum = 0n
  for (const segment of segments) {
    const from = segment.from > range.from ? segment.from : range.from
    const to = segment.to < range.to ? segment.to : range.to
    if (from >= to) continue
    const product = segment.liquidity * (to - from)
    sum += token === 0 ? (product << 96n) / to / from : product >> 96n
  }
  return sum
}
