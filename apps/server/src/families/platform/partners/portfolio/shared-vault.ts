import { contract } from '@liquidity-os/contract'
import type { Services } from '../../../../services.ts'
import { StoreUnavailableError } from '../../../../store/database/database.ts'
import { refOf } from '../preparations/live-consents.ts'
import {
  type Figure,
  mandateKpisOf,
  none,
  policyOf,
  reportsOf,
  safeOf,
  scoreOf,
  summaryOf,
  totalsOf,
} from './figures.ts'
import { issuerReportsReader, type ReportsReader } from './issuer-reports.ts'
import type { GrantedVault } from './shared-vaults.ts'

type Shared = contract.SharedVault

/** Services that read vaults for one response. */
export interface Reading {
  readonly log: Services['log']
  readonly reports: ReportsReader
}

export const startReading = ({ log }: Pick<Services, 'log'>): Reading => ({
  log,
  reports: issuerReportsReader({ log }),
})

/**
 * Data of a vault by consented scope; other scopes are not read. A figure that cannot be read
 * reports an error and does not affect the others.
 */
export async function sharedVault(
  { issuer, vault, by }: GrantedVault,
  { log, reports: readReports }: Reading,
): Promise<Shared> {
  async function readable<V>(scope: contract.ConsentScope, read: () => Promise<V> | V) {
    try {
      return await read()
    } catch (error) {
      // A storage outage is not a state of one figure, so the whole request fails and can be
      // retried.
      if (error instanceof StoreUnavailableError) throw error
      log.error({ err: error, vaultId: vault.id, scope }, 'Failed to read a figure of a portfolio.')
      return none('The figure could not be read.')
    }
  }
  async function shown<V>(
    scope: contract.ConsentScope,
    read: () => Promise<Figure<V>> | Figure<V>,
  ) {
    const consent = by.get(scope)
    if (!consent) return null
    const { value, missing, asOf, expiresAt, source } = await readable(scope, read)
    const { expiresAt: until } = consent.payload
    const ends = expiresAt !== null && Date.parse(expiresAt) < Date.parse(until) ? expiresAt : until
    return { consent: refOf(consent), asOf, expiresAt: ends, source, value, missing }
  }
  const [score, reports, mandates, policy, treasury] = await Promise.all([
    shown('SCORE_READ', () => scoreOf(issuer, vault)),
    shown('REPORT_READ', () => reportsOf(readReports, issuer, vault)),
    shown('MANDATE_KPIS_READ', () => mandateKpisOf(issuer, vault)),
    shown('POLICY_LIMITS_READ', () => policyOf(issuer, vault)),
    shown('TREASURY_TOTALS_READ', () => totalsOf(issuer, vault)),
  ])
  return {
    issuerOrganizationId: issuer.organizationId,
    vaultId: vault.id,
    scopes: contract.consentScopes.filter((scope) => by.has(scope)),
    withheld: contract.consentScopes.filter((scope) => !by.has(scope)),
    summary: await shown('PORTFOLIO_SUMMARY', () => summaryOf(vault, issuer.now)),
    prepare: await shown('PROPOSAL_PREPARE', () => safeOf(vault)),
    score,
    reports,
    mandates,
    policy,
    treasury,
  }
}
