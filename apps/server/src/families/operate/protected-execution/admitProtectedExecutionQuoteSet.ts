import { contract, type FieldErrors } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import { limits } from '../../../limits.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { sql } from '../../../store/database/sql.ts'
import { emptyChange, joinChanges } from '../../../store/records/change.ts'
import { member } from '../../../store/records/find.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { currentSources } from '../../sources.ts'
import { releaseOrNull } from '../autonomy-policies/api.ts'
import { type Admitted, admitOffers, isoOf } from './quotes/admit-offers.ts'
import { frozenQuotes } from './quotes/frozen-quotes.ts'
import { validateForm } from './quotes/offer.ts'
import { isOpen, offersOf } from './quotes/open-request.ts'
import { readPriceContext } from './quotes/price-context.ts'
import { readSettlement } from './quotes/read-offers.ts'
import { poolVenues, type ReadPool, readPools } from './quotes/read-pools.ts'
import { readTaker } from './quotes/read-taker.ts'
import { executionQuotes, type QuoteRecord, quoteRequests, quoteSets } from './records.ts'

const operation = contract.admitProtectedExecutionQuoteSet
type Request = HandlerRequest<typeof operation>

/** Freezes quotes and pools at one snapshot. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, services, now, fail } = request
  const { payload: requested, reason, evidenceHashes = [] } = body
  const open = await requireRequest(request)
  const { payload } = open.record
  const venues = await poolVenues(records, requested.pools ?? [], payload.pair)
  const chosen = await chosenQuotes(request, open.record.id)
  const { chains, view } = await takeSnapshot(
    records,
    services,
    [payload.pair.chainId],
    'payload.request',
  )
  const chain = chains.get(payload.pair.chainId)
  if (!chain) throw new Error(`The snapshot is not of chain ${payload.pair.chainId}.`)
  const priceContext = await readPriceContext(records, payload.vaultId, payload.pair)
  const fresh: Admitted = requested.quotes
    ? await admitOffers(records, {
        request: open,
        chain,
        priceContext,
        offers: offersOf(open.record, requested.quotes),
        providerId: null,
        reason,
      })
    : { admitted: [], refused: [], change: emptyChange(records.organizationId, now) }
  const settlement = await readSettlement(chain, payload.settlementContract)
  const quotes = await frozenQuotes(records, {
    quotes: [...chosen, ...fresh.admitted.filter(({ id }) => chosen.every((one) => one.id !== id))],
    request: open.record,
    chain,
    priceContext,
    settlement,
  })
  const pools = await readPools(chain, venues, releaseOrNull(services, now))
  if (pools.length === 0 && quotes.every(({ admitted }) => !admitted)) {
    throw fail('LIQUIDITY_QUOTE_SET_EMPTY', {
      fieldErrors: { 'payload.request': [emptyBecause(quotes, fresh.refused)] },
    })
  }
  const taker = await readTaker(
    ...([chain, payload, settlement, payload.settlementContract, pools] as const),
  )
  const sealedPayload: contract.QuoteSet = {
    request: { id: open.record.id, resourceVersion: open.record.resourceVersion },
    requestHash: payload.requestHash,
    vaultId: payload.vaultId,
    pair: payload.pair,
    side: payload.side,
    amountKind: payload.amountKind,
    amount: payload.amount,
    maximumMakerShare: payload.maximumMakerShare ?? null,
    settlementContract: payload.settlementContract,
    relayer: settlement.relayer,
    taker: payload.taker,
    ...taker,
    quotes,
    refused: [...fresh.refused],
    pools: pools.map(({ serialized }) => serialized),
    reference: priceContext.reference && {
      priceX36: `${priceContext.reference.priceX36}`,
      at: isoOf(priceContext.reference.at),
      ageSeconds: Math.floor(now / 1000) - priceContext.reference.at,
      series: priceContext.reference.evidence.slice(0, 8).map((one) => ({ ...one })),
    },
    setHash: setHashOf(quotes, pools),
    closesAt: closesAt(quotes, pools, now),
    snapshot: blockOf(chain.chainId, chain.block),
    snapshotHash: view.snapshotHash,
    executionAuthorityGranted: false,
  }
  const { sealed, change } = quoteSets.first(records, {
    status: 'ACTIVE',
    payload: sealedPayload,
    reason,
    evidenceHashes,
    event: 'quote_set.admitted',
    eventPayload: { setHash: sealedPayload.setHash, request: open.record.id },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const artifacts = pools.map(({ serialized: reported, bytes }) => ({
    contentHash: reported.stateArtifact,
    mediaType: 'application/json',
    content: bytes,
    producer: { id, resourceType, resourceVersion },
  }))
  const joined = { ...joinChanges(change, fresh.change), artifacts }
  const claimTaken = async () => fail('LIQUIDITY_QUOTE_NONCE_TAKEN')
  return { ...recordReply(sealed, joined, 201), claimTaken }
})

async function requireRequest({
  body,
  records,
  now,
  fail,
}: Request): Promise<Current<contract.QuoteRequest>> {
  const { request: ref, quotes } = body.payload
  const at = 'payload.request'
  await currentSources(records, [{ ref: { resourceType: 'QuoteRequest', ...ref }, at }])
  const open = await quoteRequests.current(records, ref.id)
  if (!open) throw new Error(`${ref.id} no longer exists.`)
  if (quotes && !isOpen(open.record, now)) {
    throw fail('LIQUIDITY_QUOTE_INPUT_INVALID', {
      fieldErrors: {
        'payload.quotes': [
          `must be omitted: the request accepted quotes until ${open.record.payload.respondBy}`,
        ],
      },
    })
  }
  const faults: FieldErrors = Object.assign(
    {},
    ...(quotes ?? []).map((quote, index) => validateForm(quote, `payload.quotes.${index}`)),
  )
  if (Object.keys(faults).length === 0) return open
  throw fail('LIQUIDITY_QUOTE_INPUT_INVALID', { fieldErrors: faults })
}

/**
 * The live quotes in the request; default: all.
 *
 * @throws Failure 422 for an unknown hash
 */
async function chosenQuotes(
  { body, records, now, fail }: Request,
  requestId: string,
): Promise<QuoteRecord[]> {
  const { quoteHashes } = body.payload
  const live = await executionQuotes.find(records, {
    status: ['ACTIVE'],
    order: 'OLDEST',
    where: sql`${member('payload.request')} = ${requestId}
      and ${member('payload.validUntil')} > ${isoOf(Math.floor(now / 1000))}`,
  })
  if (!quoteHashes) return live.slice(0, 32)
  const known = new Map(live.map((quote) => [quote.payload.quoteHash, quote]))
  const missing = quoteHashes.flatMap((hash, index) =>
    known.has(hash)
      ? []
      : [[`payload.quoteHashes.${index}`, [`must be a live quote of the request, got ${hash}`]]],
  )
  if (missing.length > 0) {
    throw fail('LIQUIDITY_QUOTE_INPUT_INVALID', { fieldErrors: Object.fromEntries(missing) })
  }
  return quoteHashes.flatMap((hash) => known.get(hash) ?? [])
}

const setHashOf = (quotes: contract.QuoteSet['quotes'], pools: readonly ReadPool[]): string =>
  H('quote-set/v1', {
    quoteHashes: quotes
      .filter(({ admitted }) => admitted)
      .map(({ quoteHash }) => quoteHash)
      .toSorted(),
    pools: pools
      .map(({ serialized: { venue, stateHash } }) => ({ ...venue, stateHash }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  })

/** Ten minutes, and without pools no longer than the last quote. */
function closesAt(
  quotes: contract.QuoteSet['quotes'],
  pools: readonly ReadPool[],
  now: number,
): string {
  const max = Math.floor(now / 1000) + limits.quoteSetSeconds
  const ends = quotes
    .filter(({ admitted }) => admitted)
    .map(({ validUntil }) => Date.parse(validUntil) / 1000)
  const last = pools.length > 0 ? max : Math.max(...ends)
  return isoOf(Math.min(max, last))
}

function emptyBecause(
  quotes: contract.QuoteSet['quotes'],
  refused: readonly contract.RefusedQuote[],
): string {
  const failed = quotes.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'FAIL'))
  const problems = [...failed, ...refused].map(({ code, detail }) => `${code}: ${detail}`)
  return problems.length === 0
    ? 'must have a live quote, or the quote set must have a pool'
    : `must have a valid quote: ${problems.slice(0, 3).join(' ')}`
}
