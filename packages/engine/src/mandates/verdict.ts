import { widestSpreadPips } from './book-measures.ts'
import type { BookMetric, MetricSums } from './metric-sums.ts'

export type KpiVerdict = 'MET' | 'BREACHED' | 'INDETERMINATE'

/** KPI of a metric over a window. */
export interface Promised {
  readonly comparator: 'GTE' | 'LTE'
  readonly threshold: bigint
  /** Share of the time that must be known for a promise to be met. */
  readonly minimumCoveragePips: number
}

export type KpiReason = 'EXCLUDED' | 'NO_SAMPLE' | 'COVERAGE_BELOW_MINIMUM' | 'BETWEEN_BOUNDS'

/** A metric over a window with what missing data leave open; values in the unit of the metric. */
export interface KpiFigures {
  /** The observed mean; null without data. */
  readonly observed: bigint | null
  /** The mean with every data gap at its worst and at its best for the KPI; null without data. */
  readonly pessimistic: bigint | null
  readonly optimistic: bigint | null
  /** The mean over quoted time; null without quotes. */
  readonly whileQuoting: bigint | null
  readonly coveragePips: number
  readonly gapSeconds: number
  readonly verdict: KpiVerdict
  /** Reason for INDETERMINATE; otherwise null. */
  readonly reason: KpiReason | null
}

const whole = 1_000_000n
const shares: ReadonlySet<BookMetric> = new Set([
  ...(['UPTIME_PIPS', 'PRESENCE_AT_BEST_PIPS', 'DEPTH_SHARE_PIPS'] as const),
])

/**
 * Evaluates a metric over a window.
 *
 *     (Σ value·seconds + fill·gap) / (known + gap)
 *
 * The result is rounded down for GTE and up for LTE. Each bound fills the gaps with an extreme:
 *
 * - shares: 0 and the whole. The whole is all of the time for UPTIME and PRESENCE, and the best
 *   observed share for DEPTH_SHARE.
 * - amounts: 0 and the largest observed amount.
 * - spreads: the widest and the narrowest spread.
 *
 * Known time without a two-sided book has no spread and does not count in the mean. If the book is
 * never two-sided, the spread is the limit of the formula, 2,000,000.
 *
 * @param seconds counted seconds of the window: without exclusions and future time
 */
export function judgeKpi(
  metric: BookMetric,
  sums: MetricSums,
  seconds: number,
  promised: Promised,
): KpiFigures {
  const { knownSeconds } = sums
  const gapSeconds = seconds - knownSeconds
  const coveragePips = seconds === 0 ? 0 : Math.floor((knownSeconds * 1_000_000) / seconds)
  const known = { coveragePips, gapSeconds }
  if (knownSeconds === 0) {
    const nothing = { observed: null, pessimistic: null, optimistic: null, whileQuoting: null }
    const reason = seconds === 0 ? 'EXCLUDED' : 'NO_SAMPLE'
    return { ...nothing, ...known, verdict: 'INDETERMINATE', reason }
  }
  const values = metric === 'SPREAD_PIPS' ? spreadMeans : amountMeans
  const { observed, low, high, whileQuoting } = values(
    metric,
    sums,
    gapSeconds,
    promised.comparator,
  )
  const isAtLeast = promised.comparator === 'GTE'
  const [pessimistic, optimistic] = isAtLeast ? [low, high] : [high, low]
  return {
    observed,
    pessimistic,
    optimistic,
    whileQuoting,
    ...known,
    ...verdictOf({ pessimistic, optimistic, coveragePips }, promised),
  }
}

/** MET where the worst satisfies, BREACHED where even the best does not, and where enough is known. */
export function verdictOf(
  {
    pessimistic,
    optimistic,
    coveragePips,
  }: {
    readonly pessimistic: bigint
    readonly optimistic: bigint
    readonly coveragePips: number
  },
  { comparator, threshold, minimumCoveragePips }: Promised,
): { readonly verdict: KpiVerdict; readonly reason: KpiReason | null } {
  const satisfies = (value: bigint) =>
    comparator === 'GTE' ? value >= threshold : value <= threshold
  if (!satisfies(optimistic)) return { verdict: 'BREACHED', reason: null }
  if (coveragePips < minimumCoveragePips) {
    return { verdict: 'INDETERMINATE', reason: 'COVERAGE_BELOW_MINIMUM' }
  }
  return satisfies(pessimistic)
    ? { verdict: 'MET', reason: null }
    : { verdict: 'INDETERMINATE', reason: 'BETWEEN_BOUNDS' }
}

interface Means {
  readonly observed: bigint
  /** The smallest and the largest value that the gaps leave open. */
  readonly low: bigint
  readonly high: bigint
  readonly whileQuoting: bigint | null
}

function amountMeans(
  metric: BookMetric,
  { valueSeconds, knownSeconds, quotedSeconds, most }: MetricSums,
  gap: number,
  comparator: Promised['comparator'],
): Means {
  const mean = meanOf(comparator)
  const isWhole = shares.has(metric) && metric !== 'DEPTH_SHARE_PIPS'
  const best = isWhole ? whole : (most ?? 0n)
  const total = knownSeconds + gap
  return {
    observed: mean(valueSeconds, knownSeconds),
    low: mean(valueSeconds, total),
    high: mean(valueSeconds + best * BigInt(gap), total),
    whileQuoting: quotedSeconds === 0 ? null : mean(valueSeconds, quotedSeconds),
  }
}

function spreadMeans(
  _metric: BookMetric,
  { valueSeconds, quotedSeconds, least, most }: MetricSums,
  gap: number,
  comparator: Promised['comparator'],
): Means {
  const mean = meanOf(comparator)
  if (least === null || most === null) {
    // No quotes at any time. Unobserved time can have any spread.
    const low = gap === 0 ? widestSpreadPips : 0n
    return { observed: widestSpreadPips, low, high: widestSpreadPips, whileQuoting: null }
  }
  const total = quotedSeconds + gap
  const observed = mean(valueSeconds, quotedSeconds)
  return {
    observed,
    whileQuoting: observed,
    low: mean(valueSeconds + least * BigInt(gap), total),
    high: mean(valueSeconds + most * BigInt(gap), total),
  }
}

/** Down for GTE and up for LTE: rounding never meets a promise. */
const meanOf =
  (comparator: Promised['comparator']) =>
  (sum: bigint, seconds: number): bigint => {
    const divisor = BigInt(seconds)
    return comparator === 'GTE' ? sum / divisor : (sum + divisor - 1n) / divisor
  }
