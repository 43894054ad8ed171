import { expect, it } from 'vitest'
import type { MarketSummary } from '../api/markets.ts'
import { missingReason, partialVenues, partialVolume } from './market-reasons.ts'
import { sparkLines } from './sparkline.tsx'

const venue = (isFresh: boolean) => ({ venueId: 'venue_1', name: 'ENS / WETH', isFresh })
const marketOf = (change: object) =>
  ({
    reasons: [],
    priceX36: '1',
    venues: [venue(true)],
    volumeCoveragePips: 1_000_000,
    ...change,
  }) as unknown as MarketSummary

it('names the cause of a missing figure', () => {
  const unpriced = marketOf({ priceX36: null, reasons: ['VENUE_STALE', 'NO_PRICE'] })
  expect(missingReason(unpriced, 'price')).toBe('A venue has no data of the last 15 minutes.')
  const young = marketOf({ reasons: ['VENUE_STALE', 'CHANGE_24H_UNKNOWN'] })
  expect(missingReason(young, 'change')).toBe('No observed price 24 h ago.')
})

it('states the omitted parts of a figure', () => {
  expect(partialVenues(marketOf({}))).toBeNull()
  const stale = marketOf({ venues: [venue(true), venue(false)], reasons: ['VENUE_STALE'] })
  expect(partialVenues(stale)).toBe(
    '1 of 2 venues count. A venue has no data of the last 15 minutes.',
  )
  expect(partialVolume(marketOf({ volumeCoveragePips: 950_000 }))).toBeNull()
  // Never more than was observed.
  expect(partialVolume(marketOf({ volumeCoveragePips: 949_999 }))).toBe(
    'Lower bound: data covers 94.9\u00a0% of the last 24 h.',
  )
})

it('breaks a spark line at a missing price, and centers a flat one', () => {
  const price = (value: number) => `${BigInt(value) * 10n ** 36n}`
  expect(
    sparkLines(
      [
        [0, price(1)],
        [1, price(2)],
        [2, null],
        [3, price(1)],
      ],
      36,
    ),
  ).toEqual(['2.0,26.0 27.3,2.0', '78.0,26.0'])
  expect(
    sparkLines(
      [
        [0, price(5)],
        [4, price(5)],
      ],
      36,
    ),
  ).toEqual(['2.0,14.0 78.0,14.0'])
  expect(sparkLines([[0, null]], 36)).toEqual([])
})
