import type { contract, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import {
  findProvider,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { feedsOf } from '../../../integrations/providers/feed-providers.ts'
import { namedVenues } from '../../../market/named-venue.ts'
import { tokenKey } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { treasuryEntries } from '../../plan/treasury-entries/api.ts'
import { validateLoosened } from './loosened.ts'
import { validateTerms } from './validate-terms.ts'

type Mandate = contract.MarketMakerMandate
type Loan = NonNullable<Mandate['compensation']['loan']>

/**
 * Rejects terms that are contradictory, refer to unknown records, or loosen KPIs for elapsed time.
 *
 * @param stood previous terms, and whether they were binding
 * @throws Failure 422, 404, 409 or 412
 */
export async function requireTerms(
  records: TenantRecords,
  next: Mandate,
  stood: { readonly terms: Mandate; readonly isBinding: boolean } | null,
): Promise<void> {
  refuse('LIQUIDITY_MANDATE_TERMS_INVALID', validateTerms(next))
  const now = Math.floor(records.now / 1000)
  refuse('LIQUIDITY_MANDATE_RETROACTIVE', validateLoosened(stood, next, now))
  await requireVenues(records, next)
  await requireFeeds(records, next)
  if (next.compensation.loan) await requireLoan(records, next, next.compensation.loan, 'EXACT')
}

function refuse(code: ConstructorParameters<typeof Failure>[0], fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}

async function requireVenues(records: TenantRecords, { venues, pair }: Mandate): Promise<void> {
  const names = venues.flatMap(({ venue }, index) =>
    venue ? [{ ref: venue, at: `payload.venues.${index}.venue` }] : [],
  )
  await namedVenues(
    records,
    names,
    pair,
    (fieldErrors) => new Failure('LIQUIDITY_MANDATE_TERMS_INVALID', { fieldErrors }),
  )
}

async function requireFeeds(records: TenantRecords, { venues, pair }: Mandate): Promise<void> {
  for (const [index, { feed }] of venues.entries()) {
    if (!feed) continue
    const at = `payload.venues.${index}.feed`
    const found = await bookFeedOf(records, feed)
    if (found === 'NO_PROVIDER') {
      throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', {
        fieldErrors: {
          [`${at}.providerId`]: [
            `must name an active MARKET_DATA provider, got ${feed.providerId}`,
          ],
        },
      })
    }
    const isOfPair =
      found !== null &&
      found.feed.base === tokenKey(pair.chainId, pair.base) &&
      found.feed.quote === tokenKey(pair.chainId, pair.quote) &&
      found.feed.baseDecimals === pair.baseDecimals &&
      found.feed.quoteDecimals === pair.quoteDecimals
    if (isOfPair) continue
    const message = `must be a BOOK feed of the provider for the pair, got ${feed.feed}`
    refuse('LIQUIDITY_MANDATE_TERMS_INVALID', { [`${at}.feed`]: [message] })
  }
}

/** Book feed with its provider; null if the provider lacks the feed. */
export async function bookFeedOf(
  records: TenantRecords,
  { providerId, feed }: { readonly providerId: string; readonly feed: string },
) {
  const id = await findProvider(records, providerId)
  const current = id ? await records.current<ProviderPayload>('Provider', id) : null
  const provider = current?.record
  if (provider?.status !== 'ACTIVE' || provider.payload.kind !== 'MARKET_DATA') {
    return 'NO_PROVIDER' as const
  }
  const configured = feedsOf(provider.payload)
  if (configured.source !== 'MARKET') return null
  const found = configured.feeds.find((one) => one.feed === feed)
  return found?.kind === 'BOOK' ? { provider, feed: found } : null
}

/**
 * Ledger entry of the base-token loan.
 *
 * @param which the named version or the current version
 * @throws Failure 412 if the entry is missing, changed, no loan or settled
 */
export async function requireLoan(
  records: TenantRecords,
  { pair }: Pick<Mandate, 'pair'>,
  loan: Loan,
  which: 'EXACT' | 'CURRENT',
) {
  const fail = (message: string) =>
    new Failure('LIQUIDITY_MANDATE_LOAN_UNAVAILABLE', {
      fieldErrors: { 'payload.compensation.loan': [message] },
    })
  const current =
    loan.resourceType === 'TreasuryBucket' ? await treasuryEntries.current(records, loan.id) : null
  if (!current) throw fail(`must be a ledger entry, got ${loan.resourceType} ${loan.id}`)
  const { record } = current
  if (which === 'EXACT' && record.resourceVersion !== loan.resourceVersion) {
    throw fail(`must be the version ${record.resourceVersion}, got ${loan.resourceVersion}`)
  }
  const { payload, status } = record
  if (status === 'RETIRED' || status === 'EXPIRED')
    throw fail(`must be an open loan: its entry is ${status}`)
  const base = tokenKey(pair.chainId, pair.base)
  const lent = payload.entryKind === 'ASSET' ? payload.loan : undefined
  if (!lent || payload.asset !== base || BigInt(lent.lentTokens) === 0n) {
    throw fail(`must lend ${base} to the market maker`)
  }
  return { record, lentTokens: BigInt(lent.lentTokens) }
}
