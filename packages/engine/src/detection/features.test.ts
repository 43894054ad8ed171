import { expect, test } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { swapExactIn } from '../amm/swap.ts'
import { burnLiquidity } from '../amm/v3/liquidity.ts'
import { loadPool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { splitDepthChange } from './depth-cause.ts'
import {
  depegPips,
  flowImbalance,
  inactiveShare,
  inventoryChange,
  isFlowQualified,
  largestDisagreement,
  largestExcursion,
  turnover,
} from './features.ts'

const one = 10n ** 18n
const o = { base: 0, quote: 1 }

test('imbalance, inactivity, depeg, inventory and turnover are shares in pips, and zero of nothing', () => {
  expect(flowImbalance(90n, 10n)).toBe(800_000n)
  expect(flowImbalance(0n, 0n)).toBe(0n)
  const hour = { volumeQuote: 100n, trades: 20, traders: 3 }
  expect(isFlowQualified(hour, 100n)).toBe(true)
  expect(isFlowQualified({ ...hour, traders: 2 }, 100n)).toBe(false)
  const ranges = [
    { tickLower: 0, tickUpper: 60, valueQuote: 3n },
    { tickLower: 60, tickUpper: 120, valueQuote: 1n },
  ]
  expect(inactiveShare(ranges, 59)).toBe(250_000n)
  expect(inactiveShare(ranges, 60)).toBe(750_000n)
  expect(depegPips((97n * one) / 100n, one)).toBe(30_000n)
  expect(inventoryChange(-5n, 20n)).toBe(250_000n)
  expect(turnover(300n, 100n)).toBe(3_000_000n)
})

test('disagreement is what is left beyond both fee bands, and stale sources are named and left out', () => {
  const source = (name: string, price: number, isStale = false) => ({
    name,
    priceX18: BigInt(Math.round(price * 1e6)) * 10n ** 12n,
    feePips: 3000,
    isStale,
  })
  const found = largestDisagreement([
    source('pool', 1),
    source('oracle', 1.02),
    source('old', 2, true),
  ])
  expect(found).toEqual({ pips: 13_803n, between: ['pool', 'oracle'], stale: ['old'] })
  expect(largestDisagreement([source('pool', 1), source('old', 2, true)])).toBeNull()
})

test('an excursion counts only when it is taken back soon', () => {
  const path = (...spots: number[]) =>
    spots.map((spot, block) => ({
      block,
      spotX18: BigInt(Math.round(spot * 100)) * 10n ** 16n,
      averageX18: one,
    }))
  expect(largestExcursion(path(1, 1.3, 1.25, 1.02))).toEqual({
    sizePips: 300_000n,
    fromBlock: 1,
    blocks: 2,
  })
  expect(largestExcursion(path(1, 0.8, 1))).toMatchObject({ sizePips: 200_000n })
  expect(largestExcursion(path(1, 1.3, 1.3, 1.3))).toBeNull()
  expect(largestExcursion(path(1, 1.04, 1))).toBeNull()
  expect(largestExcursion(path(1, 1.3, 1.3, 1), 1)).toMatchObject({ fromBlock: 2, blocks: 1 })
})

test('a withdrawal is blamed on liquidity, a move on the price, and both together add up', () => {
  const before = newPool({ feePips: 3000, ranges: true })
  const withdrawn = without(before, 25_000n * one)
  const gone = splitDepthChange(before, withdrawn, o, 20_000)
  expect(gone.price).toBe(0n)
  expect(gone.liquidity).toBe(gone.after - gone.before)
  expect(gone.liquidity).toBeLessThan(0n)
  const moved = swapExactIn(before, { from: 0, to: 1 }, 4000n * one).state
  const shifted = splitDepthChange(before, moved, o, 20_000)
  expect(shifted.liquidity).toBe(0n)
  expect(shifted.price).toBeLessThan(0n)
  const both = splitDepthChange(before, without(moved, 10_000n * one), o, 20_000)
  expect(both.liquidity + both.price).toBe(both.after - both.before)
  expect(both.liquidity).toBeLessThan(0n)
})

/** The pool after its narrow provider took liquidity out. */
function without(state: ClmmState, liquidity: bigint): ClmmState {
  const pool = loadPool(state)
  burnLiquidity(pool, { owner: 'near', tickLower: -600, tickUpper: 600 }, liquidity)
  return snapshotPool(pool)
}
