import type { contract } from '@liquidity-os/contract'
import type { RecordedVenue } from './recorded-venue.ts'

export type StudySpec = contract.StudySpec

const e18 = (amount: number) => `${BigInt(amount) * 10n ** 18n}`
const seedOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const pair = {
  chainId: 1,
  base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
  quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  baseDecimals: 18,
  quoteDecimals: 18,
}
const range = (pips: number) => ({ kind: 'RANGE' as const, lowerPips: pips, upperPips: pips })
const arms: StudySpec['arms'] = [
  { armId: 'full', label: 'Full range', position: { kind: 'FULL_RANGE' } },
  { armId: 'wide', label: 'Wide', position: range(300_000) },
  { armId: 'middle', label: 'Middle', position: range(100_000) },
  { armId: 'narrow', label: 'Narrow', position: range(30_000) },
]

/** An hourly month of drawn prices on four arms, to the last path. */
export const pathsSpec = (paths: number, seed: number): StudySpec => ({
  schemaVersion: 'simulation-study-v1',
  name: 'An hourly month',
  kind: 'MONTE_CARLO',
  pair,
  market: {
    inline: {
      kind: 'UNISWAP_V3',
      feePips: 3000,
      tickSpacing: 60,
      sqrtPriceX96: `${1n << 96n}`,
      ticks: [
        { index: -887_220, liquidityGross: e18(10_000), liquidityNet: e18(10_000) },
        { index: -6000, liquidityGross: e18(40_000), liquidityNet: e18(40_000) },
        { index: 6000, liquidityGross: e18(40_000), liquidityNet: `-${e18(40_000)}` },
        { index: 887_220, liquidityGross: e18(10_000), liquidityNet: `-${e18(10_000)}` },
      ],
    },
  },
  horizonSeconds: 720 * 3600,
  stepSeconds: 3600,
  sampleSeconds: 3600,
  arms,
  capital: { base: e18(100), quote: e18(100), normalization: 'AS_GIVEN' },
  price: { kind: 'GBM', annualVolatilityPips: 800_000 },
  flow: {
    kind: 'COMPOUND_POISSON',
    tradesPerDayMilli: 48_000,
    logMeanQuotePips: 41_446_532,
    logDeviationPips: 1_000_000,
    buySharePips: 500_000,
  },
  tradeSizesQuote: [e18(1)],
  failure: [{ kind: 'LOSS_VS_HOLD', pips: 100_000 }],
  paths,
  halfWidthPips: 1,
  seed: seedOf(seed),
})

/** A study that is estimated as work for a job, and precise after its first paths. */
export const shortSpec = (seed: number): StudySpec => ({
  ...pathsSpec(3000, seed),
  horizonSeconds: 24 * 3600,
  halfWidthPips: 1_000_000,
})

/** The whole recorded stream on four arms. */
export const replaySpec = (recorded: RecordedVenue, seed: number): StudySpec => ({
  schemaVersion: 'simulation-study-v1',
  name: `The stream ${seed}`,
  kind: 'REPLAY',
  pair: recorded.pair,
  market: { venue: recorded.venue },
  observations: [recorded.observation],
  window: recorded.window,
  arms,
  capital: { base: e18(8000), quote: e18(10), normalization: 'EQUAL_VALUE' },
  flowModels: ['PRICE_SETTING'],
  sampleSeconds: 3600,
  bandsPips: [20_000],
  tradeSizesQuote: [e18(1)],
  seed: seedOf(seed),
})
