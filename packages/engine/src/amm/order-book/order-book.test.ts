import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depthLadder } from '../../depth/depth-ladder.ts'
import { slippageTable } from '../../depth/slippage-table.ts'
import { midPrice, swapExactIn, swapExactOut, swapToPrice } from '../swap.ts'
import { type BookLevel, type BookState, createBook } from './state.ts'

const o = { base: 0, quote: 1 }
const BUY = { from: 1, to: 0 }
const SELL = { from: 0, to: 1 }

test('levels come in any order and are added up by price', () => {
  const made = createBook({
    tickSize: { num: 1n, den: 100n },
    takerFeePips: 0,
    bids: [level(99n, 5n), level(100n, 2n), level(99n, 1n)],
    asks: [level(103n, 4n), level(101n, 7n)],
  })
  expect(made.bids).toEqual([level(100n, 2n), level(99n, 6n)])
  expect(made.asks).toEqual([level(101n, 7n), level(103n, 4n)])
  expect(midPrice(made, o)).toEqual({ num: 201n, den: 200n })
})

test.each([
  ['a crossed book', { bids: [level(5n, 1n)], asks: [level(5n, 1n)] }],
  ['a level without a size', { bids: [level(5n, 0n)], asks: [] }],
  ['a price of zero', { bids: [], asks: [level(0n, 1n)] }],
  ['a fee of all', { takerFeePips: 1_000_000, bids: [], asks: [] }],
  ['a tick of nothing', { tickSize: { num: 0n, den: 1n }, bids: [], asks: [] }],
  [
    'too many levels',
    { bids: [], asks: Array.from({ length: 2001 }, (_, i) => level(BigInt(i) + 1n, 1n)) },
  ],
])('%s is refused', (_what, terms) => {
  const terms0 = { tickSize: { num: 1n, den: 1n }, takerFeePips: 0 }
  expect(() => createBook({ ...terms0, ...terms })).toThrow(RangeError)
})

test('a buy walks the asks, pays each level rounded up and the fee from what it receives', () => {
  // 7 base at 1.01 cost 7.07, rounded up to 8; the rest of 12 buys 3 at 1.03 for 3.09, rounded up to 4.
  const swap = swapExactIn(book(), BUY, 12n)
  expect(swap).toMatchObject({ amountIn: 12n, amountOut: 9n, crossed: 1, exhausted: false })
  expect(swap.state.asks).toEqual([level(103n, 1n), level(110n, 50n)])
  expect(swap.state.bids).toEqual(book().bids)
})

test('a sale walks the bids and is paid each level rounded down', () => {
  const swap = swapExactIn(book(), SELL, 10n)
  // 2 at 1.00, 6 at 0.99 = 5.94, and 2 of 40 at 0.90 = 1.80; the fee of 1 % rounds up to one.
  expect(swap).toMatchObject({ amountIn: 10n, amountOut: 7n, crossed: 2, exhausted: false })
  expect(swap.state.bids).toEqual([level(90n, 38n)])
})

test('the displayed book ends, and nothing is invented behind it', () => {
  const swap = swapExactIn(book(), SELL, 10_000n)
  expect(swap).toMatchObject({ amountIn: 48n, crossed: 3, exhausted: true })
  expect(swap.state.bids).toEqual([])
  expect(() => midPrice(swap.state, o)).toThrow('empty side')
  const [buy, sell] = slippageTable(book(), o, [10_000n])
  expect(buy).toMatchObject({ fillable: false, pips: 1_000_000 })
  expect(sell).toMatchObject({ fillable: false, pips: 1_000_000 })
})

test('a limit stops before the first level beyond it', () => {
  const limit = { num: 100n, den: 105n }
  const swap = swapExactIn(book(), BUY, 1000n, limit)
  expect(swap.state.asks).toEqual([level(110n, 50n)])
  expect(swap.exhausted).toBe(true)
})

test('depth counts every displayed order within the band and none beyond it', () => {
  const ladder = depthLadder(book(), o, [10_000, 50_000, 200_000])
  const mid = 100.5
  const within = (pips: number) => (side: 'BUY' | 'SELL') =>
    (side === 'BUY' ? book().asks : book().bids).filter(({ ticks }) =>
      side === 'BUY'
        ? Number(ticks) <= mid * (1 + pips / 1e6)
        : Number(ticks) >= mid * (1 - pips / 1e6),
    )
  for (const { bandPips, side, quote } of ladder) {
    const levels = within(bandPips)(side)
    const value = levels.reduce((sum, { ticks, base }) => sum + Number(ticks * base) / 100, 0)
    expect(Math.abs(Number(quote) - value)).toBeLessThanOrEqual(levels.length + 2)
  }
  expect(ladder[0]).toMatchObject({ side: 'BUY', quote: 8n })
})

test('both ways of asking agree, and no walk creates value', () => {
  fc.assert(
    fc.property(books(), fc.boolean(), fc.bigInt(1n, 10n ** 12n), (made, buys, size) => {
      const d = buys ? BUY : SELL
      const given = swapExactIn(made, d, size)
      expect(given.amountIn <= size).toBe(true)
      expect(given.amountOut >= 0n && given.fee <= given.amountIn).toBe(true)
      if (given.amountOut === 0n) return
      const asked = swapExactOut(made, d, given.amountOut)
      // The smallest input for what came out is never more than what was paid for it.
      expect(asked.amountIn <= given.amountIn).toBe(true)
      expect(asked.amountOut >= given.amountOut).toBe(true)
      const limit = made.asks[0]!
      const spent = buys ? given.amountOut * limit.ticks : 0n
      // Nobody buys below the best ask.
      expect(given.amountIn * made.tickSize.den >= spent * made.tickSize.num).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('taking everything up to a price leaves only worse levels', () => {
  fc.assert(
    fc.property(books(), fc.bigInt(1n, 500_000n), (made, band) => {
      const mid = midPrice(made, o)
      const up = { num: mid.num * (1_000_000n + band), den: mid.den * 1_000_000n }
      const { state } = swapToPrice(made, o, up)
      for (const { ticks } of state.asks) {
        expect(ticks * made.tickSize.num * up.den > up.num * made.tickSize.den).toBe(true)
      }
      expect(state.bids).toEqual(made.bids)
    }),
    { numRuns: 200 },
  )
})

function book(): BookState {
  return createBook({
    tickSize: { num: 1n, den: 100n },
    takerFeePips: 10_000,
    bids: [level(100n, 2n), level(99n, 6n), level(90n, 40n)],
    asks: [level(101n, 7n), level(103n, 4n), level(110n, 50n)],
  })
}

function level(ticks: bigint, base: bigint): BookLevel {
  return { ticks, base }
}

function books(): fc.Arbitrary<BookState> {
  const levels = fc.array(
    fc.record({ ticks: fc.bigInt(1n, 1000n), base: fc.bigInt(1n, 10n ** 12n) }),
    { minLength: 1, maxLength: 12 },
  )
  return fc
    .record({
      bids: levels,
      asks: levels,
      takerFeePips: fc.integer({ min: 0, max: 50_000 }),
      den: fc.constantFrom(1n, 100n, 10n ** 9n),
    })
    .map(({ bids, asks, takerFeePips, den }) =>
      createBook({
        tickSize: { num: 1n, den },
        takerFeePips,
        bids,
        asks: asks.map(({ ticks, base }) => ({ ticks: ticks + 1000n, base })),
      }),
    )
}
