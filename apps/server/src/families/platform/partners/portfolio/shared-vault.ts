import { contract } from '@liquidity-os/contract'
import { refOf } from '../preparations/live-consents.ts'
import {
  type Figure,
  mandateKpisOf,
  policyOf,
  reportsOf,
  safeOf,
  scoreOf,
  summaryOf,
  totalsOf,
} from './figures.ts'
import type { GrantedVault } from './shared-vaults.ts'

type Shared = contract.SharedVault

/** What the consents of a vault show of it, scope by scope; of any other scope nothing is read. */
export async function sharedVault({ issuer, vault, by }: GrantedVault): Promise<Shared> {
  async function shown<V>(
    scope: contract.ConsentScope,
    read: () => Promise<Figure<V>> | Figure<V>,
  ) {
    const consent = by.get(scope)
    if (!consent) return null
    const { value, missing, asOf, expiresAt, source } = await read()
    const { expiresAt: until } = consent.payload
    const ends = expiresAt !== null && Date.parse(expiresAt) < Date.parse(until) ? expiresAt : until
    return { consent: refOf(consent), asOf, expiresAt: ends, source, value, missing }
  }
  const [score, reports, mandates, policy, treasury] = await Promise.all([
    shown('SCORE_READ', () => scoreOf(issuer, vault)),
    shown('REPORT_READ', () => reportsOf(issuer, vault)),
    shown('MANDATE_KPIS_READ', () => mandateKpisOf(issuer, vault)),
    shown('POLICY_LIMITS_READ', () => policyOf(issuer, vault)),
    shown('TREASURY_TOTALS_READ', () => totalsOf(issuer, vault)),
  ])
  return {
    ...{ issuerOrganizationId: issuer.organizationId, vaultId: vault.id },
    scopes: contract.consentScopes.filter((scope) => by.has(scope)),
    withheld: contract.consentScopes.filter((scope) => !by.has(scope)),
    summary: await shown('PORTFOLIO_SUMMARY', () => summaryOf(vault, issuer.now)),
    prepare: await shown('PROPOSAL_PREPARE', () => safeOf(vault)),
    ...{ score, reports, mandates, policy, treasury },
  }
}
