import { createClmmPool, liquidityForAmounts, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { priceX36At } from '../../intelligence/venue-liquidity/api.ts'
import {
  depositAmounts,
  fullRange,
  type PricedPool,
  rangeOfPrices,
  withdrawalAmounts,
} from './liquidity-amounts.ts'

const tickSpacing = 10
const poolAt = (tick: number): PricedPool => ({
  feePips: 500,
  tickSpacing,
  sqrtPriceX96: sqrtRatioAtTick(tick),
  tick,
})
const most = [10n ** 18n, 10n ** 18n] as const

it('requires an amount of both tokens, also in a range narrower than the tolerated move', () => {
  const range = { tickLower: -10, tickUpper: 10 }
  for (const { minimum, expected } of [
    depositAmounts(poolAt(0), range, most, 10_000),
    withdrawalAmounts(poolAt(0), range, 10n ** 18n, 10_000),
  ]) {
    for (const [index, least] of minimum.entries()) {
      expect(least).toBeGreaterThan(0n)
      expect(least).toBeLessThan(expected[index] ?? 0n)
    }
  }
})

it('requires the whole amount of a deposit of one token beside its range', () => {
  const range = { tickLower: -10, tickUpper: 10 }
  const below = depositAmounts(poolAt(-15), range, [10n ** 18n, 0n], 10_000)
  expect(below.minimum[0]).toBeGreaterThan((below.expected[0] * 999_999n) / 1_000_000n)
  const above = depositAmounts(poolAt(15), range, [0n, 10n ** 18n], 10_000)
  expect(above.minimum[1]).toBeGreaterThan((above.expected[1] * 999_999n) / 1_000_000n)
})

it('states minimums that each price within the tolerated move reaches', () => {
  const moves = fc.integer({ min: -95, max: 95 })
  fc.assert(
    fc.property(fc.integer({ min: -2000, max: 2000 }), moves, (tick, move) => {
      const range = { tickLower: tick - 2000 - (tick % 10), tickUpper: tick + 2000 - (tick % 10) }
      const { minimum } = depositAmounts(poolAt(tick), range, most, 10_000)
      // 1 % is 99.5 ticks up and 100.5 ticks down.
      const { expected } = depositAmounts(poolAt(tick + move), range, most, 0)
      expect(expected[0]).toBeGreaterThanOrEqual(minimum[0])
      expect(expected[1]).toBeGreaterThanOrEqual(minimum[1])
    }),
    { numRuns: 300 },
  )
})

it('gives the liquidity of the position manager', () => {
  const range = { tickLower: -600, tickUpper: 1200 }
  const pool = { ...createClmmPool({ feePips: 500, tickSpacing }), ...poolAt(37) }
  expect(depositAmounts(poolAt(37), range, most, 0).liquidity).toBe(
    liquidityForAmounts(pool, -600, 1200, ...most),
  )
})

it('finds the range of the prices that it states, for each order of the tokens', () => {
  const ticks = fc.integer({ min: -88_000, max: 87_000 })
  fc.assert(
    fc.property(
      ticks,
      fc.integer({ min: 1, max: 900 }),
      fc.constantFrom(0, 1),
      (at, span, base) => {
        const tickLower = at * tickSpacing
        const range = { tickLower, tickUpper: Math.min(tickLower + span * tickSpacing, 887_270) }
        const prices = [range.tickLower, range.tickUpper].map((tick) =>
          BigInt(priceX36At(sqrtRatioAtTick(tick), base)),
        )
        const [lowX36 = 0n, highX36 = 0n] = base === 0 ? prices : prices.toReversed()
        // Below 10 digits a price does not identify a tick.
        fc.pre(lowX36 > 10n ** 10n && highX36 > lowX36)
        expect(rangeOfPrices({ lowX36, highX36 }, base, tickSpacing)).toEqual(range)
      },
    ),
    { numRuns: 1000 },
  )
})

it('moves prices outward to usable ticks, within the full range', () => {
  const price = (tick: number) => BigInt(priceX36At(sqrtRatioAtTick(tick), 0))
  expect(rangeOfPrices({ lowX36: price(-15), highX36: price(23) }, 0, tickSpacing)).toEqual({
    tickLower: -20,
    tickUpper: 30,
  })
  // ln(10^-36) / ln(1.0001) is -828,973.
  expect(rangeOfPrices({ lowX36: 1n, highX36: 10n ** 80n }, 0, tickSpacing)).toEqual({
    tickLower: -828_980,
    tickUpper: fullRange(tickSpacing).tickUpper,
  })
})
