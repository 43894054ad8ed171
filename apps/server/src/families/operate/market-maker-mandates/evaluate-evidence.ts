import type { contract } from '@liquidity-os/contract'
import { cutSpans, daysOf, type LoanReading } from '@liquidity-os/engine/mandates'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import { daySeconds } from '../../../units.ts'
import type { DayBatch } from './batch-measures.ts'
import {
  type EvaluateTask,
  type EvidenceEvaluation,
  type NewBatch,
  touchedDays,
} from './evaluate-task.ts'
import { loanHoldSeconds, windowOfKpi } from './evaluate-windows.ts'
import { artifactsOf, readStoredDays, type StoredDay } from './evidence-of-days.ts'
import { loanReadings } from './loan-readings.ts'
import {
  bandsOf,
  dayTermsHash,
  isoOf,
  type MandateTerms,
  termsOf,
  venuesOfKpi,
} from './mandate-terms.ts'
import type { TaskRefusal } from './read-batch-task.ts'
import type { Mandate } from './records.ts'

/** A window to evaluate: index of the KPI and a moment in its window. */
export type RequestedWindow = EvaluateTask['requested'][number]

interface EvaluationInput {
  readonly asOf: number
  readonly added: NewBatch | null
  readonly requested: readonly RequestedWindow[]
}

/**
 * Collects the input for evaluating a batch or windows, and runs it in a thread. Completed days
 * with unchanged evidence and terms use stored sums, without reading books.
 *
 * @throws Failure 409 if the batch contradicts an earlier one, or a day is full
 */
export async function evaluateEvidence(
  records: TenantRecords,
  threads: Threads,
  mandate: Pick<Mandate, 'id' | 'payload'>,
  { asOf, added, requested }: EvaluationInput,
): Promise<EvidenceEvaluation> {
  const terms = termsOf(mandate.payload)
  const touched = added ? touchedDays(terms, added.batch) : []
  const days = new Set(touched)
  for (const { place: itemIndex, at } of requested) {
    const window = windowOfKpi(terms, terms.kpis[itemIndex]!, at)
    if (window === null) continue
    for (const day of daysOf({ from: window.from, to: Math.min(window.to, asOf) })) days.add(day)
  }
  const stored = await readStoredDays(records, mandate.id, [...days])
  if (added) requireQuota(stored, touched, added.batch)
  const isOver = (day: number) => day + daySeconds <= asOf
  const isAnew = (one: StoredDay) =>
    touched.includes(one.day) || !isOver(one.day) || one.terms !== dayTermsHash(terms, one.day)
  const remade = [...stored.values()].filter(isAnew)
  const fresh = touched.filter((day) => !stored.has(day))
  const batches = new Map(
    remade.flatMap((one) => one.batches.map((batch) => [batch.number, batch] as const)),
  )
  const counterparts = added ? counterpartsOf(terms, added.batch, batches.values()) : []
  const files = await artifactsOf(records, [
    ...[...batches.values()].map(({ measures }) => measures),
    ...[...batches.values()].filter((one) => isOfOtherBands(terms, one)).map(({ raw }) => raw),
    ...counterparts.map(({ raw }) => raw),
  ])
  const task: EvaluateTask = {
    terms,
    asOf,
    added,
    touched,
    requested,
    loan: await loanOf(records, mandate, terms, asOf, requested),
    storedDays: [...stored.values()]
      .filter((one) => !isAnew(one))
      .map(({ day, bytes }) => ({ day, bytes })),
    anew: [
      ...remade.map(({ day, batches: of }) => ({ day, numbers: of.map(({ number }) => number) })),
      ...fresh.map((day) => ({ day, numbers: [] })),
    ],
    batches: [...batches.values()].map((batch) => ({
      batch,
      measures: files.get(batch.measures)!,
      raw: isOfOtherBands(terms, batch) ? files.get(batch.raw)! : null,
    })),
    counterparts: counterparts.map((batch) => ({ batch, raw: files.get(batch.raw)! })),
  }
  const file = new URL('./evaluate-task.ts', import.meta.url)
  const evaluated = await threads.run<EvidenceEvaluation | TaskRefusal>(file, task)
  if (evaluated.ok) return evaluated
  throw new Failure(evaluated.code, { fieldErrors: evaluated.fieldErrors })
}

const isOfOtherBands = (terms: MandateTerms, { bandsPips }: DayBatch) =>
  bandsOf(terms).some((band) => !bandsPips.includes(band))

/**
 * Batches with counterpart books for the same moments and venue: public for own orders, and vice
 * versa.
 */
function counterpartsOf(
  { samplingSeconds }: MandateTerms,
  batch: NewBatch['batch'],
  others: Iterable<DayBatch>,
): DayBatch[] {
  if (batch.source === 'ONCHAIN') return []
  const half = Math.floor(samplingSeconds / 2)
  const isPublic = ({ source }: Pick<DayBatch, 'source'>) => source === 'PUBLIC_BOOK'
  return [...others].filter(
    (one) =>
      one.venueKey === batch.venueKey &&
      one.source !== 'ONCHAIN' &&
      one.from <= batch.to + half &&
      one.to >= batch.from - half &&
      ((batch.hasOwnOrders && isPublic(one)) || (isPublic(batch) && one.hasOwnOrders)),
  )
}

/** @throws Failure 409 if a day would contain more than the service can evaluate in time */
function requireQuota(
  stored: ReadonlyMap<number, StoredDay>,
  touched: readonly number[],
  added: NewBatch['batch'],
): void {
  for (const day of touched) {
    const fault = checkQuota(stored.get(day)?.batches ?? [], added)
    if (fault === null) continue
    throw new Failure('LIQUIDITY_MANDATE_DAY_FULL', {
      fieldErrors: { 'payload.samples': [`${isoOf(day).slice(0, 10)} ${fault}`] },
    })
  }
}

type Size = Pick<DayBatch, 'samples' | 'rawBytes' | 'venueKey'>

/**
 * Reason a day cannot take another batch, or null. Bytes count per venue, because comparisons run
 * per venue.
 */
export function checkQuota(held: readonly Size[], added: Size): string | null {
  const all = [...held, added]
  const max = {
    batches: limits.mandateDayBatches,
    samples: limits.mandateDaySamples,
    bytes: limits.mandateDayBytes,
  }
  const sum = (of: (size: Size) => number) => all.reduce((total, one) => total + of(one), 0)
  const samples = sum((one) => one.samples)
  const bytes = sum((one) => (one.venueKey === added.venueKey ? one.rawBytes : 0))
  if (all.length > max.batches) return `must have at most ${max.batches} batches`
  if (samples > max.samples)
    return `must have at most ${max.samples} samples, would have ${samples}`
  if (bytes <= max.bytes) return null
  return `must have at most ${max.bytes} bytes of ${added.venueKey}, would have ${bytes}`
}

async function loanOf(
  records: TenantRecords,
  { id }: Pick<Mandate, 'id'>,
  terms: MandateTerms,
  asOf: number,
  requestedValue: readonly RequestedWindow[],
): Promise<(LoanReading & { hash: string })[]> {
  const windows = requestedValue.flatMap(({ place: index, at }) => {
    const kpi = terms.kpis[index]!
    return kpi.metric === 'LOAN_COVERAGE_PIPS' ? (windowOfKpi(terms, kpi, at) ?? []) : []
  })
  if (windows.length === 0) return []
  const from = Math.min(...windows.map((window) => window.from)) - loanHoldSeconds
  const to = Math.min(asOf, Math.max(...windows.map((window) => window.to)))
  return loanReadings(records, id, { from, to })
}

/** Windows of all KPIs of a venue that contain a sample of a batch. */
export function windowsOfBatch(
  mandate: contract.MarketMakerMandate,
  { venueKey, from, to }: Pick<DayBatch, 'venueKey' | 'from' | 'to'>,
): RequestedWindow[] {
  const terms = termsOf(mandate)
  const days = daysOf(cutSpans([{ from, to: to + 1 }], terms.period)[0] ?? { from, to: from })
  return terms.kpis.flatMap((kpi, index) => {
    const isAbout =
      kpi.metric !== 'LOAN_COVERAGE_PIPS' && venuesOfKpi(terms, kpi).includes(venueKey)
    if (!isAbout) return []
    const windows = new Map<number, RequestedWindow>()
    for (const day of days) {
      const at = Math.max(day, terms.period.from)
      const window = windowOfKpi(terms, kpi, at)
      if (window) windows.set(window.from, { place: index, at })
    }
    return [...windows.values()]
  })
}
