import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerX36, rootX36, X36 } from '../numerics/fixed-point.ts'
import { normalCdf } from '../numerics/normal-distribution.ts'
import { studentT4UnitQuantile, studentT4UnitShortfall } from '../numerics/student-t.ts'
import { bufferNeed } from './buffer.ts'
import {
  depthOfLiquidity,
  efficiencyPips,
  isNarrowerThan,
  liquidityForDepths,
  rangeInventory,
  wholeCurveInventory,
} from './constant-product.ts'
import { ladderDepth, ladderInventory, scaleLadder, targetLadder } from './ladder.ts'
import {
  breakEvenDailyVolume,
  feeFactor,
  lvrInRange,
  lvrShareOfWeightedPool,
  lvrShareOfWholeCurve,
} from './loss-versus-rebalancing.ts'
import type { DepthTarget } from './move.ts'
import { orderBookInventory, scaleToBudget } from './order-book.ts'
import { expectedExitYears, rangeSurvival } from './range-survival.ts'
import { stableInventory } from './stable-pool.ts'
import { weightedDepth, weightedInventory } from './weighted-pool.ts'

const one = 10n ** 18n
const price = { num: 2n, den: 1n }
const targets: DepthTarget[] = [
  { side: 'BUY', movePips: 20_000, depthQuote: 100_000n * one },
  { side: 'SELL', movePips: 20_000, depthQuote: 100_000n * one },
]
const range = { lower: { num: 8n, den: 5n }, upper: { num: 5n, den: 2n } }
const whole = (atoms: bigint, digits: number) => (Number(atoms / 10n ** 9n) / 1e9).toFixed(digits)

test('the published whole curve: liquidity, quote and token of 100,000 at two per cent', () => {
  const liquidity = liquidityForDepths(price, targets)
  const { token, quote } = wholeCurveInventory(price, liquidity)
  expect([liquidity, quote, token].map((v) => whole(v, 3))).toEqual([
    '7106248.120',
    '10049752.469',
    '5024876.235',
  ])
})

test('the same liquidity in a range needs a ninth of the capital', () => {
  const liquidity = liquidityForDepths(price, targets)
  const { token, quote } = rangeInventory(price, range, liquidity)
  expect([quote, token].map((v) => whole(v, 3))).toEqual(['1060980.598', '530490.299'])
  expect(Number(efficiencyPips(price, range, liquidity)) / 1e6).toBeCloseTo(9.4721, 4)
  expect(isNarrowerThan(price, range, targets[0]!)).toBe(false)
  expect(isNarrowerThan(price, range, { ...targets[1]!, movePips: 300_000 })).toBe(true)
})

test('the published weighted pool and the floor ladder', () => {
  const weighted = weightedInventory(price, targets, 800_000)
  expect([weighted.quote, weighted.token].map((v) => whole(v, 3))).toEqual([
    '6262425.741',
    // 12,524,851.48188…
    '12524851.482',
  ])
  const floor = ladderInventory(price, targetLadder(price, targets))
  expect([floor.quote, floor.token].map((v) => whole(v, 3))).toEqual(['100000.000', '49507.377'])
  expect(() => weightedInventory(price, targets, 5)).toThrow(RangeError)
})

test('what was computed gives at least the depth asked for, and hardly more', () => {
  const amounts = fc.bigInt(10n ** 6n, 10n ** 30n)
  const moves = fc.integer({ min: 1000, max: 500_000 })
  const prices = fc.record({ num: fc.bigInt(1n, 10n ** 20n), den: fc.bigInt(1n, 10n ** 20n) })
  fc.assert(
    fc.property(prices, moves, moves, amounts, (p, up, down, depthQuote) => {
      const asked: DepthTarget[] = [
        { side: 'BUY', movePips: up, depthQuote },
        { side: 'SELL', movePips: down, depthQuote: depthQuote * 2n },
      ]
      const liquidity = liquidityForDepths(p, asked)
      const ladder = targetLadder(p, asked)
      for (const target of asked) {
        // Rounding down what was rounded up may lose an atom, never more.
        expect(depthOfLiquidity(p, liquidity, target)).toBeGreaterThanOrEqual(target.depthQuote)
        expect(ladderDepth(p, ladder, target)).toBeGreaterThanOrEqual(target.depthQuote)
      }
    }),
    { numRuns: 200 },
  )
})

test('a weighted pool of half and half is the constant product', () => {
  const weighted = weightedInventory(price, targets, 500_000)
  const curve = wholeCurveInventory(price, liquidityForDepths(price, targets))
  expect(Number(weighted.quote - curve.quote)).toBeLessThan(1000)
  expect(Number(weighted.token - curve.token)).toBeLessThan(1000)
  const depth = weightedDepth(weighted.quote, targets[0]!, 500_000)
  expect(depth).toBeGreaterThanOrEqual(targets[0]!.depthQuote)
})

test('a stable pool needs less the more it is amplified, and the same per depth at any size', () => {
  const par = { num: 1n, den: 1n }
  const need = (amplification: number, factor = 1n) =>
    stableInventory(
      par,
      targets.map((target) => ({ ...target, depthQuote: target.depthQuote * factor })),
      amplification,
    )
  const [low, high] = [need(10), need(1000)]
  expect(high.quote).toBeLessThan(low.quote)
  expect(high.quote).toBeGreaterThan(100_000n * one)
  const ratio = Number(need(100, 1000n).quote) / Number(need(100).quote)
  expect(ratio / 1000).toBeCloseTo(1, 9)
  const dear = stableInventory({ num: 3n, den: 2n }, targets, 100)
  expect(Number(dear.quote) / Number(dear.token)).toBeCloseTo(1.5, 9)
  expect(() => stableInventory(par, targets, 0)).toThrow(RangeError)
})

test('a ladder is scaled by its hardest target, and one without a band there is refused', () => {
  const bands = [
    { lower: { num: 19n, den: 10n }, upper: price, weightPips: 400_000 },
    { lower: price, upper: { num: 21n, den: 10n }, weightPips: 600_000 },
  ]
  const ladder = scaleLadder(price, bands, targets)
  expect(ladderDepth(price, ladder, targets[1]!)).toBeGreaterThanOrEqual(100_000n * one)
  expect(Number(ladderDepth(price, ladder, targets[1]!) - 100_000n * one)).toBeLessThan(1e6)
  expect(ladderDepth(price, ladder, targets[0]!)).toBeGreaterThan(140_000n * one)
  expect(() => scaleLadder(price, bands.slice(0, 1), targets)).toThrow(RangeError)
})

test('an order book needs a multiple of what it shows, and a budget is bound by its scarcer side', () => {
  const { token, quote } = orderBookInventory(price, targets, 3_000_000)
  expect(quote).toBe(300_000n * one)
  expect(whole(token, 0)).toBe((150_000 / Math.sqrt(1.02)).toFixed(0))
  expect(scaleToBudget({ token, quote }, { token: token / 2n, quote })).toEqual({
    scaleX18: one / 2n - 1n < one / 2n ? ((token / 2n) * one) / token : 0n,
    bindingSide: 'TOKEN',
  })
  expect(scaleToBudget({ token: 0n, quote }, { token: 0n, quote: quote * 2n }).scaleX18).toBe(
    2n * one,
  )
})

test('an order book rounds both sides up to the next atom', () => {
  const need = (side: DepthTarget['side'], depthQuote: bigint) =>
    orderBookInventory({ num: 1n, den: 1n }, [{ side, movePips: 20_000, depthQuote }], 1_500_000)
  // 1.5 atoms of quote, and 2 / √1.02 = 1.98 atoms of token.
  expect(need('SELL', 1n)).toEqual({ token: 0n, quote: 2n })
  expect(need('BUY', 1n)).toEqual({ token: 2n, quote: 0n })
  // 3 atoms of quote are exact, and 3 / √1.02 = 2.97 atoms of token.
  expect(need('SELL', 2n)).toEqual({ token: 0n, quote: 3n })
  expect(need('BUY', 2n)).toEqual({ token: 3n, quote: 0n })
})

test('eighty per cent volatility: loss, what a fee leaves of it, survival and exit', () => {
  expect(lvrShareOfWholeCurve(0.8)).toBeCloseTo(0.08, 12)
  expect(lvrShareOfWeightedPool(0.8, 0.5)).toBeCloseTo(0.08, 12)
  expect(lvrInRange(0.8, 100)).toBeCloseTo(16, 12)
  expect(feeFactor(0.8, 0.003, 12)).toBeCloseTo(0.087456, 6)
  expect(feeFactor(0.8, 0.003, 2)).toBeCloseTo(0.037653, 6)
  expect(breakEvenDailyVolume(365, 0.003)).toBeCloseTo(1 / 0.003, 9)
  expect(rangeSurvival(0.8, 1.25, 0.8, 30 / 365)).toBeCloseTo(0.34585, 5)
  expect(expectedExitYears(0.8, 1.25, 0.8) * 365).toBeCloseTo(28.398, 3)
  expect(() => rangeSurvival(1.1, 1.2, 0.8, 1)).toThrow(RangeError)
})

test('a wide range in a quiet market survives, and a narrow one for a long time does not', () => {
  // A sum of fifty eigenfunctions gave 0.9938: a day at two per cent does not reach a half or a double.
  expect(rangeSurvival(0.5, 2, 0.02, 1 / 365)).toBe(1)
  expect(rangeSurvival(0.8, 1.25, 0.8, 0.001)).toBe(1)
  expect(rangeSurvival(0.99, 1.01, 0.8, 1)).toBeLessThan(1e-300)
  // One barrier far away is the reflection principle: 2Φ(a/s) − 1.
  const oneSided = 2 * normalCdf(Math.log(1.1) / 0.1) - 1
  expect(rangeSurvival(1 / 1.1, 1e9, 0.1, 1)).toBeCloseTo(oneSided, 14)
})

test('both series of survival are one function, which falls with time and with volatility', () => {
  const ratios = fc.record({
    lower: fc.double({ min: 0.05, max: 0.99, noNaN: true }),
    upper: fc.double({ min: 1.01, max: 20, noNaN: true }),
    spread: fc.double({ min: 0.05, max: 3, noNaN: true }),
  })
  fc.assert(
    fc.property(ratios, ({ lower, upper, spread }) => {
      const width = Math.log(upper / lower)
      const at = (share: number) => rangeSurvival(lower, upper, share * width, 1)
      expect(Math.abs(at(0.5) - at(0.5 + 1e-15))).toBeLessThan(5e-14)
      expect(at(spread)).toBeLessThanOrEqual(at(spread * 0.999) + 5e-14)
      expect(at(spread)).toBeGreaterThanOrEqual(0)
      // A thousand eigenfunctions are enough from a twentieth of the width on.
      expect(at(spread)).toBeCloseTo(manyModes(Math.log(1 / lower), width, spread * width), 12)
    }),
  )
})

function manyModes(a: number, width: number, spread: number): number {
  let sum = 0
  for (let odd = 1999; odd > 0; odd -= 2) {
    const fade = Math.exp(-(((odd * Math.PI * spread) / width) ** 2) / 2)
    sum += (Math.sin((odd * Math.PI * a) / width) / odd) * fade
  }
  return (4 / Math.PI) * sum
}

test('a buffer is the need at the bad price, and its shortfall is worse than its quantile', () => {
  const terms = { annualVolatility: 0.8, years: 10 / 365, confidence: 0.975 }
  const need = bufferNeed((ratio) => 100 * (1 - Math.sqrt(ratio)), 'FALL', terms)
  const bad = Math.exp(-studentT4UnitQuantile(0.975) * 0.8 * Math.sqrt(10 / 365))
  expect(need.atQuantile).toBeCloseTo(100 * (1 - Math.sqrt(bad)), 9)
  expect(need.expectedShortfall).toBeGreaterThan(need.atQuantile)
  // The mean of the t law itself beyond its quantile.
  const unitTail = (confidence: number) =>
    bufferNeed((ratio) => 10 * Math.log(ratio), 'RISE', {
      annualVolatility: 0.1,
      years: 1,
      confidence,
    })
  const unit = unitTail(0.975)
  expect(unit.atQuantile).toBeCloseTo(1.96324, 5)
  expect(unit.expectedShortfall).toBeCloseTo(2.82387, 5)
  for (const confidence of [0.9, 0.95, 0.975, 0.99, 0.999]) {
    const { expectedShortfall } = unitTail(confidence)
    expect(expectedShortfall).toBeCloseTo(studentT4UnitShortfall(confidence), 9)
  }
  const half = { ...terms, confidence: 0.5 }
  expect(() => bufferNeed(() => 1, 'RISE', half)).toThrow(RangeError)
})

test('the shortfall of a need that stops growing is what it stops at', () => {
  const terms = { annualVolatility: 0.8, years: 10 / 365, confidence: 0.975 }
  expect(bufferNeed(() => 7, 'FALL', terms).expectedShortfall).toBeCloseTo(7, 7)
  expect(bufferNeed(() => -7, 'FALL', terms)).toEqual({ atQuantile: 0, expectedShortfall: 0 })
})

test('roots and powers enclose the true value with the last of 36 places', () => {
  const { low, high } = rootX36(price)
  expect(low * low).toBeLessThanOrEqual(2n * X36 * X36)
  expect(high * high).toBeGreaterThanOrEqual(2n * X36 * X36)
  expect(high - low).toBe(1n)
  const half = powerX36({ num: 51n, den: 50n }, { num: 1n, den: 2n })
  const root = rootX36({ num: 51n, den: 50n })
  expect(half.low).toBeLessThanOrEqual(root.high)
  expect(half.high).toBeGreaterThanOrEqual(root.low)
  expect(half.high - half.low).toBeLessThanOrEqual(2n)
  expect(() => powerX36({ num: 9n, den: 2n }, { num: 1n, den: 2n })).toThrow(RangeError)
})
