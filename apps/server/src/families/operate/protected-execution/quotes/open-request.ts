import type { contract } from '@liquidity-os/contract'
import type { QuoteRequestRecord } from '../records.ts'
import { type Offer, offerOf } from './offer.ts'

/** True if a request still accepts quotes. An expired request does not, even before the sweep. */
export const isOpen = ({ status, payload }: QuoteRequestRecord, now: number): boolean =>
  status === 'ACTIVE' && now <= Date.parse(payload.respondBy)

/** Signed quotes from the side of the vault that asked. */
export function offersOf(
  { createdAt, payload }: Pick<QuoteRequestRecord, 'createdAt' | 'payload'>,
  signed: readonly contract.SignedQuote[],
): Offer[] {
  const { pair, settlementContract } = payload
  const openedAt = Math.floor(Date.parse(createdAt) / 1000)
  return signed.map((one) => offerOf(one, { chainId: pair.chainId, settlementContract, openedAt }))
}
