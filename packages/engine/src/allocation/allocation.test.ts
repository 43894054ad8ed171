import fc from 'fast-check'
import { expect, test } from 'vitest'
import { burn, collect, midPrice, mint, swapToPrice } from '../amm/swap.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { initializePool } from '../amm/v3/administration.ts'
import { loadPool, snapshotPool } from '../amm/v3/pool.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import { printLinearProgram } from '../optimization/linear-program.ts'
import { type AllocationTerms, buildAllocationModel } from './allocation-model.ts'
import { NotThereError, placementOf, withLiquidity } from './place-liquidity.ts'
import { diffusionLoss, drawPathPrices, positionLosses } from './position-losses.ts'
import { commonMidOf, depthIn, largestWithin, sizeShare, slippageOver } from './quote-targets.ts'

const orientations = [
  { base: 0, quote: 1 },
  { base: 1, quote: 0 },
] as const

/** A pool off a tick with a wide range of others; its fee is zero where prices are to be exact. */
function pool(feePips = 3000): ClmmState {
  const open = loadPool(createClmmPool({ feePips, tickSpacing: 60 }))
  initializePool(open, sqrtRatioAtTick(1234))
  const state = { ...snapshotPool(open), balance0: null, balance1: null }
  return mint(state, { owner: 'others', tickLower: -60_000, tickUpper: 60_000 }, 10n ** 21n).state
}

const pair = (): CpmmState => {
  const [reserve0, reserve1] = [5n * 10n ** 20n, 10n ** 21n]
  const balances = { balance0: reserve0, balance1: reserve1 }
  return { ...createCpmmPair({}), reserve0, reserve1, ...balances, totalSupply: 7n * 10n ** 20n }
}

const near = { tickLower: 600, tickUpper: 1800 }

test('what is added and taken away again leaves every quote as it was', () => {
  for (const market of [pool(), pair()]) {
    const added = withLiquidity(market, near, 10n ** 20n)
    const again = withLiquidity(added, near, -(10n ** 20n))
    for (const o of orientations) {
      for (const [index, { quote }] of depthLadder(again, o, [20_000]).entries()) {
        const before = depthLadder(market, o, [20_000])[index]!.quote
        expect(quote - before <= 2n && before - quote <= 2n).toBe(true)
      }
    }
  }
})

test('more than there is cannot be taken', () => {
  const added = withLiquidity(pool(), near, 10n ** 20n)
  expect(() => withLiquidity(added, near, -(10n ** 20n) - 1n)).toThrow(NotThereError)
  expect(() => withLiquidity(added, { tickLower: 660, tickUpper: 1800 }, -1n)).toThrow(
    NotThereError,
  )
  expect(() => withLiquidity(pair(), near, -(10n ** 21n))).toThrow(NotThereError)
})

test('depth and size grow in proportion to what is placed, in both orientations', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...orientations),
      fc.constantFrom('BUY' as const, 'SELL' as const),
      fc.integer({ min: 1000, max: 80_000 }),
      fc.bigInt(10n ** 18n, 10n ** 22n),
      (o, side, bandPips, value) => {
        const price = midPrice(pool(), o)
        const gained = (amount: bigint) => {
          const [part] = placementOf(pool(), o, [near], amount, price)
          const market = withLiquidity(pool(), near, part!.liquidity)
          const limit = { side, maxSlippagePips: 3000 + bandPips, price }
          const { rate } = largestWithin([pool()], o, limit)!
          return [
            Number(depthIn(market, o, bandPips, side) - depthIn(pool(), o, bandPips, side)),
            Number(sizeShare(market, o, limit, rate) - sizeShare(pool(), o, limit, rate)),
          ]
        }
        for (const [index, one] of gained(value).entries()) {
          const three = gained(3n * value)[index]!
          expect(Math.abs(three - 3 * one)).toBeLessThanOrEqual(1e-9 * three + 20)
        }
      },
    ),
    { numRuns: 60 },
  )
})

/** The same range of others at another tick and fee. */
function poolAt(tick: number, feePips: number, liquidity: bigint): ClmmState {
  const open = loadPool(createClmmPool({ feePips, tickSpacing: 60 }))
  initializePool(open, sqrtRatioAtTick(tick))
  const state = { ...snapshotPool(open), balance0: null, balance1: null }
  return mint(state, { owner: 'others', tickLower: -60_000, tickUpper: 60_000 }, liquidity).state
}

/** One pool; a deep dear one beside a cheap one; one whose price is elsewhere; a pair and a pool. */
const marketsOf = () => [
  [pool()],
  [poolAt(1234, 10_000, 10n ** 22n), poolAt(1234, 500, 10n ** 21n)],
  [poolAt(1234, 500, 10n ** 21n), poolAt(2200, 3000, 10n ** 21n)],
  [pair(), poolAt(6932, 3000, 10n ** 21n)],
]

test('the largest trade within a limit costs the limit when it is routed, whatever fees and prices are', () => {
  for (const o of orientations) {
    for (const markets of marketsOf()) {
      const price = commonMidOf(markets, o)
      for (const side of ['BUY', 'SELL'] as const) {
        const limit = { side, maxSlippagePips: 20_000, price }
        const { sizeQuote } = largestWithin(markets, o, limit)!
        const pips = slippageOver(markets, o, { side, sizeQuote, price })
        expect(Math.abs(pips - 20_000)).toBeLessThanOrEqual(2)
        const less = slippageOver(markets, o, { side, sizeQuote: sizeQuote / 2n, price })
        expect(less).toBeLessThan(20_000)
        expect(slippageOver(markets, o, { side, sizeQuote: 10n ** 30n, price })).toBe(1_000_000)
      }
    }
  }
})

test('a limit below what fee and price of every market cost is met by no trade', () => {
  const [o] = orientations
  const [only, mixed] = marketsOf()
  const within = (markets: readonly ClmmState[], maxSlippagePips: number) => {
    const price = commonMidOf(markets, o)
    return largestWithin(markets, o, { side: 'BUY', maxSlippagePips, price })
  }
  expect(within(only as ClmmState[], 2000)).toBeNull()
  // The dear pool alone could not; the cheap one can.
  expect(within(mixed as ClmmState[], 2000)?.sizeQuote).toBeGreaterThan(0n)
  expect(within(mixed as ClmmState[], 400)).toBeNull()
})

test('shares of a size add up to it where it ends, and to more at any other rate', () => {
  for (const o of orientations) {
    for (const markets of marketsOf()) {
      for (const side of ['BUY', 'SELL'] as const) {
        const limit = { side, maxSlippagePips: 15_000, price: commonMidOf(markets, o) }
        const { sizeQuote, rate } = largestWithin(markets, o, limit)!
        const shares = (factor: bigint) => {
          const at = { num: rate.num * factor, den: rate.den * 100_000n }
          return markets.reduce((sum, market) => sum + sizeShare(market, o, limit, at), 0n)
        }
        expect(Math.abs(Number(shares(100_000n)) / Number(sizeQuote) - 1)).toBeLessThan(1e-9)
        for (const other of [99_000n, 99_900n, 100_100n, 100_500n]) {
          expect(shares(other)).toBeGreaterThan(sizeQuote)
        }
      }
    }
  }
})

test('the loss of a position is that of the exact pool whose price has moved', () => {
  for (const o of orientations) {
    for (const factor of [700n, 950n, 1000n, 1040n, 1500n]) {
      const market = pool(0)
      const liquidity = 10n ** 19n
      const key = { owner: 'own', ...near }
      const minted = mint(market, key, liquidity)
      const start = midPrice(market, o)
      const target = { num: start.num * factor, den: start.den * 1000n }
      const moved = swapToPrice<ClmmState>(minted.state, o, target).state
      const end = midPrice(moved, o)
      const { amount0, amount1 } = collect(burn(moved, key, liquidity).state, key)
      const worth = (price: typeof start, a0: bigint, a1: bigint) =>
        o.base === 0 ? quoteValue(a0, price) + a1 : quoteValue(a1, price) + a0
      const held = worth(end, minted.amount0, minted.amount1)
      const exact =
        Number(held - worth(end, amount0, amount1)) /
        Number(worth(start, minted.amount0, minted.amount1))
      const ratio = Number((end.num * start.den * 10n ** 15n) / (end.den * start.num)) / 1e15
      const prices = { paths: 1, moments: 1, ratios: Float64Array.of(ratio) }
      const { loss } = positionLosses(market, o, [near], prices)
      expect(loss[0]).toBeCloseTo(exact, 8)
      expect(loss[0]).toBeGreaterThanOrEqual(0)
    }
  }
})

test('over many paths the mean loss is the LVR', () => {
  const terms = { seed: new Uint8Array(32), stepSeconds: 3600, steps: 168, paths: 20_000 }
  const model = { kind: 'GBM', annualDrift: 0, annualVolatility: 0.8 } as const
  const prices = drawPathPrices(model, terms)
  const o = orientations[0]
  const { loss, inRange } = positionLosses(pair(), o, [near], prices)
  const mean = loss.reduce((sum, value) => sum + value, 0) / loss.length
  const expected = diffusionLoss(pair(), o, [near], { annualVolatility: 0.8, seconds: 604_800 })
  expect(Math.abs(mean / expected - 1)).toBeLessThan(0.03)
  expect(inRange).toEqual([1])
  const narrow = positionLosses(pool(), o, [near], prices)
  expect(narrow.inRange[0]).toBeGreaterThan(0.2)
  expect(narrow.inRange[0]).toBeLessThan(0.9)
})

test('the model says each limit once, and nothing of what is not limited', () => {
  const terms: AllocationTerms = {
    options: [0, 1].map((venue) => ({
      venue,
      baseShare: 0.5,
      depth: [0.2],
      most: 1000,
      existing: 0,
      feeWeight: 0.01,
      loss: 0.1,
    })),
    targets: [{ wanted: 10, present: 1, tightened: 0 }],
    budget: { base: 500, quote: 500 },
    perOption: 1,
    perVenue: 1,
    perChain: 1,
    turnover: null,
    leastPosition: null,
    mostPositions: null,
    venueMost: [null, null],
    cuts: [],
    venueFees: [],
    open: null,
  }
  const rows = (change: Partial<AllocationTerms>) =>
    buildAllocationModel({ ...terms, ...change }, { kind: 'CAPITAL', attainment: 1 }).rows.map(
      ({ name }) => name,
    )
  expect(rows({})).toEqual(['budget_base', 'budget_quote', 'depth_0'])
  expect(rows({ perOption: 0.6 })).toContain('option_1')
  expect(rows({ perVenue: 0.6 })).toContain('venue_1')
  expect(rows({ perChain: 0.6 })).toContain('chain')
  expect(rows({ turnover: 5 })).toContain('moved_down_1')
  expect(rows({ mostPositions: 1 })).toContain('count')
  expect(rows({ venueMost: [null, 3] })).toContain('venuecap_1')
  expect(rows({ cuts: [{ gradient: [1, 1], limit: 2 }] })).toContain('risk_0')
  const income = buildAllocationModel(
    { ...terms, venueFees: [5, 5] },
    { kind: 'INCOME', attainment: 1, mostCapital: 50 },
  )
  expect(income.rows.filter(({ name }) => name.startsWith('fee_1_'))).toHaveLength(12)
  expect(printLinearProgram(income)).toBe(printLinearProgram(structuredClone(income)))
})
