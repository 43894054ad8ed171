import { largestFundedShares } from '@liquidity-os/engine/detection'
import { fundedTogether, fundingOfVenues, type VenueFunding } from './trader-funding.ts'

/** Gap texts: facts about trades that cannot be determined. */
export const originsUnknown = {
  code: 'ORIGINS_UNKNOWN',
  detail: 'Observations from before signers were sealed do not distinguish traders.',
}

/** Limits of wash trade detection. */
export const washTradesUnseen = {
  code: 'WASH_TRADES_PARTLY_SEEN',
  detail:
    'Wash trades are detected by signers, by funds that they share or pass on, and by trades that undo each other. Undetected: a new signer for every leg, or changing partners in a small group, if exact amounts are not passed on; wash trades across several venues; round trips hidden among dust or longer than 16 legs.',
}

/** Reported if the funding of some traders was not read completely. */
export const fundingUnread = {
  code: 'FUNDING_NOT_READ',
  detail:
    'The source of the tokens of each trader was not traced completely. Accounts with one funding owner count as independent if their trades do not link them. The flow can be less independent than its share suggests.',
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
