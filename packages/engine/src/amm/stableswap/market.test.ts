import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stableRecordings } from '../../../test/stable-recordings.ts'
import { depthLadder } from '../../depth/depth-ladder.ts'
import { slippageTable } from '../../depth/slippage-table.ts'
import { tokenCount } from '../market.ts'
import { marketToJson } from '../market-json.ts'
import { midPrice, swapExactIn, swapExactOut, swapToPrice } from '../swap.ts'
import { exchangeStable } from './exchange.ts'

const recordings = stableRecordings()
const threePool = recordings[0]!.state
const o = { base: 2, quote: 0 }

test('the marginal price is what a small exchange without a fee pays', () => {
  for (const { state } of recordings) {
    const free = { ...state, feeX10: 0n }
    const from = state.balances[0]! / 10_000n
    if (from < 1_000_000n) continue
    const { amountOut } = exchangeStable(free, { from: 0, to: 1 }, from)
    const price = midPrice(state, { base: 0, quote: 1 })
    const ideal = (from * price.num) / price.den
    // A ten-thousandth of the balance, on a flat curve: within a thousandth and a rounded atom.
    expect(ideal - amountOut <= ideal / 1000n + 2n && amountOut <= ideal + 2n).toBe(true)
  }
})

test('prices of three coins are consistent: going round gives one', () => {
  const [ab, bc, ca] = [
    midPrice(threePool, { base: 0, quote: 1 }),
    midPrice(threePool, { base: 1, quote: 2 }),
    midPrice(threePool, { base: 2, quote: 0 }),
  ]
  expect(ab.num * bc.num * ca.num).toBe(ab.den * bc.den * ca.den)
})

test('depth is the largest input that does not pass the band', () => {
  const mid = midPrice(threePool, o)
  for (const { bandPips, side, quote } of depthLadder(threePool, o, [1_000, 10_000])) {
    const up = side === 'BUY'
    const limit = BigInt(up ? 1_000_000 + bandPips : 1_000_000 - bandPips)
    const target = { num: mid.num * limit, den: mid.den * 1_000_000n }
    const { amountIn, amountOut } = swapToPrice(threePool, o, target)
    expect(quote).toBe(up ? amountIn : amountOut)
    const d = up ? { from: 0, to: 2 } : { from: 2, to: 0 }
    const passes = (input: bigint) => {
      const after = midPrice(swapExactIn(threePool, d, input).state, o)
      const apart = after.num * target.den - target.num * after.den
      return up ? apart > 0n : apart < 0n
    }
    expect([passes(amountIn), passes(amountIn + 1n)]).toEqual([false, true])
  }
})

test('slippage adds up, and the fee is that of the pool where the price hardly moves', () => {
  const [buy, sell] = slippageTable(threePool, o, [10n ** 21n])
  for (const slip of [buy!, sell!]) {
    expect(slip.fillable).toBe(true)
    expect(slip.feePips + slip.impactPips).toBe(slip.pips)
    // 1.5 of ten thousand, rounded up.
    expect(slip.feePips).toBeGreaterThanOrEqual(150)
    expect(slip.feePips).toBeLessThanOrEqual(152)
  }
})

test('an exact output takes the smallest input that pays it', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 13n), (wanted) => {
      const d = { from: 0, to: 1 }
      const swap = swapExactOut(threePool, d, wanted)
      expect(swap.amountOut >= wanted).toBe(true)
      const less = swap.amountIn - 1n
      const paid = less === 0n ? 0n : tryPaid(d, less)
      expect(paid < wanted).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('a limit cuts an input short, and one that is already passed takes nothing', () => {
  const mid = midPrice(threePool, { base: 2, quote: 0 })
  const near = { num: mid.num * 999n, den: mid.den * 1000n }
  const d = { from: 2, to: 0 }
  const cut = swapExactIn(threePool, d, 10n ** 15n, near)
  expect(cut.exhausted).toBe(true)
  expect(cut.amountIn).toBeLessThan(10n ** 15n)
  const above = { num: mid.num * 2n, den: mid.den }
  expect(swapExactIn(threePool, d, 10n ** 9n, above)).toMatchObject({
    amountIn: 0n,
    amountOut: 0n,
    exhausted: true,
  })
})

test('a market of three coins knows its tokens, and only them', () => {
  expect(tokenCount(threePool)).toBe(3)
  for (const bad of [
    { base: 0, quote: 0 },
    { base: 0, quote: 3 },
    { base: -1, quote: 1 },
    { base: 0.5, quote: 1 },
  ]) {
    expect(() => midPrice(threePool, bad)).toThrow(RangeError)
  }
})

test('a StableSwap pool survives a structured clone and has a JSON form', () => {
  expect(structuredClone(threePool)).toEqual(threePool)
  expect(marketToJson(threePool)).toMatchObject({ kind: 'STABLESWAP', feeX10: '1500000' })
})

function tryPaid(d: { from: number; to: number }, amountIn: bigint): bigint {
  try {
    return swapExactIn(threePool, d, amountIn).amountOut
  } catch {
    return 0n
  }
}
