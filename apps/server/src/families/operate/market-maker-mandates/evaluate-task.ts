import type { contract, ErrorCode, FieldErrors } from '@liquidity-os/contract'
import { contradictionOf, cutSpans, daysOf, type LoanReading } from '@liquidity-os/engine/mandates'
import { limits } from '../../../limits.ts'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import {
  type BatchMeasures,
  booksOf,
  bytesOf,
  type Compared,
  type DayBatch,
  measureSample,
  readExact,
  type SampleMeasures,
  samplesOfRaw,
} from './batch-measures.ts'
import { type DaySums, type MeasuredBatch, sumDay } from './day-sums.ts'
import { type Evaluation, evaluateWindow, windowOfKpi } from './evaluate-windows.ts'
import { bandsOf, dayWindow, isoOf, type MandateTerms, secondsOf } from './mandate-terms.ts'
import type { TaskRefusal } from './read-batch-task.ts'

/** A new batch, before its measures have a hash. */
export interface NewBatch {
  readonly batch: Omit<DayBatch, 'measures'>
  readonly measured: Uint8Array
  readonly raw: Uint8Array
}

export interface EvaluateTask {
  readonly terms: MandateTerms
  /** Unix seconds. */
  readonly asOf: number
  readonly added: NewBatch | null
  /** Starts of the days that the new batch covers. */
  readonly touched: readonly number[]
  /** Stored sums by start of day, for days that are not recomputed. */
  readonly storedDays: readonly { readonly day: number; readonly bytes: Uint8Array }[]
  /** Days to recompute from measures, with their batch numbers. */
  readonly anew: readonly { readonly day: number; readonly numbers: readonly number[] }[]
  /** Batches of those days. Includes the bytes if they were measured for other distances. */
  readonly batches: readonly {
    readonly batch: DayBatch
    readonly measures: Uint8Array
    readonly raw: Uint8Array | null
  }[]
  /** Batches of the same venue to compare with the new one. */
  readonly counterparts: readonly { readonly batch: DayBatch; readonly raw: Uint8Array }[]
  readonly loan: readonly (LoanReading & { readonly hash: string })[]
  /** Windows to evaluate: index of the KPI and a time in the window. */
  readonly requested: readonly { readonly place: number; readonly at: number }[]
}

export interface EvidenceEvaluation {
  readonly ok: true
  readonly evaluations: readonly Evaluation[]
  readonly added: {
    readonly measures: { readonly content: Uint8Array; readonly contentHash: string }
    readonly days: readonly {
      readonly day: number
      readonly content: Uint8Array
      readonly contentHash: string
    }[]
    readonly repeated: number
    readonly contradictions: {
      readonly count: number
      readonly found: readonly contract.SampleContradiction[]
    }
  } | null
}

/** Compares a batch with known evidence, updates daily sums and evaluates KPIs. */
export default function evaluate(task: EvaluateTask): EvidenceEvaluation | TaskRefusal {
  const known = task.batches.map((one) => measuredOf(one, task.terms))
  const comparison = task.added ? compareBatch(task, task.added, known) : null
  if (comparison && 'ok' in comparison) return comparison
  const all = comparison ? [...known, comparison.measured] : known
  const batchesOf = (day: number) => {
    const numbers = new Set(task.anew.find((one) => one.day === day)?.numbers)
    if (comparison && task.touched.includes(day)) numbers.add(comparison.measured.batch.number)
    return all.filter(({ batch }) => numbers.has(batch.number))
  }
  const days = new Map(task.storedDays.map(({ day, bytes }) => [day, readExact<DaySums>(bytes)]))
  for (const { day } of task.anew) {
    // During a day, a sample is valid until now at most.
    const [elapsed] = cutSpans([dayWindow(day)], { from: 0, to: task.asOf })
    if (elapsed) days.set(day, sumDay(task.terms, within(task.terms, elapsed), batchesOf(day)))
  }
  const everything = { terms: task.terms, asOf: task.asOf, days, loan: task.loan }
  const evaluations = task.requested.flatMap(({ place: itemIndex, at }) => {
    const window = windowOfKpi(task.terms, task.terms.kpis[itemIndex]!, at)
    return window && window.from < task.asOf ? [evaluateWindow(everything, itemIndex, window)] : []
  })
  if (!comparison) return { ok: true, evaluations, added: null }
  const updatedDays = task.touched.map((day) => {
    const window = within(task.terms, dayWindow(day))
    const content = bytesOf({
      schemaVersion: 'mandate-day-v1',
      from: day,
      ...sumDay(task.terms, window, batchesOf(day)),
    })
    return { day, content, contentHash: contentHashOf(content) }
  })
  const { measures, repeated, contradictions } = comparison
  return { ok: true, evaluations, added: { measures, days: updatedDays, repeated, contradictions } }
}

const within = ({ period }: MandateTerms, day: { from: number; to: number }) =>
  cutSpans([day], period)[0] ?? { from: day.from, to: day.from }

function measuredOf(
  { batch, measures, raw }: EvaluateTask['batches'][number],
  terms: MandateTerms,
): MeasuredBatch {
  const stored = readExact<BatchMeasures>(measures)
  const bands = bandsOf(terms)
  const isMeasured = bands.every((band) => batch.bandsPips.includes(band))
  if (isMeasured) return { batch, ...stored }
  // For a pool only measures are stored, so depth at a new band is unknown.
  const again = raw ? samplesOfRaw(raw) : []
  const samples = stored.samples.map((sample, index): SampleMeasures => {
    const sent = again[index]
    if (batch.source === 'ONCHAIN' || !sent) return { ...sample, seen: null, own: null }
    return { ...sample, ...measureSample(batch.source, sent, bands) }
  })
  return { batch, ...stored, samples }
}

interface BatchComparison {
  readonly measured: MeasuredBatch
  readonly measures: { readonly content: Uint8Array; readonly contentHash: string }
  readonly repeated: number
  readonly contradictions: NonNullable<EvidenceEvaluation['added']>['contradictions']
}

function compareBatch(
  task: EvaluateTask,
  { batch, measured, raw }: NewBatch,
  known: readonly MeasuredBatch[],
): BatchComparison | TaskRefusal {
  const samples = readExact<SampleMeasures[]>(measured)
  const earlier = new Map(
    known
      .filter((one) => one.batch.venueKey === batch.venueKey && one.batch.source === batch.source)
      .flatMap((one) => one.samples.map(({ at, hash }) => [at, { hash, of: one.batch }] as const)),
  )
  const others: FieldErrors = {}
  for (const [index, { at, hash }] of samples.entries()) {
    const before = earlier.get(at)
    if (!before || before.hash === hash || Object.keys(others).length >= limits.fieldErrors)
      continue
    others[`payload.samples.${index}`] = [
      `must match batch ${before.of.batchHash} at ${isoOf(at)}, ${before.hash}, got ${hash}`,
    ]
  }
  if (Object.keys(others).length > 0) {
    const code: ErrorCode = 'LIQUIDITY_MANDATE_CONTRADICTS_EARLIER'
    return { ok: false, code, fieldErrors: others }
  }
  const compared = compare(task, batch, raw)
  const storedMeasures: BatchMeasures = {
    samples,
    fits: compared.fits,
    violations: compared.violations,
  }
  const content = bytesOf({ schemaVersion: 'mandate-measures-v1', ...storedMeasures })
  const contentHash = contentHashOf(content)
  return {
    measured: { batch: { ...batch, measures: contentHash }, ...storedMeasures },
    measures: { content, contentHash },
    repeated: samples.filter(({ at }) => earlier.has(at)).length,
    contradictions: compared.contradictions,
  }
}

interface OwnSample {
  readonly at: number
  readonly own: NonNullable<ReturnType<typeof booksOf>['own']>
  readonly batch: Omit<DayBatch, 'measures'>
}

interface SeenSample {
  readonly at: number
  readonly seen: NonNullable<ReturnType<typeof booksOf>['seen']>
  readonly batch: Omit<DayBatch, 'measures'>
}

/**
 * Compares own orders with public books within half a sampling interval, if one of the two is new.
 */
function compare({ terms, counterparts }: EvaluateTask, batch: NewBatch['batch'], raw: Uint8Array) {
  const half = Math.floor(terms.samplingSeconds / 2)
  const mine = batch.source === 'ONCHAIN' ? [] : booksWithin(batch, raw)
  const theirs = counterparts.flatMap((one) => booksWithin(one.batch, one.raw))
  const own = [...mine, ...theirs].flatMap(({ at, own, ...rest }): OwnSample[] =>
    own ? [{ at, own, batch: rest.batch }] : [],
  )
  const seen = [...mine, ...theirs]
    .flatMap(({ at, seen: book, ...rest }): SeenSample[] =>
      book ? [{ at, seen: book, batch: rest.batch }] : [],
    )
    .sort((a, b) => a.at - b.at)
  const fits: Compared[] = []
  const violations: Compared[] = []
  const found: contract.SampleContradiction[] = []
  for (const { at, own: orders, batch: ownBatch } of own.sort((a, b) => a.at - b.at)) {
    const nearby = seen.filter(
      (one) =>
        Math.abs(one.at - at) <= half &&
        (one.batch.number === batch.number || ownBatch.number === batch.number),
    )
    for (const { at: publicAt, seen: book, batch: publicBatch } of nearby) {
      const contradiction = contradictionOf(orders, book)
      const compared = { venueKey: batch.venueKey, at }
      if (contradiction === null) {
        fits.push(compared)
        continue
      }
      violations.push(compared)
      const { side, code, priceX18, size, publicSize } = contradiction
      found.push({
        at: isoOf(at),
        publicAt: isoOf(publicAt),
        ownBatch: ownBatch.batchHash,
        publicBatch: publicBatch.batchHash,
        publicTrust: publicBatch.trust,
        side,
        code,
        priceX18: `${priceX18}`,
        size: `${size}`,
        publicSize: `${publicSize}`,
      })
    }
  }
  // Orders that match any public book of their time are no contradiction.
  const fitting = new Set(fits.map((one) => isoOf(one.at)))
  const unmatched = found.filter((one) => !fitting.has(one.at))
  const contradictions = { count: unmatched.length, found: unmatched.slice(0, 100) }
  return { fits, violations, contradictions }
}

function booksWithin(batch: Omit<DayBatch, 'measures'>, raw: Uint8Array) {
  return samplesOfRaw(raw).map((sample) => ({
    at: secondsOf(sample.at),
    batch,
    ...booksOf(batch.source, sample),
  }))
}

/** Starts of the days whose sums a batch can change. */
export function touchedDays(
  { samplingSeconds, period }: MandateTerms,
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const reach = { from: from - Math.floor(samplingSeconds / 2), to: to + 2 * samplingSeconds }
  return daysOf(cutSpans([reach], period)[0] ?? { from, to: from + 1 })
}
