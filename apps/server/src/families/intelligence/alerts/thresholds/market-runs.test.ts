import type { contract } from '@liquidity-os/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../../../../market/point-cells.ts'
import {
  completeUntil,
  type MarketMetric,
  type MarketSeries,
  marketRuns,
  marketValue,
  type VenueSeries,
} from './market-runs.ts'
import { followThreshold, initialState } from './state-machine.ts'
import { marketMetricOf, previewStepOf, stepSecondsOf, termsOf } from './threshold-terms.ts'

const step = 60
const freshSeconds = 5 * step
const cellOf = (value: bigint, volume: bigint, depth: bigint | null): Cell => ({
  open: value,
  high: value,
  low: value,
  close: value,
  tvl: value * 2n,
  volume,
  fees: 0n,
  trades: 1,
  depth: [depth === null ? null : [depth, depth + 3n], [value, value + 1n]],
})

const metrics: MarketMetric[] = [
  { metric: 'PRICE' },
  { metric: 'TVL_QUOTE' },
  { metric: 'DEPTH_QUOTE', band: 0, side: 'WEAKER' },
  { metric: 'DEPTH_QUOTE', band: 0, side: 'SELL' },
  { metric: 'PRICE_CHANGE_PIPS', windowSeconds: 300 },
  { metric: 'VOLUME_QUOTE', windowSeconds: 600 },
]

/** A venue whose minutes are gaps, silent, or events; a range starts with a point. */
function venueOf(minutes: readonly (null | 'SILENT' | number)[], offset: number): VenueSeries {
  const points: VenueSeries['points'][number][] = []
  const ranges: { from: number; to: number }[] = []
  for (const [index, minute] of minutes.entries()) {
    if (minute === null) continue
    const at = index * step
    const last = ranges.at(-1)
    const isNew = last === undefined || last.to < at
    if (isNew) ranges.push({ from: at + offset, to: at + step })
    else last.to = at + step
    if (isNew || minute !== 'SILENT') {
      const value = BigInt(minute === 'SILENT' ? 7 : minute) + 1n
      const depth = minute === 5 ? null : value * 10n
      points.push({ at, cell: cellOf(value, minute === 'SILENT' ? 0n : value, depth) })
    }
  }
  return { points, before: null, time: { ranges, dueDays: [] } }
}

const minute = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: fc.constant('SILENT' as const) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 9 }) },
)

describe('values of a market', () => {
  it('are, run by run, those of each sample', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(minute, { maxLength: 50 }), fc.integer({ min: 0, max: 59 })), {
          minLength: 1,
          maxLength: 2,
        }),
        fc.integer({ min: 0, max: 20 }),
        fc.constantFrom(...metrics),
        (some, first, metric) => {
          const venues = some.map(([minutes, offset]) => venueOf(minutes, offset))
          const series: MarketSeries = { venues, start: 0, stepSeconds: step, freshSeconds }
          const time = { from: first * step, to: 52 * step }
          const runs = marketRuns(series, metric, time)
          const samples = runs.flatMap(({ from, to, value }) =>
            Array.from({ length: (to - from) / step + 1 }, (_, index) => [
              from + index * step,
              value,
            ]),
          )
          const expected = Array.from({ length: 52 - first }, (_, index) => {
            const at = (first + 1 + index) * step
            return [at, marketValue(series, metric, at)]
          })
          expect(samples).toEqual(expected)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('carry silent minutes forward, and are null in a gap and before the first point', () => {
    const venue = venueOf([null, 3, 'SILENT', 'SILENT', null, 8, 'SILENT'], 0)
    const series: MarketSeries = { venues: [venue], start: 0, stepSeconds: step, freshSeconds }
    const prices = Array.from({ length: 7 }, (_, index) =>
      marketValue(series, { metric: 'PRICE' }, (index + 1) * step),
    )
    expect(prices).toEqual([null, 4n, 4n, 4n, null, 9n, 9n])
  })

  it('sum venues only while each is observed, and weigh the price of those that are', () => {
    const venues = [venueOf([1, 'SILENT', 'SILENT'], 0), venueOf([3, null, 'SILENT'], 0)]
    const series: MarketSeries = { venues, start: 0, stepSeconds: step, freshSeconds }
    const tvl = [1, 2, 3].map((at) => marketValue(series, { metric: 'TVL_QUOTE' }, at * step))
    expect(tvl).toEqual([12n, null, 20n])
    expect(marketValue(series, { metric: 'PRICE' }, 2 * step)).toBe(2n)
    // Weighted by the second depth of each: 2 of 2 and 4 of 4.
    expect(marketValue(series, { metric: 'PRICE' }, step)).toBe((2n * 2n + 4n * 4n) / 6n)
  })

  it('sum the fresh venues after one has stopped', () => {
    const silent = Array<'SILENT'>(9).fill('SILENT')
    const venues = [venueOf([1, ...silent], 0), venueOf([3, 'SILENT'], 0)]
    const series: MarketSeries = { venues, start: 0, stepSeconds: step, freshSeconds }
    const valuesOf = (metric: MarketMetric) =>
      [2, 3, 7, 8].map((at) => marketValue(series, metric, at * step))
    // The second venue ends at minute 2, and counts for five more minutes.
    expect(valuesOf({ metric: 'TVL_QUOTE' })).toEqual([12n, null, null, 4n])
    expect(valuesOf({ metric: 'DEPTH_QUOTE', band: 0, side: 'BUY' })).toEqual([
      60n,
      null,
      null,
      20n,
    ])
    expect(valuesOf({ metric: 'VOLUME_QUOTE', windowSeconds: 2 * step })).toEqual([
      6n,
      null,
      null,
      0n,
    ])
  })

  it('of a window of five minutes are equal for a rule and its preview', () => {
    // A trade of 10 in each minute.
    const minutes = Array<number>(60).fill(9)
    const threshold: contract.AlertThreshold = {
      metric: 'VOLUME_QUOTE',
      subject: {},
      comparator: 'LT',
      value: '80',
      windowSeconds: 300,
      severity: 'INFO',
    }
    for (const stepSeconds of [stepSecondsOf(threshold), previewStepOf(threshold)]) {
      const series = { venues: [venueOf(minutes, 0)], start: 0, stepSeconds, freshSeconds }
      const runs = marketRuns(series, marketMetricOf(threshold, [])!, { from: 600, to: 3600 })
      expect(runs.map(({ value }) => value)).toEqual([50n])
      const { firings } = followThreshold(initialState(600), runs, {
        ...termsOf(threshold, 0),
        stepSeconds,
      })
      expect(firings).toEqual([{ from: 660, to: null, extreme: 50n }])
    }
    expect(termsOf(threshold, 0).resolveSeconds).toBe(120)
  })

  it('are complete up to the venue that ends first, unless it ended long before', () => {
    const venues = [venueOf([1, 'SILENT', 'SILENT', 'SILENT'], 0), venueOf([3, 'SILENT'], 0)]
    const series: MarketSeries = { venues, start: 0, stepSeconds: step, freshSeconds }
    expect(completeUntil({ ...series, freshSeconds: 120 })).toBe(120)
    expect(completeUntil({ ...series, freshSeconds: 119 })).toBe(240)
    expect(completeUntil({ ...series, venues: [] })).toBeNull()
  })

  it('of a volume need 95 % of their window', () => {
    const minutes = [...Array<number>(19).fill(1), null, 1]
    const request = { metric: 'VOLUME_QUOTE', windowSeconds: 20 * step } as const
    const of = (some: (number | null)[]) =>
      marketValue(
        { venues: [venueOf(some, 0)], start: 0, stepSeconds: step, freshSeconds },
        request,
        21 * step,
      )
    expect(of(minutes)).toBe(38n)
    expect(of([null, null, ...minutes.slice(2)])).toBeNull()
  })
})
