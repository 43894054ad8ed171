import { expect, test } from 'vitest'
import { newPair, newPool } from '../../test/monte-carlo-market.ts'
import type { Market } from '../amm/market.ts'
import { quoteValue } from '../depth/value.ts'
import { exponential } from '../random/draws.ts'
import { pathStream } from '../random/streams.ts'
import { fullRangeArm, type MonteCarloArm } from './arms.ts'
import { FREE_GAS } from './gas.ts'
import { type RunConfig, runPath } from './run-path.ts'

const one = 10n ** 18n
const seed = new Uint8Array(32).fill(11)
const cfg: RunConfig = {
  seed,
  orientation: { base: 0, quote: 1 },
  stepSeconds: 12,
  sampleEverySteps: 100_000,
  capital: { base: 1000n * one, quote: 1000n * one, normalization: 'EQUAL_VALUE' },
  bandsPips: [],
  failure: [],
  gas: FREE_GAS,
  minProfitQuote: 0n,
}

/** Prices of unit waiting times or exponential ones, with a volatility per unit of time. */
function walk(pair: number, steps: number, sigma: number, waits: 'CONSTANT' | 'EXPONENTIAL') {
  const source = pathStream(seed, pair, 'price', false)
  const clock = pathStream(seed, pair, 'bootstrap', false)
  const price = new Float64Array(steps + 1)
  price[0] = 1
  for (let t = 1; t <= steps; t++) {
    const wait = waits === 'CONSTANT' ? 1 : exponential(clock, 1)
    const r = sigma * Math.sqrt(wait) * source.normal() - (sigma * sigma * wait) / 2
    price[t] = price[t - 1]! * Math.exp(r)
  }
  return { price, volume: null }
}

/** Loss to arbitrage, less fees, over the loss ∫Vσ²/8 of continuous rebalancing. */
function lossRatio(
  market: Market,
  sigma: number,
  waits: 'CONSTANT' | 'EXPONENTIAL',
  paths: number,
): { withFees: number; lvr: number } {
  let lost = 0
  let lvr = 0
  let rebalancing = 0
  for (let pair = 0; pair < paths; pair++) {
    const arm: MonteCarloArm = {
      ...fullRangeArm('full', 60),
      onStep: ({ reference }, desk) => {
        const { base, quote } = desk.inventory
        rebalancing += (Number(quoteValue(base, reference) + quote) * sigma * sigma) / 8
      },
    }
    const path = walk(pair, 5000, sigma, waits)
    const others = { kind: 'STATIC' } as const
    const [outcome] = runPath({
      s0: market,
      path,
      arms: [arm],
      flow: null,
      others,
      cfg,
      index: 2 * pair,
    })
    lost += Number(outcome!.maker.lvr - outcome!.maker.fees)
    lvr += Number(outcome!.maker.lvr)
  }
  return { withFees: lost / rebalancing, lvr: lvr / rebalancing }
}

test('without a fee the whole curve loses σ²/8 of its worth, in v3 and in v2', () => {
  const inPool = lossRatio(newPool({ feePips: 0 }), 0.003, 'CONSTANT', 24).lvr
  expect(Math.abs(inPool - 1)).toBeLessThan(0.01)
  const ratio = lossRatio(newPair({ feeThousandths: 0n }), 0.003, 'CONSTANT', 24).lvr
  expect(Math.abs(ratio - 1)).toBeLessThan(0.01)
})

test('with a fee and constant steps a share 1/(1 + 1.7164·γ/σ) of it is left', () => {
  const pool = newPool({ feePips: 3000 })
  // The last is a fee of 0.3 % at 80 % a year and twelve seconds.
  for (const multiple of [1, 3, 6.0792]) {
    const { withFees } = lossRatio(pool, 0.003 / multiple, 'CONSTANT', 16)
    expect(Math.abs(withFees - 1 / (1 + 1.7164 * multiple))).toBeLessThan(0.01)
  }
})

test('with exponential waiting times a share 1/(1 + √2·γ/σ) of it is left', () => {
  const { withFees } = lossRatio(newPool({ feePips: 3000 }), 0.003, 'EXPONENTIAL', 24)
  expect(Math.abs(withFees - 1 / (1 + Math.SQRT2))).toBeLessThan(0.01)
})
