import type { contract } from '@liquidity-os/contract'
import { dayMilliseconds } from '../../../../units.ts'

type Success = contract.IssuerIntentInput['success'][number]
type Measured = contract.IntentMeasurement['success'][number]
type Reason = Measured['reasons'][number]
type Point = MeasurableScore['course'][number]

export type MeasurableScore = Pick<
  contract.MarketQualityScore,
  'scorePips' | 'window' | 'course' | 'depth'
>

/** A measured value or null, with reasons for missing data. */
interface Figure {
  readonly observed: bigint | null
  readonly reasons: readonly Reason[]
}

/** A figure with the start of its period, in milliseconds since 1970. */
interface Dated extends Figure {
  readonly begin: number
}

/** The times of a measurement, in milliseconds since 1970. */
interface Times {
  /** Start of the days in the criterion. */
  readonly requested: number
  /** Start of the horizon: earlier samples do not count. */
  readonly horizon: number
  /** Window of the score. */
  readonly from: number
  readonly to: number
}

/** Band of the depths in a score's series. */
const coursePips = 20_000

/**
 * Measures a criterion against a score. Depth at 2 %, spread and slippage are sample-weighted
 * medians of the score's course over the days in the criterion. Depth is that of the thinner side.
 * `from` and `to` bound the covered time.
 *
 * @param from start of the horizon in milliseconds since 1970; earlier data does not count
 */
export function measureSuccess(wanted: Success, score: MeasurableScore, from: number): Measured {
  const to = Date.parse(score.window.to)
  const { observed, reasons, begin } = figureOf(wanted, score, {
    requested: to - wanted.windowDays * dayMilliseconds,
    horizon: from,
    from: Date.parse(score.window.from),
    to,
  })
  return {
    ...wanted,
    result: observed === null ? 'NOT_MEASURED' : isReached(wanted, observed) ? 'MET' : 'MISSED',
    observed: observed === null ? null : `${observed}`,
    from: new Date(begin).toISOString(),
    to: new Date(to).toISOString(),
    reasons: [...reasons],
  }
}

const isReached = ({ comparator, value }: Success, observed: bigint) =>
  comparator === 'GTE' ? observed >= BigInt(value) : observed <= BigInt(value)

function figureOf({ metric, movePips = 0 }: Success, score: MeasurableScore, times: Times): Dated {
  switch (metric) {
    case 'SCORE_PIPS':
      return publishedScore(score, times)
    case 'SPREAD_PIPS':
      return medianOfCourse(score, times, ({ spreadPips }) => spreadPips)
    case 'SLIPPAGE_PIPS':
      return medianOfCourse(score, times, ({ slippagePips }) => slippagePips)
    case 'DEPTH_QUOTE':
      return movePips === coursePips
        ? medianOfCourse(score, times, thinnerSide)
        : { ...lastDepth(score, movePips), begin: times.to }
  }
}

const shorter: readonly Reason[] = ['WINDOW_SHORTER']

/** The score covers its whole window, even if the criterion names a shorter one. */
function publishedScore(
  { scorePips }: MeasurableScore,
  { requested, horizon, from }: Times,
): Dated {
  const isLonger = from < requested || from < horizon
  return {
    observed: scorePips === null ? null : BigInt(scorePips),
    reasons: [
      ...(from > requested ? shorter : []),
      ...(isLonger ? (['WINDOW_LONGER'] as const) : []),
    ],
    begin: from,
  }
}

function medianOfCourse(
  { course }: MeasurableScore,
  { requested: requestedValue, horizon, from }: Times,
  read: Parameters<typeof medianOf>[1],
): Dated {
  const begin = Math.max(requestedValue, horizon, from)
  const points = course.filter((point) => Date.parse(point.from) >= begin)
  const { observed, reasons } = medianOf(points, read)
  return { observed, reasons: [...reasons, ...(begin > requestedValue ? shorter : [])], begin }
}

function thinnerSide({ depthBuyQuote, depthSellQuote }: Point): bigint | null {
  if (depthBuyQuote === null || depthSellQuote === null) return null
  const [buy, sell] = [BigInt(depthBuyQuote), BigInt(depthSellQuote)]
  return buy < sell ? buy : sell
}

/**
 * Depth of the thinner side at the end of the window, at most the median of its last day. No other
 * data exists for other moves.
 */
function lastDepth({ depth }: MeasurableScore, movePips: number): Figure {
  const sides = depth
    .filter(({ bandPips }) => bandPips === movePips)
    .map(({ quote }) => BigInt(quote))
  const [first, second] = sides
  if (first === undefined || second === undefined) {
    return { observed: null, reasons: ['BAND_NOT_SAMPLED'] }
  }
  return { observed: first < second ? first : second, reasons: ['LAST_SAMPLE_ONLY'] }
}

/** Lower median of points with a value, weighted by their samples. */
function medianOf(
  points: readonly Point[],
  read: (point: Point) => bigint | number | null,
): Figure {
  const known = points
    .flatMap((point) => {
      const value = point.samples === 0 ? null : read(point)
      return value === null ? [] : [{ value: BigInt(value), samples: point.samples }]
    })
    .toSorted((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const isWhole = known.length === points.length && points.length > 0
  const reasons: readonly Reason[] = isWhole ? [] : ['SAMPLES_MISSING']
  const all = known.reduce((sum, { samples }) => sum + samples, 0)
  let before = 0
  for (const { value, samples } of known) {
    before += samples
    if (2 * before >= all) return { observed: value, reasons }
  }
  return { observed: null, reasons }
}

export const notMeasured = (wanted: Success, reason: Reason): Measured => ({
  ...wanted,
  result: 'NOT_MEASURED',
  observed: null,
  from: null,
  to: null,
  reasons: [reason],
})

/** Overall state: all criteria measured on complete data, some, or no criterion. */
export function measurementState(
  success: readonly Measured[],
): contract.IntentMeasurement['state'] {
  if (success.every(({ result }) => result === 'NOT_MEASURED')) return 'ABSTAINED'
  return success.every(({ reasons }) => reasons.length === 0) ? 'COMPLETED' : 'PARTIAL'
}
