import { Failure } from '../../../failure.ts'
import { FeedError } from '../../../integrations/feeds/feed-error.ts'
import { readWholeBook } from '../../../integrations/feeds/order-book.ts'
import { feedHost } from '../../../integrations/providers/feed-providers.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { admitBatch } from './admit-batch.ts'
import { fetchedBatch } from './fetched-book.ts'
import { lastLoanReading } from './loan-readings.ts'
import { readLoan } from './read-loan.ts'
import { type Mandate, mandates } from './records.ts'
import { bookFeedOf } from './require-terms.ts'

const maxLevels = 200

/**
 * Reads a mandate's books from providers, and its loan once an hour. A failed read does not stop
 * the others.
 */
export default async function runMandateRead(run: JobRun): Promise<JobEnd> {
  const current = await mandates.current(run.records, run.subject.id)
  if (!current) throw new Error(`Mandate ${run.subject.id} does not exist.`)
  const mandate = current.record
  const results: Record<string, unknown>[] = []
  let failure: JobFailure | null = null
  const attempt = async (what: string, read: () => Promise<Record<string, unknown>>) => {
    try {
      results.push({ what, ...(await read()) })
    } catch (error) {
      const failed = jobFailure(what, error)
      failure ??= failed
      results.push({ what, failed: failed.code })
    }
  }
  for (const venue of mandate.payload.venues) {
    if (venue.feed) await attempt(venue.venueKey, () => fetchBook(run, mandate, venue))
  }
  if (mandate.payload.kpis.some(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')) {
    await attempt('loan', () => lookAtLoan(run, mandate))
  }
  if (failure !== null) throw failure
  return { change: emptyChange(run.organizationId, run.now), result: { read: results } }
}

/** No retry: the next scheduled run reads again. */
function jobFailure(what: string, error: unknown): JobFailure {
  if (!(error instanceof FeedError || error instanceof Failure)) throw error
  return new JobFailure(error.code, `${what} could not be read.`, {
    retryable: false,
    cause: error,
  })
}

type Venue = Mandate['payload']['venues'][number]

async function fetchBook(run: JobRun, mandate: Mandate, { venueKey, feed }: Venue) {
  const { records, services, organizationId, signal, now } = run
  const found = feed ? await bookFeedOf(records, feed) : null
  if (found === null || found === 'NO_PROVIDER') {
    throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', {
      fieldErrors: { 'payload.venues': [`${venueKey} must have an active feed`] },
    })
  }
  const { provider } = found
  const host = feedHost(provider.payload, organizationId)
  const book = await readWholeBook(host, found.feed, services, {
    now: Math.floor(now / 1000),
    signal,
    levels: maxLevels,
  })
  const admitted = await admitBatch(records, services.background, {
    mandate,
    bytes: fetchedBatch(book, found.feed, venueKey),
    provider: { id: provider.id, resourceVersion: provider.resourceVersion },
  })
  if ('existing' in admitted) return { observation: admitted.existing }
  await run.keep(admitted.change)
  return { observation: admitted.sealed.record.id }
}

async function lookAtLoan(run: JobRun, mandate: Mandate) {
  const last = await lastLoanReading(run.records, mandate.id)
  const isDue = last === null || last + limits.mandateLoanSeconds <= run.now / 1000
  if (!isDue) return { lastReadAt: new Date(last * 1000).toISOString() }
  const change = await readLoan(run.records, run.services, mandate)
  await run.keep(change)
  return { observation: change.records[0]?.record.id }
}
