import { drawChart, type Paper, screenPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { bytesOf } from './batch-measures.ts'
import { mandateCharts } from './charts.ts'
import type { DrawnMandate } from './drawn-mandate.ts'

const drawUptime = (mandate: DrawnMandate, paper: Paper) =>
  drawChart(mandateCharts(mandate).find(({ id }) => id === 'mandate-hours')!, paper)

const daySeconds = 86_400
const begin = Date.UTC(2026, 0, 1) / 1000

/** A mandate of 90 days whose hours are quoted as the function states, in seconds; null for a gap. */
function mandateOf(quoted: (day: number, hour: number) => number | null): DrawnMandate {
  const period = { from: begin, to: begin + 90 * daySeconds }
  const days = Array.from({ length: 90 }, (_, index) => {
    const hours = Array.from({ length: 24 }, (_none, hour) => quoted(index, hour))
    const seconds = hours.map((one) => one ?? 0)
    const known = hours.map((one) => (one === null ? 0 : 3_600))
    const kpis = [{ hours: { known, bid: seconds, ask: seconds } }]
    return { day: begin + index * daySeconds, bytes: bytesOf({ kpis }) }
  })
  const kpi = {
    kpiId: 'uptime',
    metric: 'UPTIME_PIPS',
    venueKey: 'ALL',
    side: 'BOTH',
    window: 'DAY',
    threshold: 900_000n,
    comparator: 'GTE',
    minimumCoveragePips: 900_000,
    bandPips: null,
    sizeQuote: null,
  }
  return {
    title: 'Quotes',
    pair: { chainId: 1 },
    status: 'ACTIVE',
    terms: { samplingSeconds: 60, venueKeys: ['a'], kpis: [kpi], exclusions: [], period },
    month: period,
    recent: period,
    asOf: period.to,
    evaluations: [],
    loan: [],
    days,
  } as unknown as DrawnMandate
}

it.each([390, 760])('draws 90 days in few shapes and a limited height at %d px', (width) => {
  const paper = screenPaper(width)
  const mixed = mandateOf((day, hour) => (day % 7 === 3 ? null : hour === day % 24 ? 600 : 3_600))
  const { picture, rows } = drawUptime(mixed, paper)
  expect(picture.description).toMatch(
    /^Of 2160 hours, 77 breached on a side and 312 with a data gap/,
  )
  expect(rows).toHaveLength(90 * 24)
  expect(picture.shapes.length).toBeLessThan(4_000)
  expect(picture.height).toBeLessThan(1_450)
  const empty = drawUptime(
    mandateOf(() => null),
    paper,
  )
  expect(empty.picture.shapes.length).toBeLessThan(700)
})
