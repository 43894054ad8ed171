import { expect, test } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import type { Dir, PoolMarket } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { swapExactIn } from '../amm/swap.ts'
import { createCpmmPair } from '../amm/v2/state.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import { sandwichExposure } from './sandwich-bound.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const pool = readClmmState(readDatasetJson(file), file).state
const UNIT = 10n ** 18n
const pair = {
  ...createCpmmPair({ fee: { numerator: 3n, denominator: 1000n } }),
  reserve0: 1_000n * UNIT,
  reserve1: 2_000n * UNIT,
  balance0: 1_000n * UNIT,
  balance1: 2_000n * UNIT,
}
const up = { from: 1, to: 0 }

/** What a sandwich earns, step by step. */
function staged(market: PoolMarket, d: Dir, amountIn: bigint, frontRunIn: bigint) {
  const front = swapExactIn<PoolMarket>(market, d, frontRunIn)
  const victim = swapExactIn<PoolMarket>(front.state, d, amountIn)
  const back = swapExactIn<PoolMarket>(victim.state, { from: d.to, to: d.from }, front.amountOut)
  return { got: victim.amountOut, profit: back.amountOut - frontRunIn }
}

const minimumOf = (market: PoolMarket, amountIn: bigint, pips: bigint) => {
  const { amountOut } = swapExactIn<PoolMarket>(market, up, amountIn)
  return (amountOut * (1_000_000n - pips) + 999_999n) / 1_000_000n
}

for (const [name, market, amountIn] of [
  ['a pair', pair, 20n * UNIT],
  ['a recorded pool', pool, 100n * UNIT],
] as const) {
  test(`no front run on a grid against ${name} earns more than the bound, nor than what was found by more than its step`, () => {
    for (const pips of [1_000n, 10_000n, 50_000n]) {
      const minimumOut = minimumOf(market, amountIn, pips)
      const { bound, found } = sandwichExposure(market, up, amountIn, minimumOut)
      let best = 0n
      for (let step = 1n; step <= 40n; step += 1n) {
        const one = staged(market, up, amountIn, (amountIn * step * step) / 40n)
        if (one.got >= minimumOut && one.profit > best) best = one.profit
      }
      expect(best <= bound).toBe(true)
      expect(best <= found.profit + found.profit / 10_000n).toBe(true)
      expect(found.profit <= bound).toBe(true)
      if (found.profit > 0n) {
        const again = staged(market, up, amountIn, found.frontRunIn)
        expect(again.profit).toBe(found.profit)
        expect(again.got >= minimumOut).toBe(true)
      }
    }
  })
}

test('a minimum that leaves nothing leaves nothing to take, and a looser one never less', () => {
  const amountIn = 100n * UNIT
  const bounds = [0n, 1_000n, 5_000n, 20_000n, 100_000n].map((pips) =>
    sandwichExposure(pool, up, amountIn, minimumOf(pool, amountIn, pips)),
  )
  // Of 100 whole ones only what the rounding of an atom of eight decimals may leave.
  expect((bounds[0]?.bound ?? 0n) < UNIT / 10n ** 6n).toBe(true)
  expect(bounds[0]?.found.profit).toBe(0n)
  for (const [place, { bound }] of bounds.entries()) {
    expect(bound >= (bounds[place - 1]?.bound ?? 0n)).toBe(true)
  }
})

test('in a thin pool with a wide limit what was found comes near to the bound', () => {
  const thin = {
    ...pool,
    liquidity: pool.liquidity / 1_000n,
    ticks: pool.ticks.map((tick) => ({
      ...tick,
      liquidityGross: tick.liquidityGross / 1_000n + 1n,
      liquidityNet: tick.liquidityNet / 1_000n,
    })),
  }
  const amountIn = 20n * UNIT
  const { bound, found } = sandwichExposure(thin, up, amountIn, minimumOf(thin, amountIn, 50_000n))
  expect(found.profit > UNIT / 10n).toBe(true)
  expect(found.profit <= bound && bound < (found.profit * 12n) / 10n).toBe(true)
})

test('a minimum above what the swap would get is refused', () => {
  expect(() => sandwichExposure(pair, up, UNIT, UNIT)).toThrow(RangeError)
  expect(() => sandwichExposure(pair, up, UNIT, 0n)).toThrow(RangeError)
})

test('a swap of a few atoms is bounded, although a pair refuses to buy back what a front run gets', () => {
  const shallow = {
    ...createCpmmPair({ fee: { numerator: 3n, denominator: 1000n } }),
    reserve0: 1_000n,
    reserve1: 2_000n * UNIT,
    balance0: 1_000n,
    balance1: 2_000n * UNIT,
  }
  for (const [market, d] of [
    [shallow, up],
    [shallow, { from: 0, to: 1 }],
    [pair, up],
    [pool, up],
  ] as const) {
    for (let size = 1n; size <= 10n ** 19n; size *= 10n) {
      const paid = payOf(market, d, size)
      if (paid === 0n) continue
      const { bound, found } = sandwichExposure(market, d, size, (paid * 99n + 99n) / 100n)
      expect(found.profit >= 0n && found.profit <= bound && bound <= size).toBe(true)
    }
  }
})

/** What a swap pays; zero where the contract would revert. */
function payOf(market: PoolMarket, d: Dir, amountIn: bigint): bigint {
  try {
    return swapExactIn<PoolMarket>(market, d, amountIn).amountOut
  } catch (error) {
    if (error instanceof PoolRevertError) return 0n
    throw error
  }
}
