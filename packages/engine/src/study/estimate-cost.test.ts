import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { FREE_GAS } from '../montecarlo/gas.ts'
import { type MonteCarloData, monteCarloSpec } from '../montecarlo/monte-carlo-data.ts'
import { runPaths } from '../montecarlo/monte-carlo-study.ts'
import { estimateCost, monteCarloSize, type StudySize } from './estimate-cost.ts'

const replay: StudySize = {
  kind: 'REPLAY',
  events: 1000,
  arms: 4,
  flowModels: 2,
  samples: 10,
  quotesPerSample: 6,
}
const monteCarlo: StudySize = {
  kind: 'MONTE_CARLO',
  market: 'UNISWAP_V3',
  paths: 200,
  steps: 720,
  arms: 3,
  stepSeconds: 300,
  annualVolatility: 0.8,
  feePips: 3000,
  noiseTradesPerDay: 50,
  samples: 48,
  quotesPerSample: 2,
  depthsPerSample: 4,
}

describe('what a study will take', () => {
  it('counts a replay: the unchanged pool, every arm under every model, and the quotes', () => {
    expect(estimateCost(replay).swaps).toBe(1000n + 8n * 1000n + 8n * 10n * 6n)
  })

  it('counts no swap where nothing moves the price and nobody trades', () => {
    const quiet = { ...monteCarlo, annualVolatility: 0, noiseTradesPerDay: 0, samples: 0 }
    expect(estimateCost(quiet)).toMatchObject({ swaps: 0n })
    expect(estimateCost(quiet).milliseconds).toBeGreaterThan(0)
  })

  it('grows with every size, and falls with the fee', () => {
    for (const base of [replay, monteCarlo]) {
      const names = Object.keys(base).filter(
        (name) => typeof base[name as keyof StudySize] === 'number',
      )
      fc.assert(
        fc.property(
          fc.constantFrom(...names),
          fc.double({ min: 1, max: 50, noNaN: true }),
          (name, factor) => {
            // Only sizes that are numbers are drawn.
            const value = (base as unknown as Record<string, number>)[name]!
            const [less, more] = [
              estimateCost(base),
              estimateCost({ ...base, [name]: value * factor }),
            ]
            const [low, high] = name === 'feePips' ? [more, less] : [less, more]
            expect(high.swaps).toBeGreaterThanOrEqual(low.swaps)
            expect(high.milliseconds).toBeGreaterThanOrEqual(low.milliseconds)
          },
        ),
      )
    }
  })

  it('expects depth to be dear where it is found by bisection', () => {
    const wide = { ...monteCarlo, depthsPerSample: 12 }
    const extra = (market: 'UNISWAP_V3' | 'UNISWAP_V2' | 'STABLESWAP') =>
      estimateCost({ ...wide, market }).milliseconds -
      estimateCost({ ...monteCarlo, market }).milliseconds
    expect(extra('UNISWAP_V2')).toBeGreaterThan(4 * extra('UNISWAP_V3'))
    expect(extra('STABLESWAP')).toBeGreaterThan(30 * extra('UNISWAP_V2'))
  })

  it('refuses a size that is no size', () => {
    expect(() => estimateCost({ ...replay, events: -1 })).toThrow(RangeError)
    expect(() => estimateCost({ ...monteCarlo, paths: Number.NaN })).toThrow(RangeError)
  })

  it('expects about as many trades as a study then carries out', () => {
    const data: MonteCarloData = {
      s0: newPool({ feePips: 3000, ranges: true }),
      price: { kind: 'GBM', annualDrift: 0, annualVolatility: 0.8 },
      flow: { tradesPerDay: 100, logMeanQuote: 45, logDeviation: 1, buyShare: 0.5 },
      others: { kind: 'STATIC' },
      steps: 288,
      paths: 8,
      arms: [{ armId: 'range', kind: 'V3_RANGE', tickLower: -1200, tickUpper: 1200 }],
      cfg: {
        seed: new Uint8Array(32).fill(3),
        orientation: { base: 0, quote: 1 },
        stepSeconds: 300,
        sampleEverySteps: 288,
        capital: { base: 10n ** 20n, quote: 10n ** 20n, normalization: 'EQUAL_VALUE' },
        bandsPips: [],
        failure: [],
        gas: FREE_GAS,
        minProfitQuote: 0n,
      },
    }
    const outcomes = runPaths(monteCarloSpec(data), 0, data.paths).flat()
    const done = outcomes.reduce((sum, { flow }) => sum + flow.arbitrages + flow.noiseTrades, 0)
    const size = monteCarloSize(data)
    expect(size).toMatchObject({ arms: 2, noiseTradesPerDay: 100, feePips: 3000 })
    const ratio = Number(estimateCost(size).swaps) / done
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.5)
  })
})
