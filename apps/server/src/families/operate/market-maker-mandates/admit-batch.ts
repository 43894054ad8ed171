import type { contract, Ref } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import type { SealedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { requireValidated, type VenueRecord } from '../../../market/named-venue.ts'
import { historyOf, observationsCovering } from '../../../market/venue-history.ts'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import type { ArtifactInsert, Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import type { DeriveBookTask, DerivedBook } from './derive-book-task.ts'
import { evaluateEvidence, windowsOfBatch } from './evaluate-evidence.ts'
import type { EvidenceEvaluation, NewBatch } from './evaluate-task.ts'
import { findPublished, lastNumber } from './evidence-of-days.ts'
import { dayTermsHash, dayText, isoOf, termsOf } from './mandate-terms.ts'
import type { ReadBatch, ReadBatchTask, TaskRefusal } from './read-batch-task.ts'
import { batchName, type Mandate, observations } from './records.ts'

export interface IncomingBatch {
  readonly mandate: Mandate
  readonly bytes: Uint8Array
  readonly provider: Ref | null
}

export type AdmittedBatch =
  | { readonly existing: string }
  | { readonly sealed: SealedRecord<contract.MarketMakerObservation>; readonly change: Change }

/**
 * Parses a batch in a thread, compares it with known evidence and builds its record.
 *
 * @param threads interactive or background thread pool
 * @returns the id of the existing record for this batch, or a new record with its change
 * @throws Failure if the batch is rejected
 */
export async function admitBatch(
  records: TenantRecords,
  threads: Threads,
  { mandate, bytes, provider }: IncomingBatch,
): Promise<AdmittedBatch> {
  const { id, payload } = mandate
  const read = await readBatch(threads, { bytes, mandate: payload, now: records.now })
  const trust = trustOf(read, provider)
  const existing = await records.holder(batchName(id, { batchHash: read.batchHash, trust }))
  if (existing !== null) return { existing }
  const derived = read.source === 'ONCHAIN' ? await derive(records, threads, mandate, read) : null
  const { bandsPips, from, to, source, venueKey, samples, hasOwnOrders, batchHash } = read
  const number = (await lastNumber(records, id)) + 1
  const added: NewBatch = {
    batch: {
      number,
      batchHash,
      venueKey,
      source,
      trust,
      from,
      to,
      samples,
      hasOwnOrders,
      bandsPips,
      rawBytes: bytes.length,
      raw: contentHashOf(bytes),
    },
    measured: derived?.measured ?? read.measured,
    raw: bytes,
  }
  const asOf = Math.floor(records.now / 1000)
  const requested = windowsOfBatch(payload, added.batch)
  const evaluated = await evaluateEvidence(records, threads, mandate, { asOf, added, requested })
  return made(records, mandate, { read, added, evaluated, provider, derived })
}

/** @throws Failure 400 or 413 where bytes have not the form of a batch */
export async function requireForm(threads: Threads, bytes: Uint8Array): Promise<void> {
  const file = new URL('./read-batch-task.ts', import.meta.url)
  const task: ReadBatchTask = { bytes, mandate: null, now: 0 }
  const read = await threads.run<ReadBatch | TaskRefusal>(file, task)
  if (read.ok || read.code === 'LIQUIDITY_RESOURCE_NOT_FOUND') return
  throw new Failure(read.code, { fieldErrors: read.fieldErrors })
}

/** @throws Failure as the batch refuses */
async function readBatch(threads: Threads, task: ReadBatchTask): Promise<ReadBatch> {
  const file = new URL('./read-batch-task.ts', import.meta.url)
  const read = await threads.run<ReadBatch | TaskRefusal>(file, task)
  if (read.ok) return read
  throw new Failure(read.code, { fieldErrors: read.fieldErrors })
}

const trustOf = ({ source, signer }: ReadBatch, provider: Ref | null): contract.TrustClass => {
  if (source === 'ONCHAIN') return 'ONCHAIN'
  if (provider) return 'INDEPENDENT'
  return signer ? 'MAKER_SIGNED' : 'SELF_REPORTED'
}

interface Derived {
  readonly measured: Uint8Array
  readonly observations: readonly Ref[]
}

/** Derives a pool's order book at the moments of a batch from sealed observations. */
async function derive(
  records: TenantRecords,
  threads: Threads,
  { payload: { venues, samplingSeconds } }: Mandate,
  { venueKey, from, to, bandsPips, measured }: ReadBatch,
): Promise<Derived> {
  const bound = venues.find((one) => one.venueKey === venueKey)?.venue
  if (!bound) throw new Error(`${venueKey} has no bound venue.`)
  const current = await records.current<VenueRecord['payload']>('VenueProfile', bound.id)
  if (!current) throw new Error(`${bound.id} of a mandate is not stored.`)
  requireValidated(current.record, 'payload.venueKey')
  const intervalOf = (time: number) => Math.floor(time / samplingSeconds) * samplingSeconds
  const found = await observationsCovering(records, bound.id, {
    from: intervalOf(from),
    to: intervalOf(to) + samplingSeconds - 1,
  })
  const history = await historyOf(records, current.record, found)
  const file = new URL('./derive-book-task.ts', import.meta.url)
  const task: DeriveBookTask = { history, bandsPips, samplingSeconds, measured }
  const derived = await threads.run<DerivedBook>(file, task)
  if (derived.missing.length === 0) {
    const refs = found.map(({ id, resourceVersion }) => ({ id, resourceVersion }))
    return { measured: derived.measured, observations: refs.slice(0, 256) }
  }
  const faults = derived.missing
    .slice(0, 50)
    .map((index) => [
      ...([
        `payload.samples.${index}.at`,
        [
          `must be in an interval of ${samplingSeconds} s that a proved observation covers to its end`,
        ],
      ] as const),
    ])
  throw new Failure('LIQUIDITY_MANDATE_SAMPLE_INVALID', { fieldErrors: Object.fromEntries(faults) })
}

interface Parts {
  readonly read: ReadBatch
  readonly added: NewBatch
  readonly evaluated: EvidenceEvaluation
  readonly provider: Ref | null
  readonly derived: Derived | null
}

async function made(records: TenantRecords, mandate: Mandate, parts: Parts) {
  const { read, added, evaluated, provider, derived } = parts
  const { id, resourceVersion, sequence } = mandate
  const result = evaluated.added
  if (!result) throw new Error('A weighed batch must have a result.')
  // Drops windows that the batch touches only with half an interval, because they contain no
  // sample.
  const evaluations = evaluated.evaluations.filter(({ reason }) => reason !== 'NO_SAMPLE')
  const published = await findPublished(
    records,
    id,
    evaluations.map(({ kpiId, window }) => ({ kpiId, from: window.from })),
  )
  const terms = termsOf(mandate.payload)
  const { batch } = added
  const { count } = result.contradictions
  const payload: contract.MandateBookBatch = {
    source: batch.source,
    mandate: { id, resourceVersion },
    number: batch.number,
    venueKey: batch.venueKey,
    trust: batch.trust,
    signer: read.signer,
    batchHash: read.batchHash,
    rawArtifact: batch.raw,
    rawBytes: batch.rawBytes,
    measuresArtifact: result.measures.contentHash,
    from: isoOf(batch.from),
    to: isoOf(batch.to),
    samples: batch.samples,
    repeated: result.repeated,
    hasOwnOrders: batch.hasOwnOrders,
    observations: [...(derived?.observations ?? [])],
    provider,
    contradictions: { count, found: [...result.contradictions.found] },
    days: result.days.map(({ day, contentHash }) => ({
      day: dayText(day),
      artifact: contentHash,
      terms: dayTermsHash(terms, day),
    })),
    evaluations: evaluations.map((one, index) => ({
      ...one,
      told: serializePublication(published[index]),
    })),
    engineVersion,
    engineBuildHash: engineBuildHash(),
    executionPerformed: false,
    executionAuthorityGranted: false,
  }
  const { sealed, change } = observations.first(records, {
    status: count > 0 ? 'PARTIAL' : 'COMPLETED',
    payload,
    reason: read.reason,
    evidenceHashes: read.evidenceHashes,
    event: count > 0 ? 'mandate.contradicted' : 'mandate.observed',
    eventPayload: {
      mandateId: id,
      venueKey: batch.venueKey,
      source: batch.source,
      trust: batch.trust,
      batchHash: read.batchHash,
      samples: batch.samples,
      contradictions: count,
    },
  })
  const producer = {
    id: sealed.record.id,
    resourceType: sealed.record.resourceType,
    resourceVersion: sealed.record.resourceVersion,
  }
  const file = (contentHash: string, content: Uint8Array): ArtifactInsert => ({
    contentHash,
    mediaType: 'application/json',
    content,
    producer,
  })
  const whole: Change = {
    ...change,
    // Terms that change at the same time come before or after.
    expects: [...change.expects, { id, sequence }],
    artifacts: [
      file(batch.raw, added.raw),
      file(result.measures.contentHash, result.measures.content),
      ...result.days.map(({ contentHash, content }) => file(contentHash, content)),
    ],
  }
  return { sealed, change: whole }
}

export const serializePublication = (
  published: { at: string; verdict: contract.KpiEvaluation['verdict'] } | null | undefined,
) => (published ? { at: published.at, verdict: published.verdict } : null)
