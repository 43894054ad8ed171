import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import { stableRecordings } from '../../test/stable-recordings.ts'
import type { Market, Orientation } from '../amm/market.ts'
import { createBook } from '../amm/order-book/state.ts'
import { swapExactIn } from '../amm/swap.ts'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import { type Route, routeOf } from './route.ts'
import { type Split, splitOrder, splitOverRoutes, type Venue } from './split-order.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const pool = readClmmState(readDatasetJson(file), file).state
const o: Orientation = { base: 0, quote: 1 }
const UNIT = 10n ** 18n

test('two equal pairs share an order equally, and it costs what the double pair would cost', () => {
  const one = pair(1000n, 2000n)
  const split = splitOrder(venues(one, one), [o, o], 'BUY', 20n * UNIT)
  const [first, second] = split.legs
  const apart = first!.amountIn - second!.amountIn
  expect(apart < UNIT / 1000n && apart > -UNIT / 1000n).toBe(true)
  const double = swapExactIn(pair(2000n, 4000n), { from: 1, to: 0 }, 20n * UNIT)
  const lost = double.amountOut - split.amountOut
  expect(lost >= 0n && lost < 10n ** 6n).toBe(true)
  expect(split).toMatchObject({ amountIn: 20n * UNIT, unfilled: 0n, gasQuote: 0n })
})

test('the split beats every single market and every other split on a grid', () => {
  const [a, b] = [pair(1000n, 2000n), pair(300n, 605n, 1n)]
  for (const side of ['BUY', 'SELL'] as const) {
    const size = 40n * UNIT
    const split = splitOrder(venues(a, b), [o, o], side, size)
    const d = side === 'BUY' ? { from: 1, to: 0 } : { from: 0, to: 1 }
    for (let share = 0n; share <= 1000n; share++) {
      const first = (size * share) / 1000n
      const out = (m: Market, amount: bigint) =>
        amount === 0n ? 0n : swapExactIn(m, d, amount).amountOut
      const total = out(a, first) + out(b, size - first)
      // The bisection ends within 2^-24 of the order, and its loss is of second order.
      expect(split.amountOut + 10n ** 6n >= total).toBe(true)
    }
  }
})

test('a pair, a StableSwap pool and a book end at one price', () => {
  const stable = stableRecordings().find(({ file }) => file.includes('eth_oeth'))!.state
  const mid = 100_000n
  const book = createBook({
    tickSize: { num: 1n, den: 100_000n },
    takerFeePips: 200,
    bids: levels(mid - 10n, -7n),
    asks: levels(mid + 10n, 7n),
  })
  const markets: Market[] = [pair(9000n, 9010n, 0n), stable, book]
  const all = markets.map(() => o)
  const size = 3000n * UNIT
  const split = splitOrder(venues(...markets), all, 'BUY', size)
  expect(split.legs).toHaveLength(3)
  expect(split.amountIn).toBe(size)
  // No market would have paid more for one leg's last part.
  const part = size / 50n
  for (const giver of split.legs) {
    for (const taker of split.legs) {
      if (giver === taker || giver.amountIn <= part) continue
      const d = { from: 1, to: 0 }
      const at = (id: string, amount: bigint) =>
        swapExactIn(markets[Number(id)]!, d, amount).amountOut
      const lost = giver.amountOut - at(giver.venueId, giver.amountIn - part)
      const gained = at(taker.venueId, taker.amountIn + part) - taker.amountOut
      expect(gained <= lost + lost / 10_000n).toBe(true)
    }
  }
})

test('gas keeps a small order on one market and lets a large one use more', () => {
  const markets = [pair(1000n, 2000n), pair(1000n, 2000n), pair(1000n, 2000n)]
  const costly = venues(...markets).map((venue) => ({ ...venue, gasQuote: UNIT / 20n }))
  const used = (size: bigint) => splitOrder(costly, [o, o, o], 'SELL', size).legs.length
  expect(used(UNIT / 2n)).toBe(1)
  expect(used(200n * UNIT)).toBe(3)
})

test('above six markets the worst are left out one by one', () => {
  const markets = Array.from({ length: 9 }, (_, index) => pair(100n, 200n + BigInt(index)))
  const costly = venues(...markets).map((venue) => ({ ...venue, gasQuote: UNIT / 10n }))
  const all = markets.map(() => o)
  const split = splitOrder(costly, all, 'SELL', UNIT)
  const without = splitOrder(venues(...markets), all, 'SELL', UNIT)
  expect(split.legs.length).toBeLessThan(without.legs.length)
  const net = (of: Split) => of.amountOut - (BigInt(of.legs.length) * UNIT) / 10n
  expect(net(split) >= net(without)).toBe(true)
})

test('what all markets together cannot take is told', () => {
  const book = createBook({
    tickSize: { num: 1n, den: 1n },
    takerFeePips: 0,
    bids: [{ ticks: 2n, base: 100n }],
    asks: [{ ticks: 3n, base: 100n }],
  })
  const split = splitOrder(venues(book), [o], 'SELL', 1000n)
  expect(split).toMatchObject({ amountIn: 100n, amountOut: 200n, unfilled: 900n })
  const empty = createCpmmPair({})
  expect(splitOrder(venues(empty), [o], 'BUY', 5n)).toMatchObject({ legs: [], unfilled: 5n })
})

test('on random pairs no order gets less than on the best single one', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          base: fc.bigInt(1n, 10n ** 6n),
          premium: fc.bigInt(900n, 1100n),
          fee: fc.bigInt(0n, 100n),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.bigInt(1n, 10n ** 6n),
      (drawn, milli) => {
        const markets = drawn.map(({ base, premium, fee }) =>
          pair(base, (base * 2n * premium) / 1000n + 1n, fee),
        )
        const size = (milli * UNIT) / 1000n
        const split = splitOrder(
          venues(...markets),
          markets.map(() => o),
          'SELL',
          size,
        )
        expect(split.amountIn + split.unfilled).toBe(size)
        for (const market of markets) {
          const alone = swapExactIn(market, { from: 0, to: 1 }, size).amountOut
          expect(split.amountOut + alone / 10n ** 9n + 10n >= alone).toBe(true)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a real v3 pool beside a pair at its price', () => {
  const beside = pair(0n, 0n)
  const reserves = { reserve0: 10n ** 10n, reserve1: 2_700n * UNIT }
  const near: CpmmState = {
    ...beside,
    ...reserves,
    balance0: reserves.reserve0,
    balance1: reserves.reserve1,
  }
  const split = splitOrder(venues(pool, near), [o, o], 'BUY', 100n * UNIT)
  const alone = swapExactIn(pool, { from: 1, to: 0 }, 100n * UNIT).amountOut
  expect(split.amountOut >= alone).toBe(true)
})

test('orders and orientations that make no sense are refused', () => {
  const venue = venues(pair(1n, 1n))
  expect(() => splitOrder(venue, [o], 'BUY', 0n)).toThrow(RangeError)
  expect(() => splitOrder(venue, [], 'BUY', 1n)).toThrow(RangeError)
  expect(() => splitOrder(venue, [{ base: 0, quote: 2 }], 'BUY', 1n)).toThrow(RangeError)
})

function venues(...markets: readonly Market[]): Venue[] {
  return markets.map((market, index) => ({ venueId: `${index}`, market, gasQuote: 0n }))
}

function pair(base: bigint, quote: bigint, feePermille = 3n): CpmmState {
  const [reserve0, reserve1] = [base * UNIT, quote * UNIT]
  const fee = { numerator: feePermille, denominator: 1000n }
  const reserves = { reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
  return { ...createCpmmPair({ fee }), ...reserves }
}

function levels(from: bigint, step: bigint) {
  return Array.from({ length: 20 }, (_, index) => ({
    ticks: from + step * BigInt(index),
    base: 60n * UNIT,
  }))
}

test('sends the whole of an order to the only market without asking for its rates', () => {
  let asked = 0
  const route = routeOf(pair(1000n, 1000n), { from: 1, to: 0 })
  const counted: Route = {
    ...route,
    inputAt: (rate, most) => {
      asked += 1
      return route.inputAt(rate, most)
    },
  }
  const size = 10n ** 18n
  const { legs, unfilled } = splitOverRoutes(
    [{ venueId: 'only', gasQuote: 0n, route: counted }],
    'BUY',
    size,
  )
  expect(legs).toEqual([{ venueId: 'only', ...route.swap(size) }])
  expect([unfilled, asked]).toEqual([0n, 0])
})

test('the best rate of a StableSwap pool is its price less the fee', () => {
  const stable = stableRecordings().find(({ file }) => file.includes('eth_oeth'))!.state
  const { best, swap } = routeOf(stable, { from: 0, to: 1 })
  const fill = swap(10n ** 15n)!
  const expected = Number((best.num * 10n ** 12n) / best.den) / 1e12
  expect(Number(fill.amountOut) / Number(fill.amountIn)).toBeCloseTo(expected, 6)
})
