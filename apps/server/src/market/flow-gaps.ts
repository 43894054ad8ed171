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

/** No trader is told from an account that the same owner funds, as long as nobody reads where accounts got their coins from. */
export const fundingUnread = {
  code: 'FUNDING_NOT_READ',
  detail:
    'The source of the first coins and tokens of each trader was not read. Accounts that one owner funds count as strangers if their trades do not link them, so the flow can be less independent than its share says.',
}
