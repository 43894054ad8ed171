import { contract } from '@liquidity-os/contract'
import {
  courseOf,
  type HeldMeasures,
  holdSamples,
  type MetricSums,
  type MetricTerms,
  needsBoth,
  nothingQuoted,
  type Span,
  type Stretch,
  sumMetric,
  type TimedMeasures,
} from '@liquidity-os/engine/mandates'
import type { BatchMeasures, DayBatch } from './batch-measures.ts'
import {
  bandsOf,
  holdSeconds,
  type KpiTerms,
  type MandateTerms,
  venuesOfKpi,
} from './mandate-terms.ts'
import { type QuotedHours, quotedHours } from './quoted-hours.ts'

export interface MeasuredBatch extends BatchMeasures {
  readonly batch: DayBatch
}

/** Sums of a KPI over a time span, for own orders (if available) and for the public book. */
export interface KpiSums {
  readonly own: MetricSums | null
  readonly seen: MetricSums | null
  /** Hours of the day, for an uptime KPI with own orders; else null. */
  readonly hours: QuotedHours | null
}

/** Daily data needed for weekly and monthly windows. */
export interface DaySums {
  readonly batches: readonly DayBatch[]
  /** In the order of the KPIs; null for a loan. */
  readonly kpis: readonly (KpiSums | null)[]
  /** Contradicted samples, by venue. */
  readonly contradicted: readonly { readonly venueKey: string; readonly count: number }[]
}

interface VenueSpans {
  readonly own: readonly HeldMeasures[]
  readonly seen: readonly HeldMeasures[]
}

/**
 * Sums every KPI of a mandate over a window.
 *
 * @param measured every batch within the window, in any order
 */
export function sumDay(
  terms: MandateTerms,
  window: Span,
  measured: readonly MeasuredBatch[],
): DaySums {
  const batches = measured.toSorted((a, b) => a.batch.number - b.batch.number)
  const contradicted = contradictedOf(batches)
  const held = new Map(
    terms.venueKeys.map((key) => [key, spansOf(terms, batches, key, contradicted)]),
  )
  const courses = new Map<string, Stretch[]>()
  const course = (kpi: KpiTerms, whose: 'own' | 'seen', includesSeen: boolean): Stretch[] => {
    const key = `${kpi.venueKey} ${whose} ${includesSeen}`
    const known = courses.get(key)
    if (known) return known
    const venues = venuesOfKpi(terms, kpi).map((venueKey) => held.get(venueKey)!)
    const seenSpans = includesSeen ? venues.map(({ seen }) => seen) : []
    const measuredSpans = venues.map((spans) => spans[whose])
    const made = courseOf({ measured: measuredSpans, beside: seenSpans }, window, terms.exclusions)
    courses.set(key, made)
    return made
  }
  return {
    batches: batches.map(({ batch }) => batch),
    kpis: terms.kpis.map((kpi): KpiSums | null => {
      const { metric } = kpi
      if (metric === 'LOAN_COVERAGE_PIPS') return null
      const keys = venuesOfKpi(terms, kpi)
      const isBoth = needsBoth(metric)
      const hasOwn = batches.some(
        ({ batch }) => batch.hasOwnOrders && keys.includes(batch.venueKey),
      )
      const metricTerms: MetricTerms = { ...kpi, metric }
      const isUptime = metric === 'UPTIME_PIPS'
      return {
        own: hasOwn ? sumMetric(metricTerms, course(kpi, 'own', isBoth)) : null,
        seen: isBoth ? null : sumMetric(metricTerms, course(kpi, 'seen', false)),
        hours: isUptime
          ? quotedHours(metricTerms, course(kpi, hasOwn ? 'own' : 'seen', false))
          : null,
      }
    }),
    contradicted: terms.venueKeys.map((venueKey) => ({
      venueKey,
      count: contradicted.filter(
        (one) => one.venueKey === venueKey && one.at >= window.from && one.at < window.to,
      ).length,
    })),
  }
}

/** Own samples without a matching public book of their time, each once. */
function contradictedOf(batches: readonly MeasuredBatch[]) {
  const keyOf = ({ venueKey, at }: { venueKey: string; at: number }) => `${venueKey} ${at}`
  const fits = new Set(batches.flatMap((one) => one.fits.map(keyOf)))
  const found = batches.flatMap(({ violations }) =>
    violations.filter((one) => !fits.has(keyOf(one))),
  )
  return [...new Map(found.map((one) => [keyOf(one), one])).values()]
}

function spansOf(
  terms: MandateTerms,
  batches: readonly MeasuredBatch[],
  venueKey: string,
  contradicted: readonly { venueKey: string; at: number }[],
): VenueSpans {
  const ofVenue = batches.filter(({ batch }) => batch.venueKey === venueKey)
  const away = new Set(contradicted.flatMap((one) => (one.venueKey === venueKey ? [one.at] : [])))
  const silent = nothingQuoted(bandsOf(terms))
  const timed = (whose: 'own' | 'seen') => {
    // Per moment, the highest evidence level wins; then batches with own orders only, then the
    // earliest.
    const best = new Map<number, TimedMeasures & { isAlone: boolean }>()
    for (const { batch, samples } of ofVenue) {
      const rank = contract.trustClasses.indexOf(batch.trust)
      const isAlone = batch.source === 'MAKER_ORDERS'
      for (const { at, [whose]: sample } of samples) {
        if (sample === null) continue
        const before = best.get(at)
        const isBetter =
          !before || rank > before.rank || (rank === before.rank && isAlone && !before.isAlone)
        const measures = whose === 'own' && away.has(at) ? silent : sample
        if (isBetter) best.set(at, { at, rank, measures, isAlone })
      }
    }
    return holdSamples([...best.values()], holdSeconds(terms))
  }
  return { own: timed('own'), seen: timed('seen') }
}
