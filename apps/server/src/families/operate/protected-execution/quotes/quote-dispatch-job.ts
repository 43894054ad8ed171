import { Failure } from '../../../../failure.ts'
import { FeedError } from '../../../../integrations/feeds/feed-error.ts'
import {
  findProvider,
  type ProviderPayload,
} from '../../../../integrations/providers/chain-providers.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../../jobs/job-run.ts'
import { takeSnapshot } from '../../../../market/treasury/treasury-snapshot.ts'
import { emptyChange } from '../../../../store/records/change.ts'
import { quoteRequests } from '../records.ts'
import { admitOffers } from './admit-offers.ts'
import { isOpen, offersOf } from './open-request.ts'
import { readPriceContext } from './price-context.ts'
import { quotesOfSource } from './quote-source.ts'

/** Requests quotes from one source. They pass the same checks as posted quotes. */
export default async function runDispatch(run: JobRun): Promise<JobEnd> {
  const { records, services, organizationId, signal } = run
  const nothing = (result: Record<string, unknown>): JobEnd => ({
    change: emptyChange(organizationId, run.now),
    result,
  })
  const request = await quoteRequests.current(records, run.subject.id)
  if (!request) throw new Error(`Quote request ${run.subject.id} does not exist.`)
  if (!isOpen(request.record, run.now)) return nothing({ admitted: 0, reason: 'EXPIRED' })
  const providerId = `${run.input.providerId}`
  try {
    const provider = await activeSource(run, providerId)
    if (provider === null) return nothing({ admitted: 0, reason: 'PROVIDER_NOT_ACTIVE' })
    const { quotes, unreadable } = await quotesOfSource(request.record, provider, services, {
      organizationId,
      signal,
    })
    if (quotes.length === 0) return nothing({ admitted: 0, refused: [], unreadable })
    const { pair, vaultId } = request.record.payload
    const { chains } = await takeSnapshot(records, services, [pair.chainId], 'id', { signal })
    const chain = chains.get(pair.chainId)
    if (!chain) throw new Error(`The snapshot is not of chain ${pair.chainId}.`)
    const { admitted, refused, change } = await admitOffers(records, {
      request,
      chain,
      offers: offersOf(request.record, quotes),
      providerId,
      priceContext: await readPriceContext(records, vaultId, pair),
      reason: `Response of ${providerId}`,
    })
    return { change, result: { admitted: admitted.length, refused, unreadable } }
  } catch (error) {
    if (error instanceof FeedError || error instanceof Failure) {
      throw new JobFailure(error.code, 'A quote source could not be read.', {
        retryable: true,
        cause: error,
      })
    }
    throw error
  }
}

async function activeSource({ records }: JobRun, providerId: string) {
  const id = await findProvider(records, providerId)
  const found = id === null ? null : await records.current<ProviderPayload>('Provider', id)
  const isActive = found?.record.status === 'ACTIVE' && found.record.payload.kind === 'QUOTE_SOURCE'
  return isActive ? found.record.payload : null
}
