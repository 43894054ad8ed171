import { HOUR_SECONDS, WEEK_SECONDS } from '../arithmetic/time-units.ts'
import type { AbsoluteRule, DetectorSpec, Severity } from './detectors.ts'
import { type Baseline, integerMedian, measureBaseline, zMilli } from './median-deviation.ts'

/** One sample of a feature. */
export interface FeatureSample {
  /** Unix seconds, ascending. */
  readonly at: number
  readonly value: bigint
  /**
   * Whether an earlier evaluation rated this sample CRITICAL; the baseline excludes such samples.
   */
  readonly isCritical?: boolean
}

/** A feature over time. */
export interface IntSeries {
  readonly cadenceSeconds: number
  readonly samples: readonly FeatureSample[]
}

/** An evaluation: detector, time and baseline length. */
export interface Evaluation {
  readonly spec: DetectorSpec
  readonly at: number
  /** Default 604,800. */
  readonly baselineSeconds?: number
  /** A further condition of the kind, as volume and traders of one-sided flow; false caps at not detected. */
  readonly isQualified?: boolean
  /** An absolute rule on something else than the feature that holds now. */
  readonly absoluteBreach?: boolean
  /** Highest severity the sources allow: a depeg seen by one source is at most a WARNING. */
  readonly cap?: Severity
}

/** Result of the detector, with every number behind it. */
export interface DetectorOutcome {
  readonly state: 'COMPLETED' | 'PARTIAL' | 'ABSTAINED'
  readonly reasons: readonly string[]
  readonly outcome: 'DETECTED' | 'NOT_DETECTED' | null
  readonly severity: Severity | null
  readonly rule: 'STATISTICAL' | 'ABSOLUTE' | null
  readonly feature: {
    readonly value: bigint
    readonly median: bigint
    readonly mad: bigint
    readonly scale4: bigint
    readonly zMilli: number
    readonly effectPips: bigint
  } | null
  readonly persistence: { readonly hits: number; readonly of: number }
  /** Whether the last samples are all quiet, so that an open detection may be closed. */
  readonly isClear: boolean
  readonly baseline: {
    readonly from: number
    readonly to: number
    readonly samples: number
    readonly excluded: number
    readonly coveragePips: number
    /** Whether hours of the week were compared with themselves. */
    readonly isSeasonal: boolean
    /** Whether a level flagged for 72 hours was taken for the new normal. */
    readonly isNewRegime: boolean
  }
}

/**
 * Minimum samples and minimum coverage, in millionths, of a baseline. Below them the detector
 * returns no statistical result.
 */
export const LEAST_SAMPLES = 96
export const LEAST_COVERAGE_PIPS = 800_000
const LARGEST_EXCLUDED_PIPS = 200_000
const REGIME_SECONDS = 72 * HOUR_SECONDS
const CLEAR_Z = 2500
/** Minimum z per severity, in thousandths, ascending. */
export const CUTS: readonly { severity: Severity; z: number }[] = [
  { severity: 'INFO', z: 3500 },
  { severity: 'WARNING', z: 5000 },
  { severity: 'CRITICAL', z: 8000 },
]

/**
 * The detector `robust-mad-v1`: modified z-score, effect and persistence, in integers throughout.
 *
 * Persistence uses the last cadences, not the last samples. A missing sample is neither a hit nor
 * quiet. A duration rule requires every sample of its period.
 *
 * The baseline is every sample in [at − baseline, at − 2 cadences] that was not CRITICAL. With four
 * weeks of history, the median per hour of the week is subtracted first. With fewer than 96 samples
 * or a coverage below 80 % the detector abstains, unless an absolute rule applies.
 *
 * @throws RangeError if no sample lies at or before `at`
 * @see Iglewicz and Hoaglin (1993); Leys et al., “Detecting outliers: do not use standard deviation
 * around the mean, use absolute deviation around the median” (2013)
 */
export function robustMad(series: IntSeries, evaluation: Evaluation): DetectorOutcome {
  const { spec, at } = evaluation
  const past = series.samples.filter((sample) => sample.at <= at)
  const newest = past.at(-1)
  if (newest === undefined) throw new RangeError('no sample at or before the time of evaluation')
  const chosen = chooseBaseline(past, series.cadenceSeconds, evaluation)
  const level = chosen.samples.length === 0 ? null : chosen.adjusted
  const isEnough =
    chosen.samples.length >= LEAST_SAMPLES && chosen.coveragePips >= LEAST_COVERAGE_PIPS
  const baseline = level === null ? null : measureBaseline(level, floorOf(spec, level))
  const reach = at - spec.persistence.of * series.cadenceSeconds
  const recent = past
    .filter((sample) => sample.at > reach)
    .map((sample) => {
      const value = sample.value - chosen.seasonOf(sample.at)
      return baseline === null ? null : judgeSample(value, baseline, spec)
    })
  const statistical = isEnough ? severityOf(recent, evaluation) : { severity: null, hits: 0 }
  const absolute = holdsAbsolutely(unbroken(past, at, series.cadenceSeconds), baseline, evaluation)
  const isLowered = absolute && evaluation.cap !== undefined
  const severity = absolute ? (isLowered ? evaluation.cap! : 'CRITICAL') : statistical.severity
  const last = recent.at(-1) ?? null
  const reasons = [
    ...(chosen.samples.length < LEAST_SAMPLES ? ['BASELINE_TOO_SHORT'] : []),
    ...(chosen.coveragePips < LEAST_COVERAGE_PIPS ? ['BASELINE_COVERAGE'] : []),
  ]
  return {
    state: isEnough ? 'COMPLETED' : absolute ? 'PARTIAL' : 'ABSTAINED',
    reasons,
    outcome: isEnough || absolute ? (severity === null ? 'NOT_DETECTED' : 'DETECTED') : null,
    severity,
    rule: absolute ? 'ABSOLUTE' : statistical.severity === null ? null : 'STATISTICAL',
    feature: baseline === null || last === null ? null : { ...baseline, ...last },
    persistence: { hits: statistical.hits, of: spec.persistence.of },
    isClear:
      isEnough &&
      !absolute &&
      recent.length === spec.persistence.of &&
      recent.every((sample) => sample !== null && badness(sample.zMilli, spec) < CLEAR_Z),
    baseline: chosen.facts,
  }
}

interface Judged {
  readonly value: bigint
  readonly zMilli: number
  readonly effectPips: bigint
}

function judgeSample(value: bigint, baseline: Baseline, spec: DetectorSpec): Judged {
  return { value, zMilli: zMilli(value, baseline), effectPips: effectOf(value, baseline, spec) }
}

/** Size of the deviation for people, in pips; below zero on the harmless side. */
function effectOf(value: bigint, { median }: Baseline, { effect }: DetectorSpec): bigint {
  if (effect === 'VALUE') return value
  if (median <= 0n) return 0n
  const change = effect === 'DROP_FROM_MEDIAN' ? median - value : value - median
  return (change * 1_000_000n) / median
}

/** The minimum scale of a kind at a given level, in the unit of the feature. */
export function floorOf(spec: DetectorSpec, level: readonly bigint[]): bigint {
  const { unit, amount } = spec.floor
  if (unit === 'VALUE') return amount
  const median = integerMedian(level)
  return median <= 0n ? 0n : (median * amount) / 1_000_000n
}

/** The score towards the bad side. */
function badness(z: number, spec: DetectorSpec): number {
  return spec.side === 'LOW' ? -z : z
}

/** The highest severity whose cut and effect enough of the last samples reach. */
function severityOf(
  recent: readonly (Judged | null)[],
  { spec, isQualified = true, cap }: Evaluation,
): { severity: Severity | null; hits: number } {
  let found: Severity | null = null
  let hits = 0
  for (const [level, { severity, z }] of CUTS.entries()) {
    const reached = recent.filter(
      (sample) =>
        sample !== null &&
        badness(sample.zMilli, spec) >= z &&
        // One effect per severity.
        sample.effectPips >= spec.effects[level]!,
    ).length
    if (level === 0) hits = reached
    if (reached < spec.persistence.hits || !isQualified) break
    found = severity
    hits = reached
    if (severity === cap) break
  }
  return { severity: found, hits }
}

/**
 * The newest samples without a data gap at the cadence, up to a time. No duration is known across a
 * gap.
 */
function unbroken(
  past: readonly FeatureSample[],
  at: number,
  cadence: number,
): readonly FeatureSample[] {
  const afterHole = past.findLastIndex(
    (sample, place) => (past[place + 1]?.at ?? at) - sample.at > cadence,
  )
  return past.slice(afterHole + 1)
}

/** @param past samples without a hole up to the time of evaluation */
function holdsAbsolutely(
  past: readonly FeatureSample[],
  baseline: Baseline | null,
  { spec, at, absoluteBreach = false }: Evaluation,
): boolean {
  const lasts = (rule: AbsoluteRule): boolean => {
    const isBeyond = (sample: FeatureSample): boolean => {
      if (rule.on === 'EFFECT' && baseline === null) return false
      // The baseline is known where the rule is on the effect.
      const x = rule.on === 'VALUE' ? sample.value : effectOf(sample.value, baseline!, spec)
      return rule.atLeast !== undefined ? x >= rule.atLeast : x <= (rule.atMost ?? x - 1n)
    }
    const firstQuiet = past.findLastIndex((sample) => !isBeyond(sample))
    const since = past[firstQuiet + 1]
    return since !== undefined && at - since.at >= rule.forSeconds
  }
  return absoluteBreach || spec.absolute.some(lasts)
}

function chooseBaseline(
  past: readonly FeatureSample[],
  cadence: number,
  { at, baselineSeconds = WEEK_SECONDS }: Evaluation,
) {
  const from = at - baselineSeconds
  const to = at - 2 * cadence
  const window = past.filter((sample) => sample.at >= from && sample.at <= to)
  const flagged = window.filter((sample) => sample.isCritical === true)
  const isTooMany = flagged.length * 1_000_000 > LARGEST_EXCLUDED_PIPS * window.length
  const isNewRegime =
    isTooMany && (flagged.at(-1)?.at ?? 0) - (flagged[0]?.at ?? 0) >= REGIME_SECONDS
  const most = Math.floor((window.length * LARGEST_EXCLUDED_PIPS) / 1_000_000)
  // Above a fifth, exclude only the newest flagged samples: they belong to a current incident.
  const excluded = new Set(isNewRegime ? [] : isTooMany ? flagged.slice(-most) : flagged)
  const samples = window.filter((sample) => !excluded.has(sample))
  const expected = Math.floor((to - from) / cadence) + 1
  const coveragePips = Math.min(1_000_000, Math.floor((window.length * 1_000_000) / expected))
  const seasonOf = seasonality(past.filter((sample) => sample.at <= to))
  return {
    samples,
    adjusted: samples.map((sample) => sample.value - seasonOf(sample.at)),
    seasonOf,
    coveragePips,
    facts: {
      from,
      to,
      samples: samples.length,
      excluded: excluded.size,
      coveragePips,
      isSeasonal: seasonOf !== noSeason,
      isNewRegime,
    },
  }
}

const noSeason = (_at: number): bigint => 0n

/**
 * Seasonal component per hour of the week: its median minus the overall median. Requires four weeks
 * of history. The level remains in the data, because effects are relative to it.
 */
function seasonality(history: readonly FeatureSample[]): (at: number) => bigint {
  const first = history[0]
  const last = history.at(-1)
  if (
    first === undefined ||
    last === undefined ||
    last.at - first.at < 4 * WEEK_SECONDS - HOUR_SECONDS
  ) {
    return noSeason
  }
  const hourOf = (time: number) => Math.floor((time % WEEK_SECONDS) / HOUR_SECONDS)
  const byHour = Map.groupBy(history, (sample) => hourOf(sample.at))
  const level = integerMedian(history.map(({ value }) => value))
  const seasons = new Map(
    [...byHour].map(([hour, group]) => [hour, integerMedian(group.map((s) => s.value)) - level]),
  )
  return (time) => seasons.get(hourOf(time)) ?? 0n
}
