import { contract } from '@liquidity-os/contract'
import {
  addSums,
  cutSpans,
  daysOf,
  judgeKpi,
  judgeLoan,
  type LoanReading,
  type MetricSums,
  needsBoth,
  noSums,
  type Span,
  spread95,
  secondsOf as sumOfSpans,
  windowAt,
} from '@liquidity-os/engine/mandates'
import { hexToBytes, merkleRoot } from '@liquidity-os/evidence'
import { daySeconds } from '../../../units.ts'
import type { DayBatch } from './batch-measures.ts'
import type { DaySums } from './day-sums.ts'
import { isoOf, type KpiTerms, type MandateTerms, venuesOfKpi } from './mandate-terms.ts'

export type Evaluation = Omit<contract.KpiEvaluation, 'told'>

/** A loan observation is valid for one day if no later one exists. */
export const loanHoldSeconds = daySeconds

/** All inputs of evaluations. */
export interface Known {
  readonly terms: MandateTerms
  /** Evaluation time in Unix seconds. Later time has not elapsed. */
  readonly asOf: number
  /** By start of the day; days without evidence are absent. */
  readonly days: ReadonlyMap<number, DaySums>
  readonly loan: readonly (LoanReading & { readonly hash: string })[]
}

/** KPI window that contains a moment, cut to the mandate period; null if they do not overlap. */
export function windowOfKpi(
  { period }: Pick<MandateTerms, 'period'>,
  { window }: Pick<KpiTerms, 'window'>,
  at: number,
): Span | null {
  const [cut] = cutSpans([windowAt(window, at)], period)
  return cut ?? null
}

/** Evaluates a KPI over the elapsed part of a window in the mandate period. */
export function evaluateWindow(known: Known, index: number, window: Span): Evaluation {
  const { terms, asOf } = known
  const kpi = terms.kpis[index]!
  const elapsed = { from: window.from, to: Math.max(window.from, Math.min(window.to, asOf)) }
  const excludedSeconds = sumOfSpans(cutSpans(terms.exclusions, elapsed))
  const common = {
    kpiId: kpi.kpiId,
    window: { from: isoOf(window.from), to: isoOf(elapsed.to), isRunning: asOf < window.to },
    excludedSeconds,
    comparator: kpi.comparator,
    threshold: `${kpi.threshold}`,
  }
  return kpi.metric === 'LOAN_COVERAGE_PIPS'
    ? { ...common, ...loanFigures(known, kpi, elapsed) }
    : { ...common, ...bookFigures(known, index, elapsed, excludedSeconds) }
}

const amount = (value: bigint | null) => (value === null ? null : `${value}`)

function bookFigures(known: Known, index: number, elapsed: Span, excludedSeconds: number) {
  const { terms } = known
  const kpi = terms.kpis[index]!
  const metric = kpi.metric as Exclude<contract.KpiMetric, 'LOAN_COVERAGE_PIPS'>
  const days = daysOf(elapsed).flatMap((begin) => known.days.get(begin) ?? [])
  const isOwn = needsBoth(metric) || days.some(({ kpis }) => kpis[index]?.own)
  const whose = isOwn ? 'own' : 'seen'
  const sums = days.reduce<MetricSums>((sum, { kpis }) => {
    const ofDay = kpis[index]?.[whose]
    return ofDay ? addSums(sum, ofDay) : sum
  }, noSums)
  const seconds = elapsed.to - elapsed.from - excludedSeconds
  const figures = judgeKpi(metric, sums, seconds, kpi)
  const keys = venuesOfKpi(terms, kpi)
  const isUsed = ({ venueKey, source, hasOwnOrders }: DayBatch) =>
    keys.includes(venueKey) &&
    (isOwn ? hasOwnOrders || needsBoth(metric) : source !== 'MAKER_ORDERS')
  const batches = new Map(
    days.flatMap((day) => day.batches.filter(isUsed).map((batch) => [batch.number, batch])),
  )
  const contradictions = days
    .flatMap(({ contradicted }) => contradicted)
    .reduce((sum, { venueKey, count }) => (keys.includes(venueKey) ? sum + count : sum), 0)
  const hasAny = sums.knownSeconds > 0
  return {
    measured: hasAny ? (isOwn ? ('MAKER_ORDERS' as const) : ('PUBLIC_BOOK' as const)) : null,
    observed: amount(figures.observed),
    pessimistic: amount(figures.pessimistic),
    optimistic: amount(figures.optimistic),
    whileQuoting: amount(figures.whileQuoting),
    spread95Pips: metric === 'SPREAD_PIPS' ? amount(spread95(sums)) : null,
    attestedPips: null,
    coveragePips: figures.coveragePips,
    gapSeconds: figures.gapSeconds,
    verdict: figures.verdict,
    reason: figures.reason,
    trust: sums.rank === null ? null : (contract.trustClasses[sums.rank] ?? null),
    contradictions: isOwn ? contradictions : 0,
    batches: rootOf([...batches.values()].sort((a, b) => a.number - b.number)),
  }
}

function loanFigures({ terms, loan }: Known, kpi: KpiTerms, elapsed: Span) {
  const { comparator, threshold, minimumCoveragePips } = kpi
  const promised = { comparator, threshold, minimumCoveragePips }
  const used = loan.filter(({ at }) => at + loanHoldSeconds > elapsed.from && at < elapsed.to)
  const figures = judgeLoan(used, elapsed, terms.exclusions, loanHoldSeconds, promised)
  const isAttested = used.some(({ attested }) => attested > 0n)
  return {
    measured: figures.observed === null ? null : ('LOAN' as const),
    observed: amount(figures.observed),
    pessimistic: amount(figures.pessimistic),
    optimistic: amount(figures.optimistic),
    whileQuoting: null,
    spread95Pips: null,
    attestedPips: amount(figures.attestedPips),
    coveragePips: figures.coveragePips,
    gapSeconds: figures.gapSeconds,
    verdict: figures.verdict,
    reason: figures.reason,
    // Custodian attestations are signed but not independently verifiable.
    trust:
      figures.observed === null
        ? null
        : isAttested
          ? ('INDEPENDENT' as const)
          : ('ONCHAIN' as const),
    contradictions: 0,
    batches: rootOf(used.map(({ hash }) => ({ batchHash: hash }))),
  }
}

/** RFC 6962 tree over the 32-byte hashes, in order of arrival. */
const rootOf = (batches: readonly { readonly batchHash: string }[]) => ({
  count: batches.length,
  root: merkleRoot(batches.map(({ batchHash }) => hexToBytes(batchHash.slice(2)))),
})
