import { expect, test } from 'vitest'
import { newPair, newPool } from '../../test/monte-carlo-market.ts'
import { mint } from '../amm/swap.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { depthOfLiquidity, liquidityForDepths } from './constant-product.ts'
import { depthCurve, netTargets } from './existing-depth.ts'
import type { DepthTarget } from './move.ts'

const one = 10n ** 18n
const orientation = { base: 0, quote: 1 }
const market = newPool({ feePips: 3000, ranges: true })
const buy: DepthTarget = { side: 'BUY', movePips: 20_000, depthQuote: 1000n * one }
const sell: DepthTarget = { side: 'SELL', movePips: 20_000, depthQuote: 1000n * one }

test('half of the depth of others is taken off, a purchase net of the fee', () => {
  const [bought, sold] = depthLadder(market, orientation, [20_000])
  const [buyNet, sellNet] = netTargets([buy, sell], [{ market, orientation, feePips: 3000 }])
  expect(sellNet!.existingQuote).toBe(sold!.quote / 2n)
  expect(buyNet!.existingQuote).toBe((bought!.quote * 997_000n) / 1_000_000n / 2n)
  expect(sellNet!.net).toEqual({ ...sell, depthQuote: sell.depthQuote - sold!.quote / 2n })
  // Without the fee a curve that is dense around the price is the same both ways, but for its convexity.
  const ratio = Number(buyNet!.existingQuote) / Number(sellNet!.existingQuote)
  expect(Math.abs(ratio - 1)).toBeLessThan(0.03)
})

test('depths of several markets add up, and enough of them leave nothing to provide', () => {
  const pair = { market: newPair(), orientation, feePips: 3000 }
  const pool = { market, orientation, feePips: 3000 }
  const existing = (markets: Parameters<typeof netTargets>[1]) =>
    netTargets([sell], markets, 1_000_000)[0]!
  expect(existing([pair, pool]).existingQuote).toBe(
    existing([pair]).existingQuote + existing([pool]).existingQuote,
  )
  expect(existing([pair])).toMatchObject({ net: null })
  expect(existing([]).net).toEqual(sell)
  expect(netTargets([sell], [pair], 0)[0]!.net).toEqual(sell)
  expect(() => netTargets([sell], [pair], 1_000_001)).toThrow(RangeError)
})

test('own positions do not count as those of others', () => {
  const range = { tickLower: -1200, tickUpper: 1200 }
  const liquidity = 50_000n * one
  const { state } = mint(market, { owner: 'issuer', ...range }, liquidity)
  const alone = netTargets([buy, sell], [{ market, orientation, feePips: 3000 }])
  const own = [{ ...range, liquidity }]
  const together = netTargets([buy, sell], [{ market: state, orientation, feePips: 3000, own }])
  for (const [i, { existingQuote }] of together.entries()) {
    const difference = existingQuote - alone[i]!.existingQuote
    // What rounding per step leaves.
    expect(difference < 100n && difference > -100n).toBe(true)
  }
})

test('the curve has 81 points, rises on both sides and meets its targets', () => {
  const price = { num: 2n, den: 1n }
  const liquidity = liquidityForDepths(price, [buy, sell])
  const curve = depthCurve((target) => depthOfLiquidity(price, liquidity, target))
  expect(curve).toHaveLength(81)
  expect(curve[0]!.movePips).toBe(-400_000)
  expect(curve[40]).toEqual({ movePips: 0, buyDepthQuote: 0n, sellDepthQuote: 0n })
  expect(curve[80]!.movePips).toBe(400_000)
  for (const [i, point] of curve.entries()) {
    const next = curve[i + 1]
    if (next === undefined) break
    if (point.movePips >= 0) expect(next.buyDepthQuote).toBeGreaterThan(point.buyDepthQuote)
    else expect(next.sellDepthQuote).toBeLessThan(point.sellDepthQuote)
  }
  expect(curve[42]!.buyDepthQuote).toBeGreaterThanOrEqual(buy.depthQuote)
  expect(curve[38]!.sellDepthQuote).toBeGreaterThanOrEqual(sell.depthQuote)
})
