import type { ClmmState, LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import { valueLocked } from '@liquidity-os/engine/detection'
import { followMarket, type MarketFollower } from '@liquidity-os/engine/replay'
import { CompositeMarket, type CompositeVenue } from '@liquidity-os/engine/scoring'
import { parseExact } from '../../../market/exact-json.ts'
import { midPriceOf } from '../../../market/mid-price.ts'
import { type OwnPosition, ownLiquidityIn } from '../../../market/own-positions.ts'

/** A venue for a thread. */
export interface MappedVenue {
  readonly venueId: string
  readonly orientation: Orientation
  readonly feePips: number
  /** The newest sealed state, as JSON. */
  readonly state: Uint8Array
  /** Null if a field of the profile is unknown. */
  readonly owned: readonly OwnPosition[] | null
  /** True if the state is too old. The venue is shown but excluded from the combined market. */
  readonly isStale: boolean
}

export interface MapTask {
  readonly venues: readonly MappedVenue[]
  readonly sizesQuote: readonly string[]
  /** Price distances of the depth targets, in pips. */
  readonly targetBands: readonly number[]
}

interface Depth {
  bandPips: number
  side: 'BUY' | 'SELL'
  quote: string
}

export interface MappedMarket {
  /** In the order of the task. */
  venues: {
    midX18: string | null
    midX36: string | null
    isMidCoarse: boolean
    depth: Depth[]
    depthSharePips: number | null
    tvlQuote: string | null
    ownDepthSharePips: number | null
  }[]
  composite: {
    midX18: string
    midX36: string
    isMidCoarse: boolean
    depth: Depth[]
    /** Depth at the target bands, after fees. */
    targetDepth: Depth[]
    executable: {
      sizeQuote: string
      side: 'BUY' | 'SELL'
      allInPips: number
      split: { venueId: string; amountQuote: string }[]
      bestSingle: { venueId: string; allInPips: number } | null
      gasQuote: string | null
    }[]
  } | null
}

const bands = [10_000, 20_000, 50_000, 100_000]
const usualBandPips = 20_000
const MILLION = 1_000_000n

/** Quotes each venue and the combined market. Pure: equal states give an equal map. */
export default function mapMarket({ venues, sizesQuote, targetBands }: MapTask): MappedMarket {
  const markets = venues.map(({ state }) => {
    const value = parseExact(new TextDecoder().decode(state)) as LoggedMarket
    return { value, market: followMarket(value) }
  })
  const live = venues.flatMap((venue, index) => {
    const { market } = markets[index]!
    return venue.isStale || market.mid(venue.orientation) === null ? [] : [{ ...venue, market }]
  })
  const thin = (market: MarketFollower, o: Orientation) => {
    const sides = market.depth(o, [usualBandPips]).map(({ quote }) => quote)
    return sides.length === 0 ? 0n : sides.reduce((min, one) => (one < min ? one : min))
  }
  const total = live.reduce((sum, { market, orientation }) => sum + thin(market, orientation), 0n)
  return {
    venues: venues.map((venue, index) => {
      const { market, value } = markets[index]!
      const { orientation } = venue
      const own = thin(market, orientation)
      return {
        ...midOf(market, orientation),
        depth: texts(market.depth(orientation, bands)),
        depthSharePips: venue.isStale || total === 0n ? null : Number((own * MILLION) / total),
        tvlQuote: textOf(valueLocked(value, orientation)),
        ownDepthSharePips: ownShare(value, venue, own),
      }
    }),
    composite: live.length === 0 ? null : compositeOf(live, sizesQuote, targetBands),
  }
}

const textOf = (value: bigint | null) => (value === null ? null : `${value}`)
const texts = (ladder: readonly { bandPips: number; side: 'BUY' | 'SELL'; quote: bigint }[]) =>
  ladder.map(({ bandPips, side, quote }) => ({ bandPips, side, quote: `${quote}` }))

function midOf(market: MarketFollower, o: Orientation) {
  const mid = market.mid(o)
  return mid === null ? { midX18: null, midX36: null, isMidCoarse: false } : midPriceOf(mid)
}

function compositeOf(
  live: readonly CompositeVenue[],
  sizes: readonly string[],
  targetBands: readonly number[],
): MappedMarket['composite'] {
  const composite = new CompositeMarket(live)
  const alone = live.map((venue) => ({ venue, market: new CompositeMarket([venue]) }))
  const mid = composite.mid()
  if (mid === null) return null
  return {
    ...midPriceOf(mid),
    depth: texts(composite.depth(bands)),
    targetDepth: texts(composite.netDepth(targetBands)),
    executable: sizes.flatMap((size) =>
      (['BUY', 'SELL'] as const).flatMap((side) => {
        const slip = composite.slippage(BigInt(size), side)
        if (slip === null) return []
        const { legs } = slip.split
        const quoteOf = (leg: (typeof legs)[number]) =>
          side === 'BUY' ? leg.amountIn : leg.amountOut
        // Against the common mid: a high price at one venue must not make that venue look cheap.
        const singles = alone.map(({ venue, market }) => ({
          venueId: venue.venueId,
          allInPips: market.slippageFrom(mid, BigInt(size), side).pips,
        }))
        const [best] = singles.toSorted((a, b) => a.allInPips - b.allInPips)
        return [
          {
            sizeQuote: size,
            side,
            allInPips: slip.pips,
            split: legs.map((leg) => ({ venueId: leg.venueId, amountQuote: `${quoteOf(leg)}` })),
            bestSingle: best ?? null,
            gasQuote: null,
          },
        ]
      }),
    ),
  }
}

/**
 * Part of the 2 % depth from owned positions. Null if the venue names no position, or some are
 * unknown.
 */
function ownShare(value: LoggedMarket, { owned, orientation }: MappedVenue, depth: bigint) {
  if (!owned || value.kind !== 'UNISWAP_V3' || depth === 0n) return null
  const remaining = followMarket(withoutOwned(value, owned)).depth(orientation, [usualBandPips])
  const others = remaining.map(({ quote }) => quote)
  const rest = others.reduce((min, one) => (one < min ? one : min), depth)
  return Number(((depth - rest) * MILLION) / depth)
}

function withoutOwned(pool: ClmmState, owned: readonly OwnPosition[]): ClmmState {
  const ticks = new Map(pool.ticks.map((tick) => [tick.index, tick]))
  let { liquidity } = pool
  for (const position of ownLiquidityIn(pool, owned)) {
    const change = (index: number, net: bigint) => {
      const tick = ticks.get(index)
      if (!tick) return
      const liquidityGross = tick.liquidityGross - position.liquidity
      ticks.set(index, { ...tick, liquidityGross, liquidityNet: tick.liquidityNet + net })
    }
    change(position.tickLower, -position.liquidity)
    change(position.tickUpper, position.liquidity)
    if (position.tickLower <= pool.tick && pool.tick < position.tickUpper) {
      liquidity -= position.liquidity
    }
  }
  return {
    ...pool,
    liquidity,
    ticks: [...ticks.values()].filter(({ liquidityGross }) => liquidityGross > 0n),
  }
}
