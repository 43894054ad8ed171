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
    text: 'The issuer may publish passports of the vault with the brand of the partner. The partner receives no data.',
    reveals: [],
  },
  SCORE_READ: {
    text: 'The partner may read the current market quality score of the vault and the depth of its market.',
    reveals: ['score.state', 'score.scorePips', 'score.window', 'score.usableDepthByTradeSize'],
  },
  REPORT_READ: {
    text: 'The partner may read the list of signed reports on the market of the vault, with their hashes.',
    reveals: ['report.contentHash', 'report.formats', 'report.createdAt'],
  },
  MANDATE_KPIS_READ: {
    text: 'The partner may read the obligations of market makers for the pair of the vault, and the results.',
    reveals: ['mandate.obligations', 'mandate.windows.verdict', 'mandate.windows.coveragePips'],
  },
  POLICY_LIMITS_READ: {
    text: 'The partner may read the policy limits of the vault.',
    reveals: ['policy.level', 'policy.caps', 'policy.maximumSlippagePips', 'policy.expiresAt'],
  },
  TREASURY_TOTALS_READ: {
    text: 'The partner may read the total holdings of the vault for each asset, without their containers.',
    reveals: ['treasury.assetKey', 'treasury.total', 'treasury.asOf'],
  },
  PORTFOLIO_SUMMARY: {
    text: 'The partner may read the chain, the pair and the qualification of the vault.',
    reveals: ['vault.chainId', 'vault.pair', 'vault.qualification', 'vault.snapshot'],
  },
  PROPOSAL_PREPARE: {
    text: 'The partner may prepare proposals for the vault. The issuer imports or declines them. A prepared proposal has no approval.',
    reveals: ['vault.chainId', 'vault.safeAddress', 'vault.pair', 'vault.controlEpoch'],
  },
}
