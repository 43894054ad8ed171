// @module-tag long

import { readdirSync } from 'node:fs'
import { type contract, responseExamples } from '@liquidity-os/contract'
import {
  type Drawing,
  type Paper,
  type Picture,
  type Spot,
  screenPaper,
} from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { drawnPlan } from '../../../../docs/pictures/draw-allocation.ts'
import {
  drawnAnomaly,
  drawnDivergence,
  drawnMarket,
} from '../../../../docs/pictures/draw-market.ts'
import { drawnScore } from '../../../../docs/pictures/draw-score.ts'
import { drawnStress } from '../../../../docs/pictures/draw-stress.ts'
import { busyAttribution } from '../families/intelligence/attributions/testing/busy-attribution.ts'
import { picturedRecords } from '../testing/pictured-records.ts'
import { dayMilliseconds } from '../units.ts'

const families = new URL('../families/', import.meta.url)

type Draw = (subject: object, paper: Paper) => Drawing[] | Promise<Drawing[]>
const drawOf = async (family: string): Promise<Draw> =>
  (await import(new URL(`${family}/pictures/draw-task.ts`, families).href)).default

const exampleOf = (operation: string) =>
  (responseExamples[operation] as { data: { payload: object } }).data.payload

/** Records of the families whose pictures follow the width that is asked for, a full one each and those that lack much. */
const following: Readonly<Record<string, () => object[] | Promise<object[]>>> = {
  'intelligence/market-map': () => [drawnMarket, { ...drawnMarket, venues: [], targets: [] }],
  'intelligence/scores': async () => {
    const score = await drawnScore()
    return [score, { ...score, state: 'ABSTAINED', reasons: ['NO_DEPTH', 'NO_SAMPLES'] }]
  },
  'plan/allocation-plans': async () => {
    const plan = await drawnPlan()
    const nothing = { allocation: [], achieved: [], shadowPrices: [], frontier: [] }
    return [plan, { ...plan, ...nothing }]
  },
  'simulate/treasury-stress-tests': () => {
    const none = { before: null, scenarios: [], monteCarlo: null, reverse: [] }
    return [drawnStress(), { ...drawnStress(), ...none }]
  },
  'plan/treasury-projections': () => {
    const original = exampleOf('getTreasuryProjection') as contract.TreasuryProjection
    // The example tells two months of each scenario.
    const scenarios = original.scenarios.map((one) => ({
      ...one,
      months: Array.from({ length: 36 }, (_, index) => ({
        ...one.months[index % one.months.length]!,
        month: new Date(Date.UTC(2026, index)).toISOString().slice(0, 7),
      })),
    }))
    const projection = { ...original, scenarios }
    return [projection, { ...projection, scenarios: [], monteCarlo: null }]
  },
  'plan/unlock-impacts': () => {
    const impact = exampleOf('createUnlockImpacts') as contract.UnlockImpact
    const begin = Date.parse(impact.days[0]!.date)
    // The example tells two days of a window.
    const days = Array.from({ length: 90 }, (_, day) => ({
      ...impact.days[day % 2]!,
      date: new Date(begin + day * dayMilliseconds).toISOString().slice(0, 10),
    }))
    return [impact, { ...impact, days }, { ...impact, days: [], mitigations: [], peaks: null }]
  },
  'plan/launch-plans': () => {
    const plan = exampleOf('createLaunchPlans')
    const { data: timeline } = responseExamples.getLaunchTimeline as {
      data: contract.LaunchTimeline
    }
    return [
      { plan, timeline },
      { plan, timeline: { ...timeline, events: [] } },
    ]
  },
  'intelligence/attributions': () => {
    const nothing = { fills: [], components: null, componentsPips: null, benchmark: null }
    return [exampleOf('createAttributions'), busyAttribution, { ...busyAttribution, ...nothing }]
  },
  'operate/migration-plans': () => {
    const plan = exampleOf('createMigrationPlans')
    const { data: state } = responseExamples.getMigrationPlanState as { data: object }
    return [{ plan, state }]
  },
  'intelligence/anomalies': () => [
    drawnAnomaly,
    drawnDivergence,
    { ...drawnAnomaly, course: drawnAnomaly.course.slice(-1), criticalAt: [] },
    { ...drawnAnomaly, state: 'ABSTAINED', reasons: ['BASELINE_TOO_SHORT'] },
  ],
}

const followed = {
  ...following,
  ...picturedRecords,
}

it('names every family with pictures once', () => {
  const found = readdirSync(families, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/pictures/draw-task.ts'))
    .map((path) => path.replace('/pictures/draw-task.ts', ''))
  expect(Object.keys(followed).sort()).toEqual(found.sort())
})

/** Spots beyond the sheet, of no row of the table, without a name, or told twice. */
function strayedSpots({ picture: { width, height, spots = [] }, rows }: Drawing): Spot[] {
  const seen = new Set<string>()
  return spots.filter((spot) => {
    const { x, y, row, series } = spot
    const isTwice = seen.has(`${row} ${series}`)
    seen.add(`${row} ${series}`)
    const isOn = x >= 0 && x <= width && y >= 0 && y <= height
    return isTwice || !isOn || rows[row] === undefined || series === ''
  })
}

/** Plots that are read by pointer and keyboard: each says where its rows stand. */
const plots = [
  ...['allocation-depth', 'allocation-flow', 'allocation-frontier', 'allocation-prices'],
  ...['anomaly-timeline', 'assumptions-lines', 'assumptions-scenarios', 'attribution.fills'],
  ...['attribution.markouts', 'attribution.square-root', 'attribution.waterfall', 'control-path'],
  ...['custody-wall', 'decision-alternatives', 'decision-evidence', 'execution-leg-lanes'],
  ...['execution-price-ladder', 'execution-sandwich', 'execution-staircase'],
  ...['incentive-depth-cost', 'incentive-frontier', 'incentive-lift', 'incentive-response'],
  ...['incentive-retention', 'launch-prices', 'launch-supply', 'launch-timeline'],
  ...['mandate-hours', 'mandate-intervals', 'mandate-loan', 'map-costs', 'map-depth'],
  ...['map-shares', 'map-targets', 'migration-depth', 'migration-funds', 'migration-going-back'],
  ...['migration-steps', 'partner-consent', 'partner-domain-answers', 'partner-offers'],
  ...['passport-depth', 'passport-proof', 'policy-limits', 'project-changes', 'project-holdings'],
  ...['projection-cash', 'projection-months', 'projection-runway', 'proposal-agreement'],
  ...['proposal-comparison', 'proposal-effects', 'proposal-review', 'public-project'],
  ...['reconciliation-ageing', 'reconciliation-bridge', 'research-differences'],
  ...['research-sentences', 'research-trials', 'score-contributions', 'score-course'],
  ...['score-last-sample', 'stress-losses', 'stress-outcomes', 'stress-waterfall'],
  ...['token-control', 'unlock-impact', 'unlock-mitigations', 'vault-checks', 'vault-control'],
  ...['vault-receipts', 'venue-coverage', 'venue-depth', 'venue-price', 'workflow-pools'],
  ...['workflow-total'],
]

it('names every readable plot, whose keys move along at least one of its series', async () => {
  const walked = new Set<string>()
  for (const family of Object.keys(followed)) {
    const draw = await drawOf(family)
    for (const subject of await followed[family]!()) {
      for (const { picture } of await draw(subject, screenPaper(760))) {
        const series = (picture.spots ?? []).map((spot) => spot.series)
        // Each alternative of research is a series of its own; up and down lead from one to the other.
        const isWalked =
          picture.id === 'research-differences' || new Set(series).size < series.length
        if (series.length > 0 && isWalked) walked.add(picture.id)
      }
    }
  }
  expect([...walked].sort()).toEqual([...plots].sort())
})

const widths = [280, 360, 600, 640, 760, 1120, 1200] as const

describe.each(Object.keys(followed))('the pictures of %s', (family) => {
  it.each(widths)('are laid out for %i pixels', async (width) => {
    const draw = await drawOf(family)
    for (const subject of await followed[family]!()) {
      const drawn = await draw(subject, screenPaper(width))
      expect(drawn.length).toBeGreaterThan(0)
      for (const one of drawn) {
        const { picture } = one
        expect(picture.width).toBe(width)
        expect(unreadable(picture), picture.id).toEqual([])
        expect(strayedSpots(one), picture.id).toEqual([])
      }
    }
  })
})

/**
 * Whether a text ends in the midst of a number: names of contracts and records may, and a fraction of six digits is said to go on.
 */
const isCut = (text: string) => /(^|[^\w.,…])[\d.,]*\d…$/.test(text) && !/\.\d{6}…$/.test(text)

const textsOf = ({ shapes }: Picture) =>
  shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))

async function cutNumbers(family: string): Promise<string[]> {
  const draw = await drawOf(family)
  const cut: string[] = []
  for (const width of widths) {
    for (const subject of await followed[family]!()) {
      const drawn = await draw(subject, screenPaper(width))
      cut.push(...drawn.flatMap(({ picture }) => textsOf(picture).filter(isCut)))
    }
  }
  return cut
}

it.each(Object.keys(followed))('numbers of %s are whole on a screen', async (family) => {
  expect(await cutNumbers(family)).toEqual([])
})
