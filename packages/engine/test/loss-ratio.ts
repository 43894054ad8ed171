import type { Market } from '../src/amm/market.ts'
import { quoteValue } from '../src/depth/value.ts'
import { fullRangeArm, type MonteCarloArm } from '../src/montecarlo/arms.ts'
import { FREE_GAS } from '../src/montecarlo/gas.ts'
import { type RunConfig, runPath } from '../src/montecarlo/run-path.ts'
import { exponential } from '../src/random/draws.ts'
import { pathStream } from '../src/random/streams.ts'

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
/** Steps of a path: its price stays where the pool's ticks are. */
export const stepsOfPath = 5000

export type Waits = 'CONSTANT' | 'EXPONENTIAL'

/** Prices of unit waiting times or exponential ones, with a volatility per unit of time. */
function walk(pair: number, sigma: number, waits: Waits) {
  const source = pathStream(seed, pair, 'price', false)
  const clock = pathStream(seed, pair, 'bootstrap', false)
  const price = new Float64Array(stepsOfPath + 1)
  price[0] = 1
  for (let t = 1; t <= stepsOfPath; t++) {
    const wait = waits === 'CONSTANT' ? 1 : exponential(clock, 1)
    const r = sigma * Math.sqrt(wait) * source.normal() - (sigma * sigma * wait) / 2
    price[t] = price[t - 1]! * Math.exp(r)
  }
  return { price, volume: null }
}

/** Over the loss ∫Vσ²/8 of continuous rebalancing, all paths together. */
export interface LossRatio {
  /** Loss to arbitrage less fees; arbitrage is the only flow. */
  readonly withFees: number
  readonly lvr: number
  /** Standard error of `withFees`, from the paths. */
  readonly standardError: number
}

/** Arbitrage loss of a whole curve. @param sigma standard deviation of ln price over a step */
export function lossRatio(market: Market, sigma: number, waits: Waits, paths: number): LossRatio {
  const each = Array.from({ length: paths }, (_, pair) => lossOn(market, sigma, waits, pair))
  const sum = (read: (path: (typeof each)[number]) => number) =>
    each.reduce((total, path) => total + read(path), 0)
  const rebalancing = sum((path) => path.rebalancing)
  const withFees = sum((path) => path.lvr - path.fees) / rebalancing
  const squares = sum((path) => (path.lvr - path.fees - withFees * path.rebalancing) ** 2)
  const standardError = Math.sqrt((squares * paths) / Math.max(1, paths - 1)) / rebalancing
  return { withFees, lvr: sum(({ lvr }) => lvr) / rebalancing, standardError }
}

function lossOn(market: Market, sigma: number, waits: Waits, pair: number) {
  let rebalancing = 0
  const arm: MonteCarloArm = {
    ...fullRangeArm('full', 60),
    onStep: ({ reference }, desk) => {
      const { base, quote } = desk.inventory
      rebalancing += (Number(quoteValue(base, reference) + quote) * sigma * sigma) / 8
    },
  }
  const path = walk(pair, sigma, waits)
  const others = { kind: 'STATIC' } as const
  const run = { s0: market, path, arms: [arm], flow: null, others, cfg, index: 2 * pair }
  const { lvr, fees } = runPath(run)[0]!.maker
  return { lvr: Number(lvr), fees: Number(fees), rebalancing }
}
