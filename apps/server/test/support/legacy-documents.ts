import { contract } from '@liquidity-os/contract'
import { canonicalizeAnyNumber } from '@liquidity-os/evidence'
import { contentHashOf } from '../../src/store/artifacts/content-hash.ts'

export type LegacyDocument = Record<string, unknown>

const { limits, ...bootstrapExample } =
  contract.wrapLegacyStrategyDefinition.example.body.payload.v1Document
export const capital = { base: '1000000000000000000', quote: '1000000000000000000' }
export const ladder = { rungs: 3, firstOffsetPips: 10_000, widthPips: 50_000, growthPips: 0 }

export const bootstrap = (change: LegacyDocument = {}): LegacyDocument => ({
  ...bootstrapExample,
  limits,
  capital,
  description: undefined,
  ...change,
})
export const maintain = (change: LegacyDocument = {}): LegacyDocument => ({
  schemaVersion: 'liquidity-maintain-v1',
  name: 'Kept',
  capital,
  wide: { sharePips: 400_000, lowerPips: 500_000, upperPips: 500_000 },
  mid: {
    sharePips: 400_000,
    deviationsMilli: 2000,
    horizonSeconds: 86_400,
    windowSeconds: 604_800,
  },
  rebalancing: {
    sharePips: 150_000,
    side: 'QUOTE',
    offsetPips: 5000,
    widthPips: 60_000,
    swap: true,
  },
  inventory: {
    targetBaseSharePips: 500_000,
    minBaseSharePips: 200_000,
    maxBaseSharePips: 800_000,
  },
  volatility: { shortSeconds: 3600, longSeconds: 86_400, aboveMilli: 2000 },
  outOfRangeSeconds: 1800,
  cooldownSeconds: 7200,
  maxActionsPerDay: 4,
  limits,
  ...change,
})
export const diversify = (change: LegacyDocument = {}): LegacyDocument => ({
  schemaVersion: 'liquidity-diversify-v1',
  name: 'Sold slowly',
  capital: { base: capital.base },
  ladder,
  sellBase: '400000000000000000',
  collectEverySeconds: 43_200,
  limits,
  ...change,
})

export const hashOf = (document: LegacyDocument) =>
  contentHashOf(Buffer.from(canonicalizeAnyNumber(document)))

export { bootstrapExample, limits }
