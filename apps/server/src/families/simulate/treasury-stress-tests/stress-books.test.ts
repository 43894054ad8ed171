import { expect, it } from 'vitest'
import type { ReadMarket } from './read-markets.ts'
import type { ReadPortfolio } from './read-portfolio.ts'
import { stressBooks } from './stress-books.ts'

const venue = {
  venueId: 'venue_a',
  quoteKey: 'iso4217:USD',
  orientation: { base: 0, quote: 1 },
  market: {},
} as unknown as ReadMarket['venues'][number]
const emptyBooks = { holdings: [], flows: { obligations: [], inflows: [] }, set: null }

const volumeOf = (market: Partial<ReadMarket>, volatility?: number) => {
  const assetKey = 'eip155:1/slip44:60'
  const books = stressBooks(
    { ownToken: 'APART' } as never,
    emptyBooks as unknown as ReadPortfolio,
    [
      {
        assetKey,
        volumeSource: 'OBSERVED',
        observedDays: 30,
        venues: [],
        ...market,
      } as ReadMarket,
    ],
    new Map(volatility === undefined ? [] : [[assetKey, volatility]]),
  )
  return books.markets.get(assetKey)!.volume
}

it('holds a sale to its share of the volume also where no volatility is known, if a pool could take it', () => {
  expect(volumeOf({ dailyVolume: 100n, venues: [venue] })).toEqual({ daily: 100n, volatility: 0 })
  expect(volumeOf({ dailyVolume: 0n, venues: [venue] }, 0.05)).toEqual({
    daily: 0n,
    volatility: 0.05,
  })
  expect(volumeOf({ dailyVolume: 100n }, 0.05)).toEqual({ daily: 100n, volatility: 0.05 })
  // Nothing at all says what it could be sold for.
  expect(volumeOf({ dailyVolume: 100n })).toBeNull()
  expect(volumeOf({ dailyVolume: null, venues: [venue] }, 0.05)).toBeNull()
})
