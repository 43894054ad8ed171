import { contract } from '@liquidity-os/contract'
import { inlinePair, inlinePool } from '../support/studying.ts'

const reason = 'For the walk'
const version = `0x${'ab'.repeat(32)}`
const nowhere = (kind: string) => ({ id: `${kind}_${'0'.repeat(32)}`, resourceVersion: version })

/** Enough paths to run as a job: the request is stored and not computed yet. */
const { payload: plain } = contract.runNonCustodialSandboxStudy.example.body
const queued = { ...plain, seed: `0x${'7'.repeat(64)}`, paths: 20_000 }
const { pair } = plain
const [arm] = plain.arms
const ticks = { kind: 'TICKS', tickLower: -1800, tickUpper: 1800 }
const around = { kind: 'RANGE', lowerPips: 100_000, upperPips: 100_000 }

const stableSwap = {
  kind: 'STABLESWAP',
  variant: 'NG',
  coins: [pair.base, pair.quote],
  balances: [`${10n ** 24n}`, `${10n ** 24n}`],
  rates: [`${10n ** 18n}`, `${10n ** 18n}`],
  amplification: '20000',
  feeX10: 4_000_000,
  adminFeeX10: 5_000_000_000,
  offpegFeeMultiplierX10: 20_000_000_000,
  totalSupply: `${2n * 10n ** 24n}`,
}
const failure = [
  { kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: '5', timeSharePips: 100_000 },
  { kind: 'SLIPPAGE_ABOVE', sizeQuote: '7', side: 'BUY', maxPips: 9000, timeSharePips: 100_000 },
  { kind: 'BASE_SHARE_ABOVE', pips: 900_000 },
  { kind: 'PRICE_BELOW', priceX18: '5' },
]
const points = [
  { t: 0, priceRatioPips: 1_000_000, volumeRatioPips: 1_000_000 },
  { t: 3600, priceRatioPips: 900_000, lpExitPips: 100_000, quotePegPips: 990_000 },
]
const full = [{ ...arm, position: { kind: 'FULL_RANGE' } }]

const answered: readonly object[] = [
  {
    arms: [{ ...arm, position: around }],
    bandsPips: [20_000],
    halfWidthPips: 900,
    price: {
      kind: 'JUMP_DIFFUSION',
      annualDriftPips: 100_000,
      annualVolatilityPips: 800_000,
      jumpsPerYearMilli: 9000,
      jumpMeanPips: -20_000,
      jumpDeviationPips: 50_000,
    },
    flow: {
      kind: 'COMPOUND_POISSON',
      tradesPerDayMilli: 90_000,
      logMeanQuotePips: 40_000_000,
      logDeviationPips: 900_000,
      buySharePips: 510_000,
      depthElasticityPips: 900_000,
    },
    others: { kind: 'EXIT_HAZARD', perYearMilli: 200_000, sharePips: 300_000 },
    costs: {
      gas: { meanWei: `${10n ** 10n}`, persistencePips: 500_000, deviationPips: 100_000 },
      nativePriceX18: `${10n ** 18n}`,
      tipWei: `${10n ** 9n}`,
      l1DataFeeWei: '9',
    },
    minProfitQuote: '99',
    sampleSeconds: 7200,
    actionLatencySeconds: 120,
    targetBaseShare: { pips: 450_000, tolerancePips: 10_000 },
    sensitivity: true,
    failure,
  },
  {
    kind: 'SCENARIO',
    arms: [{ ...arm, position: ticks }],
    market: { inline: { ...inlinePool, feeProtocol0: 4, feeProtocol1: 5 } },
    scenario: {
      kind: 'POINTS',
      points,
      sale: { base: '900', fromSeconds: 60, seconds: 3600 },
    },
    costs: { gas: { constantWei: '7' }, nativePriceX18: '9' },
    price: {
      kind: 'BLOCK_BOOTSTRAP',
      drift: 'KEEP',
      meanBlockMilli: 9000,
      logReturnsX9: returns(),
    },
  },
  {
    kind: 'SCENARIO',
    arms: full,
    market: { inline: { ...inlinePair, feePips: 3000 } },
    scenario: { kind: 'UNLOCK_SELL', base: '900', seconds: 3600 },
  },
  { arms: full, market: { inline: stableSwap }, paths: 400 },
]

/** As few returns as a bootstrap takes. */
function returns(): number[] {
  return Array.from({ length: 500 }, (_, at) => (at % 7) * 1000 - 3000)
}

/** Refused at the member that they are about. */
const refused: readonly object[] = [
  { market: { venue: nowhere('venue') }, observations: [nowhere('venue_observation')] },
  { observations: [nowhere('venue_observation')] },
  { window: { fromBlock: 1, toBlock: 2 } },
  { flowModels: ['INELASTIC_INPUT'] },
  { search: { armId: arm!.armId, grid: [{ path: 'idlePips', values: ['0'] }], splitPips: 9 } },
  { reference: { kind: 'VENUE', venue: nowhere('venue') } },
  {
    reference: {
      kind: 'SERIES',
      series: nowhere('price_series'),
      over: nowhere('price_series'),
    },
  },
  { arms: [{ ...arm, rewards: { ref: nowhere('incentive_program') } }] },
  { arms: [{ armId: 'own', label: 'Own', strategy: nowhere('strategy') }] },
]

/** Studies that together hold every member but those of a strategy that is written out. */
export const studyBodies: readonly object[] = [
  ...answered.map((change) => ({
    payload: { ...queued, ...change },
    evidenceHashes: [version],
    reason,
  })),
  ...refused.map((change) => ({ payload: { ...queued, ...change }, reason })),
]
