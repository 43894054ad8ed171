import { type BookMeasures, spreadPips } from './book-measures.ts'
import type { Stretch } from './held-samples.ts'

export type BookMetric =
  | 'UPTIME_PIPS'
  | 'SPREAD_PIPS'
  | 'DEPTH_QUOTE'
  | 'TOP_SIZE_QUOTE'
  | 'PRESENCE_AT_BEST_PIPS'
  | 'DEPTH_SHARE_PIPS'

/** Parameters of a book metric. */
export interface MetricTerms {
  readonly metric: BookMetric
  readonly side: 'BID' | 'ASK' | 'BOTH'
  /** Of UPTIME_PIPS, DEPTH_QUOTE and DEPTH_SHARE_PIPS. */
  readonly bandPips: number | null
  /** For UPTIME_PIPS: minimum size of a quoted side, quote atoms. */
  readonly sizeQuote: bigint | null
  /** Which way a share is rounded: down for GTE, up for LTE, so that rounding never meets a promise. */
  readonly comparator: 'GTE' | 'LTE'
}

/** Sums over time of one metric, exact, so that those of days add up to those of a month. */
export interface MetricSums {
  /** Seconds with known books. */
  readonly knownSeconds: number
  /** Known seconds with quotes: a value above zero, or both sides for a spread. */
  readonly quotedSeconds: number
  /** Σ value × seconds. */
  readonly valueSeconds: bigint
  /** Observed extremes; null without data. */
  readonly least: bigint | null
  readonly most: bigint | null
  /** The lowest rank of the data in use; null without data. */
  readonly rank: number | null
  /** For spreads only: seconds per value, ascending. */
  readonly spreads: readonly { readonly pips: bigint; readonly seconds: number }[]
}

export const noSums: MetricSums = {
  knownSeconds: 0,
  quotedSeconds: 0,
  valueSeconds: 0n,
  least: null,
  most: null,
  rank: null,
  spreads: [],
}

const whole = 1_000_000n

/** Whether a metric compares own orders with the public book. */
export const needsBoth = (metric: BookMetric): boolean =>
  metric === 'PRESENCE_AT_BEST_PIPS' || metric === 'DEPTH_SHARE_PIPS'

/**
 * A metric at one moment, in its own unit. For BOTH sides the weaker side counts: the smaller
 * depth, size or share, or simultaneous presence.
 *
 * @param seen the public book, if `needsBoth`
 * @returns null for the spread of a one-sided book
 */
export function metricValue(
  terms: MetricTerms,
  own: BookMeasures,
  seen: BookMeasures | null,
): bigint | null {
  const weaker = (bid: bigint, ask: bigint) =>
    terms.side === 'BID' ? bid : terms.side === 'ASK' || ask < bid ? ask : bid
  const band = ({ depth }: BookMeasures) => {
    const found = depth.find(({ bandPips }) => bandPips === terms.bandPips)
    if (!found) throw new RangeError(`no measurement for a band of ${terms.bandPips} pips`)
    return found
  }
  switch (terms.metric) {
    case 'UPTIME_PIPS': {
      const { bid, ask } = band(own)
      return weaker(bid, ask) >= (terms.sizeQuote ?? 0n) ? whole : 0n
    }
    case 'SPREAD_PIPS':
      return spreadPips(own)
    case 'DEPTH_QUOTE':
      return weaker(band(own).bid, band(own).ask)
    case 'TOP_SIZE_QUOTE':
      return weaker(own.topBid, own.topAsk)
    case 'PRESENCE_AT_BEST_PIPS': {
      const isAtBest = (mine: bigint, best: bigint | undefined) =>
        mine > 0n && mine === best ? whole : 0n
      return weaker(isAtBest(own.bidX18, seen?.bidX18), isAtBest(own.askX18, seen?.askX18))
    }
    case 'DEPTH_SHARE_PIPS': {
      if (!seen) throw new RangeError('a share requires the public order book')
      const [mine, all] = [band(own), band(seen)]
      const share = (part: bigint, of: bigint) => shareOf(part, of, terms.comparator)
      return weaker(share(mine.bid, all.bid), share(mine.ask, all.ask))
    }
  }
}

/** A share, capped at the whole: own orders and public book can differ slightly in time. */
function shareOf(part: bigint, of: bigint, comparator: 'GTE' | 'LTE'): bigint {
  if (part === 0n) return 0n
  if (part >= of) return whole
  return comparator === 'GTE' ? (part * whole) / of : (part * whole + of - 1n) / of
}

/** Sums of a metric along a course. */
export function sumMetric(terms: MetricTerms, course: readonly Stretch[]): MetricSums {
  let [knownSeconds, quotedSeconds, valueSeconds] = [0, 0, 0n]
  let [least, most]: [bigint | null, bigint | null] = [null, null]
  let lowest: number | null = null
  const spreads = new Map<bigint, number>()
  for (const { from, to, measured, beside, rank } of course) {
    if (measured === null || (needsBoth(terms.metric) && beside === null)) continue
    const seconds = to - from
    knownSeconds += seconds
    lowest = lower(lowest, rank)
    const value = metricValue(terms, measured, beside)
    if (value === null) continue
    if (value > 0n || terms.metric === 'SPREAD_PIPS') quotedSeconds += seconds
    valueSeconds += value * BigInt(seconds)
    least = least === null || value < least ? value : least
    most = most === null || value > most ? value : most
    if (terms.metric === 'SPREAD_PIPS') spreads.set(value, (spreads.get(value) ?? 0) + seconds)
  }
  return {
    knownSeconds,
    quotedSeconds,
    valueSeconds,
    least,
    most,
    rank: lowest,
    spreads: ascending(spreads),
  }
}

/** Sums of two times that do not overlap. */
export function addSums(a: MetricSums, b: MetricSums): MetricSums {
  const spreads = new Map(a.spreads.map(({ pips, seconds }) => [pips, seconds]))
  for (const { pips, seconds } of b.spreads) spreads.set(pips, (spreads.get(pips) ?? 0) + seconds)
  return {
    knownSeconds: a.knownSeconds + b.knownSeconds,
    quotedSeconds: a.quotedSeconds + b.quotedSeconds,
    valueSeconds: a.valueSeconds + b.valueSeconds,
    least: extreme(a.least, b.least, (x, y) => x < y),
    most: extreme(a.most, b.most, (x, y) => x > y),
    rank: lower(a.rank, b.rank),
    spreads: ascending(spreads),
  }
}

const lower = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

function extreme(
  a: bigint | null,
  b: bigint | null,
  isBeyond: (a: bigint, b: bigint) => boolean,
): bigint | null {
  if (a === null || b === null) return a ?? b
  return isBeyond(a, b) ? a : b
}

const ascending = (spreads: ReadonlyMap<bigint, number>) =>
  [...spreads]
    .map(([pips, seconds]) => ({ pips, seconds }))
    .sort((a, b) => (a.pips < b.pips ? -1 : 1))

/**
 * The spread that 95 of 100 two-sided seconds do not exceed. It is the smallest spread whose
 * cumulative seconds reach 95 %.
 *
 * @returns null if the book is never two-sided
 */
export function spread95({ spreads, quotedSeconds }: MetricSums): bigint | null {
  let seconds = 0
  for (const spread of spreads) {
    seconds += spread.seconds
    if (seconds * 100 >= quotedSeconds * 95) return spread.pips
  }
  return null
}
