import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../../limits.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { dayMilliseconds, hourMilliseconds } from '../../../../units.ts'
import { activeScoreOf } from '../../../intelligence/scores/api.ts'
import { currentPolicy, isFresh } from '../../../operate/autonomy-policies/api.ts'
import { findPublishedWindows, mandatesOf } from '../../../operate/market-maker-mandates/api.ts'
import { limitsOf } from '../preparations/vault-context.ts'
import { type ReportsReader, reportsOfPair } from './issuer-reports.ts'
import type { Vault } from './shared-vaults.ts'

type Shared = contract.SharedVault
type Value<Name extends keyof Shared> = NonNullable<
  NonNullable<Shared[Name]>['value' & keyof NonNullable<Shared[Name]>]
>

/** A figure without its consent. */
export interface Figure<V> {
  readonly value: V | null
  /** Reason for a missing value, or for omissions in a list. */
  readonly missing: string | null
  readonly asOf: string | null
  /** Expiry of the data, independent of the consent; null if only the consent limits it. */
  readonly expiresAt: string | null
  readonly source: SourceRef | null
}

export const none = (missing: string) => ({
  value: null,
  missing,
  asOf: null,
  expiresAt: null,
  source: null,
})

const sourceOf = ({ resourceType, id, resourceVersion }: VersionedRecord<unknown>): SourceRef => ({
  resourceType,
  id,
  resourceVersion,
})

const readUntil = ({ payload: { snapshot } }: Vault): string =>
  new Date(Date.parse(snapshot.timestamp) + hourMilliseconds).toISOString()

const ofVault = (vault: Vault) => ({
  missing: null,
  asOf: vault.payload.snapshot.timestamp,
  expiresAt: readUntil(vault),
  source: sourceOf(vault),
})

/** Data of scope PORTFOLIO_SUMMARY. */
export function summaryOf(vault: Vault, now: number): Figure<Value<'summary'>> {
  const { chainId, pair, qualification, snapshot } = vault.payload
  const isStale = qualification === 'QUALIFIED' && !isFresh(vault, now)
  return {
    ...ofVault(vault),
    value: { chainId, pair, qualification: isStale ? 'STALE' : qualification, snapshot },
  }
}

/** Data of scope PROPOSAL_PREPARE. */
export function safeOf(vault: Vault): Figure<Value<'prepare'>> {
  const { chainId, safeAddress, pair, controlEpoch } = vault.payload
  return { ...ofVault(vault), value: { chainId, safeAddress, pair, controlEpoch } }
}

/** Data of SCORE_READ: the active score of the pair. */
export async function scoreOf(
  issuer: TenantRecords,
  { payload: { pair } }: Vault,
): Promise<Figure<Value<'score'>>> {
  const found = await activeScoreOf(issuer, pair)
  if (!found || Date.parse(found.record.payload.validUntil) <= issuer.now) {
    return none('The pair has no current score.')
  }
  const { state, scorePips, window, passportClaims, validUntil } = found.record.payload
  const usableDepthByTradeSize = passportClaims?.usableDepthByTradeSize ?? null
  return {
    value: { state, scorePips, window, usableDepthByTradeSize },
    missing: null,
    asOf: window.to,
    expiresAt: validUntil,
    source: sourceOf(found.record),
  }
}

/** Data of REPORT_READ: list of signed reports of the pair, without their content. */
export async function reportsOf(
  read: ReportsReader,
  issuer: TenantRecords,
  { payload: { pair } }: Vault,
): Promise<Figure<Value<'reports'>>> {
  return { ...describeCurrent(issuer), ...reportsOfPair(await read(issuer), pair) }
}

/** Lists are as of the read time. */
const describeCurrent = ({ now }: TenantRecords) => ({
  missing: null,
  asOf: new Date(now).toISOString(),
  expiresAt: null,
  source: null,
})

/** Data of scope MANDATE_KPIS_READ. */
export async function mandateKpisOf(
  issuer: TenantRecords,
  { payload: { pair } }: Vault,
): Promise<Figure<Value<'mandates'>>> {
  const all = await mandatesOf(issuer, pair)
  const found = all.slice(0, limits.partnerPortfolioMandates)
  const cut = `${found.length} of ${all.length} mandates are shown.`
  const value = await Promise.all(
    found.map(async ({ id, payload }) => {
      const windows = await findPublishedWindows(issuer, id, limits.partnerPortfolioWindows)
      return {
        obligations: payload.kpis,
        windows: windows
          .map(({ kpiId, window: { from, to }, verdict, coveragePips }) => ({
            kpiId,
            from,
            to,
            verdict,
            coveragePips,
          }))
          .toSorted((a, b) => Date.parse(b.to) - Date.parse(a.to)),
      }
    }),
  )
  return { ...describeCurrent(issuer), value, missing: all.length > found.length ? cut : null }
}

/** Data of scope POLICY_LIMITS_READ. */
export async function policyOf(
  issuer: TenantRecords,
  vault: Vault,
): Promise<Figure<Value<'policy'>>> {
  const policy = await currentPolicy(issuer, vault.id)
  if (!policy) return none('The vault has no current policy.')
  if (policy.status === 'PAUSED') return none('The policy of the vault is paused.')
  return {
    missing: null,
    asOf: policy.createdAt,
    expiresAt: policy.payload.expiresAt,
    value: limitsOf(policy.payload),
    source: sourceOf(policy),
  }
}

/** Data of TREASURY_TOTALS_READ: sums of the vault's holdings at the last ledger observation. */
export async function totalsOf(
  issuer: TenantRecords,
  { payload: { ledgerEntries } }: Vault,
): Promise<Figure<Value<'treasury'>>> {
  const ids = ledgerEntries.map(({ id }) => id)
  const found =
    ids.length === 0
      ? []
      : await issuer.find<contract.TreasuryBucket>('TreasuryBucket', { ids, status: ['ACTIVE'] })
  const totals = new Map<string, { total: bigint; asOf: string }>()
  for (const { payload, createdAt } of found) {
    if (payload.entryKind !== 'ASSET' || payload.observed === null) {
      return none('A holding of the vault has no observation.')
    }
    const asOf = payload.computation.snapshot?.asOf ?? createdAt
    const known = totals.get(payload.asset)
    totals.set(payload.asset, {
      total: (known?.total ?? 0n) + BigInt(payload.observed.quantity),
      // Oldest observation in the sum.
      asOf: known && known.asOf < asOf ? known.asOf : asOf,
    })
  }
  if (totals.size === 0) return none('The ledger has no current holding of the vault.')
  const value = [...totals]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([assetKey, { total, asOf }]) => ({ assetKey, total: `${total}`, asOf }))
  // The oldest time of all summands; at least one exists.
  const oldest = Math.min(...value.map(({ asOf }) => Date.parse(asOf)))
  return {
    value,
    missing: null,
    asOf: new Date(oldest).toISOString(),
    source: null,
    expiresAt: new Date(oldest + dayMilliseconds).toISOString(),
  }
}
