import { largestFundedShares } from '@liquidity-os/engine/detection'
import { fundedTogether, fundingOfVenues, type VenueFunding } from './trader-funding.ts'

/** What nobody can tell of trades, as answers say it. */
export const originsUnknown = {
  code: 'ORIGINS_UNKNOWN',
  detail: 'Observations made before signers were sealed do not tell traders apart.',
}

/** What the detector of wash trades does not see, whoever is asked. */
export const washTradesUnseen = {
  code: 'WASH_TRADES_PARTLY_SEEN',
  detail:
    'Wash trades are told by signers, by what they share or hand on, and by sizes they undo: who takes a new signer for every leg, or changes partners among a handful of them, and hands nothing on to the atom, washes on several venues, or hides a trip among dust or more than sixteen legs, is not told from others.',
}

/** What a detector says if the source of the tokens of some trader was not read. */
export const fundingUnread = {
  code: 'FUNDING_NOT_READ',
  detail:
    'The source of the tokens of each trader was not read to its end. Accounts that one owner funds count as strangers if their trades do not link them, so the flow can be less independent than its share says.',
}

/** What is known of who funded traders: whether one account stands behind several, and that it was not read to its end. */
export function fundingGaps(
  venues: readonly { readonly funding?: VenueFunding | undefined }[],
  trades: readonly { readonly origin: string | null; readonly volumeQuote: bigint }[],
): { code: string; detail: string }[] {
  const { isRead, funding } = fundingOfVenues(venues)
  const signed = trades.flatMap(({ origin, volumeQuote }) =>
    origin === null ? [] : [{ origin, volumeQuote }],
  )
  const largest = largestFundedShares(signed, funding)
  const traders = new Set(signed.map(({ origin }) => origin)).size
  return [
    ...largest.map((share) => fundedTogether(share, traders)),
    ...(isRead ? [] : [fundingUnread]),
  ]
}
