import { type ClmmState, createClmmPool, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import { expect, it } from 'vitest'
import { positionPerformance } from './position-performance.ts'

/** A pool at the price of four token1 per token0. */
const pool = {
  ...createClmmPool({ feePips: 3000, tickSpacing: 60 }),
  kind: 'UNISWAP_V3',
  sqrtPriceX96: 2n << 96n,
  tick: 13_863,
} as unknown as ClmmState
const pair = (amount0: bigint, amount1: bigint) => ({ amount0, amount1 })
const flows = {
  deposited: pair(100n, 100n),
  withdrawn: pair(10n, 20n),
  collected: pair(12n, 25n),
  since: 1_700_000_000,
}
const held = { now: pair(50n, 250n), owed: pair(3n, 1n) }

it('values fees, impermanent loss and the result against HODL at the current price', () => {
  expect(pool.sqrtPriceX96).toBeGreaterThan(sqrtRatioAtTick(13_862))
  // Fees: 12 + 3 − 10 of token0, 25 + 1 − 20 of token1.
  expect(positionPerformance(pool, { base: 0, quote: 1 }, flows, held)).toEqual({
    feesQuote: `${5 * 4 + 6}`,
    ilQuote: `${450 + 60 - 500}`,
    netVsHodlQuote: '36',
    netVsHodlPips: 72_000,
    since: '2023-11-14T22:13:20.000Z',
  })
  expect(positionPerformance(pool, { base: 1, quote: 0 }, flows, held)).toMatchObject({
    // 6 of token1 are worth 1.5 of token0, rounded down.
    feesQuote: `${5 + 1}`,
    ilQuote: `${50 + 62 + (10 + 5) - (100 + 25)}`,
    netVsHodlQuote: '8',
    netVsHodlPips: 64_000,
  })
})

it('has no percentage without deposits of value, and no result for contradictory flows', () => {
  const none = { ...flows, deposited: pair(0n, 0n) }
  const orientation = { base: 0, quote: 1 }
  expect(positionPerformance(pool, orientation, none, held)?.netVsHodlPips).toBeNull()
  const more = { ...flows, withdrawn: pair(16n, 20n) }
  expect(positionPerformance(pool, orientation, more, held)).toBeNull()
})
