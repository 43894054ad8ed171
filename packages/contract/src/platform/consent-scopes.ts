import { named, oneOf } from '../scalars.ts'

export const consentScopes = [
  ...(['BRAND_ON_PASSPORT', 'SCORE_READ', 'REPORT_READ', 'MANDATE_KPIS_READ'] as const),
  ...(['POLICY_LIMITS_READ', 'TREASURY_TOTALS_READ', 'PORTFOLIO_SUMMARY'] as const),
  'PROPOSAL_PREPARE',
] as const
export type ConsentScope = (typeof consentScopes)[number]
export const ConsentScope = named(
  'ConsentScope',
  oneOf(consentScopes, 'Data or action that an issuer can grant to a partner, for named vaults.'),
)

/** Text of a scope for users, and the record members that it discloses exclusively. */
export interface ScopeTerms {
  readonly text: string
  readonly reveals: readonly string[]
}

/** One description per scope, wherever a scope is offered, granted, receipted or displayed. */
export const scopeTerms: Readonly<Record<ConsentScope, ScopeTerms>> = {
  BRAND_ON_PASSPORT: {
    text: 'The issuer may sign passports of the vault with the brand of the partner. Nothing is revealed to the partner.',
    reveals: [],
  },
  SCORE_READ: {
    text: 'The partner may see the standing market-quality score of the vault and how deep its market is.',
    reveals: ['score.state', 'score.scorePips', 'score.window', 'score.usableDepthByTradeSize'],
  },
  REPORT_READ: {
    text: 'The partner may see which signed reports there are of the market of the vault, and their hashes.',
    reveals: ['report.contentHash', 'report.formats', 'report.createdAt'],
  },
  MANDATE_KPIS_READ: {
    text: 'The partner may see what market makers promised for the pair of the vault, and whether it was kept.',
    reveals: ['mandate.obligations', 'mandate.windows.verdict', 'mandate.windows.coveragePips'],
  },
  POLICY_LIMITS_READ: {
    text: 'The partner may see the limits under which the vault is operated.',
    reveals: ['policy.level', 'policy.caps', 'policy.maximumSlippagePips', 'policy.expiresAt'],
  },
  TREASURY_TOTALS_READ: {
    text: 'The partner may see the sums of the holdings in the vault, asset by asset, and no container of them.',
    reveals: ['treasury.assetKey', 'treasury.total', 'treasury.asOf'],
  },
  PORTFOLIO_SUMMARY: {
    text: 'The partner may see that the vault is there, on which chain, of which pair, and whether it is qualified.',
    reveals: ['vault.chainId', 'vault.pair', 'vault.qualification', 'vault.snapshot'],
  },
  PROPOSAL_PREPARE: {
    text: 'The partner may prepare proposals for the vault, which the issuer imports or declines. Nothing that is prepared has any approval.',
    reveals: ['vault.chainId', 'vault.safeAddress', 'vault.pair', 'vault.controlEpoch'],
  },
}
