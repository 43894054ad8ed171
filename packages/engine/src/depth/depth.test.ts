import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import type { Orientation } from '../amm/market.ts'
import { midPrice, swapExactIn, swapToPrice } from '../amm/swap.ts'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import { depthLadder } from './depth-ladder.ts'
import { slippageTable } from './slippage-table.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const pool = readClmmState(readDatasetJson(file), file).state
const orientations: Orientation[] = [
  { base: 0, quote: 1 },
  { base: 1, quote: 0 },
]

test('depth is what the swap to the edge of the band moves, on both sides and in both orientations', () => {
  for (const o of orientations) {
    const mid = midPrice(pool, o)
    for (const { bandPips, side, quote } of depthLadder(pool, o, [10_000, 20_000, 50_000])) {
      const factor = BigInt(side === 'BUY' ? 1_000_000 + bandPips : 1_000_000 - bandPips)
      const swap = swapToPrice(pool, o, { num: mid.num * factor, den: mid.den * 1_000_000n })
      const moved = side === 'BUY' ? swap.amountIn : swap.amountOut
      // The ladder rounds its root price down, the swap towards the present price: at most one apart.
      const slack = moved / 10n ** 12n + 2n
      expect(quote - moved <= slack && moved - quote <= slack).toBe(true)
    }
  }
})

test('depth grows with the band', () => {
  for (const market of [pool, pair()]) {
    for (const o of orientations) {
      const ladder = depthLadder(market, o, [1_000, 10_000, 20_000, 50_000, 100_000])
      for (const side of ['BUY', 'SELL']) {
        const amounts = ladder.filter((rung) => rung.side === side).map((rung) => rung.quote)
        expect(amounts).toEqual([...amounts].sort((a, b) => (a < b ? -1 : 1)))
        expect(amounts[0]).toBeGreaterThan(0n)
      }
    }
  }
})

test('relabelling the tokens of a pair does not change its depth', () => {
  const straight = pair()
  const turned: CpmmState = {
    ...straight,
    reserve0: straight.reserve1,
    reserve1: straight.reserve0,
    balance0: straight.balance1,
    balance1: straight.balance0,
  }
  const bands = [10_000, 20_000, 50_000]
  expect(depthLadder(turned, { base: 1, quote: 0 }, bands)).toEqual(
    depthLadder(straight, { base: 0, quote: 1 }, bands),
  )
})

test('the v2 depth is the largest input that does not pass the band', () => {
  const market = pair()
  const o = { base: 0, quote: 1 }
  const [buy] = depthLadder(market, o, [20_000])
  const limit = 1_020_000n
  const passes = (amountIn: bigint) => {
    const { state } = swapExactIn(market, { from: 1, to: 0 }, amountIn)
    const before = midPrice(market, o)
    const after = midPrice(state, o)
    return after.num * before.den * 1_000_000n > before.num * after.den * limit
  }
  expect(passes(buy!.quote)).toBe(false)
  expect(passes(buy!.quote + 1n)).toBe(true)
})

test('slippage of a v2 pair is the closed form of its reserves', () => {
  const [buy, sell] = slippageTable(pair(), { base: 0, quote: 1 }, [10n ** 18n])
  // One part in a thousand of the quote reserve: 0.3 % fee and 0.1 % impact, rounded up.
  expect(buy).toMatchObject({
    side: 'BUY',
    pips: 4010,
    feePips: 3013,
    impactPips: 997,
    fillable: true,
  })
  expect(sell).toMatchObject({ side: 'SELL', fillable: true, feePips: 3000 })
  expect(sell!.pips).toBe(3994)
})

test('a size beyond the liquidity is not fillable and costs everything', () => {
  const thin: ClmmState = { ...pool, ticks: [], liquidity: 0n }
  for (const slip of slippageTable(thin, orientations[0]!, [10n ** 18n])) {
    expect(slip).toMatchObject({ fillable: false, pips: 1_000_000, feePips: 0 })
  }
})

test('parts of slippage add up and larger sizes never cost less, but for rounding', () => {
  fc.assert(
    fc.property(
      fc.bigInt(10n ** 12n, 10n ** 21n),
      fc.integer({ min: 2, max: 50 }),
      (size, factor) => {
        const [buy, sell, buyMore, sellMore] = slippageTable(pool, orientations[0]!, [
          size,
          size * BigInt(factor),
        ])
        for (const slip of [buy!, sell!, buyMore!, sellMore!]) {
          expect(slip.feePips + slip.impactPips).toBe(slip.pips)
        }
        // One atom of WBTC is worth 2.7e12 wei or so, which is the whole rounding at small sizes.
        const rounding = Number((8n * 10n ** 18n) / size) + 2
        expect(buyMore!.pips + rounding).toBeGreaterThanOrEqual(buy!.pips)
        expect(sellMore!.pips + rounding).toBeGreaterThanOrEqual(sell!.pips)
      },
    ),
    { numRuns: 100 },
  )
})

function pair(): CpmmState {
  const reserves = { reserve0: 5n * 10n ** 20n, reserve1: 10n ** 21n }
  const { reserve0: balance0, reserve1: balance1 } = reserves
  return { ...createCpmmPair({}), ...reserves, balance0, balance1 }
}

test('a pair too empty to give an atom has no depth, whatever it holds', () => {
  const reserve = fc.oneof(
    fc.bigInt({ min: 0n, max: 2000n }),
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
  )
  fc.assert(
    fc.property(reserve, reserve, (reserve0, reserve1) => {
      const emptied = { ...pair(), reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
      for (const o of orientations) {
        for (const { side, quote } of depthLadder(emptied, o, [10_000, 100_000])) {
          // Nobody gets more out than there is, and nothing comes out of a side with one atom.
          const held = o.quote === 0 ? reserve0 : reserve1
          if (side === 'SELL') expect(quote < held || quote === 0n).toBe(true)
          if (side === 'BUY' && (o.base === 0 ? reserve0 : reserve1) <= 1n) expect(quote).toBe(0n)
        }
      }
    }),
  )
})
