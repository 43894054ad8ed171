import { expect, it } from 'vitest'
import { newPool } from '../../../test/monte-carlo-market.ts'
import { mint } from '../swap.ts'
import { liquidityForAmounts } from './liquidity-amounts.ts'

const amount = 10n ** 18n

it('gives a range whose lower edge is the price what token0 alone buys', () => {
  const pool = newPool({ feePips: 3000, tick: 60 })
  const liquidity = liquidityForAmounts(pool, 60, 120, amount, 0n)
  expect(liquidity).toBeGreaterThan(0n)
  expect(liquidityForAmounts(pool, 60, 120, amount, amount)).toBe(liquidity)

  const paid = mint(pool, { owner: 'edge', tickLower: 60, tickUpper: 120 }, liquidity)
  expect(paid).toMatchObject({ amount1: 0n })
  expect(paid.amount0).toBeLessThanOrEqual(amount)
  const more = mint(pool, { owner: 'edge', tickLower: 60, tickUpper: 120 }, liquidity + 1_000n)
  expect(more.amount0).toBeGreaterThan(amount)
})

it('gives a range whose upper edge is the price what token1 alone buys', () => {
  const pool = newPool({ feePips: 3000, tick: 60 })
  const liquidity = liquidityForAmounts(pool, 0, 60, 0n, amount)
  expect(liquidity).toBeGreaterThan(0n)
  const paid = mint(pool, { owner: 'edge', tickLower: 0, tickUpper: 60 }, liquidity)
  expect(paid).toMatchObject({ amount0: 0n })
  expect(paid.amount1).toBeLessThanOrEqual(amount)
})
