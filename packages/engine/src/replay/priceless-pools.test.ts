import { expect, test } from 'vitest'
import {
  createStablePool,
  rateOfDecimals,
  type StableState,
  type StableVariant,
} from '../amm/stableswap/state.ts'
import { midPrice, priceOrNull } from '../amm/swap.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { valueLocked } from '../detection/value-locked.ts'
import { CompositeMarket } from '../scoring/composite-market.ts'
import { followMarket } from './market-follower.ts'

const o = { base: 0, quote: 1 }
const ether = 10n ** 18n

/** Pools that hold something of every coin, and of which the contract still finds no D. */
const priceless: [string, StableState][] = [
  ['of a coin that is less than a unit', pool('NG', [24, 18], [999_999n, 10n ** 24n])],
  ['of three atoms against 10^30', pool('A100_TWO_COIN', [18, 18], [3n, 10n ** 30n])],
  ['of more than the arithmetic holds', pool('A100', [18, 18], [10n ** 40n, 10n ** 40n])],
  ['whose rounds go on for ever', pool('A100', [6, 6], [173_582_756n, 1004n], 100n)],
  ['of a third coin that is drained', pool('CLASSIC', [18, 6, 6], [ether, 1_000_000n, 0n], 100n)],
]

test.each(priceless)('a pool %s has no price, and says so wherever it is asked', (_, state) => {
  expect(() => midPrice(state, o)).toThrow('the pool reverts')
  expect(priceOrNull(state, o)).toBeNull()
  expect(valueLocked(state, o)).toBeNull()
  const follower = followMarket(state)
  expect(follower.mid(o)).toBeNull()
  expect(follower.depth(o, [20_000])).toEqual([])
  expect(follower.slippage(o, [1_000_000n])).toEqual([])
  expect(follower.virtualQuote(o)).toBe(0n)
  const route = follower.route({ from: 0, to: 1 })
  expect([route.best.num, route.inputAt({ num: 1n, den: 1n }, ether), route.swap(ether)]).toEqual([
    ...[0n, 0n, null],
  ])
})

test.each(priceless)('beside a pool %s an order goes to the other one', (_, state) => {
  const reserves = { reserve0: 1000n * ether, balance0: 1000n * ether }
  const pair = { ...createCpmmPair({}), ...reserves }
  const other = { ...pair, reserve1: 1000n * ether, balance1: 1000n * ether }
  const venue = (venueId: string, market: Parameters<typeof followMarket>[0]) => ({
    venueId,
    orientation: o,
    feePips: 3000,
    market: followMarket(market),
  })
  const composite = new CompositeMarket([venue('priceless', state), venue('pair', other)])
  const slip = composite.slippage(ether, 'BUY')!
  expect(slip.split.legs.map(({ venueId }) => venueId)).toEqual(['pair'])
  expect(composite.deviationPips()).toBeNull()
  expect(new CompositeMarket([venue('priceless', state)]).slippage(ether, 'SELL')).toBeNull()
})

test('a pool before its begin and a drained pair have no price either', () => {
  expect(priceOrNull(createClmmPool({ feePips: 3000, tickSpacing: 60 }), o)).toBeNull()
  expect(priceOrNull(createCpmmPair({}), o)).toBeNull()
})

function pool(
  variant: StableVariant,
  decimals: readonly number[],
  balances: readonly bigint[],
  amplification = 20_000n,
): StableState {
  const rates = decimals.map(rateOfDecimals)
  return { ...createStablePool({ variant, rates, amplification, feeX10: 4_000_000n }), balances }
}
