import {
  type ClmmState,
  createClmmPool,
  createCpmmPair,
  mint,
  type PoolMarket,
  priceOrNull,
  sqrtRatioAtTick,
  swapToPrice,
  UNISWAP_V2_FEE,
} from '@liquidity-os/engine/amm'
import { valueLocked } from '@liquidity-os/engine/detection'
import { applyOperation } from '@liquidity-os/engine/parity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liquidityBins } from './liquidity-bins.ts'

interface Range {
  tickLower: number
  tickUpper: number
  liquidity: bigint
}

function poolWith(ranges: readonly Range[], tick = 0): ClmmState {
  const empty = createClmmPool({ feePips: 500, tickSpacing: 10 })
  const open = {
    kind: 'v3.initialize',
    timestamp: 1_700_000_000,
    sqrtPriceX96: sqrtRatioAtTick(tick),
  } as const
  const priced = applyOperation({ ...empty, balance0: null, balance1: null }, open).state
  return ranges.reduce(
    (pool, { liquidity, ...key }) => mint(pool, { owner: '0xA', ...key }, liquidity).state,
    priced as ClmmState,
  )
}

const anyRange = fc
  .tuple(fc.integer({ min: -300, max: 299 }), fc.integer({ min: 1, max: 200 }))
  .map(([lower, width]) => ({ tickLower: lower * 10, tickUpper: (lower + width) * 10 }))
const anyRanges = fc.array(
  fc
    .tuple(anyRange, fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }))
    .map(([range, liquidity]): Range => ({ ...range, liquidity })),
  { minLength: 1, maxLength: 6 },
)

const sum = (values: readonly string[]) => values.reduce((total, one) => total + BigInt(one), 0n)

/** Quote or base that a swap up to a price takes out of the pool. */
function takenUpTo(pool: PoolMarket, base: 0 | 1, priceX36: string): bigint {
  const orientation = { base, quote: 1 - base }
  return swapToPrice(pool, orientation, { num: BigInt(priceX36), den: 10n ** 36n }).amountOut
}

describe('the bins of a pool', () => {
  it('hold what swaps to their edges take out of it', () => {
    fc.assert(
      fc.property(
        anyRanges,
        fc.integer({ min: -2000, max: 2000 }),
        fc.constantFrom<0 | 1>(0, 1),
        fc.integer({ min: 1000, max: 400_000 }),
        (ranges, tick, base, withinPips) => {
          const pool = poolWith(ranges, tick)
          const orientation = { base, quote: 1 - base }
          const bins = liquidityBins(pool, { orientation, withinPips, bins: 20 }, null)!
          expect(bins).toHaveLength(20)
          const sell = bins.filter(({ side }) => side === 'SELL')
          const buy = bins.filter(({ side }) => side === 'BUY')
          expect([sell.length, buy.length, sell.at(-1)!.highX36]).toEqual([10, 10, buy[0]!.lowX36])
          const pairs = [
            [sum(sell.map(({ quote }) => quote)), takenUpTo(pool, base, bins[0]!.lowX36)],
            [sum(buy.map((bin) => bin.base)), takenUpTo(pool, base, bins.at(-1)!.highX36)],
          ] as const
          for (const [held, taken] of pairs) {
            // Both round down at each step: a swap at each tick and bitmap word, a bin at each segment.
            // The edge itself is rounded to a root price, at most a billionth of the amount.
            const tolerance = 200n + taken / 1_000_000_000n
            expect(held - taken).toBeLessThanOrEqual(tolerance)
            expect(taken - held).toBeLessThanOrEqual(tolerance)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('add up to the TVL if they reach all its ranges', () => {
    const pool = poolWith([
      { tickLower: -1000, tickUpper: 500, liquidity: 10n ** 24n },
      { tickLower: 100, tickUpper: 900, liquidity: 3n * 10n ** 24n },
    ])
    for (const base of [0, 1] as const) {
      const orientation = { base, quote: 1 - base }
      const bins = liquidityBins(pool, { orientation, withinPips: 200_000, bins: 200 }, null)!
      const tvl = valueLocked(pool, orientation)!
      const difference = tvl - sum(bins.map(({ valueQuote }) => valueQuote))
      expect(difference).toBeGreaterThanOrEqual(0n)
      expect(difference).toBeLessThan(1000n)
    }
  })

  it('state the own part, which is all where all positions are own', () => {
    const ranges = [{ tickLower: -1000, tickUpper: 1000, liquidity: 10n ** 24n }]
    const terms = { orientation: { base: 0, quote: 1 }, withinPips: 50_000, bins: 20 }
    for (const bin of liquidityBins(poolWith(ranges), terms, ranges)!) {
      expect(bin.ownValueQuote).toBe(bin.valueQuote)
    }
    for (const bin of liquidityBins(poolWith(ranges), terms, null)!) {
      expect(bin.ownValueQuote).toBeNull()
    }
  })

  it('of a pair hold what a swap without fee takes', () => {
    const reserves = { reserve0: 10n ** 24n, reserve1: 2n * 10n ** 24n }
    const pair: PoolMarket = {
      ...createCpmmPair({ fee: UNISWAP_V2_FEE }),
      ...reserves,
      balance0: reserves.reserve0,
      balance1: reserves.reserve1,
      totalSupply: 10n ** 24n,
    }
    const orientation = { base: 0, quote: 1 }
    const bins = liquidityBins(pair, { orientation, withinPips: 210_000, bins: 20 }, null)!
    const buy = sum(bins.map(({ base }) => base))
    // x·(1 − 1/√1.21) = x/11
    expect(buy - reserves.reserve0 / 11n).toBeGreaterThan(-1_000_000_000_000n)
    expect(buy - reserves.reserve0 / 11n).toBeLessThan(1_000_000_000_000n)
    expect(priceOrNull(pair, orientation)).toEqual({ num: 2n * 10n ** 24n, den: 10n ** 24n })
  })

  it('do not exist without a price or without price ranges', () => {
    const terms = { orientation: { base: 0, quote: 1 }, withinPips: 50_000, bins: 20 }
    expect(liquidityBins(createClmmPool({ feePips: 500, tickSpacing: 10 }), terms, null)).toBeNull()
    expect(liquidityBins(createCpmmPair({ fee: UNISWAP_V2_FEE }), terms, null)).toBeNull()
  })
})
