import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newPair, newPool, newStablePool } from '../../test/monte-carlo-market.ts'
import { createBook } from '../amm/order-book/state.ts'
import { midPrice, swapExactIn } from '../amm/swap.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { type ExitVenue, exitDepth, poolExit } from './pool-exit.ts'
import { withdrawLiquidity } from './withdraw-liquidity.ts'

const X18 = 10n ** 18n
const orientation = { base: 0, quote: 1 }
const book = createBook({
  tickSize: { num: 1n, den: 1000n },
  takerFeePips: 1000,
  bids: [
    { ticks: 999n, base: 500n * X18 },
    { ticks: 990n, base: 5000n * X18 },
  ],
  asks: [{ ticks: 1001n, base: 500n * X18 }],
})
const markets = [newPair(), newPool({ feePips: 3000, ranges: true }), newStablePool(), book]
const venue = (market: ExitVenue['market'], more: Partial<ExitVenue> = {}): ExitVenue => ({
  venueId: market.kind,
  quoteId: 'usd',
  market,
  orientation,
  ...more,
})

describe('an exit through one pool', () => {
  it.each(markets.map((market) => [market.kind, market] as const))(
    'of %s costs what its own swap costs against its price, rounded up',
    (_kind, market) => {
      const { num, den } = midPrice(market, orientation)
      const cost = poolExit([venue(market)], [])!
      for (const quantity of [1000n, X18, 300n * X18, 4000n * X18]) {
        const { amountOut } = swapExactIn(market, { from: 0, to: 1 }, quantity)
        const keptX18 = (amountOut * den * X18) / (quantity * num)
        expect(cost(quantity)).toBe(X18 - keptX18)
      }
      expect(cost(0n)).toBe(0n)
    },
  )

  it('that takes only a part of it brings only what that part brings', () => {
    // 5,500 are wanted at all: 500 at 0.999 and 5,000 at 0.99, less a thousandth; the price is 1.
    const kept = (500 * 0.999 + 5000 * 0.99) * 0.999
    const cost = poolExit([venue(book)], [])!(55_000n * X18)
    expect(Number(cost) / 1e18).toBeCloseTo(1 - kept / 55_000, 12)
  })
})

describe('an exit through several pools', () => {
  it('costs no more than through any share of them that was tried', () => {
    const [pair, pool] = markets
    const both = poolExit([venue(pair!), venue(pool!)], [])!
    fc.assert(
      fc.property(
        fc.bigInt(10n ** 15n, 50_000n * X18),
        fc.integer({ min: 0, max: 1000 }),
        (size, share) => {
          const first = (size * BigInt(share)) / 1000n
          const out = (market: ExitVenue['market'], amount: bigint) =>
            amount === 0n ? 0n : swapExactIn(market, { from: 0, to: 1 }, amount).amountOut
          const received = out(pair!, first) + out(pool!, size - first)
          // Both have the price one.
          const cost = X18 - (received * X18) / size
          // The search for the common rate ends at a part of 2^−24 of the order.
          expect(Number(both(size))).toBeLessThanOrEqual(Number(cost) + 1e12)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('liquidity that leaves', () => {
  it.each(markets.map((market) => [market.kind, market] as const))(
    'of %s keeps the price and takes its share of the depth',
    (_kind, market) => {
      const left = withdrawLiquidity(market, 700_000)
      const [before, after] = [market, left].map((one) => midPrice(one, orientation))
      expect(Number(after!.num * before!.den) / Number(before!.num * after!.den)).toBeCloseTo(1, 9)
      const sell = (of: typeof market) =>
        Number(depthLadder(of, orientation, [20_000]).find(({ side }) => side === 'SELL')!.quote)
      expect(sell(left) / sell(market)).toBeCloseTo(0.3, 9)
      expect(withdrawLiquidity(market, 0)).toBe(market)
      expect(() => withdrawLiquidity(market, 1_000_001)).toThrow(RangeError)
    },
  )

  it('all of it leaves no exit', () => {
    const all = [{ removePips: 1_000_000 }]
    const venues = markets.map((market) => venue(market))
    expect(poolExit(venues, all)).toBeNull()
    expect(exitDepth(venues, all).map(({ quote }) => quote)).toEqual([0n, 0n, 0n, 0n])
    // Of one venue only that one.
    const some = [{ venueIds: ['UNISWAP_V2'], removePips: 1_000_000 }]
    expect(exitDepth(venues, some).map(({ quote }) => quote > 0n)).toEqual([
      false,
      true,
      true,
      true,
    ])
  })
})
