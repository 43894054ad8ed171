import { screenPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { bytesOf } from '../batch-measures.ts'
import type { HourState, MandateHour } from '../hour-states.ts'
import type { DrawnMandate } from './drawn-mandate.ts'
import { blocksOf, drawHours } from './hours.ts'

const dayOf = (day: number, states: readonly HourState[]): MandateHour[] =>
  Array.from({ length: 24 }, (_, hour) => ({
    day,
    hour,
    bid: states[Math.floor((hour * states.length) / 24)] ?? 'AHEAD',
    ask: 'MET',
    knownSeconds: 0,
    bidSeconds: 0,
    askSeconds: 0,
    countedSeconds: 3_600,
  }))

const cells = [
  ...dayOf(0, ['GAP']),
  ...dayOf(1, ['GAP']),
  ...dayOf(2, ['MET', 'BREACHED']),
  ...dayOf(3, ['MET', 'GAP']),
]

/** States by row and hour, from blocks. */
function painted(blocks: ReturnType<typeof blocksOf>): Map<string, HourState> {
  const found = new Map<string, HourState>()
  for (const { state, hours, days } of blocks) {
    for (let row = days.from; row < days.to; row += 1) {
      for (let hour = hours.from; hour < hours.to; hour += 1) {
        expect(found.has(`${row} ${hour}`)).toBe(false)
        found.set(`${row} ${hour}`, state)
      }
    }
  }
  return found
}

it('covers every hour exactly once, joined or not', () => {
  const wanted = new Map(cells.map(({ day, hour, bid }) => [`${day} ${hour}`, bid]))
  for (const isJoined of [false, true])
    expect(painted(blocksOf(cells, 'bid', isJoined))).toEqual(wanted)
})

it('joins hours of a day, and days without measurements', () => {
  expect(blocksOf(cells, 'bid', false)).toHaveLength(96)
  expect(blocksOf(cells, 'bid', true)).toEqual([
    { state: 'GAP', hours: { from: 0, to: 24 }, days: { from: 0, to: 2 } },
    { state: 'MET', hours: { from: 0, to: 12 }, days: { from: 2, to: 3 } },
    { state: 'BREACHED', hours: { from: 12, to: 24 }, days: { from: 2, to: 3 } },
    { state: 'MET', hours: { from: 0, to: 12 }, days: { from: 3, to: 4 } },
    { state: 'GAP', hours: { from: 12, to: 24 }, days: { from: 3, to: 4 } },
  ])
  // Measured days stay apart, so that a reader can count them.
  expect(blocksOf(cells, 'ask', true)).toHaveLength(4)
})

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
  const { picture, rows } = drawHours(mixed, paper)
  expect(picture.description).toMatch(
    /^Of 2160 hours, 77 breached on a side and 312 with a data gap/,
  )
  expect(rows).toHaveLength(90 * 24)
  expect(picture.shapes.length).toBeLessThan(4_000)
  expect(picture.height).toBeLessThan(1_300)
  const empty = drawHours(
    mandateOf(() => null),
    paper,
  )
  expect(empty.picture.shapes.length).toBeLessThan(700)
})
