import { readFileSync } from 'node:fs'
import {
  type Drawing,
  drawCharts,
  pictureToSvg,
  screenPaper,
  usualPaper,
} from '@liquidity-os/drawing'
import { misplacedTexts, unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import {
  drawMarket,
  drawnAnomaly,
  drawnDivergence,
  drawnMarket,
  drawnProgram,
  drawnVenue,
} from '../../../../docs/pictures/draw-market.ts'
import anomalyPictures from '../families/intelligence/anomalies/pictures/draw-task.ts'
import type { AnomalyPayload } from '../families/intelligence/anomalies/subject.ts'
import { type DrawnMarket, marketMapCharts } from '../families/intelligence/market-map/charts.ts'
import { venueCharts } from '../families/intelligence/venues/charts.ts'
import type { DrawnVenue } from '../families/intelligence/venues/drawn-venue.ts'
import incentivePictures from '../families/operate/incentive-programs/pictures/draw-task.ts'
import type { DrawnProgram } from '../families/operate/incentive-programs/response-curves.ts'

const empty: DrawnMarket = { ...drawnMarket, venues: [], composite: null, targets: [] }
const lonely: DrawnMarket = { ...drawnMarket, venues: drawnMarket.venues.slice(0, 1), targets: [] }
const crowded: DrawnMarket = {
  ...drawnMarket,
  venues: Array.from({ length: 32 }, (_, index) => {
    const one = drawnMarket.venues[index % 3]!
    const share = Math.round(1_000_000 / (index + 2) / 4)
    return { ...one, venueId: `${one.venueId.slice(0, -2)}${index + 10}`, depthSharePips: share }
  }),
}
const abstained: AnomalyPayload = {
  ...drawnAnomaly,
  state: 'ABSTAINED',
  outcome: null,
  severity: null,
  feature: null,
  reasons: ['BASELINE_TOO_SHORT', 'BASELINE_COVERAGE'],
  evidence: {
    ...drawnAnomaly.evidence,
    gaps: [{ code: 'BASELINE_COVERAGE', detail: 'Half of the time was not observed.' }],
  },
}
const short: AnomalyPayload = {
  ...drawnAnomaly,
  course: drawnAnomaly.course.slice(-1),
  criticalAt: [],
}
const { payload } = drawnProgram
const pilot: DrawnProgram = {
  payload: {
    ...payload,
    result: {
      ...payload.result,
      frontier: [],
      retention: null,
      forecast: { ...payload.result.forecast, net: null, depthLift: null, depthLiftPips: null },
    },
  },
  evaluations: [],
  priors: [],
}
const many: DrawnProgram = {
  ...drawnProgram,
  payload: {
    ...payload,
    baseline: { ...payload.baseline, venues: Array(16).fill(payload.baseline.venues[0]) },
    result: { ...payload.result, allocation: Array(16).fill(payload.result.allocation[0]) },
  },
}

const marketMapPictures = (market: DrawnMarket, paper = usualPaper) =>
  drawCharts(marketMapCharts(market), paper)

const venuePictures = (venue: DrawnVenue) => drawCharts(venueCharts(venue), usualPaper)

const venueOf = (observations: (typeof drawnVenue)['observations']) => ({
  ...drawnVenue,
  observations,
})
const [oneVenue] = drawnVenue.observations
const stateAlone = {
  ...oneVenue!,
  range: { from: oneVenue!.range.to, to: oneVenue!.range.to },
  samples: [],
  gaps: [{ code: 'EVENTS_NOT_READ', detail: 'One block.' }],
}

const subjects: [string, () => Drawing[]][] = [
  ['an anomaly', () => anomalyPictures(drawnAnomaly)],
  ['an anomaly of one sample', () => anomalyPictures(short)],
  ['an abstention', () => anomalyPictures(abstained)],
  ['a divergence', () => anomalyPictures(drawnDivergence)],
  ['a market', () => marketMapPictures(drawnMarket)],
  ['a market of one venue', () => marketMapPictures(lonely)],
  ['a market of many', () => marketMapPictures(crowded)],
  ['a market without venues', () => marketMapPictures(empty)],
  ['a program', () => incentivePictures(drawnProgram)],
  ['a program over many venues', () => incentivePictures(many)],
  ['a pilot', () => incentivePictures(pilot)],
  ['a venue', () => venuePictures(drawnVenue)],
  ['a venue of one observation', () => venuePictures(venueOf(drawnVenue.observations.slice(0, 1)))],
  ['a venue of one block', () => venuePictures(venueOf([stateAlone]))],
  ['a venue that was not observed', () => venuePictures(venueOf([]))],
]

describe.each(subjects)('the pictures of %s', (_name, draw) => {
  const drawn = draw()
  it.each(drawn.map((one) => [one.picture.id, one] as const))(
    '%s are well-formed, with texts that can be read and a row for each figure',
    (id, { picture, columns, rows }) => {
      const svg = pictureToSvg(picture)
      expect(svg).toBe(pictureToSvg(draw().find((one) => one.picture.id === id)!.picture))
      expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
      for (const row of rows) expect(row).toHaveLength(columns.length)
      expect(misplacedTexts(picture)).toEqual([])
      for (const shape of picture.shapes) {
        if (shape.kind !== 'rect') continue
        expect(shape.width).toBeGreaterThanOrEqual(0)
        expect(shape.x + shape.width).toBeLessThanOrEqual(picture.width + 1)
        expect(shape.y + shape.height).toBeLessThanOrEqual(picture.height)
      }
    },
  )
})

const textsOf = ({ picture }: Drawing) =>
  picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))

const screens = [280, 360, 760, 1120].map(screenPaper)
describe.each(Object.entries({ usual: drawnMarket, empty, lonely, crowded }))(
  'a market that is %s',
  (_, market) => {
    it.each(screens)('is laid out for $width pixels', (paper) => {
      for (const { picture } of marketMapPictures(market, paper)) {
        expect(picture.width).toBe(paper.width)
        expect(unreadable(picture), picture.id).toEqual([])
      }
    })
  },
)

it('draw an abstention as its reasons, with no figure', () => {
  const [only, more] = anomalyPictures(abstained)
  expect(more).toBeUndefined()
  expect(textsOf(only!)).toEqual([
    'Withheld: samples over time',
    'BASELINE_TOO_SHORT',
    'BASELINE_COVERAGE: Half of the time was not observed.',
  ])
  expect(only!.picture.shapes.filter(({ kind }) => kind === 'mark')).toEqual([])
})

it('mark every flagged sample, the critical ones differently, and break the line without samples', () => {
  const { rows, picture } = anomalyPictures(drawnAnomaly)[0]!
  const countOf = (state: string) => rows.filter((row) => row[2] === state).length
  const flagged = drawnAnomaly.course.filter(({ isFlagged }) => isFlagged).length
  expect([countOf('Flagged') + countOf('Critical'), countOf('No sample')]).toEqual([flagged, 1])
  const marksOf = (form: string) =>
    picture.shapes.filter((shape) => shape.kind === 'mark' && shape.form === form)
  // One more is in the legend.
  const forms = [...new Set(picture.shapes.flatMap((one) => (one.kind === 'mark' ? one.form : [])))]
  const counts = forms.map((form) => marksOf(form).length)
  expect(counts).toEqual(expect.arrayContaining([countOf('Flagged') + 1, countOf('Critical') + 1]))
  const solid = picture.shapes.filter(
    (shape) => shape.kind === 'line' && shape.points.length > 2 && !shape.stroke.dash?.length,
  )
  expect(solid).toHaveLength(2)
  expect(textsOf({ picture, rows, columns: [] })).toContain('Hatched: no samples')
})

it('leave a venue that was read too long ago out of stack and shares', () => {
  const [depth, shares] = marketMapPictures(drawnMarket)
  expect(textsOf(depth!).join(' ')).toContain('Stale venues are dotted and not in the stack: 1.')
  expect(depth!.picture.shapes.filter(({ kind }) => kind === 'area')).toHaveLength(6)
  expect(shares!.rows.map(([, share]) => share)).toEqual(['56', '31', '13'])
})

it('state for a pilot that the liquidity response is unknown', () => {
  const texts = incentivePictures(pilot).flatMap(textsOf)
  expect(texts).toEqual(
    expect.arrayContaining([
      'A pilot forecasts no benefit. It measures how liquidity responds.',
      'No measurements yet.',
      'No measurements after the end yet, and no forecast.',
    ]),
  )
  expect(texts.join()).toContain('No program has measured the response')
})

it('show proved, missing and contradicted parts of a venue, and count no single block as observed', () => {
  const [coverage] = venuePictures(drawnVenue)
  const { rows, picture } = coverage!
  expect(rows.map(([coverage, , , fromBlock]) => [coverage, fromBlock])).toEqual([
    ['PROVED', '1000'],
    ['PROVED', '1600'],
    ['GAP', '2000'],
    ['GAP', null],
    ['PROVED', '2700'],
    ['MISMATCH', '3100'],
    ['OVERTAKEN', '3300'],
    ['PROVED', '3300'],
  ])
  expect(rows[5]).toContain('liquidity')
  expect(picture.description).toBe(
    'ENS / WETH 0.30 %: 7 observations; 4 intervals proved, 2 gaps, 1 mismatches, 1 overtaken.',
  )
  expect(venuePictures(venueOf([stateAlone]))[0]!.rows).toEqual([])
  // A price and a depth that never were are not drawn.
  const withoutIt = drawnVenue.observations.filter(({ isOvertaken }) => !isOvertaken)
  const valuesOf = (venue: DrawnVenue) =>
    venueCharts(venue)
      .slice(1)
      .map(({ table }) => table.rows)
  expect(valuesOf(drawnVenue)).toEqual(valuesOf(venueOf(withoutIt)))
})

it('are those of the documentation', () => {
  for (const [name, svg] of drawMarket()) {
    const file = new URL(`../../../../docs/pictures/${name}`, import.meta.url)
    // Otherwise: node docs/pictures/draw-market.ts
    expect(svg).toBe(readFileSync(file, 'utf8'))
  }
})
