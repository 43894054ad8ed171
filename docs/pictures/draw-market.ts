import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drawCharts, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { anomalyCharts } from '../../apps/server/src/families/intelligence/anomalies/charts.ts'
import type { AnomalyPayload } from '../../apps/server/src/families/intelligence/anomalies/subject.ts'
import {
  type DrawnMarket,
  marketMapCharts,
} from '../../apps/server/src/families/intelligence/market-map/charts.ts'
import { venueCharts } from '../../apps/server/src/families/intelligence/venues/charts.ts'
import type { DrawnVenue } from '../../apps/server/src/families/intelligence/venues/drawn-venue.ts'
import { incentiveCharts } from '../../apps/server/src/families/operate/incentive-programs/charts.ts'
import type { DrawnProgram } from '../../apps/server/src/families/operate/incentive-programs/response-curves.ts'

const e18 = (tokens: number) => `${BigInt(Math.round(tokens * 1e6)) * 10n ** 12n}`
const pair = {
  chainId: 31337,
  baseDecimals: 18,
  quoteDecimals: 18,
  base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
  quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
} as const
const hash = (digit: number) => `0x${`${digit}`.repeat(64)}`
const noon = Date.parse('2026-01-05T12:00:00Z')
const timeBefore = (minutes: number) => new Date(noon - minutes * 60_000).toISOString()
/** Between −1 and 1, and the same every time. */
const wobble = (place: number) => Math.sin(place * 1.7) * 0.6 + Math.sin(place * 0.37) * 0.4

const evidence = {
  engineVersion: '0.0.0',
  engineBuildHash: hash(0),
  specHash: hash(0),
  seed: null,
  inputs: [],
  blocks: [],
  gaps: [],
  assumptions: [{ code: 'REWARD_PRICE', value: '1', source: 'DECLARED' }],
} as const

const samples = 144
/** Depth that falls to a third in the last hours: the samples and the band of a withdrawal. */
export const drawnAnomaly = {
  kind: 'LIQUIDITY_DISAPPEARANCE',
  subject: { pair, venueId: `venue_${'0'.repeat(32)}` },
  at: timeBefore(0),
  cadenceSeconds: 600,
  baselineSeconds: 86_400,
  state: 'COMPLETED',
  reasons: [],
  outcome: 'DETECTED',
  severity: 'CRITICAL',
  rule: 'STATISTICAL',
  feature: {
    unit: 'QUOTE_ATOMS',
    value: e18(310),
    median: e18(1000),
    mad: e18(18),
    scale4: `${14_826n * BigInt(e18(18))}`,
    zMilli: -25_855,
    effectPips: '690000',
  },
  contributors: [],
  indicators: [],
  fingerprint: hash(1),
  baseline: null,
  occurrences: 4,
  explanation: 'The depth within 2 % is 310 quote tokens, usually 1,000.',
  course: Array.from({ length: samples }, (_, place) => {
    const minutes = (samples - 1 - place) * 10
    const fallen = place < 122 ? 1 : place < 132 ? 0.72 : 0.31
    const value = e18((1000 + 24 * wobble(place)) * fallen)
    return { at: timeBefore(minutes), value, isFlagged: fallen < 1 }
  }).filter((_, place) => place < 60 || place > 68),
  openedAt: timeBefore(210),
  lastSeenAt: timeBefore(0),
  criticalAt: [{ from: timeBefore(110), to: timeBefore(0) }],
  evidence,
} as unknown as AnomalyPayload

const figure = (
  metric: string,
  numbers: readonly [number, number, number, number, number, number],
) =>
  [
    ...(['REALIZED INELASTIC_INPUT', 'REALIZED PRICE_SETTING'] as const),
    ...(['SIMULATED p02.5', 'SIMULATED p50', 'SIMULATED p97.5', 'Z_MILLI'] as const),
  ].map((ref, place) => ({
    kind: metric,
    ref,
    amount:
      ref === 'Z_MILLI' || metric === 'BASE_SHARE' ? `${numbers[place]}` : e18(numbers[place]!),
  }))

/** A study whose arm earned more than any of its paths. */
export const drawnDivergence = {
  ...drawnAnomaly,
  kind: 'SIMULATED_REALIZED_DIVERGENCE',
  contributors: [
    ...figure('NET_VS_HOLD', [3.1, 2.8, -2.2, 0.4, 2.1, 2100]),
    ...figure('FEES', [4.6, 4.2, 0.9, 1.7, 2.9, 5400]),
    ...figure('DEPTH_2_PERCENT', [1480, 1510, 1390, 1500, 1620, -180]),
    ...figure('BASE_SHARE', [512_000, 509_000, 470_000, 500_000, 530_000, 400]),
  ],
  explanation: 'FEES of the arm own is 4.2 after 12 h, and 1.7 in the middle of 1000 paths.',
} as unknown as AnomalyPayload

const bands = [10_000, 20_000, 50_000, 100_000]
const venue = (
  place: number,
  kind: string,
  {
    mid,
    depth,
    share,
    own,
    flags = [] as string[],
  }: {
    mid: number
    depth: readonly number[]
    share: number | null
    own: number | null
    flags?: string[]
  },
) => ({
  venueId: `venue_019b8e6a${`${place}`.repeat(4)}7c3a9f20d41b8e6a${`a${place}f0`}`,
  kind,
  flags,
  status: 'VALIDATED',
  freshnessSeconds: flags.length > 0 ? 4000 : 90,
  midX18: e18(mid),
  feePips: kind === 'UNISWAP_V2' ? 3000 : 500 * place,
  tvlQuote: null,
  volume24hQuote: null,
  depth: bands.flatMap((bandPips, at) =>
    (['BUY', 'SELL'] as const).map((side) => ({
      bandPips,
      side,
      quote: e18(depth[at]! * (side === 'BUY' ? 1 : 0.9)),
    })),
  ),
  depthSharePips: share,
  ownDepthSharePips: own,
})

/** Four venues of a pair, one of which was read too long ago. */
export const drawnMarket = {
  pair,
  asOf: [],
  state: 'PARTIAL',
  reasons: ['VENUE_STALE'],
  coveragePips: 750_000,
  venues: [
    venue(1, 'UNISWAP_V3', {
      mid: 1.002,
      depth: [420, 800, 1500, 1900],
      share: 560_000,
      own: 450_000,
    }),
    venue(2, 'UNISWAP_V2', { mid: 0.998, depth: [90, 180, 440, 860], share: 130_000, own: null }),
    venue(6, 'UNISWAP_V3', { mid: 1, depth: [210, 440, 900, 1250], share: 310_000, own: 0 }),
    venue(4, 'UNISWAP_V3', {
      mid: 1.01,
      depth: [120, 230, 500, 700],
      share: null,
      own: null,
      flags: ['STALE'],
    }),
  ],
  composite: {
    midX18: e18(1),
    depth: [],
    executable: [10, 50, 200, 500, 1000].flatMap((size, place) =>
      (['BUY', 'SELL'] as const).map((side) => ({
        sizeQuote: e18(size),
        side,
        gasQuote: null,
        split: [],
        allInPips: [900, 2100, 5200, 9800, 17_500][place]! + (side === 'SELL' ? 300 : 0),
        bestSingle: {
          venueId: 'venue_1',
          allInPips: [1000, 3300, 9000, 19_000, 41_000][place]! + (side === 'SELL' ? 400 : 0),
        },
      })),
    ),
  },
  targets: [
    {
      side: 'BUY',
      bandPips: 10_000,
      targetQuote: e18(700),
      actualQuote: e18(720),
      shortfallQuote: '0',
    },
    {
      side: 'SELL',
      bandPips: 20_000,
      targetQuote: e18(2000),
      actualQuote: e18(1420),
      shortfallQuote: e18(580),
    },
  ],
} as unknown as DrawnMarket

const programVenue = (place: number, depth: number, volume: number) => ({
  venueId: `venue_019b8e6a00007c3a9f20d41b8e6aa${place}f0`,
  depthQuote: e18(depth),
  ownSharePips: 100_000,
  volumePerDay: e18(volume),
  feesPerDay: e18(volume * 0.003),
  elasticityPips: 420_000,
  elasticityErrorPips: 90_000,
  elasticityIsIdentified: true,
})
const measured = (estimate: number, halfWidth: number) => ({
  estimatePips: Math.round(estimate),
  lowPips: Math.round(estimate - halfWidth),
  highPips: Math.round(estimate + halfWidth),
})
const dist = (mean: number) => ({ mean: e18(mean) })
const days = 28

/** A program that was measured before, has run its four weeks and is watched since. */
export const drawnProgram = {
  payload: {
    request: { pair, days, objective: 'TRADER_COST_SAVED', confidencePips: 900_000 },
    result: {
      allocation: [
        { ...programVenue(1, 0, 0), rewardPerDay: e18(9) },
        { ...programVenue(2, 0, 0), rewardPerDay: e18(4) },
      ],
      forecast: {
        cost: dist(364),
        net: dist(620),
        depthLift: dist(800),
        volumeLift: dist(5000),
        depthLiftPips: measured(310_000, 90_000),
      },
      frontier: Array.from({ length: 9 }, (_, step) => {
        const spend = step * 60
        const mean = 900 * (1 - Math.exp(-spend / 260)) - spend * 0.12
        const high = mean + 0.5 * spend + 8
        return {
          spendQuote: e18(spend),
          mean: e18(mean),
          high: e18(high),
          low: e18(mean - 0.55 * spend - 8),
        }
      }),
      retention: { ...measured(420_000, 160_000), isMeasured: true },
    },
    baseline: { venues: [programVenue(1, 1500, 2400), programVenue(2, 900, 1000)] },
    evidence,
  },
  evaluations: Array.from({ length: 30 }, (_, place) => {
    const reached = 290_000 * (1 - Math.exp(-(place + 1) / 6)) + 18_000 * wobble(place)
    return {
      dayOfProgram: (place + 1) * 3 - 2,
      reasons: [],
      method: 'SYNTHETIC_CONTROL',
      placeboPPips: 47_000,
      liftPips: measured(
        place < 10 ? reached : 280_000 * Math.exp(-(place - 9) / 9),
        160_000 / Math.sqrt(place + 1) + 30_000,
      ),
      costPerDepthDayPips: 18_400,
      retention: [
        { daysAfter: '7', keptPips: 780_000 },
        { daysAfter: '30', keptPips: 520_000 },
        { daysAfter: '60', keptPips: 390_000 },
      ],
    }
  }),
  priors: [
    {
      responsePips: measured(450_000, 150_000),
      responseErrorPips: 90_000,
      speedPerDayPips: 220_000,
    },
  ],
} as unknown as DrawnProgram

const stretch = (
  [fromBlock, toBlock, fromMinute, toMinute]: readonly [number, number, number, number],
  {
    depth: deep,
    gap = null as string | null,
    shift = 0,
    isOvertaken = false,
  }: { depth: number; gap?: string | null; shift?: number; isOvertaken?: boolean },
) => ({
  status: gap === null ? 'COMPLETED' : 'PARTIAL',
  isOvertaken,
  range: {
    from: { chainId: 31337, number: fromBlock, hash: hash(1), timestamp: timeBefore(fromMinute) },
    to: { chainId: 31337, number: toBlock, hash: hash(2), timestamp: timeBefore(toMinute) },
  },
  continuity: {
    proved: gap === null,
    fidelity: { eventsReplayed: (toBlock - fromBlock) * 2, firstDivergence: null },
    firstMismatch:
      gap === 'EVENT_GAP' ? { field: 'liquidity', expected: '120', computed: '100' } : null,
  },
  gaps: gap === null ? [] : [{ code: gap, detail: '' }],
  metrics: {
    midX18: e18(0.0088 + shift + wobble(toMinute) * 0.0001),
    depth: (['BUY', 'SELL'] as const).map((side) => ({
      bandPips: 20_000,
      side,
      quote: e18(deep * (side === 'BUY' ? 1 : 0.93)),
    })),
  },
  samples: Array.from({ length: 25 }, (_, place) => {
    const minute = fromMinute - ((fromMinute - toMinute) * place) / 25
    return {
      at: noon / 1000 - Math.round(minute * 60),
      midX18: e18(0.0088 + shift * (place / 25) + wobble(minute) * 0.0001),
    }
  }),
})

/**
 * A venue that was indexed through an archive, then without one, then not at all, whose token once misbehaved, and of
 * which blocks that had been read left the chain.
 */
export const drawnVenue = {
  name: 'ENS / WETH 0.30 %',
  pair,
  observations: [
    stretch([1000, 1599, 2880, 2400], { depth: 36 }),
    stretch([1600, 1999, 2400, 2000], { depth: 35, shift: 0.0003 }),
    stretch([2000, 2299, 2000, 1700], { depth: 33, gap: 'END_STATE_NOT_READ' }),
    stretch([2700, 3099, 1300, 900], { depth: 30 }),
    stretch([3100, 3299, 900, 700], { depth: 21, gap: 'EVENT_GAP', shift: -0.0004 }),
    stretch([3300, 3640, 700, 360], { depth: 27, shift: 0.0012, isOvertaken: true }),
    stretch([3300, 3999, 700, 0], { depth: 27 }),
  ],
} as unknown as DrawnVenue

/** The pictures by the names of their files. */
export function drawMarket(): Map<string, string> {
  const all = [
    ...drawCharts(
      [...anomalyCharts(drawnAnomaly), ...anomalyCharts(drawnDivergence).slice(1)],
      usualPaper,
    ),
    ...drawCharts(marketMapCharts(drawnMarket), usualPaper),
    ...drawCharts(incentiveCharts(drawnProgram), usualPaper),
    ...drawCharts(venueCharts(drawnVenue), usualPaper),
  ]
  return new Map(all.map(({ picture }) => [`${picture.id}.svg`, pictureToSvg(picture)]))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, svg] of drawMarket()) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), svg)
  }
}
