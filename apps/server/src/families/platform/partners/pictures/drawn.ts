import type { contract } from '@liquidity-os/contract'

/** A record of a partner with its state: the part that charts use. */
export type Drawn =
  | { readonly status: string; readonly consent: contract.PartnerConsent }
  | { readonly status: string; readonly partner: contract.PartnerTenant }
  | { readonly status: string; readonly domain: contract.PartnerDomainChallenge }

export const scopeNames: Readonly<Record<contract.ConsentScope, string>> = {
  BRAND_ON_PASSPORT: 'Brand on passports',
  SCORE_READ: 'Market quality and depth',
  REPORT_READ: 'List of signed reports',
  MANDATE_KPIS_READ: 'Market maker KPIs',
  POLICY_LIMITS_READ: 'Policy limits',
  TREASURY_TOTALS_READ: 'Treasury totals by asset',
  PORTFOLIO_SUMMARY: 'Existence of the vault',
  PROPOSAL_PREPARE: 'Prepare proposals',
}

/** A time to the minute, in UTC. */
export const minuteOf = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
