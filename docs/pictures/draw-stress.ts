import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { contract, encode } from '@liquidity-os/contract'
import { pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import {
  DEFAULT_HAIRCUT_PIPS,
  type StressHolding,
  treasuryLosses,
} from '@liquidity-os/engine/stress'
import { lossFigures } from '../../apps/server/src/families/simulate/treasury-stress-tests/drawn-losses.ts'
import draw from '../../apps/server/src/families/simulate/treasury-stress-tests/pictures/draw-task.ts'
import { requestedScenarios } from '../../apps/server/src/families/simulate/treasury-stress-tests/requested-scenarios.ts'
import { engineLegs } from '../../apps/server/src/families/simulate/treasury-stress-tests/stress-books.ts'
import {
  outcomeFigures,
  reverseFigures,
  type StudyFigures,
  scenarioFigures,
} from '../../apps/server/src/families/simulate/treasury-stress-tests/stress-payload.ts'
import stress from '../../apps/server/src/families/simulate/treasury-stress-tests/stress-task.ts'

type Study = contract.TreasuryStressStudy

const chain = 'eip155:1'
const usdc = `${chain}/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48`
const ether = `${chain}/slip44:60`
const other = `${chain}/erc20:0x5a98fcbea516cf06857215779fd812ca3bef1b32`
const custodian = `custodian:bank:0x${'1'.repeat(64)}`
const cent = 100n
const x36 = 10n ** 36n

const holding = (change: Partial<StressHolding> & Pick<StressHolding, 'assetId' | 'tier'>) => ({
  quantity: 0n,
  priceX36: x36,
  container: 'safe',
  lockedDays: 0,
  ...change,
})
/** In cents: 1.5 M at a bank, 4 M USDC, 1,200 ether at 3,000 and 5 M of another token at 0.8, a fifth of it locked. */
const holdings = [
  holding({
    assetId: 'iso4217:USD',
    tier: 0,
    quantity: 1_500_000n * cent,
    container: custodian,
    isQuote: true,
  }),
  holding({ assetId: usdc, tier: 1, quantity: 4_000_000n * 10n ** 6n, priceX36: x36 / 10n ** 4n }),
  holding({
    assetId: ether,
    tier: 2,
    quantity: 1_200n * 10n ** 18n,
    priceX36: 300_000n * 10n ** 18n,
  }),
  holding({
    assetId: other,
    tier: 3,
    quantity: 4_000_000n * 10n ** 18n,
    priceX36: 80n * 10n ** 18n,
  }),
  holding({
    assetId: other,
    tier: 3,
    quantity: 1_000_000n * 10n ** 18n,
    priceX36: 80n * 10n ** 18n,
    lockedDays: null,
  }),
]

const request: Study['request'] = {
  label: 'Before the board meeting',
  portfolio: { scope: 'ALL_ACTIVE' },
  quoteKey: 'iso4217:USD',
  horizonDays: 30,
  confidencePips: 975_000,
  templates: ['CRASH_HALF', 'STABLE_DOWN_12', 'CUSTODIAN_FROZEN', 'ALL_TOGETHER'],
  limits: [
    { metric: 'COVERAGE_PIPS', threshold: '10000000' },
    { metric: 'RUNWAY_MONTHS_X3', threshold: '12000' },
  ],
  reverse: [
    { metric: 'COVERAGE_PIPS', threshold: '10000000', scenarioId: 'all-together' },
    { metric: 'RUNWAY_MONTHS_X3', threshold: '12000', scenarioId: 'crash-half' },
  ],
}

/** A treasury of several assets in our own scenarios, of which the pictures in the documentation are drawn. */
export function drawnStress(): Study {
  const requests = requestedScenarios(request, { stables: [usdc], custodians: [custodian] })
  const market = (daily: bigint, volatility: number) => ({
    volume: { daily, volatility },
    venues: [],
  })
  const days = Array.from({ length: 500 }, (_, day) => [
    (((day * 7919) % 211) - 105) / 2_200 - (day % 97 === 0 ? 0.16 : 0),
    (((day * 6007) % 223) - 111) / 1_900 - (day % 97 === 0 ? 0.24 : 0),
  ])
  const terms = {
    seed: new Uint8Array(32).fill(7),
    model: { kind: 'BOOTSTRAP', meanBlockDays: 10 } as const,
    returns: days,
    days: 30,
    paths: 4_000,
    exposures: [
      { factor: 0, beta: 1, value: 360_000_000, horizonDays: 20 },
      { factor: 1, beta: 1, value: 400_000_000, horizonDays: 40 },
    ],
  }
  const books = {
    holdings,
    countsOwnToken: false as const,
    haircutPips: DEFAULT_HAIRCUT_PIPS,
    markets: new Map([
      [usdc, market(10n ** 15n, 0.002)],
      [ether, market(2_000_000n * 10n ** 18n, 0.035)],
      [other, market(1_200_000n * 10n ** 18n, 0.06)],
    ]),
    obligations: [
      { kind: 'PAYROLL', dueDays: 30, quote: 900_000n * cent },
      { kind: 'GRANT', dueDays: 90, quote: 2_000_000n * cent },
    ],
    inflows: [{ quote: 150_000n * cent }],
  }
  const result = stress({
    books,
    // Every account of it is proven.
    controlled: books,
    observed: { betas: {}, windows: {}, nativeAsset: ether },
    sale: { participationPips: 100_000, days: 30, y: 1 },
    scenarios: requests.map((one) => ({
      scenarioId: one.scenarioId,
      legs: engineLegs(one, [custodian, 'safe']),
    })),
    reverse: (request.reverse ?? []).map((one) => ({ ...one, threshold: BigInt(one.threshold) })),
    paths: terms,
    controlledPaths: terms,
    confidence: 0.975,
    sales: [],
  })
  const whole = {
    losses: result.losses ?? treasuryLosses(terms),
    realisableQuote: result.before.counted.realisableQuote,
  }
  const drawn = {
    terms,
    controlled: terms,
    model: 'BOOTSTRAP',
    isFallback: false,
    factors: [ether, other],
    byBeta: [],
    still: [],
  } as const
  const figures: Partial<StudyFigures> = {
    request,
    quoteDecimals: 2,
    before: outcomeFigures(result.before, result.controlled.before, request),
    scenarios: scenarioFigures(requests, result, request),
    reverse: reverseFigures(request, result),
    monteCarlo: lossFigures(drawn, { whole, controlled: whole, needQuote: 75_000_000n }),
  }
  return encode(contract.TreasuryStressStudy, figures as StudyFigures)
}

/** The pictures by the names of their files. */
export const drawStress = (): Map<string, string> =>
  new Map(
    draw(drawnStress(), usualPaper).map(({ picture }) => [
      `${picture.id}.svg`,
      pictureToSvg(picture),
    ]),
  )

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, svg] of drawStress()) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), svg)
  }
}
