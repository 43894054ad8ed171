import type { contract } from '@liquidity-os/contract'
import type { PinnedChain } from '../../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { QuoteRecord, QuoteRequestRecord } from '../records.ts'
import { fundedWord, Promises } from './admit-offers.ts'
import { movingChecks } from './check-offer.ts'
import { offersOf } from './open-request.ts'
import type { PriceContext } from './price-context.ts'
import { readOffers, type SettlementFacts } from './read-offers.ts'

/**
 * Admitted quotes with time-dependent checks repeated at a snapshot, best price for the vault
 * first.
 */
export async function frozenQuotes(
  records: TenantRecords,
  terms: {
    readonly quotes: readonly QuoteRecord[]
    readonly request: QuoteRequestRecord
    readonly chain: PinnedChain
    readonly priceContext: PriceContext
    readonly settlement: SettlementFacts
  },
): Promise<contract.QuoteSet['quotes']> {
  const { quotes, request, chain, priceContext, settlement } = terms
  const { side, settlementContract } = request.payload
  const offers = offersOf(
    request,
    quotes.map(({ payload }) => payload.signed),
  )
  const facts = await readOffers(chain, settlementContract, settlement, offers)
  const promises = await Promises.of(
    records,
    offers.map(({ maker }) => maker),
    new Set(quotes.map(({ id }) => id)),
  )
  const evaluated = quotes.map((quote, index) => {
    const offer = offers[index]!
    const checking = {
      request: request.payload,
      now: Math.floor(records.now / 1000),
      settlement,
      facts: facts[index]!,
      promised: promises.of(offer),
      nonceHolder: null,
      referenceX36: priceContext.reference?.priceX36 ?? null,
      band: priceContext.band,
    }
    promises.note(offer)
    const checks = movingChecks(offer, checking)
    const { id, resourceVersion, payload } = quote
    const { quoteHash, kind, maker, sellAmount, buyAmount, minimumFillSellAmount } = payload
    const { validFrom, validUntil, firm, canArm, unitPriceX36 } = payload
    return {
      quote: { id, resourceVersion },
      quoteHash,
      kind,
      maker,
      sellAmount,
      buyAmount,
      minimumFillSellAmount,
      validFrom,
      validUntil,
      firm,
      canArm,
      unitPriceX36,
      funded: fundedWord(offer, checking),
      checks,
      admitted: checks.every(({ outcome }) => outcome !== 'FAIL'),
    }
  })
  const isBefore = (a: bigint, b: bigint) => (side === 'SELL' ? a > b : a < b)
  return evaluated
    .toSorted((a, b) => {
      const [first, second] = [BigInt(a.unitPriceX36), BigInt(b.unitPriceX36)]
      if (first === second) return a.quoteHash < b.quoteHash ? -1 : 1
      return isBefore(first, second) ? -1 : 1
    })
    .map((quote, index) => ({ ...quote, rank: index + 1 }))
}
