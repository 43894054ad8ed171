import { fullRangeArm, holdArm, rangeArm } from '../src/montecarlo/arms.ts'
import { FREE_GAS } from '../src/montecarlo/gas.ts'
import type { MonteCarloSpec } from '../src/montecarlo/monte-carlo-spec.ts'
import { newPool } from './monte-carlo-market.ts'

const one = 10n ** 18n

/** Sixteen paths of a day with jumps, noise and a scenario: something of everything, quickly. */
export function smallStudy(): MonteCarloSpec {
  return {
    s0: newPool({ feePips: 3000, ranges: true }),
    price: {
      kind: 'JUMP_DIFFUSION',
      annualDrift: 0,
      annualVolatility: 0.8,
      jumpsPerYear: 500,
      jumpMean: 0,
      jumpDeviation: 0.03,
    },
    flow: {
      tradesPerDay: 50,
      logMeanQuote: 45,
      logDeviation: 1,
      buyShare: 0.5,
      depthElasticity: 0.5,
    },
    others: { kind: 'EXIT_HAZARD', perYearMilli: 300_000, sharePips: 100_000 },
    scenario: { points: [{ t: 0 }, { t: 43_200, priceRatioPips: 900_000, lpExitPips: 200_000 }] },
    steps: 24,
    paths: 16,
    arms: () => [
      holdArm('hold'),
      fullRangeArm('full', 60),
      rangeArm('range', { tickLower: -1200, tickUpper: 1200 }),
    ],
    cfg: {
      seed: new Uint8Array(32).fill(5),
      orientation: { base: 0, quote: 1 },
      stepSeconds: 3600,
      sampleEverySteps: 4,
      capital: { base: 1000n * one, quote: 1000n * one, normalization: 'EQUAL_VALUE' },
      bandsPips: [20_000],
      failure: [{ kind: 'LOSS_VS_HOLD', pips: 5_000 }],
      gas: FREE_GAS,
      minProfitQuote: 0n,
    },
  }
}
