import type { contract } from '@liquidity-os/contract'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import type { PinnedChain } from '../../../../market/treasury/treasury-snapshot.ts'
import { sql, values } from '../../../../store/database/sql.ts'
import { type Change, emptyChange, joinChanges } from '../../../../store/records/change.ts'
import { member } from '../../../../store/records/find.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { executionQuotes, nonceName, type QuoteRecord } from '../records.ts'
import { type Checking, checksOf, isFunded } from './check-offer.ts'
import { type Offer, unitPriceX36 } from './offer.ts'
import type { PriceContext } from './price-context.ts'
import { readOffers, readSettlement } from './read-offers.ts'

export interface Admitted {
  readonly admitted: readonly QuoteRecord[]
  readonly refused: readonly contract.RefusedQuote[]
  readonly change: Change
}

/**
 * Checks quotes at a snapshot in sequence, so that one commitment counts against the next. Stores
 * valid quotes as records. A repeated quote returns its existing record.
 *
 * @param providerId source of the quotes; null if they were posted
 */
export async function admitOffers(
  records: TenantRecords,
  terms: {
    readonly request: Current<contract.QuoteRequest>
    readonly offers: readonly Offer[]
    readonly chain: PinnedChain
    readonly priceContext: PriceContext
    readonly providerId: string | null
    readonly reason: string
  },
): Promise<Admitted> {
  const { request, offers, chain, priceContext } = terms
  const { payload } = request.record
  const settlement = await readSettlement(chain, payload.settlementContract)
  const facts = await readOffers(chain, payload.settlementContract, settlement, offers)
  const promises = await Promises.of(
    records,
    offers.map(({ maker }) => maker),
  )
  const admitted: QuoteRecord[] = []
  const refused: contract.RefusedQuote[] = []
  let change = emptyChange(records.organizationId, records.now)
  const batch = new Map<string, QuoteRecord>()
  for (const [index, offer] of offers.entries()) {
    const known = batch.get(offer.nonceName) ?? (await holderOf(records, offer))
    if (known?.payload.quoteHash === offer.quoteHash) {
      if (!admitted.includes(known)) admitted.push(known)
      continue
    }
    const checking: Checking = {
      request: payload,
      now: Math.floor(records.now / 1000),
      settlement,
      facts: facts[index]!,
      promised: promises.of(offer),
      nonceHolder: known?.id ?? null,
      referenceX36: priceContext.reference?.priceX36 ?? null,
      band: priceContext.band,
    }
    const checks = checksOf(offer, checking)
    const failed = checks.find(({ outcome }) => outcome === 'FAIL')
    if (failed) {
      refused.push({ index, code: failed.code, detail: failed.detail })
      continue
    }
    const { sealed, change: made } = executionQuotes.first(records, {
      status: 'ACTIVE',
      payload: payloadOf(offer, { request, chain, checks, checking, providerId: terms.providerId }),
      reason: terms.reason,
      event: 'quote.admitted',
      eventPayload: { request: request.record.id, quoteHash: offer.quoteHash, maker: offer.maker },
    })
    promises.note(offer)
    batch.set(offer.nonceName, sealed.record as QuoteRecord)
    admitted.push(sealed.record as QuoteRecord)
    change = joinChanges(change, made)
  }
  const { id, sequence } = request.record
  const open = { ...change, expects: [...change.expects, { id, sequence }] }
  if (refused.length === 0) return { admitted, refused, change: open }
  const eventPayload = { refused: [...refused], providerId: terms.providerId }
  return {
    admitted,
    refused,
    change: joinChanges(change, records.note(request, 'quote.refused', eventPayload)),
  }
}

async function holderOf(records: TenantRecords, offer: Offer): Promise<QuoteRecord | null> {
  const id = await records.holder(nonceName(offer.nonceName))
  const found = id === null ? null : await executionQuotes.current(records, id)
  return found?.record ?? null
}

function payloadOf(
  offer: Offer,
  about: {
    readonly request: Current<contract.QuoteRequest>
    readonly chain: PinnedChain
    readonly checks: contract.QuoteCheck[]
    readonly checking: Checking
    readonly providerId: string | null
  },
): contract.ExecutionQuote {
  const { request, chain, checks, checking, providerId } = about
  const { id, payload } = request.record
  return {
    request: id,
    vaultId: payload.vaultId,
    quoteHash: offer.quoteHash,
    kind: offer.signed.kind,
    maker: offer.maker,
    ...termsOf(offer, payload.side),
    sellToken: offer.sellToken,
    buyToken: offer.buyToken,
    signed: offer.signed,
    nonceName: offer.nonceName,
    checks,
    funded: fundedWord(offer, checking),
    providerId,
    snapshot: blockOf(chain.chainId, chain.block),
    executionAuthorityGranted: false,
  }
}

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const fundedWord = (offer: Offer, checking: Checking): contract.ExecutionQuote['funded'] => {
  const covered = isFunded(offer, checking)
  return covered === null ? 'UNKNOWN' : covered ? 'YES' : 'NO'
}

/** Terms of a quote for comparison. */
export const termsOf = (offer: Offer, side: contract.QuoteRequest['side']) => ({
  sellAmount: `${offer.sellAmount}`,
  buyAmount: `${offer.buyAmount}`,
  minimumFillSellAmount: `${offer.minimumFill}`,
  validFrom: isoOf(offer.validFrom),
  validUntil: isoOf(offer.validUntil),
  firm: offer.firm,
  canArm: offer.signed.kind === 'GPV2_ORDER',
  unitPriceX36: `${unitPriceX36(side, offer)}`,
})

/** Amounts that market makers owe from their live quotes in this service. */
export class Promises {
  readonly #sums = new Map<string, bigint>()

  static async of(
    records: TenantRecords,
    makers: readonly string[],
    except: ReadonlySet<string> = new Set(),
  ): Promise<Promises> {
    const promises = new Promises()
    if (makers.length === 0) return promises
    const live = await executionQuotes.find(records, {
      status: ['ACTIVE'],
      where: sql`${member('payload.validUntil')} > ${isoOf(Math.floor(records.now / 1000))}
        and ${member('payload.maker')} in ${values([...new Set(makers)])}`,
    })
    for (const { id, payload } of live) {
      if (except.has(id)) continue
      promises.#add(payload, BigInt(payload.buyAmount))
    }
    return promises
  }

  of(promise: MakerToken): bigint {
    return this.#sums.get(keyOf(promise)) ?? 0n
  }

  note(offer: Offer): void {
    this.#add(offer, offer.buyAmount)
  }

  #add(promise: MakerToken, amount: bigint): void {
    this.#sums.set(keyOf(promise), this.of(promise) + amount)
  }
}

type MakerToken = Pick<Offer, 'maker' | 'buyToken'>

/** One balance covers all kinds of quotes of a market maker. */
const keyOf = ({ maker, buyToken }: MakerToken) =>
  `${maker.toLowerCase()}|${buyToken.toLowerCase()}`
