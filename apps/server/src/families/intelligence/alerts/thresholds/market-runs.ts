import {
  type ObservedTime,
  observedSeconds,
  observedUntil,
  rangeAt,
} from '../../../../market/observed-time.ts'
import { pairPrice, smaller } from '../../../../market/pair-price.ts'
import { type Cell, weightOf } from '../../../../market/point-cells.ts'
import type { Run } from './state-machine.ts'

/** Metric of a market, with the fields that it takes. */
export type MarketMetric =
  | { readonly metric: 'PRICE' }
  | { readonly metric: 'TVL_QUOTE' }
  | { readonly metric: 'PRICE_CHANGE_PIPS'; readonly windowSeconds: number }
  | { readonly metric: 'VOLUME_QUOTE'; readonly windowSeconds: number }
  | {
      readonly metric: 'DEPTH_QUOTE'
      /** Place of the band in the depths of a cell. */
      readonly band: number
      readonly side: 'BUY' | 'SELL' | 'WEAKER'
    }

/** Stored points of a venue. */
export interface VenueSeries {
  /** Ascending, with the start of their bucket, in Unix seconds. */
  readonly points: readonly { readonly at: number; readonly cell: Cell }[]
  /** Last point before the first one read, or null. */
  readonly before: Cell | null
  readonly time: ObservedTime
}

/** Series of all venues of a subject. */
export interface MarketSeries {
  readonly venues: readonly VenueSeries[]
  /** Start of the first bucket read. */
  readonly start: number
  /** Length of a bucket, and time between two samples. */
  readonly stepSeconds: number
  /** Time without data after which a venue does not count in sums. */
  readonly freshSeconds: number
}

/** Minimum observed share of a window whose volume counts. */
const completePips = 950_000n
const MILLION = 1_000_000n

const floorTo = (at: number, step: number) => at - (at % step)
const ceilTo = (at: number, step: number) => Math.ceil(at / step) * step

/**
 * Last sample time with complete observations: the earliest end of the venues. A venue that ends long
 * before the others is not waited for.
 *
 * @returns null without observations
 */
export function completeUntil({
  venues,
  stepSeconds,
  freshSeconds,
}: Omit<MarketSeries, 'start'>): number | null {
  const ends = venues.flatMap(({ time }) => observedUntil(time) ?? [])
  if (ends.length === 0) return null
  const last = Math.max(...ends)
  const waited = ends.filter((end) => end >= last - freshSeconds)
  return floorTo(Math.min(...waited), stepSeconds)
}

/**
 * Values of a metric as runs of equal samples, after `from` up to `to`. A sample is the state at the
 * end of the previous bucket. A gap has the value null.
 *
 * @param from sample time, exclusive
 * @param to sample time
 */
export function marketRuns(
  series: MarketSeries,
  metric: MarketMetric,
  { from, to }: { readonly from: number; readonly to: number },
): Run[] {
  const { stepSeconds } = series
  const runs: { from: number; to: number; value: bigint | null }[] = []
  for (const at of changeTimes(series, metric, { from, to })) {
    const value = marketValue(series, metric, at)
    const last = runs.at(-1)
    if (last?.value === value) continue
    if (last) last.to = at - stepSeconds
    runs.push({ from: at, to, value })
  }
  return runs
}

/** Sample times of possible changes, ascending. */
function changeTimes(
  { venues, stepSeconds, freshSeconds }: MarketSeries,
  metric: MarketMetric,
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const first = from + stepSeconds
  if (first > to) return []
  const window = 'windowSeconds' in metric ? metric.windowSeconds : 0
  const times = new Set([first])
  const add = (at: number) => {
    for (const time of window === 0 ? [at] : [at, at + window]) {
      const sample = ceilTo(time, stepSeconds)
      if (sample >= first && sample <= to) times.add(sample)
    }
  }
  for (const { points, time } of venues) {
    for (const { at } of points) add(at + stepSeconds)
    for (const range of time.ranges) {
      add(range.from)
      // The first samples after the end of a range, and after it counted as fresh.
      add(floorTo(range.to, stepSeconds) + stepSeconds)
      add(floorTo(range.to + freshSeconds, stepSeconds) + stepSeconds)
    }
    // While a part of the window is not observed, its share changes with each sample.
    const covered = observedSeconds(time, { from: from - window, to })
    if (metric.metric !== 'VOLUME_QUOTE' || covered === to - from + window) continue
    for (let at = first; at <= to; at += stepSeconds) times.add(at)
  }
  return [...times].sort((a, b) => a - b)
}

/** Value of a metric at a sample time; null in a gap. */
export function marketValue(series: MarketSeries, metric: MarketMetric, at: number): bigint | null {
  if (metric.metric === 'PRICE') return priceAt(series, at)
  if (metric.metric === 'PRICE_CHANGE_PIPS') {
    const [now, before] = [priceAt(series, at), priceAt(series, at - metric.windowSeconds)]
    return now === null || before === null || before === 0n
      ? null
      : ((now - before) * MILLION) / before
  }
  if (metric.metric === 'VOLUME_QUOTE') return volumeAt(series, metric.windowSeconds, at)
  const cells = summedVenues(series, at).map((venue) => cellAt(series, venue, at))
  return metric.metric === 'TVL_QUOTE'
    ? total(cells.map((cell) => cell?.tvl ?? null))
    : depthOf(cells, metric)
}

function depthOf(
  cells: readonly (Cell | null)[],
  { band, side }: Extract<MarketMetric, { metric: 'DEPTH_QUOTE' }>,
): bigint | null {
  const depth = (place: 0 | 1) => total(cells.map((cell) => cell?.depth[band]?.[place] ?? null))
  const [buy, sell] = [depth(0), depth(1)]
  if (buy === null || sell === null) return null
  if (side === 'WEAKER') return smaller(buy, sell)
  return side === 'BUY' ? buy : sell
}

/** The price needs one observed venue; venues in a gap do not count. */
function priceAt(series: MarketSeries, at: number): bigint | null {
  const cells = series.venues.flatMap((venue) => cellAt(series, venue, at) ?? [])
  return pairPrice(cells.map((cell) => ({ price: cell.close, weight: weightOf(cell) ?? 0n })))
}

function volumeAt(series: MarketSeries, windowSeconds: number, at: number): bigint | null {
  const venues = summedVenues(series, at)
  const window = { from: at - windowSeconds, to: at }
  const isKnown = venues.every((venue) => {
    const covered = BigInt(observedSeconds(venue.time, window)) * MILLION
    return cellAt(series, venue, at) && covered >= completePips * BigInt(windowSeconds)
  })
  if (venues.length === 0 || !isKnown) return null
  return venues.reduce((sum, { points }) => {
    const sums = volumeSums(points)
    return sum + sums[firstFrom(points, at)]! - sums[firstFrom(points, window.from)]!
  }, 0n)
}

const knownSums = new WeakMap<VenueSeries['points'], readonly bigint[]>()

/** Volume before each point, and of all: windows of many samples overlap. */
function volumeSums(points: VenueSeries['points']): readonly bigint[] {
  const known = knownSums.get(points)
  if (known) return known
  const sums = [0n]
  for (const { cell } of points) sums.push(sums.at(-1)! + cell.volume)
  knownSums.set(points, sums)
  return sums
}

/** A venue counts from its first observation until its data is no longer fresh. */
const summedVenues = ({ venues, stepSeconds, freshSeconds }: MarketSeries, at: number) =>
  venues.filter(
    ({ before, points, time }) =>
      (before || (points[0] && points[0].at + stepSeconds <= at)) &&
      time.ranges.some(({ from, to }) => from <= at && at <= to + freshSeconds),
  )

/** Sum of known values; null if one is unknown or none exists. */
function total(values: readonly (bigint | null)[]): bigint | null {
  if (values.length === 0) return null
  let sum = 0n
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}

/** State of a venue at a sample time; null if the time was not observed. */
function cellAt(
  { start, stepSeconds }: MarketSeries,
  { points, before, time }: VenueSeries,
  at: number,
): Cell | null {
  const range = rangeAt(time, at)
  if (!range) return null
  const opened = floorTo(range.from, stepSeconds)
  const last = points[firstFrom(points, at) - 1]
  // Each range has a point at its start, so an earlier point belongs to another range.
  if (last) return last.at >= opened ? last.cell : null
  return opened < start ? before : null
}

/** Place of the first point at or after a time. */
function firstFrom(points: VenueSeries['points'], at: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle]!.at < at) low = middle + 1
    else high = middle
  }
  return low
}
