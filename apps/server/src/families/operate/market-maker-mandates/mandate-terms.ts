import type { contract } from '@liquidity-os/contract'
import {
  cutSpans,
  type MetricTerms,
  type Span,
  type WindowKind,
} from '@liquidity-os/engine/mandates'
import { H, type Hash } from '@liquidity-os/evidence'
import { daySeconds } from '../../../units.ts'

export interface KpiTerms extends Omit<MetricTerms, 'metric'> {
  readonly kpiId: string
  readonly metric: contract.KpiMetric
  readonly venueKey: string
  readonly window: WindowKind
  readonly threshold: bigint
  readonly minimumCoveragePips: number
}

/** Plain data: crosses a thread boundary. Times in Unix seconds. */
export interface MandateTerms {
  readonly samplingSeconds: number
  readonly venueKeys: readonly string[]
  readonly kpis: readonly KpiTerms[]
  readonly exclusions: readonly Span[]
  readonly period: Span
}

export const usualCoveragePips = 900_000

export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)
export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const dayText = (seconds: number): string => isoOf(seconds).slice(0, 10)

export function termsOf(mandate: contract.MarketMakerMandate): MandateTerms {
  const { samplingSeconds, venues, kpis, exclusions, period } = mandate
  return {
    samplingSeconds,
    venueKeys: venues.map(({ venueKey }) => venueKey),
    kpis: kpis.map((kpi) => ({
      kpiId: kpi.kpiId,
      metric: kpi.metric,
      venueKey: kpi.venueKey,
      side: kpi.side,
      bandPips: kpi.bandPips ?? null,
      sizeQuote: kpi.sizeQuote === undefined ? null : BigInt(kpi.sizeQuote),
      comparator: kpi.comparator,
      threshold: BigInt(kpi.threshold),
      window: kpi.window,
      minimumCoveragePips: kpi.minimumCoveragePips ?? usualCoveragePips,
    })),
    exclusions: exclusions.map(spanOf),
    period: spanOf(period),
  }
}

const spanOf = ({ from, to }: { from: string; to: string }): Span => ({
  from: secondsOf(from),
  to: secondsOf(to),
})

/** Maximum validity of a sample. */
export const holdSeconds = ({ samplingSeconds }: MandateTerms): number => 2 * samplingSeconds

/** Distances from the mid price that KPIs use, ascending. */
export const bandsOf = ({ kpis }: MandateTerms): number[] =>
  [...new Set(kpis.flatMap(({ bandPips }) => bandPips ?? []))].sort((a, b) => a - b)

/** The keys of the venues of a KPI. */
export const venuesOfKpi = (
  { venueKeys }: MandateTerms,
  { venueKey }: KpiTerms,
): readonly string[] => (venueKey === 'ALL' ? venueKeys : [venueKey])

export const dayWindow = (begin: number): Span => ({ from: begin, to: begin + daySeconds })

/** Hash of the terms that affect daily sums. Sums with another hash are recomputed. */
export function dayTermsHash(terms: MandateTerms, begin: number): Hash {
  const day = dayWindow(begin)
  return H('mandate-day-terms/v1', {
    samplingSeconds: terms.samplingSeconds,
    venueKeys: [...terms.venueKeys],
    kpis: terms.kpis.map(({ kpiId, metric, venueKey, side, bandPips, sizeQuote, comparator }) => ({
      kpiId,
      metric,
      venueKey,
      side,
      bandPips,
      comparator,
      sizeQuote: sizeQuote === null ? null : `${sizeQuote}`,
    })),
    exclusions: cutSpans(terms.exclusions, day),
    period: cutSpans([terms.period], day),
  })
}
