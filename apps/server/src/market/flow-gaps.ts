import { largestFundedShares } from '@liquidity-os/engine/detection'
import { fundedTogether, fundingOfVenues, type VenueFunding } from './trader-funding.ts'

/** Gap texts: facts about trades that cannot be determined. */
export const originsUnknown = {
  code: 'ORIGINS_UNKNOWN',
  detail: 'Observations made before signers were sealed do not tell traders apart.',
}

/** Limits of wash trade detection. */
export const washTradesUnseen = {
  code: 'WASH_TRADES_PARTLY_SEEN',
  detail:
    'Wash trades are told by signers, by what they share or hand on, and by sizes they undo: who takes a new signer for every leg, or changes partners among a handful of them, and hands nothing on to the atom, washes on several venues, or hides a trip among dust or more than sixteen legs, is not told from others.',
}

/** Reported if the funding of some traders was not read completely. */
export const fundingUnread = {
  code: 'FUNDING_NOT_READ',
  detail:
    'The source of the tokens of each trader was not read to its end. Accounts that one owner funds count as strangers if their trades do not link them, so the flow can be less independent than its share says.',
}

/** Gaps in trader funding: one account behind several traders, or incomplete reads. */
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
