import type { contract } from '@liquidity-os/contract'

/** A record of a partner with its state, as far as pictures need it. */
export type Drawn =
  | { readonly status: string; readonly consent: contract.PartnerConsent }
  | { readonly status: string; readonly partner: contract.PartnerTenant }
  | { readonly status: string; readonly domain: contract.PartnerDomainChallenge }

export const scopeNames: Readonly<Record<contract.ConsentScope, string>> = {
  BRAND_ON_PASSPORT: 'Its brand on passports',
  SCORE_READ: 'Market quality and depth',
  REPORT_READ: 'Which signed reports there are',
  MANDATE_KPIS_READ: 'What market makers kept',
  POLICY_LIMITS_READ: 'Limits of operation',
  TREASURY_TOTALS_READ: 'Sums of the treasury, by asset',
  PORTFOLIO_SUMMARY: 'That the vault is there',
  PROPOSAL_PREPARE: 'Prepare proposals',
}

/** A moment to the minute, in UTC. */
export const minuteOf = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
