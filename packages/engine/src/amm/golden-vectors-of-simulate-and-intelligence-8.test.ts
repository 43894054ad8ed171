import { expect, test } from 'vitest'
import { depthLadder } from '../depth/depth-ladder.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { curveOf, exchangeStable } from './stableswap/exchange.ts'
import { getD, getYOfD } from './stableswap/invariant.ts'
import { createStablePool, PRECISION, type StableState } from './stableswap/state.ts'
import { mint, swapExactIn } from './swap.ts'
import { type CpmmState, createCpmmPair } from './v2/state.ts'
import { type ClmmState, createClmmPool } from './v3/state.ts'

// The table "Golden vectors" of the design page simulate-and-intelligence, section 8, to the digit.

const TOKEN0_AS_BASE = { base: 0, quote: 1 } as const

/** Fee 3000, spacing 60, price 1, liquidity 1e21 over the full range. */
function fullRangePool(): ClmmState {
  const closed = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const opening = { kind: 'v3.initialize', timestamp: 0, sqrtPriceX96: 1n << 96n } as const
  const { state } = applyOperation(closed, opening)
  const range = { owner: '0x0a', tickLower: -887_220, tickUpper: 887_220 }
  return mint(state, range, 10n ** 21n).state
}

/** The same with 9e21 more between ticks -60 and 60. */
function concentratedPool(): ClmmState {
  const range = { owner: '0x0b', tickLower: -60, tickUpper: 60 }
  return mint(fullRangePool(), range, 9n * 10n ** 21n).state
}

test('v3, full range: exact input of 1e18 token0', () => {
  const { amountOut, state } = swapExactIn(fullRangePool(), { from: 0, to: 1 }, 10n ** 18n)
  expect(amountOut).toBe(996006981039903216n)
  expect(state.sqrtPriceX96).toBe(79149250711305166342700278159n)
  expect(state.feeGrowthGlobal0X128).toBe(1020847100762815390390123822295304n)
})

test('v3, concentrated: exact input of 5e19 token0 crosses tick -60', () => {
  const pool = concentratedPool()
  const { amountOut, state } = swapExactIn(pool, { from: 0, to: 1 }, 5n * 10n ** 19n)
  expect(amountOut).toBe(49260279344272273657n)
  expect(state.sqrtPriceX96).toBe(77461209319991533174812162539n)
  expect([pool.liquidity, state.liquidity]).toEqual([10n ** 22n, 10n ** 21n])
})

test('v3, concentrated: depth within 2 % and the slippage of a buy of 1e19', () => {
  expect(depthLadder(concentratedPool(), TOKEN0_AS_BASE, [20_000])).toEqual([
    { bandPips: 20_000, side: 'BUY', quote: 37100983350937940045n },
    { bandPips: 20_000, side: 'SELL', quote: 37008700942030494277n },
  ])
  const [buy] = slippageTable(concentratedPool(), TOKEN0_AS_BASE, [10n ** 19n])
  expect(buy).toMatchObject({ side: 'BUY', pips: 4010, fillable: true })
})

test('v2: 1e10 quote in, and depth within 2 %', () => {
  const [reserve0, reserve1] = [10n ** 24n, 2n * 10n ** 12n]
  const reserves = { reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
  const pair: CpmmState = { ...createCpmmPair({}), ...reserves }
  const { amountOut } = swapExactIn(pair, { from: 1, to: 0 }, 10n ** 10n)
  expect(amountOut).toBe(4960273038901078125544n)
  expect(depthLadder(pair, TOKEN0_AS_BASE, [20_000])).toEqual([
    { bandPips: 20_000, side: 'BUY', quote: 19930884219n },
    { bandPips: 20_000, side: 'SELL', quote: 20071119130n },
  ])
})

test('StableSwap NG: D, y, fee and dy of 1e22', () => {
  const pool = createStablePool({
    variant: 'NG',
    rates: [PRECISION, PRECISION],
    amplification: 20_000n,
    feeX10: 1_000_000n,
    offpegFeeMultiplierX10: 20_000_000_000n,
  })
  const balances = [1_200_000n * PRECISION, 800_000n * PRECISION]
  const state: StableState = { ...pool, balances }
  const d = getD(balances, curveOf(state))
  expect(d).toBe(1999792767421987910149588n)
  const traded = [1_210_000n * PRECISION, 800_000n * PRECISION]
  expect(getYOfD(1, traded, d, curveOf(state))).toBe(790022185544702621071669n)
  const exchange = exchangeStable(state, { from: 0, to: 1 }, 10n ** 22n)
  expect(exchange).toMatchObject({ feeX10: 1_021_462n, amountOut: 9976795259466465231203n })
})
