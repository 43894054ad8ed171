import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson } from '../../../test/datasets.ts'
import { readClmmState } from '../../replay/read/clmm-state.ts'
import { burn, collect, midPrice, mint, swapExactIn, swapExactOut, swapToPrice } from '../swap.ts'
import { liquidityForAmounts } from './liquidity-amounts.ts'

type QuoteFile = {
  quotes: { function: string; direction: string; amount: string; value: string }[]
}
const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const { quotes } = readDatasetJson<QuoteFile>(file)
const pool = readClmmState(readDatasetJson(file), file).state

test('the 80 quotes of the deployed quoter are reproduced over the complete tick map', () => {
  expect(quotes).toHaveLength(80)
  for (const { function: name, direction, amount, value } of quotes) {
    const d = direction === 'WBTC->WETH' ? { from: 0, to: 1 } : { from: 1, to: 0 }
    const quoted =
      name === 'quoteExactInputSingle'
        ? swapExactIn(pool, d, BigInt(amount)).amountOut
        : swapExactOut(pool, d, BigInt(amount)).amountIn
    expect(`${quoted}`).toBe(value)
  }
})

test('a swap to a price ends there within one root price, in both orientations', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.integer({ min: 500_000, max: 1_900_000 }), (baseFirst, ratio) => {
      const o = baseFirst ? { base: 0, quote: 1 } : { base: 1, quote: 0 }
      const mid = midPrice(pool, o)
      const target = { num: mid.num * BigInt(ratio), den: mid.den * 1_000_000n }
      const { state } = swapToPrice(pool, o, target)
      const reached = midPrice(state, o)
      // A root price has 115 bits here, so neighbours differ by far less than a part in 10^30.
      const difference = reached.num * target.den - target.num * reached.den
      const magnitude = difference < 0n ? -difference : difference
      expect(magnitude * 10n ** 30n <= target.num * reached.den).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('a limit is never passed', () => {
  const d = { from: 0, to: 1 }
  const mid = midPrice(pool, { base: 0, quote: 1 })
  const limit = { num: mid.num * 99n, den: mid.den * 100n }
  const swap = swapExactIn(pool, d, 10n ** 30n, limit)
  const price = midPrice(swap.state, { base: 0, quote: 1 })
  expect(swap.exhausted).toBe(true)
  expect(price.num * limit.den >= limit.num * price.den).toBe(true)
})

test('liquidity for amounts never asks for more than the amounts, and one unit more would', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -40, max: 40 }),
      fc.integer({ min: 1, max: 80 }),
      fc.bigInt(1n, 10n ** 12n),
      fc.bigInt(1n, 10n ** 22n),
      (offset, width, a0, a1) => {
        const tickLower = (Math.floor(pool.tick / 60) + offset) * 60
        const tickUpper = tickLower + width * 60
        const key = { owner: 'me', tickLower, tickUpper }
        const liquidity = liquidityForAmounts(pool, tickLower, tickUpper, a0, a1)
        const asks = (amount: bigint) => {
          const { amount0, amount1 } = mint(pool, key, amount)
          return amount0 > a0 || amount1 > a1
        }
        if (liquidity > 0n) expect(asks(liquidity)).toBe(false)
        expect(asks(liquidity + 1n)).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

test('what a mint takes, burn and collect return but for one atom a side', () => {
  const key = { owner: 'me', tickLower: 265200, tickUpper: 265320 }
  const minted = mint(pool, key, 10n ** 15n)
  const burned = burn(minted.state, key, 10n ** 15n)
  const collected = collect(burned.state, key)
  expect(minted.amount0 - collected.amount0).toBeLessThanOrEqual(1n)
  expect(minted.amount1 - collected.amount1).toBeLessThanOrEqual(1n)
  expect(collected.amount0).toBe(burned.amount0)
})
