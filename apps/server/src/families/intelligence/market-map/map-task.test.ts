import {
  createCpmmPair,
  createStablePool,
  marketToJson,
  type PoolMarket,
  rateOfDecimals,
} from '@liquidity-os/engine/amm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import mapMarket, { type MappedVenue } from './map-task.ts'

const ether = 10n ** 18n

/** A pair of base and quote, which are token0 and token1. */
function venue(venueId: string, base: bigint, quote: bigint, feePips = 3000): MappedVenue {
  const fee = { numerator: BigInt(feePips), denominator: 1_000_000n }
  const reserves = { reserve0: base, balance0: base, reserve1: quote, balance1: quote }
  const market: PoolMarket = { ...createCpmmPair({ fee }), ...reserves, totalSupply: base }
  return {
    venueId,
    orientation: { base: 0, quote: 1 },
    feePips,
    owned: [],
    isStale: false,
    state: new TextEncoder().encode(JSON.stringify(marketToJson(market))),
  }
}

it('no venue alone gives more for an order than all of them, whatever each has for a price', () => {
  const amount = fc.bigInt({ min: ether, max: 10_000n * ether })
  const cents = fc.bigInt({ min: 80n, max: 125n })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(amount, cents), { minLength: 1, maxLength: 4 }),
      fc.bigInt({ min: ether / 100n, max: 100n * ether }),
      (pairs, size) => {
        const venues = pairs.map(([base, price], index) =>
          venue(`venue_${index}`, base, (base * price) / 100n),
        )
        const { composite } = mapMarket({ venues, sizesQuote: [`${size}`], targetBands: [] })
        for (const { allInPips, bestSingle } of composite!.executable) {
          expect(bestSingle!.allInPips).toBeGreaterThanOrEqual(allInPips)
        }
      },
    ),
    { numRuns: 200 },
  )
})

it('has a price in X36 and says that X18 is coarse for tokens of extreme decimals', () => {
  // A base of 30 decimals: 1,000 tokens for 1.234567 of a quote of 6 decimals.
  const venues = [venue('venue_extreme', 10n ** 33n, 1_234_567n)]
  const map = mapMarket({ venues, sizesQuote: ['1000'], targetBands: [] })
  const mid = { midX18: '0', midX36: '1234567000', isMidCoarse: true }
  expect(map.venues[0]).toMatchObject(mid)
  expect(map.composite).toMatchObject(mid)
  expect(BigInt(map.venues[0]!.depth[0]!.quote)).toBeGreaterThan(0n)
})

it('the best venue alone is the one that gives most, not the one that moves least from its own price', () => {
  // The deep one asks a tenth more.
  const venues = [
    venue('venue_cheap', 1000n * ether, 1000n * ether),
    venue('venue_deep', 10_000n * ether, 11_000n * ether),
  ]
  const { composite } = mapMarket({ venues, sizesQuote: [`${10n * ether}`], targetBands: [] })
  const bought = ([base, quote]: [bigint, bigint]) => {
    const paid = 10n * ether * 997n
    return (paid * base) / (quote * 1000n + paid)
  }
  const cheap = bought([1000n * ether, 1000n * ether])
  expect(cheap).toBeGreaterThan(bought([10_000n * ether, 11_000n * ether]))
  const [buy, sell] = composite!.executable
  // The common mid weighs the two by their depth, so it lies near the deep one: buying below it costs nothing.
  expect(buy!.bestSingle).toEqual({ venueId: 'venue_cheap', allInPips: 0 })
  expect(sell!.bestSingle!.venueId).toBe('venue_deep')
})

it('a StableSwap pool that its own arithmetic finds no price for is a venue without one', () => {
  const empty = createStablePool({
    variant: 'NG',
    rates: [24, 18].map(rateOfDecimals),
    amplification: 20_000n,
    feeX10: 4_000_000n,
  })
  const pool = { ...empty, balances: [999_999n, 10n ** 24n] }
  const priceless: MappedVenue = {
    ...venue('venue_priceless', ether, ether),
    state: new TextEncoder().encode(JSON.stringify(marketToJson(pool))),
  }
  const priced = venue('venue_pair', 1000n * ether, 1000n * ether)
  const map = mapMarket({ venues: [priceless, priced], sizesQuote: [`${ether}`], targetBands: [] })
  expect(map.venues[0]).toMatchObject({ midX18: null, depth: [], tvlQuote: null })
  expect(map.composite!.executable[0]!.split.map(({ venueId }) => venueId)).toEqual(['venue_pair'])
})

it('compares depth with targets net of the fee of each venue', () => {
  const venues = [
    venue('venue_cheap', 1000n * ether, 1000n * ether),
    venue('venue_dear', 1000n * ether, 1000n * ether, 10_000),
  ]
  const targetBands = [20_000]
  const alone = venues.map((one) => mapMarket({ venues: [one], sizesQuote: [], targetBands }))
  const [cheap, dear] = alone.map(({ venues: [line] }) => {
    const [buy, sell] = line!.depth.filter(({ bandPips }) => bandPips === 20_000)
    return { buy: BigInt(buy!.quote), sell: BigInt(sell!.quote) }
  })
  const bought = (cheap!.buy * 997n) / 1000n + (dear!.buy * 99n) / 100n
  const { composite } = mapMarket({ venues, sizesQuote: [], targetBands })
  expect(composite!.targetDepth).toEqual([
    { bandPips: 20_000, side: 'BUY', quote: `${bought}` },
    { bandPips: 20_000, side: 'SELL', quote: `${cheap!.sell + dear!.sell}` },
  ])
})
